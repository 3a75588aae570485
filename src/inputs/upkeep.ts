import * as z from "zod/mini";
import type { RunContext } from "../github/trigger/run-context.ts";
import { isId } from "../service/agent.ts";
import { parsePathPattern } from "../text/path-filter.ts";
import { linesOf, quote } from "../text/sentence.ts";
import {
  checkEach,
  flag,
  isGitRef,
  notAllowed,
  oneOf,
  Problem,
  parseInputs,
  type ReadInput,
  wholeNumber,
} from "./checks.ts";
import { CHANGE_FILTERS, LEDGER, LEDGER_NAME, PROMPT, WAIT } from "./shared.ts";

/** A repository whose changes are read. */
export interface SourceRepository {
  /** `owner/name` */
  repository: string;
  /** Null for the default branch. */
  branch: string | null;
}

/** Where the first run begins. */
export type Since =
  | { kind: "default" }
  /** A time, ISO 8601. */
  | { kind: "time"; at: string }
  /** A commit or tag. */
  | { kind: "ref"; ref: string };

const UPKEEP = {
  ...LEDGER,
  ...WAIT,
  ...LEDGER_NAME,
  ...CHANGE_FILTERS,
  ...PROMPT,
  repositories: checkRepositories,
  since: checkSince,
  /** Whether a change is handed over after its merge, or only after its release. */
  after: oneOf(["merge", "release"], "merge"),
  /** Pattern of the tags that count as releases; empty for GitHub's releases. */
  "release-tag": checkReleaseTag,
  "include-diff": flag("false"),
  "max-changes": wholeNumber("20", 1, 100),
  "open-pull-request": oneOf(["continue", "hold", "new"], "continue"),
  "max-jobs-per-day": wholeNumber("24"),
  wait: flag("false"),
  comment: flag("false"),
};

/** The inputs of upkeep. Durations are in milliseconds. */
export type UpkeepInputs = ReturnType<typeof parseUpkeepInputs>;

/** @throws ActionError `invalid-input` with every invalid input, its value and what is allowed */
export function parseUpkeepInputs(read: ReadInput, context: RunContext) {
  const values = parseInputs(UPKEEP, read, context);
  const { promptFile, prompt, pollInterval, pollMaxInterval } = values;
  return {
    ...values,
    /** Null for the built-in prompt. */
    prompt: promptFile || (prompt.trim() === "" ? null : prompt),
    /** The unchanged patterns. */
    pathsText: read("paths").trim(),
    pace: { initial: pollInterval, max: pollMaxInterval },
  };
}

/** By default, the workflow's own. With two lines for one branch, its changes would be handed over twice. */
function checkRepositories(
  text: string,
  _: ReadInput,
  { repository }: RunContext,
): SourceRepository[] {
  const names = new Set<string>();
  const sources = checkEach(linesOf(text), (line): SourceRepository => {
    const [, owner = "", name = "", branch] = /^([\w.-]+)\/([\w.-]+)(?:@(.+))?$/.exec(line) ?? [];
    if (!isId(owner) || !isId(name) || !isGitRef(branch ?? "main")) {
      throw notAllowed(quote(line), "one owner/name or owner/name@branch per line");
    }
    const id = `${owner}/${name}`.toLowerCase() + (branch === undefined ? "" : `@${branch}`);
    if (names.has(id)) {
      throw new Problem(`${quote(line)} is listed twice: list each branch once.`);
    }
    names.add(id);
    return { repository: `${owner}/${name}`, branch: branch ?? null };
  });
  return sources.length > 0 ? sources : [{ repository, branch: null }];
}

function checkReleaseTag(text: string, read: ReadInput): string {
  const pattern = text.trim();
  if (pattern !== "" && "problem" in parsePathPattern(pattern)) {
    throw notAllowed(quote(pattern), "a pattern for tags, such as v*");
  }
  if (pattern === "" || read("after").trim() === "release") return pattern;
  throw new Problem(`${quote(pattern)} is allowed only together with after: release.`);
}

const TIME = z.union([z.iso.date(), z.iso.datetime({ local: true, offset: true })]);

/** A time without a zone is UTC. */
function checkSince(text: string, read: ReadInput): Since {
  const value = text.trim();
  if (value === "") return { kind: "default" };
  // Before a zone, zod requires seconds.
  if (TIME.safeParse(value.replace(/(T..:..)(?=[-+Z])/, "$1:00")).success) {
    const at = new Date(/T[\d:.]+$/.test(value) ? `${value}Z` : value);
    return { kind: "time", at: at.toISOString() };
  }
  const isOne = linesOf(read("repositories")).length < 2;
  if (isOne && isGitRef(value)) return { kind: "ref", ref: value };
  const allowed = "a date or time (2026-05-01, 2026-05-01T08:00:00Z)";
  const end = isOne ? ", a commit or a tag" : " if there is more than one repository";
  throw notAllowed(quote(value), `${allowed}${end}`);
}
