import * as z from "zod/mini";
import { ActionError } from "../errors.ts";
import { isLoopback } from "../text/link.ts";

/** Reads an input of the action by its name, exactly as the workflow gave it; empty if it did not. */
export type ReadInput = (name: string) => string;

/** Address of the service when none is given. */
const DEFAULT_SERVICE = "https://api.mintlify.com";

/** A check of one input: `parse` returns undefined for a value that is not `allowed`. */
export function input<T>(
  allowed: string,
  parse: (text: string) => T | undefined,
  { show = quote, fallback = "" }: { show?: (text: string) => string; fallback?: string } = {},
) {
  return z.pipe(
    z.string(),
    z.transform((text: string, context): T => {
      const value = parse(text.trim() === "" ? fallback : text);
      if (value !== undefined) return value;
      const message = `${show(text)} is not allowed: it must be ${allowed}`;
      context.issues.push({ code: "custom", input: text, message });
      return z.NEVER;
    }),
  );
}

/** A value as a message shows it: in quotes, and cut. */
export function quote(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return text === "" ? "an empty value" : JSON.stringify(shown);
}

export function withoutPassword(text: string): string {
  return quote(text.replace(/\/\/[^/]*@/, "//***@"));
}

export function hidden(): string {
  return "its value (not shown)";
}

function number(text: string): number | undefined {
  const isDecimal = /^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim());
  const value = isDecimal ? Number(text) : Number.NaN;
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

/** A duration: what is not given is `fallback`. The result is in milliseconds. */
export const positive = (unit: string, scale: number, fallback: string) =>
  input(
    `a positive number of ${unit}, such as 3 or 0.5`,
    (text) => {
      const value = number(text);
      return value === undefined || !Number.isFinite(value * scale) ? undefined : value * scale;
    },
    { fallback },
  );

export const flag = (fallback: "true" | "false") =>
  input(
    "true or false",
    (text) => {
      const value = text.trim().toLowerCase();
      return value === "true" ? true : value === "false" ? false : undefined;
    },
    { fallback },
  );

/** One of a few words; the first is what is not given. */
export const oneOf = <const T extends string>(...values: T[]) =>
  input(`one of ${values.join(", ")}`, (text) => values.find((value) => value === text.trim()), {
    fallback: values[0] ?? "",
  });

/** A segment of a path: it is encoded when it is sent, so only what would change the path is refused. */
export const isSegment = (text: string) => ![".", ".."].includes(text);

/** The inputs that every action has. */
export const commonChecks = {
  "api-key": input(
    "the key alone: letters, digits and signs, without line breaks or spaces. Save the secret again",
    (text) => (/^[\x21-\x7E]+$/.test(text) ? text : undefined),
    { show: hidden },
  ),
  "project-id": input("the project's id from the dashboard, and not . or ..", (text) =>
    text.trim() !== "" && isSegment(text.trim()) ? text.trim() : undefined,
  ),
  "base-url": input(
    "an https: address (http: only on this machine itself), without user, password, ? or #",
    (text) => {
      const url = httpUrl(text);
      return url === undefined || (url.protocol === "http:" && !isLoopback(url)) ? undefined : url;
    },
    {
      show: withoutPassword,
      fallback: DEFAULT_SERVICE,
    },
  ),
};

/** An absolute `http:` or `https:` address without user, password, query and fragment. */
export function httpUrl(text: string): URL | undefined {
  if (!URL.canParse(text.trim())) return undefined;
  const url = new URL(text.trim());
  const isHttp = url.protocol === "https:" || url.protocol === "http:";
  const isPlain = [url.username, url.password, url.search, url.hash].every((part) => part === "");
  return isHttp && isPlain ? url : undefined;
}

/** What kind of key an action takes: the agent an admin key, the assistant one of its own. */
export type KeyKind = "admin" | "assistant";

/** What is wrong with inputs: what a schema found, a sentence each, and a key that is of no use here. */
export function problemsOf(
  raw: Readonly<Record<string, string>>,
  error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } | undefined,
  keyKind: KeyKind = "admin",
): string[] {
  // Some inputs are read apart from those that every action has.
  const key = raw["api-key"];
  const hasKey = key?.trim() !== "";
  const problems = hasKey ? mixedUp(keyKind, key ?? "", raw["base-url"] ?? "") : [noKey(keyKind)];
  for (const { path, message } of error?.issues ?? []) {
    const name = String(path[0]);
    if (name !== "api-key" || hasKey) problems.push(`${name}: ${message}.`);
  }
  return problems;
}

function noKey(keyKind: KeyKind): string {
  return `api-key: an empty value is not allowed: it must be an ${keyKind} API key. If it comes from a secret: secrets are not passed to workflows started from a fork, nor when the secret's name is misspelled.`;
}

/** Kinds of keys by their prefix, the longer ones first; another service may begin its keys as it likes. */
const KEY_PREFIXES = [
  ["mint_dsc_", "assistant"],
  ["mint_us_", "index"],
  ["mint_", "admin"],
] as const;

/** A key of the wrong kind, recognised before it is sent anywhere. */
function mixedUp(needed: KeyKind, key: string, service: string): string[] {
  const url = httpUrl(service.trim() === "" ? DEFAULT_SERVICE : service);
  if (url?.host !== new URL(DEFAULT_SERVICE).host) return [];
  const kind = KEY_PREFIXES.find(([prefix]) => key.startsWith(prefix))?.[1];
  if (kind === undefined || kind === needed) return [];
  const prefix = KEY_PREFIXES.find(([, it]) => it === needed)?.[0];
  return [
    `api-key: an ${kind} key is not allowed here: it must be an ${needed} API key, which begins with ${prefix}. Keys of both kinds are made on the API keys page of the dashboard.`,
  ];
}

/** The error that reports every wrong input in one go. */
export function invalid(problems: readonly string[]): ActionError {
  return problems.length === 1
    ? new ActionError("invalid-input", problems[0] ?? "")
    : new ActionError(
        "invalid-input",
        `${problems.length} inputs are wrong:\n${problems.map((it) => `- ${it}`).join("\n")}`,
      );
}
