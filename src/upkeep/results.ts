/** What upkeep reports: its outputs, and how many changes of the last 30 days are documented. */

import type { OwnNotes } from "../batches/batch-plan.ts";
import { isRefusedContent, startedIn } from "../batches/batch-program.ts";
import type { Change } from "../batches/model/ledger.ts";
import { type BatchRevision, openBatches } from "../batches/model/revision.ts";
import { reviewId, undecidedBatches } from "../batches/model/undecided.ts";
import type { BatchOutcome, DecidedRun } from "../batches/outcome.ts";
import { changeOutput, needsDecisionOutput } from "../batches/outputs.ts";
import { WARNINGS } from "../batches/reasons.ts";
import {
  type BatchReport,
  hadNoCredits,
  lastDelivery,
  requestError,
  requestWarnings,
} from "../batches/report.ts";
import { DAY } from "../runtime/clock.ts";
import { ActionError } from "../runtime/errors.ts";
import { textOfReason } from "../runtime/reason.ts";
import type { Job } from "../service/agent.ts";
import { safeLink } from "../text/link.ts";
import { sentence } from "../text/sentence.ts";
import { lineOf, type UpkeepInputs } from "./inputs.ts";
import type { UpkeepNotes } from "./plan.ts";
import { type ChangedReason, notSentResult, UPKEEP_REASONS, UPKEEP_WARNINGS } from "./reasons.ts";
import type { TakenSources } from "./take-sources.ts";

/**
 * What a run reports.
 *
 * @param changed why its request was not sent; null for no such reason
 * @param repository of the workflow
 */
export function upkeepReport(
  outcome: BatchOutcome<UpkeepNotes>,
  changed: ChangedReason | null,
  { dryRun }: UpkeepInputs,
  repository: string,
): BatchReport {
  const decided = outcome.type === "decided" ? outcome : null;
  const { own = null, handed = [], waited = null } = decided ?? {};
  const delivery = lastDelivery(handed);
  const failed = decided && requestError(handed, decided.revision, outcome.dashboard);
  const error = failed ?? waited?.error ?? sourcesError(own?.sources ?? null, repository);
  const started = startedIn(delivery);
  const warnings = (own?.warnings ?? []).map((warning) => textOfReason(UPKEEP_WARNINGS, warning));
  const isDryRun = decided?.isDryRun ?? false;
  const prompts = isDryRun ? handed.map(({ act }) => act.prompt).join("\n\n") : "";
  return {
    noun: "change",
    verb: "handed over",
    warnings: [...warnings, ...requestWarnings(handed)],
    error,
    ...(isDryRun
      ? { result: "dry-run", explanation: explanationOf(outcome) }
      : resultOf(outcome, changed, error)),
    dryRun,
    outputs: upkeepOutputs(decided, waited?.job ?? started?.job ?? null),
    prompts: prompts === "" ? null : prompts,
  };
}

/** The output `result`, and why no more was handed over. */
function resultOf(
  outcome: BatchOutcome<UpkeepNotes>,
  changed: ChangedReason | null,
  error: ActionError | null,
): { result: BatchReport["result"]; explanation: string | null } {
  const { reason } = outcome;
  const { result: word } = UPKEEP_REASONS[reason.code];
  if (outcome.type === "ended") return { result: word, explanation: explanationOf(outcome) };
  const delivery = lastDelivery(outcome.handed);
  switch (delivery?.type) {
    case undefined: {
      if (changed !== null) return notSentResult(changed);
      const isFailed = error !== null && word === "idle";
      return { result: isFailed ? null : word, explanation: explanationOf(outcome) };
    }
    case "accepted": {
      const isFollowUp = startedIn(delivery)?.isFollowUp ?? false;
      return { result: isFollowUp ? "continued" : "started", explanation: null };
    }
    case "limited":
      return { result: "limited", explanation: textOfReason(WARNINGS, { code: "service-limit" }) };
    case "busy":
      return { result: "busy", explanation: BUSY };
    default:
      if (hadNoCredits(delivery)) return { result: "limited", explanation: null };
      return delivery !== null && isRefusedContent(delivery)
        ? { result: "idle", explanation: REFUSED }
        : { result: null, explanation: null };
  }
}

const BUSY =
  "The job accepts no message for now. The changes wait for a later run; after " +
  "`job-deadline-hours`, a new job is started.";
const REFUSED = "Nothing was handed over. What else waits, the next run hands over.";

/** Why no more is handed over; null if nothing is new. */
function explanationOf({ reason }: BatchOutcome<UpkeepNotes>): string | null {
  const { result } = UPKEEP_REASONS[reason.code];
  return result === "idle" ? null : textOfReason(UPKEEP_REASONS, reason);
}

/** Sources that could not be read, or may not be shown; null for none. */
function sourcesError(sources: TakenSources | null, place: string): ActionError | null {
  const { hidden = [], unread = [] } = sources ?? {};
  const all = [
    ...hidden.map(
      ({ wanted, isCertain }) =>
        `repositories: ${lineOf(wanted)} ${isCertain ? "can" : "may"} be read by fewer people than ` +
        `${place}, where the ledger and the dashboard would show its changes: run upkeep in a ` +
        "private repository.",
    ),
    ...unread.map(({ wanted, unread: { reason } }) =>
      sentence(`${lineOf(wanted)} could not be read: ${reason}`),
    ),
  ];
  if (all.length === 0) return null;
  // A repository that can be read later needs nothing to be corrected.
  const isRefused = unread.every((one) => one.unread.cause === "refused");
  const kind = isRefused ? "github-refused" : "github-unavailable";
  const advice = "The other repositories were handled.";
  return new ActionError(hidden.length > 0 ? "invalid-input" : kind, all.join(" "), advice);
}

/** The days that the dashboard's counts are about. */
export const DAYS = 30;

/**
 * The outputs that are upkeep's own.
 *
 * @param decided null if the run ended before: then it does not count what the ledger holds
 * @param job that this run started or continued; null for none
 */
export function upkeepOutputs(
  decided: DecidedRun<OwnNotes> | null,
  job: Job | null,
): Record<string, string | null> {
  const { revision = null, handed = [], finished = [], polls } = decided ?? {};
  const changes = handed
    .filter(({ delivery }) => delivery?.type === "accepted" || delivery?.type === "uncertain")
    .flatMap(({ act }) => act.changes.map(changeOutput));
  const countIn = (entries: readonly { changes: readonly Change[] }[]) =>
    String(entries.flatMap((entry) => entry.changes).length);
  const ended = finished.map((line) => {
    const { batch, state, jobId, prLink } = line;
    const poll = polls?.get(batch) ?? null;
    const ended = state === "failed" ? "failed" : "completed";
    const status = poll?.type === "known" ? poll.value.status : ended;
    return { jobId, status, prLink, changes: line.changes.map(changeOutput) };
  });
  return {
    jobId: job?.id ?? null,
    status: job?.status ?? null,
    prLink: safeLink(job?.prLink),
    changes: JSON.stringify(changes),
    changeCount: String(changes.length),
    waitingCount: revision && countIn(revision.ledger.waiting),
    finished: JSON.stringify(ended),
    finishedCount: String(ended.length),
    needsDecision: revision && needsDecisionOutput(revision),
    needsDecisionCount: revision && countIn(undecidedBatches(revision)),
  };
}

/** The numbers of changes that landed in 30 days, by their state. */
export function coverageOf(revision: BatchRevision): Readonly<Record<string, number>> {
  const { days, reviews, waiting } = revision.ledger;
  const first = new Date(revision.now - DAYS * DAY).toISOString();
  const recent = (entries: readonly { changes: readonly Change[] }[]) =>
    entries
      .flatMap(({ changes }) => changes)
      .filter((change) => change.kind === "change" && change.landedAt >= first).length;
  const ended = (field: "documented" | "not" | "unseen") =>
    Object.entries(days)
      .filter(([day]) => day >= first.slice(0, 10))
      .reduce((sum, [, counts]) => sum + counts[field], 0);
  const undecided = undecidedBatches(revision);
  const doubted = new Set(undecided.map(({ id }) => id));
  return {
    Documented: ended("documented"),
    "In review": recent(reviews.filter(({ prLink }) => !doubted.has(reviewId(prLink)))),
    "In progress": recent(openBatches(revision)),
    Waiting: recent(waiting),
    "Needs a decision": recent(undecided),
    // Their docs pull request was closed without merging, or a person left them.
    "Not documented": ended("not"),
    "In docs pull requests that cannot be read": ended("unseen"),
  };
}
