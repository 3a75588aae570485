import { PERMISSIONS } from "../github/permission.ts";
import type { RunContext } from "../github/run-context.ts";
import type { GitHubSettings } from "../github/settings.ts";
import { linesOf, quote } from "../text/quote.ts";
import { type Checked, checkInputs, flag, input, oneOf, type ReadInput } from "./checks.ts";
import { GITHUB_ACCESS, issueNumber, withApiUrl } from "./github-access.ts";

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
