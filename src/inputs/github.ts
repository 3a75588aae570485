import { PERMISSIONS } from "../github/permission.ts";
import type { RunContext } from "../github/run-context.ts";
import type { GitHubSettings } from "../github/settings.ts";
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
  withoutPassword,
} from "./checks.ts";

/** The inputs that say where GitHub is, and by what right it is asked. */
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

/** Reads inputs, with GitHub's own address in place of none. */
export function withApiUrl(read: ReadInput, apiUrl: string): ReadInput {
  return (name) => read(name) || (name === "github-api-url" ? apiUrl : "");
}

/** The number of an issue or pull request; null if none is given. */
export const issueNumber = (allowed: string) =>
  input(allowed, (text) => {
    if (text.trim() === "") return null;
    const value = /^\d+$/.test(text.trim()) ? Number(text) : 0;
    return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  });

/** The phrase that requests begin with; no event could ever ask with more than one line, or with white space. */
export const PHRASE = {
  "trigger-phrase": input(
    "one line, such as /docs",
    (text, given) =>
      /[\r\n]/.test(text.trim()) || (text === "" && given !== "") ? undefined : text.trim(),
    { show: (text) => quote(text.trim() || text) },
  ),
};

/**
 * The phrase, by itself: without it in the event there is nothing to do, whatever the other inputs say.
 *
 * @returns empty when a run needs no phrase
 * @throws ActionError `invalid-input` for more than one line, or for white space
 */
export function readTriggerPhrase(read: ReadInput): string {
  return valuesOf(checkInputs(PHRASE, read)).triggerPhrase;
}

/** What GitHub allows in the name of a person or an app. */
const LOGIN = /^[a-z\d_-]{1,39}$/i;

/** Accounts, one per line, in lower case; what is shown of a wrong value is its first wrong line. */
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
 * The inputs that decide whether anything is asked, and where a run comments. They are checked once,
 * before the others; what is wrong with them is reported together with the others.
 *
 * @param context tells GitHub's own API address, for when the input is empty
 */
export function checkGitHubInputs(
  read: ReadInput,
  { apiUrl }: Pick<RunContext, "apiUrl">,
): Checked<GitHubSettings> {
  return checkInputs(GITHUB, withApiUrl(read, apiUrl));
}
