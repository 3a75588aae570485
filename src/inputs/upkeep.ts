import type { RunContext } from "../github/run-context.ts";
import type { PollPace } from "../job/poll.ts";
import { type PathFilter, parsePathPattern } from "../text/path-filter.ts";
import { linesOf, quote } from "../text/sentence.ts";
import { CHANGE_FILTERS, readPaths } from "./change-filters.ts";
import {
  checkInputs,
  flag,
  input,
  invalid,
  isGitRef,
  isSegment,
  oneOf,
  type ReadInput,
  type ValuesOf,
  wholeNumber,
} from "./checks.ts";
import { withApiUrl } from "./github.ts";
import { LEDGER, LEDGER_NAME } from "./ledger.ts";
import { readInstruction } from "./prompt.ts";
import { checkServiceInputs, paceOf, WAIT } from "./service.ts";

/** GitHub's names of owners and repositories, and a branch. */
const REPOSITORY = /^([\w.-]+)\/([\w.-]+)(?:@(.+))?$/;
const MOST_CHANGES = 100;

/** A repository whose changes are read. */
export interface SourceRepository {
  /** `owner/name` */
  repository: string;
  /** Null: the default branch. */
  branch: string | null;
}

/** Where the first run begins. */
export type Since =
  | { kind: "default" }
  /** A moment, ISO 8601. */
  | { kind: "time"; at: string }
  /** A commit or tag. */
  | { kind: "ref"; ref: string };

const DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

const REPOSITORIES = {
  repositories: input(
    "one owner/name or owner/name@branch per line",
    (text): SourceRepository[] | undefined => {
      const parsed = linesOf(text).map(sourceIn);
      return parsed.includes(undefined) ? undefined : parsed.filter((it) => it !== undefined);
    },
  ),
};

const UPKEEP = {
  ...LEDGER,
  ...WAIT,
  ...REPOSITORIES,
  ...LEDGER_NAME,
  /** Whether a change is handed over after its merge, or only after its release. */
  after: oneOf(["merge", "release"], "merge"),
  /** Pattern of the tags that count as releases; empty for GitHub's releases. */
  "release-tag": input("a pattern for tags, such as v*", (text) => {
    const given = text.trim();
    return given === "" || !("problem" in parsePathPattern(given)) ? given : undefined;
  }),
  ...CHANGE_FILTERS,
  "include-diff": flag("false"),
  "max-changes": wholeNumber(`a whole number from 1 to ${MOST_CHANGES}`, "20", MOST_CHANGES),
  "open-pull-request": oneOf(["continue", "hold", "new"], "continue"),
  "max-jobs-per-day": wholeNumber("a whole number of 1 or more", "24"),
  wait: flag("false"),
  comment: flag("false"),
};

/** The inputs of upkeep. Durations are in milliseconds. */
export interface UpkeepInputs extends ValuesOf<typeof UPKEEP> {
  /** Null: the built-in prompt. */
  prompt: string | null;
  since: Since;
  paths: PathFilter;
  /** The unchanged patterns. */
  pathsText: string;
  pace: PollPace;
}

/**
 * Reads and checks every input of upkeep.
 *
 * @param context contains the workspace, the default repository, and the default of `github-api-url`
 * @throws ActionError `invalid-input` with every invalid input, its value and what is allowed
 */
export function parseUpkeepInputs(
  read: ReadInput,
  context: Pick<RunContext, "workspace" | "repository" | "apiUrl">,
): UpkeepInputs {
  const { values, problems } = checkServiceInputs(UPKEEP, withApiUrl(read, context.apiUrl));
  const instruction = readInstruction(read, context.workspace);
  const { paths, problems: wrongPaths } = readPaths(read, "paths");
  // This is read even if another input is invalid, because all problems are reported together.
  const given = checkInputs(REPOSITORIES, read).values?.repositories ?? [];
  const repositories = withDefault(given, context.repository);
  const since = parseSince(read("since"), repositories.length);
  problems.push(
    ...instruction.problems,
    ...duplicates(repositories),
    ...wrongPaths,
    ...("problem" in since ? [`since: ${since.problem}.`] : []),
    ...withoutRelease(values),
  );
  if (values === null || paths === null || "problem" in since || problems.length > 0) {
    throw invalid(problems);
  }
  const prompt = instruction.text.trim() === "" ? null : instruction.text;
  const pathsText = read("paths").trim();
  return { ...values, prompt, repositories, since, paths, pathsText, pace: paceOf(values) };
}

function withoutRelease(values: { after: string; releaseTag: string } | null): string[] {
  if (values === null || values.releaseTag === "" || values.after === "release") return [];
  return [`release-tag: ${quote(values.releaseTag)} is allowed only together with after: release.`];
}

function withDefault(given: SourceRepository[], own: string): SourceRepository[] {
  return given.length > 0 ? given : [{ repository: own, branch: null }];
}

/** With two lines for one branch, each of its changes would be handed over twice. */
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

/**
 * Reads `since`.
 *
 * @param repositories how many repositories the changes are read from
 */
export function parseSince(text: string, repositories: number): Since | { problem: string } {
  const given = text.trim();
  if (given === "") return { kind: "default" };
  if (/^\d{4}-\d\d-\d\d/.test(given) && DATE.test(given)) return parseTime(given);
  if (!isGitRef(given)) {
    return wrong(given, "a date or time (2026-05-01, 2026-05-01T08:00:00Z), a commit or a tag");
  }
  if (repositories > 1) {
    return wrong(
      given,
      "a date or time (2026-05-01, 2026-05-01T08:00:00Z) if there is more than one repository",
    );
  }
  return { kind: "ref", ref: given };
}

/** Without a zone, the time is UTC. */
function parseTime(given: string): Since | { problem: string } {
  const [, year, month, day, time = "00:00", zone = "Z"] = DATE.exec(given) ?? [];
  const offset = /^[Zz]$/.test(zone) ? "Z" : zone.replace(/^([+-]\d\d):?(\d\d)?$/, "$1:$2");
  const full = offset.endsWith(":") ? `${offset}00` : offset;
  const at = new Date(`${year}-${month}-${day}T${time}${full}`);
  const isDay = new Date(`${year}-${month}-${day}T00:00Z`).getUTCDate() === Number(day);
  if (Number.isNaN(at.getTime()) || !isDay) {
    return wrong(given, "a valid date or time, for example 2026-05-01");
  }
  return { kind: "time", at: at.toISOString() };
}

function wrong(given: string, allowed: string): { problem: string } {
  return { problem: `${quote(given)} is not allowed: it must be ${allowed}` };
}
