import * as z from "zod/mini";
import { ActionError } from "./errors.ts";
import type { Given } from "./github/given.ts";
import { LEVELS, type Level } from "./github/permission.ts";
import { readPromptFile } from "./prompt-file.ts";
import { isLoopback } from "./text/link.ts";

/** Reads an input of the action by its name, exactly as the workflow gave it; empty if it did not. */
export type ReadInput = (name: string) => string;

const MINUTE = 60_000;
const SECOND = 1000;

/** A check of one input: `parse` returns undefined for a value that is not `allowed`. */
function input<T>(
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

function quote(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return text === "" ? "an empty value" : JSON.stringify(shown);
}

function withoutPassword(text: string): string {
  return quote(text.replace(/\/\/[^/]*@/, "//***@"));
}

function hidden(): string {
  return "its value (not shown)";
}

function number(text: string): number | undefined {
  const isDecimal = /^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim());
  const value = isDecimal ? Number(text) : Number.NaN;
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

/** A duration: what is not given is `fallback`. The result is in milliseconds. */
const positive = (unit: string, scale: number, fallback: string) =>
  input(
    `a positive number of ${unit}, such as 3 or 0.5`,
    (text) => {
      const value = number(text);
      return value === undefined || !Number.isFinite(value * scale) ? undefined : value * scale;
    },
    { fallback },
  );

const flag = (fallback: "true" | "false") =>
  input(
    "true or false",
    (text) => {
      const value = text.trim().toLowerCase();
      return value === "true" ? true : value === "false" ? false : undefined;
    },
    { fallback },
  );

/** One of a few words; the first is what is not given. */
const oneOf = <const T extends string>(...values: T[]) =>
  input(`one of ${values.join(", ")}`, (text) => values.find((value) => value === text.trim()), {
    fallback: values[0] ?? "",
  });

/** A segment of a path: it is encoded when it is sent, so only what would change the path is refused. */
const isSegment = (text: string) => ![".", ".."].includes(text);

/** Decide whether anything is asked, before anything else is looked at. */
const gateFields = {
  "trigger-phrase": input("one line, such as /docs", (text) =>
    /[\r\n]/.test(text.trim()) ? undefined : text.trim(),
  ),
  "required-permission": input(
    `one of ${LEVELS.join(", ")}`,
    (text) => LEVELS.find((level) => level === text.trim()),
    { fallback: "write" },
  ),
  comment: flag("true"),
  "issue-number": input("the number of an issue or pull request, such as 12", (text) => {
    if (text.trim() === "") return null;
    const value = /^\d+$/.test(text.trim()) ? Number(text) : 0;
    return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  }),
  "github-token": input(
    "a token without line breaks or spaces",
    (text) => (/^[\x21-\x7E]*$/.test(text.trim()) ? text.trim() : undefined),
    { show: hidden },
  ),
  "github-api-url": input(
    "the address of GitHub's API, such as https://api.github.com, without user, password, ? or #",
    httpUrl,
    { show: withoutPassword },
  ),
};

const gateSchema = z.object(gateFields);

const schema = z.object({
  ...gateFields,
  "api-key": input(
    "the key alone: letters, digits and signs, without line breaks or spaces. Save the secret again",
    (text) => (/^[\x21-\x7E]+$/.test(text) ? text : undefined),
    { show: hidden },
  ),
  "project-id": input("the project's id from the dashboard, and not . or ..", (text) =>
    text.trim() !== "" && isSegment(text.trim()) ? text.trim() : undefined,
  ),
  "job-id": input("the id of a job, and not . or ..", (text) =>
    isSegment(text.trim()) ? text.trim() : undefined,
  ),
  wait: flag("true"),
  "timeout-minutes": positive("minutes", MINUTE, "30"),
  "poll-interval-seconds": positive("seconds", SECOND, "3"),
  "poll-max-interval-seconds": positive("seconds", SECOND, "15"),
  "if-timeout": oneOf("error", "warn"),
  "if-no-changes": oneOf("ignore", "warn", "error"),
  "continue-job": flag("true"),
  "include-context": oneOf("auto", "true", "false"),
  "base-url": input(
    "an https: address (http: only on this machine itself), without user, password, ? or #",
    (text) => {
      const url = httpUrl(text);
      return url === undefined || (url.protocol === "http:" && !isLoopback(url)) ? undefined : url;
    },
    {
      show: withoutPassword,
      fallback: "https://api.mintlify.com",
    },
  ),
});

function httpUrl(text: string): URL | undefined {
  if (!URL.canParse(text.trim())) return undefined;
  const url = new URL(text.trim());
  const isHttp = url.protocol === "https:" || url.protocol === "http:";
  const isPlain = [url.username, url.password, url.search, url.hash].every((part) => part === "");
  return isHttp && isPlain ? url : undefined;
}

/** The inputs that decide whether anything is asked, and what is needed to find out and to say so. */
export interface Gate {
  /** Empty when a run needs no phrase. */
  triggerPhrase: string;
  requiredPermission: Level;
  comment: boolean;
  issueNumber: number | null;
  githubToken: string;
  githubApiUrl: URL;
}

/**
 * Reads the inputs that decide whether anything is asked; null when one of them is wrong, which
 * {@link parseInputs} then tells together with all others.
 */
export function parseGate(read: ReadInput, given: Pick<Given, "apiUrl">): Gate | null {
  const parsed = gateSchema.safeParse(readRaw(gateSchema.shape, read, given));
  return parsed.success ? gateOf(parsed.data) : null;
}

/** The phrase alone, which needs no check: without it in the event there is nothing else to look at. */
export function readTriggerPhrase(read: ReadInput): string {
  return read("trigger-phrase").trim();
}

function gateOf(checked: z.infer<typeof gateSchema>): Gate {
  return {
    triggerPhrase: checked["trigger-phrase"],
    requiredPermission: checked["required-permission"],
    comment: checked.comment,
    issueNumber: checked["issue-number"],
    githubToken: checked["github-token"],
    githubApiUrl: checked["github-api-url"],
  };
}

function readRaw(
  fields: object,
  read: ReadInput,
  { apiUrl }: Pick<Given, "apiUrl">,
): Record<string, string> {
  const raw = Object.fromEntries(Object.keys(fields).map((name) => [name, read(name)]));
  if ("github-api-url" in raw) raw["github-api-url"] ||= apiUrl;
  return raw;
}

/** What the job is to do, from `prompt`, `prompt-file` and `job-id`. */
export type Task =
  | { type: "create"; prompt: string }
  | { type: "follow-up"; jobId: string; prompt: string }
  /** A follow-up to the job of a conversation; a new one, should that job not take it. */
  | { type: "continue"; jobId: string; prompt: string }
  | { type: "take-up"; jobId: string };

/** The inputs of the root action, checked; durations in milliseconds. */
export interface Inputs extends Gate {
  apiKey: string;
  projectId: string;
  task: Task;
  wait: boolean;
  timeout: number;
  pace: { initial: number; max: number };
  ifTimeout: "error" | "warn";
  ifNoChanges: "ignore" | "warn" | "error";
  continueJob: boolean;
  /** `auto`: only for requests made by phrase. */
  includeContext: "auto" | "true" | "false";
  baseUrl: URL;
}

/**
 * Reads and checks every input of the root action.
 *
 * @param given tells the workspace that `prompt-file` stays inside, and GitHub's own API
 * @param request what was asked for by phrase: it comes after the prompt, or alone
 * @throws ActionError `invalid-input`, naming every input that is wrong, its value and what is allowed
 */
export function parseInputs(
  read: ReadInput,
  given: Pick<Given, "workspace" | "apiUrl">,
  request = "",
): Inputs {
  const raw = readRaw(schema.shape, read, given);
  const parsed = schema.safeParse(raw);
  const problems: string[] = [];
  const hasKey = raw["api-key"]?.trim() !== "";
  if (!hasKey) problems.push(NO_KEY);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    if (name !== "api-key" || hasKey) problems.push(`${name}: ${message}.`);
  }

  const prompt = readPrompt(read, given.workspace, request);
  problems.push(...prompt.problems);
  if (!parsed.success || problems.length > 0) throw invalid(problems);

  const checked = parsed.data;
  return {
    apiKey: checked["api-key"],
    projectId: checked["project-id"],
    task: taskOf(prompt.text, checked["job-id"]),
    wait: checked.wait,
    timeout: checked["timeout-minutes"],
    pace: {
      initial: checked["poll-interval-seconds"],
      max: checked["poll-max-interval-seconds"],
    },
    ifTimeout: checked["if-timeout"],
    ifNoChanges: checked["if-no-changes"],
    continueJob: checked["continue-job"],
    includeContext: checked["include-context"],
    baseUrl: checked["base-url"],
    ...gateOf(checked),
  };
}

const NO_KEY =
  "api-key: an empty value is not allowed: it must be an admin API key. If it comes from a secret: secrets are not passed to workflows started from a fork, nor when the secret's name is misspelled.";

function invalid(problems: readonly string[]): ActionError {
  return problems.length === 1
    ? new ActionError("invalid-input", problems[0] ?? "")
    : new ActionError(
        "invalid-input",
        `${problems.length} inputs are wrong:\n${problems.map((it) => `- ${it}`).join("\n")}`,
      );
}

function taskOf(prompt: string | null, jobId: string): Task {
  if (prompt === null) return { type: "take-up", jobId };
  return jobId === "" ? { type: "create", prompt } : { type: "follow-up", jobId, prompt };
}

/** The prompt as it was given, byte for byte; null when `job-id` alone is to be waited for. */
function readPrompt(
  read: ReadInput,
  workspace: string,
  request: string,
): { text: string | null; problems: string[] } {
  const prompt = read("prompt");
  const file = read("prompt-file").trim();
  if (file !== "") {
    if (prompt !== "") {
      const problem = `prompt-file: ${quote(file)} is not allowed together with prompt: give one of the two.`;
      return { text: null, problems: [problem] };
    }
    const content = readPromptFile(workspace, file);
    if ("text" in content) return { text: withRequest(content.text, request), problems: [] };
    return { text: null, problems: [`prompt-file: ${quote(file)} ${content.problem}.`] };
  }
  const whole = withRequest(prompt, request);
  if (whole.trim() !== "") return { text: whole, problems: [] };
  if (prompt === "" && read("job-id").trim() !== "") return { text: null, problems: [] };
  const problem = `prompt: ${quote(prompt)} is not allowed: it must be an instruction of at least one character that is not white space, unless prompt-file or job-id is given.`;
  return { text: null, problems: [problem] };
}

function withRequest(prompt: string, request: string): string {
  if (request === "") return prompt;
  return prompt.trim() === "" ? request : `${prompt.trimEnd()}\n\n${request}`;
}
