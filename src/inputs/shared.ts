/** The inputs that several actions have, as parts of their shapes. */

import type { GitHubSettings } from "../github/conversation/feedback.ts";
import type { ApiKeys } from "../github/conversation/markers.ts";
import { PERMISSIONS } from "../github/trigger/permission.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import { ActionError } from "../runtime/errors.ts";
import { quote } from "../text/sentence.ts";
import {
  type Check,
  duration,
  flag,
  HIDDEN,
  input,
  isGitRef,
  lines,
  notAllowed,
  oneOf,
  optional,
  Problem,
  parseInputs,
  paths,
  type ReadInput,
  secureUrl,
  segment,
  textInput,
  wholeNumber,
  withoutPassword,
} from "./checks.ts";
import { readTextFile } from "./workspace.ts";

/** The default URL of the service. */
const DEFAULT_SERVICE = "https://api.mintlify.com";
const KEY = /^[\x21-\x7E]+$/;
const ALLOWED_KEY =
  "only the key: letters, digits and punctuation, without line breaks or spaces. Save the secret again";

/** The URL and the key of the service. @param kind the kind of the key, for messages */
export const service = (kind: "admin" | "assistant") => ({
  "api-key": ((key) => {
    if (KEY.test(key)) return key;
    if (key.trim() !== "") throw notAllowed(HIDDEN, ALLOWED_KEY);
    throw new Problem(
      `an empty value is not allowed: it must be an ${kind} API key. If it comes from a secret, check the secret's name. GitHub passes no secrets to workflows triggered from a fork, and only Dependabot secrets to workflows triggered by Dependabot.`,
    );
  }) as Check<string>,
  "base-url": input(
    "an https: URL (http: only for localhost), without user name, password, ? or #",
    secureUrl,
    { show: withoutPassword, fallback: DEFAULT_SERVICE },
  ),
});

/** The same, for the actions that need a project. */
export const PROJECT = {
  ...service("admin"),
  "project-id": segment("the project ID from the dashboard"),
};

/** The keys that sign and verify markers: `api-key`, which signs, and the one before the last rotation. */
export const KEYS = {
  "previous-api-key": ((previous, read) => {
    const isAllowed = previous.trim() === "" || KEY.test(previous);
    if (!isAllowed) throw notAllowed(HIDDEN, `${ALLOWED_KEY}, or remove the input`);
    return previous.trim() === "" ? [read("api-key")] : [read("api-key"), previous];
  }) as Check<ApiKeys>,
};

/** The inputs of the actions that can wait for a job. */
export const WAIT = {
  "timeout-minutes": duration("minutes", "30"),
  "poll-interval-seconds": duration("seconds", "3"),
  "poll-max-interval-seconds": duration("seconds", "15"),
};

const token = (pattern: RegExp) =>
  textInput("a token without line breaks or spaces", (text) => pattern.test(text), {
    show: () => HIDDEN,
  });

/** The URL and the token of GitHub. */
export const GITHUB_ACCESS = {
  "github-token": token(/^[\x21-\x7E]*$/),
  "github-api-url": input(
    "an https: URL (http: only for localhost), such as https://api.github.com, without user name, password, ? or #",
    (text, { apiUrl }) => secureUrl(text || apiUrl),
    { show: withoutPassword },
  ),
};

/** The phrase at the beginning of requests. White space and more than one line could never match. */
export const PHRASE = {
  "trigger-phrase": ((text) => {
    const isOneLine = text === "" || /^[^\r\n]+$/.test(text.trim());
    if (!isOneLine) throw notAllowed(quote(text.trim() || text), "one line, such as /docs");
    return text.trim();
  }) as Check<string>,
};

/**
 * Reads only the phrase. If the event does not contain it, there is nothing to do, whatever the other inputs are.
 *
 * @returns empty if a run needs no phrase
 * @throws ActionError `invalid-input` for more than one line, or for white space
 */
export function readTriggerPhrase(read: ReadInput, context: RunContext): string {
  return parseInputs(PHRASE, read, context).triggerPhrase;
}

/** Names of people and apps that GitHub allows. */
const LOGIN = /^@?[a-z\d_-]{1,39}$/i;

/** Accounts, in lower case. */
const accounts = (...rules: Parameters<typeof lines>): ReturnType<typeof lines> => {
  const check = lines(...rules);
  return (...args) => check(...args).map((line) => line.replace(/^@/, "").toLowerCase());
};

/** The inputs that decide whether a request counts, and where a run comments. */
export const GITHUB = {
  "required-permission": oneOf(PERMISSIONS, "write"),
  "allowed-users": accounts("logins such as octocat (list bots in allowed-bots)", (line) =>
    LOGIN.test(line),
  ),
  "allowed-bots": accounts("logins of bots such as renovate[bot]", (line) =>
    LOGIN.test(line.replace(/\[bot\]$/i, "")),
  ),
  comment: flag("true"),
  "issue-number": optional(wholeNumber()),
  matrix: textInput("JSON from `toJSON(matrix)`", () => true),
  ...GITHUB_ACCESS,
};

/** The same, before the other inputs are checked; null if one is invalid. */
export function readGitHubSettings(read: ReadInput, context: RunContext): GitHubSettings | null {
  try {
    return parseInputs(GITHUB, read, context);
  } catch (error) {
    if (error instanceof ActionError) return null;
    throw error;
  }
}

/** Distinguishes the ledgers of one project by the last part of their refs. */
export const LEDGER_NAME = {
  name: textInput("letters, digits, ., - and _, such as api-docs", (text) =>
    /^(?!.*(?:\.\.|\.lock$|\.$))([A-Za-z0-9_-][A-Za-z0-9._-]{0,99})?$/.test(text),
  ),
};

/** The ledger of an action, and the access to it. */
export const LEDGER_FILE = {
  ...PROJECT,
  ...GITHUB_ACCESS,
  "github-token": token(/^[\x21-\x7E]+$/),
  "ledger-ref": optional(
    textInput(
      "the full name of a ref, such as refs/heads/docs-ledger, with letters, digits, ., -, _ and /",
      (ref) => /^refs\/[\w-]+\/[\w./-]+$/.test(ref) && isGitRef(ref),
    ),
  ),
  "dry-run": flag("false"),
};

/** The inputs of the actions whose ledger contains batches. */
export const LEDGER = {
  ...LEDGER_FILE,
  "max-attempts": wholeNumber("3"),
  "job-deadline-hours": duration("hours", "24"),
  dashboard: optional(wholeNumber()),
};

/** The inputs that exclude changes. */
export const CHANGE_FILTERS = {
  paths,
  "ignore-labels": lines("labels"),
  "ignore-authors": lines("logins"),
};

/** The instruction, unchanged: from `prompt`, or from the file. */
export const PROMPT = {
  prompt: ((text) => text) as Check<string>,
  "prompt-file": ((text, read, { workspace }) => {
    const file = text.trim();
    if (file === "") return "";
    if (read("prompt").trim() !== "") {
      throw new Problem(
        `${quote(file)} is not allowed together with prompt: set only one of them.`,
      );
    }
    const content = readTextFile(workspace, file, MAX_PROMPT).text;
    if (content.trim() === "") {
      throw new Problem(`${quote(file)} is empty: it must contain an instruction.`);
    }
    return content;
  }) as Check<string>,
};

/** Maximum size of a prompt file, in bytes. */
const MAX_PROMPT = 8 * 1024 * 1024;

/** Appends a request by phrase to the prompt in the workflow, if there is one. */
export function withRequest(prompt: string, request: string): string {
  if (request === "") return prompt;
  return prompt.trim() === "" ? request : `${prompt.trimEnd()}\n\n${request}`;
}
