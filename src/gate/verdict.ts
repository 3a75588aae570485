/** Decides whether a pull request is documented, and renders the verdict. Text from outside appears only as code. */

import {
  type AgentTraces,
  type ChangeDetails,
  type ChangeFilters,
  isAgents,
  passedOver,
} from "../github/changes/change-details.ts";
import type { ChangedFile, Pull } from "../github/changes/history-records.ts";
import { pullLink } from "../github/conversation/news.ts";
import type { GateInputs } from "../inputs/gate.ts";
import { BY_AGENT } from "../ledger/model/names.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";

/** Of several pull requests, the last one decides. */
const VERDICTS = ["not-needed", "included", "covered", "needed"] as const;

type Verdict = (typeof VERDICTS)[number];

/** A docs job that was requested on a pull request. */
export interface DocsJob {
  /** Null if its request is being sent, or was refused. */
  jobId: string | null;
  /** The link of its docs pull request; null if none is known. */
  prLink: string | null;
  hasFailed: boolean;
}

/** Reads further facts about a pull request. */
export interface Reads {
  files(): Promise<ChangedFile[]>;
  agent(): Promise<AgentTraces>;
  jobs(files: ChangedFile[]): Promise<RequestedJobs>;
}

/** The jobs that were requested on a pull request. */
export interface RequestedJobs {
  /** The newest first. */
  jobs: readonly DocsJob[];
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
  const isTooLarge = pull.fileCount > MOST_FILES;
  const files = isTooLarge ? [] : await reads.files();
  const noPath = passedOver({ ...details, files, isComplete: !isTooLarge }, rules);
  if (noPath !== null) return judged("not-needed", noPath);
  const docs = files.find(({ path, previousPath }) =>
    [path, previousPath].some((name) => rules.docsPaths.matches(name)),
  );
  if (docs !== undefined) return judged("included", docs.path);
  // The agent opens its pull requests as an app.
  const isAgent = pull.author.isBot && isAgents(pull, await reads.agent(), pull.base);
  if (isAgent) return judged("not-needed", BY_AGENT);
  const { jobs, notes } = await reads.jobs(files);
  const job = jobs.find(({ hasFailed }) => !hasFailed);
  if (job !== undefined) {
    const reason = job.jobId === null ? "being requested" : `job ${job.jobId}`;
    return { ...judged("covered", reason), job, notes };
  }
  const [failed = null] = jobs;
  if (failed !== null) {
    const reason = failed.jobId === null ? "docs job refused" : `job ${failed.jobId} failed`;
    return { ...judged("needed", reason), job: failed, notes };
  }
  const missing = isTooLarge ? `more than ${MOST_FILES} files` : "no file matches `docs-paths`";
  return { ...judged("needed", missing), notes };
}

/** Of several pull requests, the most demanding verdict comes first, and decides. */
export function byVerdict(all: readonly PullVerdict[]): PullVerdict[] {
  return all.toSorted(
    (judged, other) => VERDICTS.indexOf(other.verdict) - VERDICTS.indexOf(judged.verdict),
  );
}

const MOST_PATTERNS = 5;

/** The verdict in words. */
export function verdictText({ verdict, job }: PullVerdict, reason: string): string {
  if (job?.prLink && verdict === "covered") {
    return `covered by ${pullLink("docs pull request", job.prLink)}`;
  }
  if (verdict === "covered") return `covered by a docs job (${reason})`;
  const words = verdict === "not-needed" ? "no documentation needed" : `documentation ${verdict}`;
  return `${words} (${reason})`;
}

function signOf({ verdict }: Pick<PullVerdict, "verdict">, { ifNeeded }: GateRules): string {
  if (verdict !== "needed") return "✅";
  return ifNeeded === "fail" ? "❌" : "⚠️";
}

/** The verdict with a sign before it, and text from outside as code. */
function line(judged: PullVerdict, rules: GateRules, title: string): string {
  const reason = inlineCode(judged.reason.replaceAll("`", ""), 200);
  return `${signOf(judged, rules)} ${title}${verdictText(judged, reason)}`;
}

/** The summary of a group of pull requests: those that need documentation come first. */
export function groupText(all: readonly PullVerdict[], rules: GateRules): string {
  const undocumented = all.filter(({ verdict }) => verdict === "needed").length;
  const verb = undocumented === 1 ? "needs" : "need";
  const count = `${undocumented} of ${counted(all.length, "pull request")} ${verb}`;
  const sign = signOf({ verdict: undocumented === 0 ? "covered" : "needed" }, rules);
  const lines = byVerdict(all).map((verdict) => {
    return `- ${line(verdict, rules, `${pullLink("pull request", verdict.url)}: `)}`;
  });
  return `### ${sign} Docs gate: ${count} documentation\n\n${lines.join("\n")}`;
}

/** The comment: one line, unless somebody has to act. */
export function reportText(judged: PullVerdict, rules: GateRules): string {
  const head = line(judged, rules, "Docs gate: ");
  if (judged.verdict !== "needed") return [head, ...judged.notes].join("\n\n");
  const patterns = rules.docsPatterns
    .slice(0, MOST_PATTERNS)
    .map((pattern) => inlineCode(pattern, 80));
  const label = inlineCode(rules.ignoreLabels[0] ?? "", 80);
  const ways = [
    `Change the documentation in this pull request: a file that matches ${patterns.join(", ")}.`,
    "Ask the documentation agent, with a new comment:\n\n   ```text\n   /docs Document this pull request.\n   ```",
    ...(label === "" ? [] : [`If it needs no documentation, set the label ${label}.`]),
  ];
  return [
    `### ${head}`,
    ...judged.notes,
    "Do one of these:",
    ways.map((way, nth) => `${nth + 1}. ${way}`).join("\n"),
    `A \`/docs\` that is asked for now counts at the gate's next run: a push, a label, a review, or *Re-run* on the check.`,
  ].join("\n\n");
}
