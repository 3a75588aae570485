import * as z from "zod/mini";
import type { ChangeFilters } from "../github/changes/change-details.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import {
  checkEach,
  flag,
  InputProblem,
  isGitRef,
  notAllowed,
  oneOf,
  parseInputs,
  type ReadInput,
  wholeNumber,
} from "../inputs/checks.ts";
import { batchLedgerInputs, changeFilters, ledgerName } from "../inputs/ledger.ts";
import { promptInputs } from "../inputs/prompt.ts";
import { pollPace, timeLimit } from "../inputs/shared.ts";
import type { PollPace } from "../job/poll.ts";
import { isId } from "../service/agent.ts";
import { parsePathPattern } from "../text/path-filter.ts";
import { linesOf, quote } from "../text/sentence.ts";

/** A repository whose changes are read. */
export interface SourceRepository {
  /** `owner/name` */
  repository: string;
  /** Null for the default branch. */
  branch: string | null;
}

/** A source as a line of `repositories`. */
export function lineOf({ repository, branch }: SourceRepository): string {
  return branch === null ? repository : `${repository}@${branch}`;
}

/** The inputs of upkeep. Durations are in milliseconds. */
export interface UpkeepInputs extends ReturnType<typeof batchLedgerInputs>, ChangeFilters {
  timeout: number;
  pace: PollPace;
  name: string;
  /** The unchanged patterns of `paths`. */
  pathsText: string;
  /** Null for the built-in prompt. */
  prompt: string | null;
  repositories: SourceRepository[];
  since:
    | { kind: "default" }
    /** A time, ISO 8601. */
    | { kind: "time"; at: string }
    /** A commit or tag. */
    | { kind: "ref"; ref: string };
  /** Whether a change is handed over after its merge, or only after its release. */
  after: "merge" | "release";
  /** Pattern of the tags that count as releases; null for GitHub's releases. */
  releaseTag: string | null;
  includeDiff: boolean;
  maxChanges: number;
  openPullRequest: "continue" | "hold" | "new";
  maxJobsPerDay: number;
  wait: boolean;
  comment: boolean;
}

/** @throws ActionError `invalid-input` with every invalid input, its value and what is allowed */
export function parseUpkeepInputs(read: ReadInput, context: RunContext): UpkeepInputs {
  const after = read("after").trim();
  const sources = read("repositories");
  const { prompt, promptFile, ...inputs } = parseInputs(read, (input) => ({
    ...batchLedgerInputs(input, context),
    timeout: timeLimit(input, "30"),
    pace: pollPace(input),
    name: ledgerName(input),
    ...changeFilters(input),
    ...promptInputs(input, read, context),
    repositories: input("repositories", (text) => checkRepositories(text, context.repository)),
    since: input("since", (text) => checkSince(text, linesOf(sources).length < 2)),
    after: input("after", oneOf(["merge", "release"], "merge")),
    releaseTag: input("release-tag", (text) => checkReleaseTag(text, after === "release")),
    includeDiff: input("include-diff", flag("false")),
    maxChanges: input("max-changes", wholeNumber("20", 1, 30)),
    openPullRequest: input("open-pull-request", oneOf(["continue", "hold", "new"], "continue")),
    maxJobsPerDay: input("max-jobs-per-day", wholeNumber("24")),
    wait: input("wait", flag("false")),
    comment: input("comment", flag("false")),
  }));
  return {
    ...inputs,
    pathsText: read("paths").trim(),
    prompt: promptFile ?? (prompt.trim() === "" ? null : prompt),
  };
}

/** By default, the workflow's own. With two lines for one branch, its changes would be handed over twice. */
function checkRepositories(text: string, repository: string | null): SourceRepository[] {
  const names = new Set<string>();
  const sources = checkEach(linesOf(text), (line): SourceRepository => {
    const [, owner = "", name = "", branch] = /^([\w.-]+)\/([\w.-]+)(?:@(.+))?$/.exec(line) ?? [];
    if (!isId(owner) || !isId(name) || !isGitRef(branch ?? "main")) {
      throw notAllowed(quote(line), "one owner/name or owner/name@branch per line");
    }
    const id = `${owner}/${name}`.toLowerCase() + (branch === undefined ? "" : `@${branch}`);
    if (names.has(id)) {
      throw new InputProblem(`${quote(line)} is listed twice: list each branch once.`);
    }
    names.add(id);
    return { repository: `${owner}/${name}`, branch: branch ?? null };
  });
  if (sources.length > 0) return sources;
  if (repository === null) {
    throw new InputProblem(
      "is needed, because GITHUB_REPOSITORY is not set: write one owner/name per line.",
    );
  }
  return [{ repository, branch: null }];
}

function checkReleaseTag(text: string, isAfterRelease: boolean): string | null {
  const pattern = text.trim();
  if (pattern === "") return null;
  if ("problem" in parsePathPattern(pattern)) {
    throw notAllowed(quote(pattern), "a pattern for tags, such as v*");
  }
  if (isAfterRelease) return pattern;
  throw new InputProblem(`${quote(pattern)} is allowed only together with after: release.`);
}

const TIME = z.union([z.iso.date(), z.iso.datetime({ local: true, offset: true })]);

/**
 * A time without a zone is UTC.
 *
 * @param isOneSource whether only one repository is read: a commit or tag belongs to one
 */
function checkSince(
  text: string,
  isOneSource: boolean,
):
  | { kind: "default" }
  /** A time, ISO 8601. */
  | { kind: "time"; at: string }
  /** A commit or tag. */
  | { kind: "ref"; ref: string } {
  const value = text.trim();
  if (value === "") return { kind: "default" };
  // Before a zone, zod requires seconds.
  if (TIME.safeParse(value.replace(/(T..:..)(?=[-+Z])/, "$1:00")).success) {
    const at = new Date(/T[\d:.]+$/.test(value) ? `${value}Z` : value);
    return { kind: "time", at: at.toISOString() };
  }
  if (isOneSource && isGitRef(value)) return { kind: "ref", ref: value };
  const allowed = "a date or time (2026-05-01, 2026-05-01T08:00:00Z)";
  const end = isOneSource ? ", a commit or a tag" : " if there is more than one repository";
  throw notAllowed(quote(value), `${allowed}${end}`);
}
