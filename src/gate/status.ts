/** The commit status that shows a verdict. */

import { reasonOf } from "../github/api/explain.ts";
import { ActionError } from "../runtime/errors.ts";
import { pullName } from "../text/link.ts";
import { cut, oneLine } from "../text/markdown.ts";
import { clause, counted } from "../text/sentence.ts";
import type { KnownStatus } from "./gate-pull.ts";
import type { GateParts } from "./gate-run.ts";
import type { GateRules } from "./inputs.ts";
import { type GateVerdict, plainReason, VERDICTS } from "./reasons.ts";
import { JUDGE_AGAIN } from "./unread.ts";
import { byVerdict, isRed, type PullVerdict } from "./verdict.ts";

/** GitHub refuses longer descriptions. */
const LONGEST_DESCRIPTION = 140;

/** A commit status, as it is to be set. */
export interface CommitStatus {
  state: "success" | "failure" | "error";
  description: string;
  /** An address; null for none. */
  targetUrl: string | null;
}

/** The status of a pull request. @param link where to go on if there is no docs pull request; null for none */
export function verdictStatus(
  judged: PullVerdict,
  rules: GateRules,
  link: string | null,
  place: string | null = null,
): CommitStatus {
  const { verdict, job } = judged;
  const isWarning = verdict === "needed" && rules.ifNeeded === "warn";
  const beside = [place, isWarning ? "only a warning" : null].filter((text) => text !== null);
  // The verdict's word comes first: a later run reads it.
  const words = beside.length === 0 ? verdict : `${verdict} (${beside.join(", ")})`;
  return {
    state: isRed(judged, rules) ? "failure" : "success",
    description: shownDescription(`${words}${causeText(judged)}`),
    targetUrl: (verdict === "covered" ? job?.prLink : null) ?? link,
  };
}

/** What follows the verdict's word. */
function causeText({ verdict, reason, job }: PullVerdict): string {
  const text = plainReason(reason).replaceAll("`", "");
  switch (verdict) {
    case "covered":
      return ` by ${job?.prLink ? `docs pull request ${pullName(job.prLink)}` : text}`;
    case "excused":
      return ` by ${text}`;
    case "not-needed":
    case "included":
    case "needed":
      return `: ${text}`;
  }
}

/** The verdict in the description of a status; null if it was set by something else, or says that there is none. */
export function verdictIn(description: string): GateVerdict | null {
  const [word] = /^[a-z-]+/.exec(description) ?? [];
  return VERDICTS.find((verdict) => verdict === word) ?? null;
}

/** The status of several pull requests, or of the head that they have in common, by the one that decides. */
export function groupStatus(
  all: readonly [PullVerdict, ...PullVerdict[]],
  rules: GateRules,
  link: string | null,
): CommitStatus {
  const [first] = all;
  const [decisive = first] = byVerdict(all);
  const place = `#${decisive.number} of ${counted(all.length, "pull request")}`;
  return verdictStatus(decisive, rules, link, place);
}

/** The status of a head. @param all the open pull requests that have it, the one that is judged first */
export function headStatus(
  all: readonly [PullVerdict, ...PullVerdict[]],
  rules: GateRules,
  link: string | null,
): CommitStatus {
  const [own] = all;
  return all.length === 1 ? verdictStatus(own, rules, link) : groupStatus(all, rules, link);
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

/** Sets the status of a commit. @returns why it is not set; null if it is */
export async function setStatus(
  { inputs, context, connect }: GateParts,
  sha: string,
  { state, description, targetUrl }: CommitStatus,
): Promise<{
  /** `token`: it may not write statuses; `commit`: it gets no further status; `passing`: a later run may set it. */
  by: "token" | "commit" | "passing";
  /** The rest of a sentence. */
  reason: string;
} | null> {
  const { commits } = await connect();
  const sent = await commits.setStatus({
    repository: context.repository,
    sha,
    state,
    context: inputs.statusName,
    description,
    target_url: targetUrl,
  });
  if (sent.type === "accepted") return null;
  if (sent.type === "refused") {
    const { status, message } = sent;
    if (status === 422) {
      return { by: "commit", reason: `GitHub returned 422: ${clause(oneLine(message))}` };
    }
    if (status === 403 || status === 404) return { by: "token", reason: reasonOf(sent) };
  }
  return { by: "passing", reason: reasonOf(sent) };
}

/** The error of a run that has nothing but a status to show. */
export class StatusNotSet extends ActionError {
  constructor({ by, reason }: NonNullable<Awaited<ReturnType<typeof setStatus>>>) {
    const problem = `The status could not be set: ${reason}.`;
    if (by === "passing") super("github-unavailable", problem, JUDGE_AGAIN);
    else super("github-refused", problem);
  }
}
