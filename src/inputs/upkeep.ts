import * as z from "zod/mini";
import type { RunContext } from "../github/run-context.ts";
import type { PollPace } from "../job/schedule.ts";
import {
  flag,
  input,
  invalid,
  isSegment,
  oneOf,
  positive,
  quote,
  type ReadInput,
  readAll,
  wholeNumber,
} from "./checks.ts";
import { type LedgerInputs, ledgerChecks, ledgerInputs } from "./ledger.ts";
import { problemsOf } from "./service.ts";
import { readPromptFile } from "./workspace-file.ts";

const MINUTE = 60_000;
const SECOND = 1000;

/** GitHub's names of owners and repositories, and a branch. */
const REPOSITORY = /^([\w.-]+)\/([\w.-]+)(?:@(.+))?$/;
/** What Git takes as the name of a branch. */
const BRANCH = /^(?![-./])(?!.*(?:\.\.|\/[./]|@\{|\.$|\/$|\.lock$))[^\s~^:?*[\\\p{Cc}]{1,250}$/u;
/** As many changes as a comment of GitHub's can hold, with titles of any length. */
const MOST_CHANGES = 100;

/** A repository in which changes are read. */
export interface SourceRepository {
  /** `owner/name` */
  repository: string;
  /** Null: the default branch. */
  branch: string | null;
}

const schema = z.object({
  ...ledgerChecks,
  repositories: input(
    "one owner/name or owner/name@branch per line",
    (text): SourceRepository[] | undefined => {
      const parsed = lines(text).map(sourceIn);
      return parsed.includes(undefined) ? undefined : parsed.filter((it) => it !== undefined);
    },
  ),
  since: input("a date or time (ISO 8601), a commit or a tag", (text) => text.trim()),
  paths: input("patterns, one per line", lines),
  "ignore-labels": input("labels, one per line", lines),
  "ignore-authors": input("logins, one per line", lines),
  "include-diff": flag("false"),
  "max-changes": wholeNumber(`a whole number from 1 to ${MOST_CHANGES}`, "20", MOST_CHANGES),
  "open-pull-request": oneOf(["continue", "hold", "new"], "continue"),
  "max-jobs-per-day": wholeNumber("a whole number of 1 or more", "24"),
  wait: flag("false"),
  "timeout-minutes": positive("minutes", MINUTE, "30"),
  "poll-interval-seconds": positive("seconds", SECOND, "3"),
  "poll-max-interval-seconds": positive("seconds", SECOND, "15"),
  comment: flag("false"),
});

/** The inputs of upkeep, checked; durations in milliseconds. */
export interface UpkeepInputs extends LedgerInputs {
  /** Null: the built-in prompt. */
  prompt: string | null;
  repositories: SourceRepository[];
  /** As it was given; empty: 7 days before GitHub's clock. */
  since: string;
  /** Patterns as they were given, checked where they are compiled. */
  paths: string[];
  ignoreLabels: string[];
  ignoreAuthors: string[];
  includeDiff: boolean;
  maxChanges: number;
  openPullRequest: "continue" | "hold" | "new";
  maxJobsPerDay: number;
  wait: boolean;
  timeout: number;
  pace: PollPace;
  comment: boolean;
}

/**
 * Reads and checks every input of upkeep.
 *
 * @param context tells the workspace that `prompt-file` stays inside, the repository, and GitHub's API
 * @throws ActionError `invalid-input`, naming every input that is wrong, its value and what is allowed
 */
export function parseUpkeepInputs(
  read: ReadInput,
  context: Pick<RunContext, "workspace" | "repository" | "apiUrl">,
): UpkeepInputs {
  const raw = readAll(schema.shape, read);
  raw["github-api-url"] ||= context.apiUrl;
  const { data, error } = schema.safeParse(raw);
  const prompt = readInstruction(read, context.workspace);
  const problems = [...problemsOf(raw, error), ...prompt.problems];
  const repositories = withDefault(data?.repositories ?? [], context.repository);
  problems.push(...duplicates(repositories));
  if (data === undefined || problems.length > 0) throw invalid(problems);
  return {
    ...ledgerInputs(data),
    prompt: prompt.text,
    repositories,
    since: data.since,
    paths: data.paths,
    ignoreLabels: data["ignore-labels"],
    ignoreAuthors: data["ignore-authors"],
    includeDiff: data["include-diff"],
    maxChanges: data["max-changes"],
    openPullRequest: data["open-pull-request"],
    maxJobsPerDay: data["max-jobs-per-day"],
    wait: data.wait,
    timeout: data["timeout-minutes"],
    pace: { initial: data["poll-interval-seconds"], max: data["poll-max-interval-seconds"] },
    comment: data.comment,
  };
}

function withDefault(given: SourceRepository[], own: string): SourceRepository[] {
  return given.length > 0 ? given : [{ repository: own, branch: null }];
}

/** Two lines for one branch would hand every change of it over twice. */
function duplicates(repositories: readonly SourceRepository[]): string[] {
  const names = repositories.map(({ repository }) => repository.toLowerCase());
  const twice = repositories.filter(
    ({ repository, branch }, index) =>
      names.indexOf(repository.toLowerCase()) !== index &&
      repositories.some(
        (other, at) =>
          at < index &&
          other.repository.toLowerCase() === repository.toLowerCase() &&
          other.branch === branch,
      ),
  );
  return twice.map(
    ({ repository, branch }) =>
      `repositories: ${quote(branch === null ? repository : `${repository}@${branch}`)} is listed twice: list each branch once.`,
  );
}

function readInstruction(
  read: ReadInput,
  workspace: string,
): { text: string | null; problems: string[] } {
  const prompt = read("prompt");
  const file = read("prompt-file").trim();
  if (file === "") return { text: prompt.trim() === "" ? null : prompt, problems: [] };
  if (prompt.trim() !== "") {
    const problem = `prompt-file: ${quote(file)} is not allowed together with prompt: set only one of them.`;
    return { text: null, problems: [problem] };
  }
  const content = readPromptFile(workspace, file);
  if ("text" in content) return { text: content.text, problems: [] };
  return { text: null, problems: [`prompt-file: ${quote(file)} ${content.problem}`] };
}

/** The repository that a line names; undefined if the line is invalid. */
function sourceIn(line: string): SourceRepository | undefined {
  const [, owner = "", name = "", branch] = REPOSITORY.exec(line) ?? [];
  if (owner === "" || ![owner, name].every(isSegment)) return undefined;
  if (branch !== undefined && !BRANCH.test(branch)) return undefined;
  return { repository: `${owner}/${name}`, branch: branch ?? null };
}

/** The lines of a list, without empty ones. */
function lines(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
