/** Decides whether a pull request is documented. */

import {
  type AgentTraces,
  type ChangeDetails,
  passedOver,
} from "../github/changes/change-details.ts";
import type { PullFiles } from "../github/changes/pull-files.ts";
import { isAgents } from "../github/trigger/agents-own.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Fact } from "../runtime/fact.ts";
import type { findExcuse } from "./excuse.ts";
import type { GatePull } from "./gate-pull.ts";
import type { GateRules } from "./inputs.ts";
import {
  type GateNote,
  type GateVerdict,
  VERDICT_REASONS,
  VERDICTS,
  type VerdictReason,
} from "./reasons.ts";
import { requireValue } from "./unread.ts";

/** A docs job that accepted a request on a pull request. */
export interface DocsJob {
  jobId: string;
  /** The link of its docs pull request; null if none is known. */
  prLink: string | null;
  /**
   * Why it covers nothing; `unknown`: to the service, so that it may be at work all the same; `closed`: its docs pull
   * request was closed without merging. Null if it covers.
   */
  ended: "failed" | "unknown" | "closed" | null;
}

/** The draft of a pull request, as far as the verdict depends on it. */
export type PullDraft =
  | { type: "job"; job: DocsJob }
  /** A run is sending the request. */
  | { type: "requesting" }
  /** The service refused the request. */
  | { type: "refused" }
  /** `why`: null if there is nothing to say. */
  | { type: "none"; why: GateNote | null };

/** The files of a pull request, or, of more than GitHub lists, those that it does. */
export type ListedFiles = Exclude<PullFiles, { type: "moved" }>;

/** The verdict on a pull request. */
export interface PullVerdict {
  verdict: GateVerdict;
  reason: VerdictReason;
  /** The job that documents it, or that failed; null for none. */
  job: DocsJob | null;
  number: number;
  url: string;
  /** What else there is to say, such as why there is no draft. */
  notes: readonly GateNote[];
}

/**
 * The verdict on a pull request. Facts are read only if the verdict depends on them.
 *
 * @throws ActionError if a fact is unread without which there is no verdict
 */
export async function decideVerdict(
  pull: GatePull,
  details: ChangeDetails,
  rules: GateRules,
  reads: {
    /** At its head. */
    files(): Promise<Fact<PullFiles>>;
    /** Unread, after a warning: the agent's pull requests are not known. */
    agent(): Promise<Fact<AgentTraces>>;
    /** The jobs that were asked for in comments, the newest first. */
    jobs(): Promise<Fact<DocsJob[]>>;
    excuse(): ReturnType<typeof findExcuse>;
    /** @param files of a request; null to request none */
    draft(files: ListedFiles | null): Promise<Fact<PullDraft>>;
  },
): Promise<PullVerdict> {
  const judged = (reason: VerdictReason) => verdictOn(pull, reason);
  if (!pull.isOpen) return judged({ code: "closed" });
  const ignored = passedOver(details, rules);
  if (ignored !== null) return judged(ignored);

  const files = listedFiles(await reads.files());
  const byFiles = files === null ? null : judgeFiles(files, details, rules);
  if (byFiles !== null) return judged(byFiles);

  // The agent opens its pull requests as an app.
  const agent = pull.author.isBot ? await reads.agent() : null;
  const isAgent = agent?.type === "known" && isAgents(pull, agent.value, [pull.base]);
  if (isAgent) return judged({ code: "by-agent" });

  const jobs = requireValue(await reads.jobs());
  const covering = jobs.find(({ ended }) => ended === null);
  if (covering !== undefined) return verdictByJob(pull, covering);

  const excuse = requireValue(await reads.excuse());
  if (excuse.by !== null) return judged({ code: "excuse", ...excuse.by });

  // A job that may be at work is not paid a second time.
  const isDone = jobs.every(({ ended }) => ended !== "unknown");
  const draft = requireValue(await reads.draft(isDone ? files : null));
  const byDraft = verdictByDraft(pull, draft, jobs, files?.type !== "unlisted");
  if (files === null && byDraft.verdict === "needed") throw unlistedFiles(pull.number, rules);
  const denials = excuse.denials.map((denial) => ({ code: "excuse-denied", denial }) as const);
  const why = draft.type === "none" ? draft.why : null;
  return { ...byDraft, notes: why === null ? denials : [...denials, why] };
}

function verdictOn({ number, url }: GatePull, reason: VerdictReason): PullVerdict {
  const { verdict } = VERDICT_REASONS[reason.code];
  return { verdict, reason, job: null, number, url, notes: [] };
}

/** Null if GitHub fails to list the files: of a diff that is too large for it, it does so each time. */
function listedFiles(files: Fact<PullFiles>): ListedFiles | null {
  const status = files.type === "unread" ? (files.status ?? 0) : 0;
  if (status >= 500 || status === 422) return null;
  const read = requireValue(files);
  return read.type === "moved" ? null : read;
}

/** What the files decide; null for nothing. */
function judgeFiles(
  { type, files }: ListedFiles,
  details: ChangeDetails,
  rules: GateRules,
): VerdictReason | null {
  const isComplete = type === "listed";
  const ignored = passedOver({ ...details, files: [...files], isComplete }, rules);
  if (ignored !== null) return ignored;
  const docs = files.find(({ path, isRemoved }) => !isRemoved && rules.docsPaths.matches(path));
  return docs === undefined ? null : { code: "docs", path: docs.path };
}

/** Documentation may be among the files, so their absence is no verdict. */
function unlistedFiles(number: number, { ignoreLabels }: GateRules): ActionError {
  const problem = `GitHub does not list the files of pull request #${number}.`;
  const [label] = ignoreLabels;
  const byLabel = label === undefined ? "" : `set the label ${label}, or `;
  const advice =
    "Run the job again. If its diff is too large for GitHub each time, ask the agent with " +
    `/docs, ${byLabel}say why it needs no documentation with a line "docs: none, REASON".`;
  return new ActionError("github-unavailable", problem, advice);
}

/**
 * @param jobs those that were asked for in comments, of which none covers
 * @param isComplete whether all files are known
 */
function verdictByDraft(
  pull: GatePull,
  draft: PullDraft,
  [failed]: readonly DocsJob[],
  isComplete: boolean,
): PullVerdict {
  switch (draft.type) {
    case "job":
      return verdictByJob(pull, draft.job);
    case "requesting":
      return verdictOn(pull, { code: "requesting" });
    case "refused":
      return verdictOn(pull, { code: "request-refused" });
    case "none": {
      if (failed !== undefined) return verdictByJob(pull, failed);
      return verdictOn(pull, { code: isComplete ? "no-docs" : "too-many-files" });
    }
  }
}

function verdictByJob(pull: GatePull, job: DocsJob): PullVerdict {
  return { ...verdictOn(pull, reasonByJob(job)), job };
}

function reasonByJob({ ended }: DocsJob): VerdictReason {
  switch (ended) {
    case null:
      return { code: "job" };
    case "failed":
      return { code: "job-failed" };
    case "unknown":
      return { code: "job-unknown" };
    case "closed":
      return { code: "docs-closed" };
  }
}

/** Of several pull requests, the most demanding verdict comes first, and decides. */
export function byVerdict(all: readonly PullVerdict[]): PullVerdict[] {
  return all.toSorted(
    (judged, other) => VERDICTS.indexOf(other.verdict) - VERDICTS.indexOf(judged.verdict),
  );
}

/** Whether a pull request is stopped. */
export function isRed({ verdict }: { verdict: GateVerdict }, { ifNeeded }: GateRules): boolean {
  return verdict === "needed" && ifNeeded === "error";
}
