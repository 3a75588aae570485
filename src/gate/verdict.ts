/** Decides whether a pull request is documented. */

import {
  type AgentTraces,
  type ChangeDetails,
  type ChangeFilters,
  isAgents,
  passedOver,
} from "../github/changes/change-details.ts";
import type { ChangedFile, Pull } from "../github/changes/history-records.ts";
import type { GateInputs } from "../inputs/gate.ts";
import { BY_AGENT } from "../ledger/model/names.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Excuse } from "./excuse.ts";

/** Of several pull requests, the last one decides. */
const VERDICTS = ["not-needed", "included", "excused", "covered", "needed"] as const;

type Verdict = (typeof VERDICTS)[number];

/** A docs job that was requested on a pull request. */
export interface DocsJob {
  /** Null if its request is being sent, or was refused. */
  jobId: string | null;
  /** The link of its docs pull request; null if none is known. */
  prLink: string | null;
  /** Why it covers nothing; `closed`: its docs pull request was closed without merging. Null if it covers. */
  ended: "failed" | "closed" | null;
}

/** Reads further facts about a pull request. */
export interface Reads {
  files(): Promise<ChangedFile[]>;
  agent(): Promise<AgentTraces>;
  /** The jobs that were asked for in comments, the newest first. */
  jobs(): Promise<DocsJob[]>;
  excuse(): Promise<Excuse>;
  draft(files: ChangedFile[]): Promise<RequestedDraft>;
}

/** The draft of a pull request. */
export interface RequestedDraft {
  /** Null if there is none. */
  job: DocsJob | null;
  /** Further notes, such as why there is no draft. */
  notes: readonly string[];
}

/** The verdict on a pull request. */
export interface PullVerdict {
  verdict: Verdict;
  /** A few words, which may contain names from outside. */
  reason: string;
  /** The job that documents it, or that failed. */
  job: DocsJob | null;
  number: number;
  url: string;
  /** Further notes, such as why there is no draft. */
  notes: readonly string[];
}

/** The inputs that decide about a verdict and its text. */
export type GateRules = ChangeFilters & Pick<GateInputs, "docsPaths" | "ifNeeded" | "docsPatterns">;

/** GitHub lists at most this many files of a pull request. */
export const MOST_FILES = 3000;

/** The verdict on a pull request. Facts are read only if the verdict depends on them. */
export async function judge(
  pull: Pull,
  details: ChangeDetails,
  rules: GateRules,
  reads: Reads,
): Promise<PullVerdict> {
  const { number, url } = pull;
  const judged = (verdict: Verdict, reason: string): PullVerdict => {
    return { verdict, reason, job: null, number, url, notes: [] };
  };
  if (!pull.isOpen) return judged("not-needed", "closed");
  const ignored = passedOver(details, rules);
  if (ignored !== null) return judged("not-needed", ignored);
  const files = await reads.files();
  checkFileCount(pull, files);
  const isComplete = pull.fileCount <= MOST_FILES;
  const noPath = passedOver({ ...details, files, isComplete }, rules);
  if (noPath !== null) return judged("not-needed", noPath);
  const docs = files.find(({ path, isRemoved }) => !isRemoved && rules.docsPaths.matches(path));
  if (docs !== undefined) return judged("included", docs.path);
  // The agent opens its pull requests as an app.
  const isAgent = pull.author.isBot && isAgents(pull, await reads.agent(), pull.base);
  if (isAgent) return judged("not-needed", BY_AGENT);
  const missing = isComplete ? "no file matches `docs-paths`" : `more than ${MOST_FILES} files`;
  return await judgeByJobs(judged("needed", missing), files, reads);
}

/** A missing file could be the documentation, or the only one that needs any. */
function checkFileCount({ number, fileCount }: Pull, files: readonly ChangedFile[]): void {
  if (files.length >= Math.min(fileCount, MOST_FILES)) return;
  const problem = `GitHub lists ${files.length} of the ${fileCount} files of pull request #${number}.`;
  throw new ActionError("github-unavailable", problem, "Run the job again.");
}

/** @param undocumented the verdict if neither a job nor a person says otherwise */
async function judgeByJobs(
  undocumented: PullVerdict,
  files: ChangedFile[],
  reads: Reads,
): Promise<PullVerdict> {
  const jobs = await reads.jobs();
  const asked = jobs.find(({ ended }) => ended === null);
  if (asked !== undefined) return { ...undocumented, ...coveredBy(asked) };
  const excuse = await reads.excuse();
  if (excuse.reason !== null) {
    return { ...undocumented, verdict: "excused", reason: excuse.reason };
  }
  const draft = await reads.draft(files);
  const notes = [...excuse.notes, ...draft.notes];
  if (draft.job?.ended === null) return { ...undocumented, ...coveredBy(draft.job), notes };
  const [failed = null] = draft.job === null ? jobs : [draft.job, ...jobs];
  if (failed === null) return { ...undocumented, notes };
  return { ...undocumented, reason: endText(failed), job: failed, notes };
}

function coveredBy(job: DocsJob): Pick<PullVerdict, "verdict" | "reason" | "job"> {
  const reason = job.jobId === null ? "being requested" : `job ${job.jobId}`;
  return { verdict: "covered", reason, job };
}

function endText({ jobId, ended }: DocsJob): string {
  if (ended === "closed") return "the docs pull request was closed without merging";
  return jobId === null ? "docs job refused" : `job ${jobId} failed`;
}

/** Of several pull requests, the most demanding verdict comes first, and decides. */
export function byVerdict(all: readonly PullVerdict[]): PullVerdict[] {
  return all.toSorted(
    (judged, other) => VERDICTS.indexOf(other.verdict) - VERDICTS.indexOf(judged.verdict),
  );
}

/** Whether a pull request is stopped. */
export function isRed(
  { verdict }: Pick<PullVerdict, "verdict">,
  { ifNeeded }: Pick<GateRules, "ifNeeded">,
): boolean {
  return verdict === "needed" && ifNeeded === "fail";
}
