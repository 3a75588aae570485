/** Whether a pull request is documented: decided here, by what is known of it. */

import {
  type AgentTraces,
  type ChangeFilters,
  isAgents,
  passedOver,
  passedOverByFiles,
} from "../github/change-details.ts";
import type { ChangedFile, Pull } from "../github/history-records.ts";
import { BY_AGENT } from "../ledger/model/names.ts";
import type { PathFilter } from "../text/path-filter.ts";

export type Verdict = "not-needed" | "included" | "covered" | "needed";

/** A docs job that was asked for on a pull request. */
export interface DocsJob {
  jobId: string;
  /** Of its docs pull request; null: none is known. */
  prLink: string | null;
  hasFailed: boolean;
}

/** What is known of a pull request. What is not read yet is undefined. */
export interface Facts {
  pull: Pull;
  files?: ChangedFile[] | undefined;
  agent?: AgentTraces | undefined;
  /** Asked for on it, the newest first. */
  jobs?: DocsJob[] | undefined;
}

export interface GateRules extends ChangeFilters {
  docsPaths: PathFilter;
}

/** A verdict, and why. */
export interface Judged {
  type: "judged";
  verdict: Verdict;
  /** A few words, with names from outside. */
  why: string;
  /** The one that documents it, or that failed to. */
  job: DocsJob | null;
}

/** GitHub names no more files of a pull request. */
export const MOST_FILES = 3000;

/** The verdict, or what has to be read for it. */
export function judge(
  { pull, files, agent, jobs }: Facts,
  rules: GateRules,
): Judged | { type: "read"; what: "files" | "agent" | "jobs" } {
  const judged = (verdict: Verdict, why: string, job: DocsJob | null = null): Judged => {
    return { type: "judged", verdict, why, job };
  };
  if (!pull.isOpen) return judged("not-needed", "closed");
  const isTooLarge = pull.fileCount > MOST_FILES;
  if (files === undefined && !isTooLarge) {
    const why = whyNot(pull, [], rules, true);
    return why === null ? { type: "read", what: "files" } : judged("not-needed", why);
  }
  const why = whyNot(pull, files ?? [], rules, isTooLarge);
  if (why !== null) return judged("not-needed", why);
  const docs = files?.find((file) => pathsOf(file).some((path) => rules.docsPaths.matches(path)));
  if (docs !== undefined) return judged("included", docs.path);
  // The agent opens its pull requests as an app.
  if (agent === undefined && pull.author.isBot) return { type: "read", what: "agent" };
  if (agent && isAgents(pull, agent, pull.base)) return judged("not-needed", BY_AGENT);
  if (jobs === undefined) return { type: "read", what: "jobs" };
  const job = jobs.find(({ hasFailed }) => !hasFailed);
  if (job !== undefined) return judged("covered", `job ${job.jobId}`, job);
  const [failed = null] = jobs;
  const what = isTooLarge ? `more than ${MOST_FILES} files` : "no file matches `docs-paths`";
  return judged("needed", failed === null ? what : `job ${failed.jobId} failed`, failed);
}

function whyNot(
  { number, title, url, head, author, labels }: Pull,
  files: ChangedFile[],
  rules: GateRules,
  hasMoreFiles: boolean,
): string | null {
  const change = { ...({ kind: "change", key: "", repository: "", landedAt: "" } as const) };
  const details = {
    change: { ...change, number, title, url, sha: head, author: author.login },
    ...{ body: "", labels, files, hasMoreFiles },
  };
  return passedOver(details, rules) ?? passedOverByFiles(details, rules);
}

function pathsOf({ path, previousPath }: ChangedFile): string[] {
  return previousPath === undefined ? [path] : [path, previousPath];
}

const ORDER: readonly Verdict[] = ["not-needed", "included", "covered", "needed"];

/** Of several pull requests, the one that asks for most comes first, and decides. */
export function byVerdict<T extends Judged>(all: readonly T[]): T[] {
  return all.toSorted((a, b) => ORDER.indexOf(b.verdict) - ORDER.indexOf(a.verdict));
}
