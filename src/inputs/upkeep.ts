import * as z from "zod/mini";
import type { RunContext } from "../github/run-context.ts";
import type { PollPace } from "../job/schedule.ts";
import type { LedgerInputs } from "../ledger/issue/ledger-inputs.ts";
import {
  flag,
  input,
  invalid,
  isSegment,
  linesOf,
  oneOf,
  positive,
  quote,
  type ReadInput,
  readAll,
  wholeNumber,
} from "./checks.ts";
import { isGitRef } from "./git-ref.ts";
import { ledgerChecks, ledgerInputs } from "./ledger.ts";
import { type PathFilter, parsePathFilter } from "./path-filter.ts";
import { readInstruction } from "./prompt.ts";
import { problemsOf } from "./service.ts";
import { parseSince, type Since } from "./since.ts";

const MINUTE = 60_000;
const SECOND = 1000;

/** GitHub's names of owners and repositories, and a branch. */
const REPOSITORY = /^([\w.-]+)\/([\w.-]+)(?:@(.+))?$/;
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
    "one owner/name or owner/name@branch a line",
    (text): SourceRepository[] | undefined => {
      const parsed = linesOf(text).map(sourceIn);
      return parsed.includes(undefined) ? undefined : parsed.filter((it) => it !== undefined);
    },
  ),
  "ignore-labels": input("labels, one a line", linesOf),
  "ignore-authors": input("logins, one a line", linesOf),
  "include-diff": flag("false"),
  "max-changes": wholeNumber(`a whole number from 1 to ${MOST_CHANGES}`, "20", MOST_CHANGES),
  "open-pull-request": oneOf(["continue", "hold", "new"], "continue"),
  "max-jobs-per-day": wholeNumber("a whole number from 1", "24"),
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
  since: Since;
  paths: PathFilter;
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
  const instruction = readInstruction(read, context.workspace);
  const paths = parsePathFilter(read("paths"));
  // Also when another input is wrong: what is wrong is told in one go.
  const given = schema.shape.repositories.safeParse(raw.repositories).data ?? [];
  const repositories = withDefault(given, context.repository);
  const since = parseSince(read("since"), repositories.length);
  const problems = [
    ...problemsOf(raw, error),
    ...instruction.problems,
    ...duplicates(repositories),
    ...problemIn("paths", paths),
    ...problemIn("since", since),
  ];
  if (data === undefined || "problem" in paths || "problem" in since || problems.length > 0) {
    throw invalid(problems);
  }
  return {
    ...ledgerInputs(data),
    prompt: instruction.text.trim() === "" ? null : instruction.text,
    repositories,
    since,
    paths,
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

function problemIn(name: string, parsed: object): string[] {
  return "problem" in parsed ? [`${name}: ${parsed.problem}.`] : [];
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
      `repositories: ${quote(branch === null ? repository : `${repository}@${branch}`)} is not allowed twice: give each branch once.`,
  );
}

/** A repository as a line names it; undefined: the line is none. */
function sourceIn(line: string): SourceRepository | undefined {
  const [, owner = "", name = "", branch] = REPOSITORY.exec(line) ?? [];
  if (owner === "" || ![owner, name].every(isSegment)) return undefined;
  if (branch !== undefined && !isGitRef(branch)) return undefined;
  return { repository: `${owner}/${name}`, branch: branch ?? null };
}
