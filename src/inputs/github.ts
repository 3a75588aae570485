import * as z from "zod/mini";
import { PERMISSIONS } from "../github/permission.ts";
import type { RunContext } from "../github/run-context.ts";
import type { GitHubSettings } from "../github/settings.ts";
import {
  type Checked,
  flag,
  hidden,
  httpUrl,
  input,
  issuesOf,
  oneOf,
  type ReadInput,
  readAll,
  withoutPassword,
} from "./checks.ts";

const schema = z.object({
  "trigger-phrase": input("one line, such as /docs", (text) =>
    /[\r\n]/.test(text.trim()) ? undefined : text.trim(),
  ),
  "required-permission": oneOf(PERMISSIONS, "write"),
  comment: flag("true"),
  "issue-number": input("the number of an issue or pull request, such as 12", (text) => {
    if (text.trim() === "") return null;
    const value = /^\d+$/.test(text.trim()) ? Number(text) : 0;
    return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  }),
  matrix: input("JSON, as `toJSON(matrix)` gives it", (text) => text.trim()),
  "github-token": input(
    "a token without line breaks or spaces",
    (text) => (/^[\x21-\x7E]*$/.test(text.trim()) ? text.trim() : undefined),
    { show: hidden },
  ),
  "github-api-url": input(
    "the URL of the GitHub API, such as https://api.github.com, without user name, password, ? or #",
    httpUrl,
    { show: withoutPassword },
  ),
});

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
  const raw = readAll(schema.shape, read);
  raw["github-api-url"] ||= apiUrl;
  const { data, error } = schema.safeParse(raw);
  if (data === undefined) return { values: null, problems: issuesOf(error) };
  const values = {
    triggerPhrase: data["trigger-phrase"],
    requiredPermission: data["required-permission"],
    comment: data.comment,
    issueNumber: data["issue-number"],
    matrix: data.matrix,
    githubToken: data["github-token"],
    githubApiUrl: data["github-api-url"],
  };
  return { values, problems: [] };
}

/** The phrase as it was given. Nothing is checked: without it in the event there is nothing to do. */
export function readTriggerPhrase(read: ReadInput): string {
  return read("trigger-phrase").trim();
}
