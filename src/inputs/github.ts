import type { GitHubSettings } from "../github/feedback.ts";
import { PERMISSIONS } from "../github/permission.ts";
import type { RunContext } from "../github/run-context.ts";
import { linesOf, quote } from "../text/sentence.ts";
import {
  type Checked,
  checkInputs,
  flag,
  hidden,
  input,
  oneOf,
  type ReadInput,
  secureUrl,
  valuesOf,
  whole,
  withoutPassword,
} from "./checks.ts";

/** The URL and the token of GitHub. */
export const GITHUB_ACCESS = {
  "github-token": input(
    "a token without line breaks or spaces",
    (text) => (/^[\x21-\x7E]*$/.test(text.trim()) ? text.trim() : undefined),
    { show: hidden },
  ),
  "github-api-url": input(
    "an https: URL (http: only for localhost), such as https://api.github.com, without user name, password, ? or #",
    secureUrl,
    { show: withoutPassword },
  ),
};

/** Reads inputs. The default of `github-api-url` is the URL of GitHub's API in the run context. */
export function withApiUrl(read: ReadInput, apiUrl: string): ReadInput {
  return (name) => read(name) || (name === "github-api-url" ? apiUrl : "");
}

/** The number of an issue or pull request; null if it is not set. */
export const issueNumber = (allowed: string) =>
  input(allowed, (text) => {
    if (text.trim() === "") return null;
    return whole(text) || undefined;
  });

/** The phrase at the beginning of requests. White space and more than one line could never match. */
export const PHRASE = {
  "trigger-phrase": input(
    "one line, such as /docs",
    (text, given) =>
      /[\r\n]/.test(text.trim()) || (text === "" && given !== "") ? undefined : text.trim(),
    { show: (text) => quote(text.trim() || text) },
  ),
};

/**
 * Reads only the phrase. If the event does not contain it, there is nothing to do, whatever the other inputs are.
 *
 * @returns empty if a run needs no phrase
 * @throws ActionError `invalid-input` for more than one line, or for white space
 */
export function readTriggerPhrase(read: ReadInput): string {
  return valuesOf(checkInputs(PHRASE, read)).triggerPhrase;
}

/** Names of people and apps that GitHub allows. */
const LOGIN = /^[a-z\d_-]{1,39}$/i;

/** Accounts, one per line, in lower case. Of an invalid value, messages show the first invalid line. */
const accounts = (allowed: string, isAccount: (line: string) => boolean) =>
  input(
    allowed,
    (text) => {
      const logins = linesOf(text).map((line) => line.replace(/^@/, ""));
      return logins.every(isAccount) ? logins.map((login) => login.toLowerCase()) : undefined;
    },
    {
      show: (text) =>
        quote(linesOf(text).find((line) => !isAccount(line.replace(/^@/, ""))) ?? text),
    },
  );

const GITHUB = {
  "required-permission": oneOf(PERMISSIONS, "write"),
  "allowed-users": accounts(
    "logins, one per line, such as octocat (list bots in allowed-bots)",
    (line) => LOGIN.test(line),
  ),
  "allowed-bots": accounts("logins of bots, one per line, such as renovate[bot]", (line) =>
    LOGIN.test(line.replace(/\[bot\]$/i, "")),
  ),
  comment: flag("true"),
  "issue-number": issueNumber("the number of an issue or pull request, such as 12"),
  matrix: input("JSON from `toJSON(matrix)`", (text) => text.trim()),
  ...GITHUB_ACCESS,
};

/**
 * Checks the inputs that decide whether a request counts, and where a run comments. They are checked before the other
 * inputs, but their problems are reported together with the others.
 *
 * @param context contains the default of `github-api-url`
 */
export function checkGitHubInputs(
  read: ReadInput,
  { apiUrl }: Pick<RunContext, "apiUrl">,
): Checked<GitHubSettings> {
  return checkInputs(GITHUB, withApiUrl(read, apiUrl));
}
