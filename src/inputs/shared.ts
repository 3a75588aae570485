/** The inputs that several actions have. */

import type { GitHubSettings } from "../github/conversation/feedback.ts";
import type { ApiKeys } from "../github/conversation/markers.ts";
import { PERMISSIONS } from "../github/trigger/permission.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import type { PollPace } from "../job/poll.ts";
import type { ServiceAccess } from "../service/transport.ts";
import { quote } from "../text/sentence.ts";
import {
  anyText,
  durationIn,
  flag,
  HIDDEN,
  type InputCheck,
  InputProblem,
  lines,
  notAllowed,
  oneOf,
  optional,
  type ParseInput,
  parseIfValid,
  parseInputs,
  type ReadInput,
  secureUrl,
  segment,
  trimmed,
  trimmedText,
  wholeNumber,
  withoutPassword,
} from "./checks.ts";

/** The default URL of the service. */
const DEFAULT_SERVICE = "https://api.mintlify.com";
const KEY = /^[\x21-\x7E]+$/;
/** Why an input that comes from a secret may be empty. */
const MISSING_SECRET =
  "If it comes from a secret, check the secret's name. " +
  "A reusable workflow gets only the secrets that its caller names in `secrets:`.";
const ALLOWED_KEY =
  "only the key: letters, digits and punctuation, without line breaks or spaces. Save the secret again";

/** The service, and the project there. */
export interface ProjectInputs extends ServiceAccess {
  projectId: string;
}

/** @param kind the kind of the key, for messages */
export function serviceKey(kind: "admin" | "assistant"): InputCheck<string> {
  return (key) => {
    if (KEY.test(key)) return key;
    if (key.trim() !== "") throw notAllowed(HIDDEN, ALLOWED_KEY);
    throw new InputProblem(
      `an empty value is not allowed: it must be an ${kind} API key. ${MISSING_SECRET} ` +
        "GitHub passes no secrets to workflows triggered from a fork, " +
        "and only Dependabot secrets to workflows triggered by Dependabot.",
    );
  };
}

/** The service's URL. */
export const SERVICE_URL: InputCheck<URL> = trimmed(
  "an https: URL (http: only for localhost), without user name, password, ? or #",
  secureUrl,
  { show: withoutPassword, fallback: DEFAULT_SERVICE },
);

function service(input: ParseInput, key: InputCheck<string>): ServiceAccess {
  return { apiKey: input("api-key", key), baseUrl: input("base-url", SERVICE_URL) };
}

/** The documentation assistant, which has keys of its own. */
export function assistantService(input: ParseInput): ServiceAccess {
  return service(input, serviceKey("assistant"));
}

export const PROJECT_ID: InputCheck<string> = (text) => {
  if (text.trim() !== "") return PROJECT_SEGMENT(text);
  throw new InputProblem(
    "an empty value is not allowed: it must be the project ID from the dashboard. " +
      "If it comes from a variable, check the variable's name. A variable that does not exist is empty. " +
      "A variable of an environment is empty in a job that does not name the environment. " +
      "A secret is not a variable: if the ID is stored as one, store it as a variable.",
  );
};
const PROJECT_SEGMENT = segment("the project ID from the dashboard");

export const DOMAIN = segment("the last part of the URL of Mintlify's dashboard");

export function project(input: ParseInput): ProjectInputs {
  return {
    ...service(input, serviceKey("admin")),
    projectId: input("project-id", PROJECT_ID),
  };
}

/** Null without a key: then no project is needed, either. */
export function projectIfKey(input: ParseInput, read: ReadInput): ProjectInputs | null {
  const hasKey = read("api-key").trim() !== "";
  const needed = (check: InputCheck<string>): InputCheck<string> => (hasKey ? check : anyText);
  // The URL is checked in any case.
  const given = {
    ...service(input, needed(serviceKey("admin"))),
    projectId: input("project-id", needed(PROJECT_ID)),
  };
  return hasKey ? given : null;
}

/** The keys that sign and verify markers: `api-key`, which signs, and the one before the last rotation. */
export function markerKeys(input: ParseInput, read: ReadInput): ApiKeys {
  return input("previous-api-key", (previous) => {
    if (previous.trim() === "") return [read("api-key")];
    if (KEY.test(previous)) return [read("api-key"), previous];
    throw notAllowed(HIDDEN, `${ALLOWED_KEY}, or remove the input`);
  });
}

/** The inputs that are secrets: first the keys of the service, then GitHub's token. */
export function readSecrets(read: ReadInput): { keys: string[]; githubToken: string } {
  return {
    keys: [read("api-key"), read("previous-api-key"), read("assistant-api-key")],
    githubToken: read("github-token"),
  };
}

/** What to do after the time limit. */
export const RAISE_TIME_LIMIT = "Run again with a higher `timeout-minutes`.";

/** How long an action waits, in milliseconds. @param fallback the default, in minutes */
export function timeLimit(input: ParseInput, fallback: string): number {
  return input("timeout-minutes", durationIn("minutes", fallback));
}

/** How often a waiting action polls. */
export function pollPace(input: ParseInput): PollPace {
  return {
    initial: input("poll-interval-seconds", durationIn("seconds", "3")),
    max: input("poll-max-interval-seconds", durationIn("seconds", "15")),
  };
}

/** GitHub's API, and the access to it. */
export interface GitHubAccess {
  githubToken: string;
  githubApiUrl: URL;
}

const GITHUB_TOKEN = trimmedText(
  "a token without line breaks or spaces",
  (text) => /^[\x21-\x7E]*$/.test(text),
  { show: () => HIDDEN },
);
const MISSING_TOKEN =
  "an empty value is not allowed: it must be a token for GitHub. " +
  `Remove the input to use the workflow's own token. ${MISSING_SECRET}`;

/** @param isNeeded whether nothing works without a token */
export function githubAccess(
  input: ParseInput,
  context: RunContext,
  isNeeded = false,
): GitHubAccess {
  return {
    githubToken: input("github-token", isNeeded ? GIVEN_TOKEN : GITHUB_TOKEN),
    githubApiUrl: githubApiUrl(input, context),
  };
}

/** A token without which nothing works. */
export const GIVEN_TOKEN: InputCheck<string> = (text) => {
  if (text.trim() === "") throw new InputProblem(MISSING_TOKEN);
  return GITHUB_TOKEN(text);
};

export function githubApiUrl(input: ParseInput, { apiUrl }: RunContext): URL {
  const allowed =
    "an https: URL (http: only for localhost), such as https://api.github.com, without user name, password, ? or #";
  const check = trimmed(allowed, (text) => secureUrl(text || apiUrl), { show: withoutPassword });
  return input("github-api-url", check);
}

/** The name of the input, for messages about others. */
export const TRIGGER_PHRASE = "trigger-phrase";

/** The phrase at the beginning of requests, null for none. White space and more than one line could never match. */
export function triggerPhrase(input: ParseInput): string | null {
  return input(TRIGGER_PHRASE, (text) => {
    const isOneLine = text === "" || /^[^\r\n]+$/.test(text.trim());
    if (!isOneLine) throw notAllowed(quote(text.trim() || text), "one line, such as /docs");
    return text.trim() || null;
  });
}

/**
 * Reads only the phrase. If the event does not contain it, there is nothing to do, whatever the other inputs are.
 *
 * @returns null if a run needs no phrase
 * @throws ActionError `invalid-input` for more than one line, or for white space
 */
export function readTriggerPhrase(read: ReadInput): string | null {
  return parseInputs(read, triggerPhrase);
}

/** Names of people and apps that GitHub allows. */
const LOGIN = /^@?[a-z\d_-]{1,39}$/i;

/** Accounts, in lower case. */
function accounts(allowed: string, isAllowed: (line: string) => boolean): InputCheck<string[]> {
  const check = lines(allowed, isAllowed);
  return (text) => check(text).map((line) => line.replace(/^@/, "").toLowerCase());
}

/** Logins of bots, in lower case. */
export const botLogins: InputCheck<string[]> = accounts(
  "logins of bots such as renovate[bot]",
  (line) => LOGIN.test(line.replace(/\[bot\]$/i, "")),
);

/** The inputs that decide whether a request counts, and where a run comments. */
export function githubSettings(input: ParseInput, context: RunContext): GitHubSettings {
  return {
    requiredPermission: input("required-permission", oneOf(PERMISSIONS, "write")),
    allowedUsers: input(
      "allowed-users",
      accounts("logins such as octocat (list bots in allowed-bots)", (line) => LOGIN.test(line)),
    ),
    allowedBots: input("allowed-bots", botLogins),
    comment: input("comment", flag("true")),
    issueNumber: input("issue-number", optional(wholeNumber())),
    matrix: input("matrix", anyText),
    ...githubAccess(input, context),
  };
}

/** The same, before the other inputs are checked; null if one is invalid. */
export function readGitHubSettings(read: ReadInput, context: RunContext): GitHubSettings | null {
  return parseIfValid(read, (input) => githubSettings(input, context));
}
