/** Decides whether a pull request is documented. */

import { BY_AGENT } from "../batches/model/names.ts";
import {
  type AgentTraces,
  type ChangeDetails,
  type ChangeFilters,
  isAgents,
  passedOver,
} from "../github/changes/change-details.ts";
import type { ChangedFile, SinglePull } from "../github/changes/history-records.ts";
import { ActionError } from "../runtime/errors.ts";
import type { Excuse } from "./excuse.ts";
import type { GateInputs } from "./inputs.ts";
import { JUDGE_AGAIN } from "./run.ts";

/** Of several pull requests, the last one decides. */
const VERDICTS = ["not-needed", "included", "excused", "covered", "needed"] as const;

type Verdict = (typeof VERDICTS)[number];

/** A docs job that accepted a request on a pull request. */
export interface DocsJob {
  jobId: string;
  /** The link of its docs pull request; null if none is known. */
  prLink: string | null;
  /** Why it covers nothing; `closed`: its docs pull request was closed without merging. Null if it covers. */
  ended: "failed" | "closed" | null;
}

/** Reads further facts about a pull request. */
export interface Reads {
  /** Null if GitHub fails to list them: with a diff that is too large, it fails each time. */
  files(): Promise<ChangedFile[] | null>;
  agent(): Promise<AgentTraces>;
  /** The jobs that were asked for in comments, the newest first. */
  jobs(): Promise<DocsJob[]>;
  excuse(): Promise<Excuse>;
  /** Requests none if the files are not known. */
  draft(files: ChangedFile[] | null): Promise<RequestedDraft>;
}

/** The request for the draft of a pull request. */
export type DraftRequest =
  /** A run is sending it. */
  | { type: "requesting" }
  /** The service refused it. */
  | { type: "refused" }
  | { type: "job"; job: DocsJob };

/** The draft of a pull request. */
export interface RequestedDraft {
  /** Null if there is none. */
  request: DraftRequest | null;
  /** Further notes, such as why there is no draft. */
  notes: readonly string[];
}

/** The verdict on a pull request. */
export interface PullVerdict {
  verdict: Verdict;
  /** A few words, which may contain names from outside. */
  reason: string;
  /** The job that documents it, or that failed; null for none. */
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
  pull: SinglePull,
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
  const byFiles = files === null ? null : judgeFiles(pull, { ...details, files }, rules);
  if (byFiles !== null) return judged(byFiles.verdict, byFiles.reason);
  // The agent opens its pull requests as an app.
  const isAgent = pull.author.isBot && isAgents(pull, await reads.agent(), pull.base);
  if (isAgent) return judged("not-needed", BY_AGENT);
  const isComplete = pull.fileCount <= MOST_FILES;
  const missing = isComplete ? "no file matches `docs-paths`" : `more than ${MOST_FILES} files`;
  const byJobs = await judgeByJobs(judged("needed", missing), files, reads);
  if (files === null && byJobs.verdict === "needed") throw unlistedFiles(number, rules);
  return byJobs;
}

/** The verdict that the files decide, or null. */
function judgeFiles(
  pull: SinglePull,
  details: ChangeDetails & { files: ChangedFile[] },
  rules: GateRules,
): Pick<PullVerdict, "verdict" | "reason"> | null {
  const { files } = details;
  checkFileCount(pull, files);
  const noPath = passedOver({ ...details, isComplete: pull.fileCount <= MOST_FILES }, rules);
  if (noPath !== null) return { verdict: "not-needed", reason: noPath };
  const docs = files.find(({ path, isRemoved }) => !isRemoved && rules.docsPaths.matches(path));
  return docs === undefined ? null : { verdict: "included", reason: docs.path };
}

/** Documentation may be among the files, so their absence is no verdict. */
function unlistedFiles(number: number, { ignoreLabels }: GateRules): ActionError {
  const problem = `GitHub does not list the files of pull request #${number}.`;
  const [label] = ignoreLabels;
  const byLabel = label === undefined ? "" : `set the label ${label}, or `;
  const advice = `Run the job again. If its diff is too large for GitHub each time, ask the agent with /docs, ${byLabel}say why it needs no documentation with a line "docs: none, REASON".`;
  return new ActionError("github-unavailable", problem, advice);
}

/** A missing file could be the documentation, or the only one that needs any. */
function checkFileCount({ number, fileCount }: SinglePull, files: readonly ChangedFile[]): void {
  if (files.length >= Math.min(fileCount, MOST_FILES)) return;
  const problem = `GitHub lists ${files.length} of the ${fileCount} files of pull request #${number}.`;
  throw new ActionError("github-unavailable", problem, JUDGE_AGAIN);
}

/** @param undocumented the verdict if neither a job nor a person says otherwise */
async function judgeByJobs(
  undocumented: PullVerdict,
  files: ChangedFile[] | null,
  reads: Reads,
): Promise<PullVerdict> {
  const byJobs = (await reads.jobs()).map(verdictByJob);
  const covered = byJobs.find(({ verdict }) => verdict === "covered");
  if (covered !== undefined) return { ...undocumented, ...covered };
  const excuse = await reads.excuse();
  if (excuse.reason !== null) {
    return { ...undocumented, verdict: "excused", reason: excuse.reason };
  }
  const { request, notes: draftNotes } = await reads.draft(files);
  const notes = [...excuse.notes, ...draftNotes];
  const [failed] = byJobs;
  const last = request === null ? failed : verdictByRequest(request);
  return { ...undocumented, ...last, notes };
}

type VerdictByJob = Pick<PullVerdict, "verdict" | "reason" | "job">;

function verdictByRequest(request: DraftRequest): VerdictByJob {
  switch (request.type) {
    case "requesting":
      return { verdict: "covered", reason: "being requested", job: null };
    case "refused":
      return { verdict: "needed", reason: "docs job refused", job: null };
    case "job":
      return verdictByJob(request.job);
  }
}

function verdictByJob(job: DocsJob): VerdictByJob {
  switch (job.ended) {
    case null:
      return { verdict: "covered", reason: `job ${job.jobId}`, job };
    case "failed":
      return { verdict: "needed", reason: `job ${job.jobId} failed`, job };
    case "closed": {
      const reason = "the docs pull request was closed without merging";
      return { verdict: "needed", reason, job };
    }
  }
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
