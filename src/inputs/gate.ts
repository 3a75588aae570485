import * as z from "zod/mini";
import type { Given } from "../github/given.ts";
import { LEVELS, type Level } from "../github/permission.ts";
import { flag, hidden, httpUrl, input, type ReadInput, withoutPassword } from "./checks.ts";

/** Decide whether anything is asked, before anything else is looked at. */
export const gateFields = {
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
 * the check of all inputs then tells together with the others.
 */
export function parseGate(read: ReadInput, given: Pick<Given, "apiUrl">): Gate | null {
  const parsed = gateSchema.safeParse(readRaw(gateSchema.shape, read, given));
  return parsed.success ? gateOf(parsed.data) : null;
}

/** The phrase alone, which needs no check: without it in the event there is nothing else to look at. */
export function readTriggerPhrase(read: ReadInput): string {
  return read("trigger-phrase").trim();
}

/** The gate's part of inputs that were checked. */
export function gateOf(checked: z.infer<typeof gateSchema>): Gate {
  return {
    triggerPhrase: checked["trigger-phrase"],
    requiredPermission: checked["required-permission"],
    comment: checked.comment,
    issueNumber: checked["issue-number"],
    githubToken: checked["github-token"],
    githubApiUrl: checked["github-api-url"],
  };
}

/** The inputs that a schema names, as they were given. */
export function readRaw(
  fields: object,
  read: ReadInput,
  { apiUrl }: Pick<Given, "apiUrl">,
): Record<string, string> {
  const raw = Object.fromEntries(Object.keys(fields).map((name) => [name, read(name)]));
  if ("github-api-url" in raw) raw["github-api-url"] ||= apiUrl;
  return raw;
}
