/** The commit status that shows a verdict. */

import { explainRefusal, hasStatus, type TokenPermissions } from "../github/api/refusal.ts";
import { owned } from "../github/api/rest.ts";
import { ActionError } from "../runtime/errors.ts";
import { pullName } from "../text/link.ts";
import { cut, oneLine } from "../text/markdown.ts";
import { clause, counted } from "../text/sentence.ts";
import type { KnownStatus } from "./gate-reader.ts";
import { type GateRun, JUDGE_AGAIN } from "./run.ts";
import { byVerdict, type GateRules, isRed, type PullVerdict } from "./verdict.ts";
import { verdictText } from "./verdict-text.ts";

/** GitHub refuses longer descriptions. */
const LONGEST_DESCRIPTION = 140;
const PERMISSIONS: TokenPermissions = ["statuses: write"];

/** A commit status, as it is to be set. */
export interface CommitStatus {
  state: "success" | "failure" | "error";
  description: string;
  /** An address; null for none. */
  targetUrl: string | null;
}

/** The status of a pull request. @param link where to go on if there is no docs pull request; null for none */
export function statusOf(judged: PullVerdict, rules: GateRules, link: string | null): CommitStatus {
  const { job, reason } = judged;
  const prLink = judged.verdict === "covered" ? job?.prLink : null;
  const text = prLink
    ? `covered by docs pull request ${pullName(prLink)}`
    : verdictText({ ...judged, job: null }, reason.replaceAll("`", ""));
  const isWarned = judged.verdict === "needed" && rules.ifNeeded === "warn";
  return {
    state: isRed(judged, rules) ? "failure" : "success",
    description: shownDescription(isWarned ? `only a warning: ${text}` : text),
    targetUrl: prLink ?? link,
  };
}

/** The status of a merge queue's group, by the pull request that decides. */
export function groupStatus(
  all: readonly PullVerdict[],
  rules: GateRules,
  link: string | null,
): CommitStatus | null {
  const [decisive] = byVerdict(all);
  if (decisive === undefined) return null;
  const status = statusOf(decisive, rules, link);
  const count = counted(all.length, "pull request");
  const description = shownDescription(`#${decisive.number} of ${count}: ${status.description}`);
  return { ...status, description };
}

/** The status of a pull request that could not be judged. @param reason the rest of a sentence */
export function errorStatus(reason: string, link: string | null): CommitStatus {
  const description = shownDescription(`could not be judged: ${clause(reason)}`);
  return { state: "error", description, targetUrl: link };
}

/** Text from outside on one line. GitHub refuses characters of four bytes in some places. */
function shownDescription(text: string): string {
  return cut(oneLine(text).replaceAll(/[\u{10000}-\u{10FFFF}]/gu, ""), LONGEST_DESCRIPTION);
}

/** Whether a status that is known says the same. @param runUrl a link to a run, which differs from run to run */
export function isSameStatus(
  known: KnownStatus,
  status: CommitStatus,
  runUrl: string | null,
): boolean {
  const isSameLink = status.targetUrl === known.targetUrl || status.targetUrl === runUrl;
  return known.state === status.state && known.description === status.description && isSameLink;
}

/** Why GitHub does not accept a status. */
export interface StatusRefusal {
  /** `token`: it may not write statuses; `commit`: this commit gets no further status. */
  by: "token" | "commit";
  /** The rest of a sentence. */
  reason: string;
}

/**
 * Sets the status of a commit.
 *
 * @returns why GitHub does not accept it; null if it is set
 * @throws ActionError `github-unavailable` if a later run may set it
 */
export async function setStatus(
  { inputs, context, connect }: Pick<GateRun, "inputs" | "context" | "connect">,
  sha: string,
  { state, description, targetUrl }: CommitStatus,
): Promise<StatusRefusal | null> {
  try {
    await (await connect()).request("POST /repos/{owner}/{repo}/statuses/{sha}", {
      ...owned(context),
      sha,
      state,
      context: inputs.statusName,
      description,
      ...(targetUrl === null ? {} : { target_url: targetUrl }),
    });
    return null;
  } catch (error) {
    const refusal = explainRefusal(error, PERMISSIONS);
    if (hasStatus(refusal, 422)) {
      return { by: "commit", reason: `GitHub returned 422: ${clause(oneLine(refusal.message))}` };
    }
    if (hasStatus(refusal, 403, 404)) return { by: "token", reason: refusal.reason };
    const problem = `The status could not be set: ${refusal.reason}.`;
    throw new ActionError("github-unavailable", problem, JUDGE_AGAIN, { cause: error });
  }
}
