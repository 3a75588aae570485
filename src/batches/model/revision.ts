/** A revision of a ledger of batches: what is asked of it, and the small steps that make another one from it. */

import { FOLLOWED } from "../../job/doubt.ts";
import { type Revision, timeText, withFields } from "../../ledger/file.ts";
import { isOverdue } from "../waits.ts";
import type {
  Batch,
  Change,
  DocsEnd,
  Draft,
  Finished,
  Group,
  HistoryLine,
  Ledger,
  RunningBatch,
} from "./ledger.ts";
import { endedMark, MOST_NAMED, without } from "./names.ts";

/** How many entries the ledger keeps for the dashboard; `history/` has all of them. */
const MOST_DONE = 50;
const MOST_PASSED_OVER = 20;
/** Pull requests and branches of the agent: far more than are open at any time. */
const MOST_AGENT = 200;

/** The inputs that decide about a batch. */
export interface BatchRules {
  maxAttempts: number;
  /** After this many failures, refusals and unknown outcomes in a row, nothing more is handed over until a person goes on. */
  maxFailures: number;
  /** How long a running batch holds others up, in milliseconds. */
  deadline: number;
  /** Whether merged pull requests get a comment about their docs pull request. */
  comments: boolean;
}

/** A ledger of batches as a run leaves it. Each function here returns another one. */
export interface BatchRevision extends Revision<Ledger> {
  readonly history: readonly HistoryLine[];
  /** What this revision adds to the finished batches. */
  readonly newlyDone: readonly Finished[];
  /** GitHub's time, in milliseconds since 1970. */
  readonly now: number;
  readonly rules: BatchRules;
}

export function revisionOf(ledger: Ledger, now: number, rules: BatchRules): BatchRevision {
  return { ledger, events: [], history: [], newlyDone: [], now, rules };
}

export function withEvent(revision: BatchRevision, event: string): BatchRevision {
  return { ...revision, events: [...revision.events, event] };
}

/** GitHub's time, in the format of the ledger. */
export function timeOf({ now }: BatchRevision): string {
  return timeText(now);
}

/** Milliseconds since a time in the ledger. */
export function ageOf({ now }: { now: number }, time: string): number {
  return now - (Date.parse(time) || 0);
}

/** A batch or a draft. */
export function findBatch({ ledger }: BatchRevision, id: string): Draft | undefined {
  return [...ledger.batches, ...ledger.drafts].find((batch) => batch.id === id);
}

export function isDraft({ ledger }: BatchRevision, id: string): boolean {
  return ledger.drafts.some((draft) => draft.id === id);
}

/** Whether a person has to decide on a batch. */
export function needsDecision(revision: BatchRevision, batch: Draft): boolean {
  if (batch.state === "running") return isOverdue("job-at-work", batch.job.acceptedAt, revision);
  return batch.state === "uncertain" || batch.state === "failed";
}

/** Whether a batch that needs a decision has a job of which more may be known later. */
export function isFollowable(
  batch: Draft,
  now: number,
): batch is Draft & Pick<RunningBatch, "job"> {
  if (batch.state !== "failed" || batch.job === null) return false;
  const { code } = batch.reason;
  const isOpen = code === "job-unknown" || code === "archived";
  return isOpen && ageOf({ now }, batch.job.acceptedAt) < FOLLOWED;
}

/** Batches that are on their way. */
export function openBatches(revision: BatchRevision): Batch[] {
  return revision.ledger.batches.filter((batch) => !needsDecision(revision, batch));
}

/** Batches that other changes have to wait for. One that only waits for its second poll holds nobody up. */
export function activeBatches(revision: BatchRevision): Batch[] {
  const isAtWork = (batch: Batch) =>
    batch.state !== "running" || batch.job.withoutPullSince === null;
  return openBatches(revision).filter(isAtWork);
}

/** The number of requests that were, or may have been, sent in the last milliseconds. */
export function startsWithin(revision: BatchRevision, milliseconds: number): number {
  return revision.ledger.starts.filter(({ at }) => ageOf(revision, at) < milliseconds).length;
}

/** Records that a request for each of these batches is about to be sent. */
export function addStarts(revision: BatchRevision, ids: readonly string[]): BatchRevision {
  const { starts, requests } = revision.ledger;
  const at = timeOf(revision);
  return withFields(revision, {
    starts: [...starts, ...ids.map((batch) => ({ batch, at }))],
    requests: countedOn(requests, at, ids.length),
  });
}

/** Takes back that a request was sent. One of more than 24 hours ago stays counted. */
export function removeStart(revision: BatchRevision, id: string): BatchRevision {
  const { starts, requests } = revision.ledger;
  const start = starts.find(({ batch }) => batch === id);
  if (start === undefined) return revision;
  return withFields(revision, {
    starts: starts.filter((other) => other !== start),
    requests: countedOn(requests, start.at, -1),
  });
}

function countedOn(requests: Ledger["requests"], at: string, by: number): Ledger["requests"] {
  const day = at.slice(0, 10);
  return { ...requests, [day]: Math.max(0, (requests[day] ?? 0) + by) };
}

/** Puts a batch or a draft in the place of the one with its ID. */
export function replaceBatch(revision: BatchRevision, changed: Draft): BatchRevision {
  const { batches, drafts } = revision.ledger;
  const after = drafts.map((draft) => (draft.id === changed.id ? changed : draft));
  if (changed.state === "done") return withFields(revision, { drafts: after });
  const others = batches.map((batch) => (batch.id === changed.id ? changed : batch));
  return withFields(revision, { batches: others, drafts: after });
}

/** Removes a batch or a draft. */
export function removeBatch(revision: BatchRevision, id: string): BatchRevision {
  const { batches, drafts } = revision.ledger;
  return withFields(revision, {
    batches: batches.filter((batch) => batch.id !== id),
    drafts: drafts.filter((draft) => draft.id !== id),
  });
}

/** Removes a finished batch from the open ones. @param prLink its docs pull request; null for none */
export function endBatch(
  revision: BatchRevision,
  { id, attempt, changes }: Draft,
  end: { state: HistoryLine["state"]; jobId: string | null; prLink: string | null },
): BatchRevision {
  const line: HistoryLine = { batch: id, at: timeOf(revision), ...end, attempt, changes };
  const ended = { ...removeBatch(revision, id), history: [...revision.history, line] };
  const isAtEnd = end.state === "done" || end.state === "left";
  // The key of a task for several files is their paths. Each file is finished, however the files are grouped later.
  const tasks = changes.filter(({ kind }) => kind === "task");
  if (!isAtEnd || tasks.length === 0) return ended;
  const marks = tasks.flatMap(({ key }) => key.split("\n").map(endedMark));
  return withFields(ended, { ended: [...new Set([...revision.ledger.ended, ...marks])] });
}

/** Marks waiting changes as released. */
export function releaseGroups(
  revision: BatchRevision,
  isMeant: (group: Group) => boolean,
): BatchRevision {
  const waiting = revision.ledger.waiting.map((group) =>
    !group.isReleased && isMeant(group) ? { ...group, isReleased: true } : group,
  );
  return withFields(revision, { waiting });
}

/** Puts changes back into the queue, ahead of those that were never handed over. */
export function putBack(
  revision: BatchRevision,
  groups: readonly Omit<Group, "source" | "isReleased">[],
): BatchRevision {
  const { waiting } = revision.ledger;
  return withFields(revision, { waiting: [...groups.map(groupOf), ...waiting] });
}

/** Puts changes back that a person had handed over again: after those of earlier decisions, with which they go out. */
export function putBackDecided(
  revision: BatchRevision,
  group: Omit<Group, "source" | "isReleased" | "origin">,
): BatchRevision {
  const { waiting } = revision.ledger;
  const at = waiting.findLastIndex(isDecided) + 1;
  const decided = groupOf({ ...group, origin: null });
  return withFields(revision, { waiting: waiting.toSpliced(at, 0, decided) });
}

/** Whether a person had changes handed over again. */
export function isDecided({ origin, attempts, followUp }: Group): boolean {
  return origin === null && attempts > 0 && followUp === null;
}

function groupOf({
  changes,
  origin,
  attempts,
  followUp,
}: Omit<Group, "source" | "isReleased">): Group {
  return { changes, origin, followUp, attempts, source: null, isReleased: true };
}

/** Records changes that are finished. */
export function addDone(
  revision: BatchRevision,
  end: DocsEnd,
  changes: readonly Change[],
): BatchRevision {
  const { days, done } = revision.ledger;
  const counted = countedDays(days, changes, countOf(end.result), 1);
  // What a person closed without merging can be handed over again.
  const named = end.result === "closed" ? changes : changes.slice(0, MOST_NAMED);
  const entry: Finished = { ...end, changes: named, more: changes.length - named.length };
  const ended = { ...revision, newlyDone: [...revision.newlyDone, entry] };
  return withFields(ended, { days: counted, done: [entry, ...done].slice(0, MOST_DONE) });
}

/** How changes count that came to an end. Those whose docs pull request cannot be read are never *not documented*. */
export function countOf(result: DocsEnd["result"]): keyof Ledger["days"][string] {
  if (result === "unread") return "unseen";
  return result === "merged" || result === "none" ? "documented" : "not";
}

/** The counts of finished changes by day, with some more or, with -1, some fewer. */
export function countedDays(
  days: Ledger["days"],
  changes: readonly Change[],
  field: keyof Ledger["days"][string],
  by: 1 | -1,
): Ledger["days"] {
  const counted = { ...days };
  for (const change of changes) {
    if (change.kind !== "change") continue;
    const day = change.landedAt.slice(0, 10);
    const counts = counted[day] ?? { documented: 0, not: 0, unseen: 0 };
    counted[day] = { ...counts, [field]: Math.max(0, counts[field] + by) };
  }
  return counted;
}

/** Records a pull request and a branch as the agent's. If it was merged and waits as a change, it is passed over. */
export function noteAgent(
  revision: BatchRevision,
  prLink: string | null,
  branch: string | null,
): BatchRevision {
  const { waiting, agent } = revision.ledger;
  const add = (names: readonly string[], name: string | null) =>
    name === null || names.includes(name) ? names : [...names, name].slice(-MOST_AGENT);
  const links = add(agent.links, prLink);
  const branches = add(agent.branches, branch);
  const own = waiting
    .flatMap((group) => group.changes)
    .filter((change) => change.kind === "change")
    .filter(({ url }) => url === prLink)
    .map((change) => ({ change, reason: { code: "by-agent" } as const }));
  return passOver(withFields(revision, { agent: { links, branches } }), own);
}

/** Records changes that a filter excludes. */
export function passOver(revision: BatchRevision, passed: Ledger["passedOver"]): BatchRevision {
  if (passed.length === 0) return revision;
  const { waiting, passedOver } = revision.ledger;
  const keys = new Set(passed.map(({ change }) => change.key));
  const older = passedOver.filter(({ change }) => !keys.has(change.key));
  return withFields(revision, {
    waiting: without(waiting, keys),
    passedOver: [...passed.toReversed(), ...older].slice(0, MOST_PASSED_OVER),
  });
}
