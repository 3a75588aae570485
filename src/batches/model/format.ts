/** The file `ledger.json` of upkeep and a queue: how it becomes a {@link Ledger} and back. */

import {
  formatOf,
  type LedgerFormat,
  type LedgerIdentity,
  orEmpty,
  orNull,
} from "../../ledger/file.ts";
import { DAY } from "../../runtime/clock.ts";
import { NO_FAILURES } from "./failures.ts";
import {
  type Batch,
  type BatchJob,
  type DashboardState,
  type Draft,
  type Failures,
  type Finished,
  type Group,
  type Halt,
  jobIdOf,
  type Keeper,
  type Ledger,
  type PendingComment,
  type Source,
} from "./ledger.ts";
import {
  type BatchFile,
  type BatchLedgerFile,
  batchLedgerFile,
  type DraftFile,
  type FailedReason,
  type FailuresFile,
  type UncertainReason,
} from "./schema.ts";

/** How many days of counts are kept for the coverage and the cost of 30 days. */
const COUNTED_DAYS = 31;

export function batchFormat(identity: LedgerIdentity): LedgerFormat<Ledger> {
  const begin: Ledger = {
    version: 1,
    ...identity,
    writes: 0,
    historyFiles: [],
    keeper: null,
    dashboard: { type: "none" },
    sources: [],
    waiting: [],
    batches: [],
    reviews: [],
    drafts: [],
    done: [],
    passedOver: [],
    days: {},
    starts: [],
    requests: {},
    failures: NO_FAILURES,
    untold: [],
    agent: { links: [], branches: [] },
    ended: [],
  };
  return formatOf(begin, batchLedgerFile, decode, encode);
}

function decode(file: BatchLedgerFile, now: number): Ledger {
  const firstDay = new Date(now - COUNTED_DAYS * DAY).toISOString().slice(0, 10);
  const recent = <Count>(days: Record<string, Count>) =>
    Object.fromEntries(Object.entries(days).filter(([day]) => day >= firstDay));
  return {
    ...file,
    keeper: keeperIn(file.keeper),
    dashboard: dashboardIn(file.dashboard),
    sources: file.sources.map(({ target = null, readAt, release, ...source }) => ({
      ...source,
      target,
      readAt: orNull(readAt),
      release: orNull(release),
    })),
    waiting: file.waiting.map(({ followUp = null, source, ...waiting }) => ({
      ...waiting,
      followUp,
      source: orNull(source),
    })),
    batches: file.batches.map(batchIn),
    drafts: file.drafts.map(draftIn),
    done: file.done.flatMap(finishedIn),
    days: recent(file.days),
    starts: file.starts.filter(({ at }) => now - Date.parse(at) < DAY),
    requests: recent(file.requests),
    failures: failuresIn(file.failures),
    untold: file.untold.map(({ claim = null, isTried = false, refusals = 0, ...entry }) => {
      // Ledgers of earlier versions have no count.
      const { tries = isTried ? 1 : 0 } = entry;
      return { ...entry, claim, tries, refusals };
    }),
  };
}

/** No version writes that a docs pull request ended without its link. */
function finishedIn({ result, prLink, ...entry }: BatchLedgerFile["done"][number]): Finished[] {
  if (result === "none" || result === "left") return [{ result, prLink: null, ...entry }];
  return prLink === null ? [] : [{ result, prLink, ...entry }];
}

function keeperIn({ workflow, run, filters }: BatchLedgerFile["keeper"]): Keeper | null {
  return filters === "" ? null : { workflow: orNull(workflow), run: orNull(run), filters };
}

function dashboardIn({ number, claim, until }: BatchLedgerFile["dashboard"]): DashboardState {
  if (number !== null) return { type: "open", number };
  if (claim !== "") return { type: "claimed", by: claim, until };
  return until === "" ? { type: "none" } : { type: "refused", until };
}

function failuresIn(file: FailuresFile | undefined): Failures {
  if (file === undefined) return NO_FAILURES;
  const { jobs, refusals, halt } = file;
  return { jobs, refusals, halt: halt === undefined ? null : haltIn(halt) };
}

function haltIn({ id, count, jobId }: NonNullable<FailuresFile["halt"]>): Halt {
  if (jobId === undefined) return { type: "refused", id, count };
  return { type: "failed", id, count, jobId };
}

function batchIn(file: BatchFile): Batch {
  const { state, reason } = file;
  const common = commonIn(file);
  const job = jobIn(file);
  if (state === "intended") return { ...common, state };
  if (state === "failed" && reason !== null && isOfFailed(reason)) {
    return { ...common, state, reason, job };
  }
  // Without a job, nothing of it can be polled.
  if (state === "running" && job !== null) return { ...common, state, job };
  const isKnown = reason !== null && !isOfFailed(reason);
  return { ...common, state: "uncertain", reason: isKnown ? reason : { code: "run-ended" } };
}

function isOfFailed(reason: UncertainReason | FailedReason): reason is FailedReason {
  return reason.code !== "unanswered" && reason.code !== "run-ended";
}

function draftIn(file: DraftFile): Draft {
  const { state } = file;
  if (state !== "done") return batchIn({ ...file, state });
  const job = jobIn(file);
  if (job === null) return batchIn({ ...file, state: "uncertain" });
  return { ...commonIn(file), state, job };
}

function commonIn({ id, changes, followUp, isOutdated, attempt, at }: Omit<BatchFile, "state">) {
  return {
    id,
    changes,
    followUp: followUp ?? null,
    isOutdated: isOutdated ?? false,
    attempt,
    at,
  };
}

function jobIn({
  jobId,
  acceptedAt,
  isFollowUp,
  prLink,
  unknown,
  isTooLate,
  at,
}: Omit<BatchFile, "state">) {
  if (jobId === null) return null;
  const job: BatchJob = {
    id: jobId,
    acceptedAt: acceptedAt ?? at,
    isFollowUp,
    prLink,
    unknownRuns: unknown,
    isTooLate: isTooLate ?? false,
  };
  return job;
}

function encode(ledger: Ledger): BatchLedgerFile {
  const lists = {
    historyFiles: [...ledger.historyFiles],
    reviews: ledger.reviews.map((review) => ({ ...review, changes: [...review.changes] })),
    done: ledger.done.map((entry) => ({ ...entry, changes: [...entry.changes] })),
    starts: [...ledger.starts],
    untold: ledger.untold.map(commentOut),
    agent: { links: [...ledger.agent.links], branches: [...ledger.agent.branches] },
    ended: [...ledger.ended],
  };
  const { failures, ...others } = ledger;
  return {
    ...others,
    keeper: keeperOut(ledger.keeper),
    dashboard: dashboardOut(ledger.dashboard),
    sources: ledger.sources.map(sourceOut),
    waiting: ledger.waiting.map(groupOut),
    batches: ledger.batches.map((entry) => ({ ...batchOut(entry), state: entry.state })),
    drafts: ledger.drafts.map(batchOut),
    passedOver: [...ledger.passedOver],
    ...lists,
    ...failuresOut(failures),
  };
}

// Fields are named in the order of the file, so that a write only changes the lines of what has changed.

function commentOut(entry: PendingComment): BatchLedgerFile["untold"][number] {
  const { change, prLink, job, claim, tries, refusals } = entry;
  return {
    change,
    prLink,
    job,
    ...(claim !== null && { claim }),
    ...(tries > 0 && { isTried: true }),
    ...(tries > 1 && { tries }),
    ...(refusals > 0 && { refusals }),
  };
}

function sourceOut(source: Source): BatchLedgerFile["sources"][number] {
  const { id, repository, branch, sha, date, target, readAt, wasRewritten, release } = source;
  const read = { readAt: orEmpty(readAt), wasRewritten, release: orEmpty(release) };
  if (target === null) return { id, repository, branch, sha, date, ...read };
  return { id, repository, branch, sha, date, target, ...read };
}

function groupOut(group: Group): BatchLedgerFile["waiting"][number] {
  const { changes, followUp, attempts, source, isReleased } = group;
  const rest = { attempts, source: orEmpty(source), isReleased };
  if (followUp === null) return { changes: [...changes], ...rest };
  return { changes: [...changes], followUp, ...rest };
}

/** The field of the file; none if nothing has failed. */
function failuresOut({ jobs, refusals, halt }: Failures): { failures?: FailuresFile } {
  if (jobs === 0 && refusals === 0 && halt === null) return {};
  if (halt === null) return { failures: { jobs, refusals } };
  const { id, count } = halt;
  const shown = halt.type === "failed" ? { id, count, jobId: halt.jobId } : { id, count };
  return { failures: { jobs, refusals, halt: shown } };
}

function keeperOut(keeper: Keeper | null): BatchLedgerFile["keeper"] {
  if (keeper === null) return { workflow: "", run: "", filters: "" };
  const { workflow, run, filters } = keeper;
  return { workflow: orEmpty(workflow), run: orEmpty(run), filters };
}

function dashboardOut(dashboard: DashboardState): BatchLedgerFile["dashboard"] {
  const none = { number: null, claim: "", until: "" };
  if (dashboard.type === "open") return { ...none, number: dashboard.number };
  if (dashboard.type === "claimed") return { ...none, claim: dashboard.by, until: dashboard.until };
  return dashboard.type === "refused" ? { ...none, until: dashboard.until } : none;
}

function batchOut(entry: Draft): DraftFile {
  const { id, state, changes, followUp, isOutdated, attempt, at } = entry;
  const job = "job" in entry ? entry.job : null;
  return {
    id,
    state,
    changes: [...changes],
    ...(followUp !== null && { followUp }),
    ...(isOutdated && { isOutdated }),
    attempt,
    at,
    acceptedAt: job?.acceptedAt ?? null,
    jobId: jobIdOf(entry),
    isFollowUp: job?.isFollowUp ?? false,
    prLink: job?.prLink ?? null,
    reason: "reason" in entry ? entry.reason : null,
    unknown: job?.unknownRuns ?? 0,
    ...(job?.isTooLate && { isTooLate: true }),
  };
}
