import * as z from "zod/mini";
import type { RunContext } from "../github/run-context.ts";
import type { PollPace } from "../job/schedule.ts";
import type { LedgerInputs } from "../ledger/run/ledger-run.ts";
import { type PathFilter, parsePathFilter } from "../text/path-filter.ts";
import { parsePathPattern } from "../text/path-pattern.ts";
import { linesOf, quote } from "../text/quote.ts";
import {
  flag,
  input,
  invalid,
  isSegment,
  oneOf,
  positive,
  type ReadInput,
  readAll,
  wholeNumber,
} from "./checks.ts";
import { isGitRef } from "./git-ref.ts";
import { ledgerChecks, ledgerInputs } from "./ledger.ts";
import { readInstruction } from "./prompt.ts";
import { problemsOf } from "./service.ts";
import { parseSince, type Since } from "./since.ts";

const MINUTE = 60_000;
const SECOND = 1000;

/** GitHub's names of owners and repositories, and a branch. */
const REPOSITORY = /^([\w.-]+)\/([\w.-]+)(?:@(.+))?$/;
const MOST_CHANGES = 100;
/** What may be the last part of a ref. */
const NAME = /^(?!.*(?:\.\.|\.lock$|\.$))[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;

/** A repository in which changes are read. */
export interface SourceRepository {
  /** `owner/name` */
  repository: string;
  /** Null: the default branch. */
  branch: string | null;
}

const schema = z.object({
  ...ledgerChecks,
  name: input("letters, digits, ., - and _, such as api-docs", (text) =>
    text.trim() === "" || NAME.test(text.trim()) ? text.trim() : undefined,
  ),
  after: oneOf(["merge", "release"], "merge"),
  "release-tag": input("a pattern for tags, such as v*", (text) => {
    const given = text.trim();
    return given === "" || !("problem" in parsePathPattern(given)) ? given : undefined;
  }),
  repositories: input(
    "one owner/name or owner/name@branch per line",
    (text): SourceRepository[] | undefined => {
      const parsed = linesOf(text).map(sourceIn);
      return parsed.includes(undefined) ? undefined : parsed.filter((it) => it !== undefined);
    },
  ),
  "ignore-labels": input("labels, one per line", linesOf),
  "ignore-authors": input("logins, one per line", linesOf),
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
  since: Since;
  /** Hand over what was merged, or only what is released. */
  after: "merge" | "release";
  /** Pattern of the tags that take the place of releases; empty for releases. */
  releaseTag: string;
  paths: PathFilter;
  /** As they were given. */
  pathsText: string;
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
    ...withoutRelease(data),
  ];
  if (data === undefined || "problem" in paths || "problem" in since || problems.length > 0) {
    throw invalid(problems);
  }
  return {
    ...ledgerInputs(data),
    prompt: instruction.text.trim() === "" ? null : instruction.text,
    repositories,
    since,
    name: data.name,
    after: data.after,
    releaseTag: data["release-tag"],
    paths,
    pathsText: read("paths").trim(),
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

function withoutRelease(data: { after: string; "release-tag": string } | undefined): string[] {
  if (data === undefined || data["release-tag"] === "" || data.after === "release") return [];
  return [
    `release-tag: ${quote(data["release-tag"])} is allowed only together with after: release.`,
  ];
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

/** The repository that a line names; undefined if the line is invalid. */
function sourceIn(line: string): SourceRepository | undefined {
  const [, owner = "", name = "", branch] = REPOSITORY.exec(line) ?? [];
  if (owner === "" || ![owner, name].every(isSegment)) return undefined;
  if (branch !== undefined && !isGitRef(branch)) return undefined;
  return { repository: `${owner}/${name}`, branch: branch ?? null };
}
