import { spellOut } from "../dashboard/boxes.ts";
import { decide, intend, type Polled } from "../model/batch-events.ts";
import type { Batch, Done, HistoryLine } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import { rangeId } from "../model/names.ts";
import { claimDashboard, showDashboard } from "./dashboard-steps.ts";
import { type Facts, findFacts, takeFacts } from "./facts.ts";
import { type Opened, type OpenSettings, openLedger } from "./open-ledger.ts";
import { type Choice, type ClockRead, hasFailed, io, type Steps } from "./port.ts";
import {
  type Handed,
  rememberBatches,
  sendBatches,
  startedText,
  UNSENT,
  waitForBatches,
} from "./send-batches.ts";
import { type Head, record, writeLedger } from "./write-ledger.ts";

export interface RunSettings extends OpenSettings {
  /**
   * The issue whose edit triggered the run, which goes on only if that is the dashboard; 0 if it asks for
   * nothing. Null: another event.
   */
  editedIssue: number | null;
}

/** How a run came out. */
export type RunEnd =
  /** The ledger could be worked with. `reason`: as the action calls it. */
  | { type: "ran"; reason: string }
  | { type: "skipped" | "busy" }
  | { type: "paused"; closedBy: string; closedAt: string }
  /** GitHub refused or did not answer; nothing was sent. */
  | { type: "unavailable"; why: string }
  /** The ref's content is not this action's ledger. */
  | { type: "unusable"; problem: string }
  | { type: "set-back"; sha: string };

export interface RunResult {
  end: RunEnd;
  /** The ledger as the run leaves it; null: it could not be read. */
  edit: LedgerEdit | null;
  /** The commit that it is at; null: there is none. */
  sha: string | null;
  /** Number of the dashboard's issue. */
  dashboard: number | null;
  /** What was handed over, with the results; in a dry run, what would be. */
  handed: Handed[];
  /** What polls brought, by batch. */
  polls: ReadonlyMap<string, Polled>;
  /** Batches that this run found ended. */
  finished: HistoryLine[];
  /** Docs pull requests whose review it found ended. */
  reviewed: Done[];
  warnings: string[];
}

/** How often a run decides anew because another one was faster. */
const DECISIONS = 3;

/**
 * One run: finishes what has ended, does what people decided, hands over what the action chooses, and shows
 * it. It may be stopped between any two calls of the port.
 */
export function* runLedger(settings: RunSettings): Steps<RunResult> {
  const result: RunResult = {
    ...{ end: { type: "busy" }, edit: null, sha: null, dashboard: null, handed: [] },
    ...{ polls: new Map(), finished: [], reviewed: [], warnings: [] },
  };
  if (settings.editedIssue === 0) return { ...result, end: { type: "skipped" } };
  let facts: Facts | null = null;
  for (let time = 1; time <= DECISIONS; time++) {
    const opened: Opened | RunEnd = yield* open(settings, result);
    if ("type" in opened) return { ...result, end: opened };
    const begun = yield* io.readClock();
    // A write that seemed to be lost was not.
    if (ownBatches(opened.head, settings).length > 0) {
      return yield* handOver(settings, opened.head, opened, result, begun);
    }
    facts ??= yield* findFacts(opened.head);
    const { edit, choice } = yield* decideOn(opened, facts, settings);
    // A dry run shows the ledger as it is before it hands anything over.
    result.edit = settings.isDryRun ? settings.editOf(edit) : edit;
    result.polls = facts.polls;
    result.end = { type: "ran", reason: choice.reason };
    const planned = planOf(choice, settings.runName, time);
    intend(edit, planned);
    const batches = planned.flatMap(({ id }) => edit.batch(id) ?? []);
    if (settings.isDryRun) {
      return { ...result, handed: batches.map((batch) => ({ batch, sent: UNSENT })) };
    }
    claimDashboard(edit, opened, settings.runName);
    if (batches.length > 0) yield* rememberBatches(batches, new Map());
    const finished = edit.history.filter(isEndOfJob);
    if (!edit.isChanged) return yield* handOver(settings, opened.head, opened, result, begun);
    const written = yield* writeLedger(settings, opened.head, edit);
    if (hasFailed(written)) {
      return { ...result, end: { type: "unavailable", why: written.failed } };
    }
    if (written.type === "written") {
      result.finished = finished;
      const { done } = opened.head.ledger;
      result.reviewed = edit.ledger.done.filter((it) => it.prLink !== null && !done.includes(it));
      return yield* handOver(settings, written.head, opened, result, begun);
    }
  }
  return { ...result, end: { type: "busy" } };
}

/** Opens the ledger, unless that is not for this run to work with. */
function* open(settings: RunSettings, result: RunResult): Steps<Opened | RunEnd> {
  const opened = yield* openLedger(settings);
  if ("failed" in opened) return { type: "unavailable", why: opened.failed };
  if ("problem" in opened) return { type: "unusable", problem: opened.problem };
  if ("setBackFrom" in opened) return { type: "set-back", sha: opened.setBackFrom };
  const { head, issue, warnings } = opened;
  const number = issue?.number ?? head.ledger.dashboard.number;
  result.sha = head.sha;
  result.dashboard = number;
  result.warnings.push(...warnings);
  const { editedIssue } = settings;
  if (editedIssue !== null && editedIssue !== number) return { type: "skipped" };
  if (!issue?.isClosed) return opened;
  return { type: "paused", closedBy: issue.closedBy, closedAt: issue.closedAt };
}

/** What follows from the ledger, the facts and people's decisions, and what to hand over. */
function* decideOn(
  { head, decisions }: Opened,
  facts: Facts,
  settings: RunSettings,
): Steps<{ edit: LedgerEdit; choice: Choice }> {
  const edit = settings.editOf(head);
  takeFacts(edit, facts);
  for (const decision of spellOut(decisions, decisionEntries(edit))) decide(edit, decision);
  const choice = yield* io.choose(edit, head.sha);
  // Another run is about to send something.
  const isBusy = edit.ledger.batches.some(({ state }) => state === "intended");
  return { edit, choice: isBusy ? { batches: [], reason: "busy" } : choice };
}

/** What a person has to decide on, as the boxes name it. */
export function decisionEntries(edit: LedgerEdit): { id: string; at: string }[] {
  return [
    ...edit.undecided,
    ...edit.ledger.sources.flatMap((it) =>
      it.tooMany === null ? [] : [{ id: rangeId(it), at: it.date }],
    ),
  ];
}

function planOf(choice: Choice, runName: string, time: number) {
  return choice.batches.map((it, nth) => ({ ...it, id: `${runName}.${time}.${nth}` }));
}

/** What this run has written that it is about to send. */
function ownBatches({ ledger }: Head, { runName }: RunSettings): Batch[] {
  return ledger.batches.filter(
    ({ id, state }) => id.startsWith(`${runName}.`) && state === "intended",
  );
}

function isEndOfJob({ state }: HistoryLine): boolean {
  return state === "done" || state === "failed";
}

/** The rest of a run, once its intent is in the ledger. */
function* handOver(
  settings: RunSettings,
  head: Head,
  opened: Opened,
  result: RunResult,
  begun: ClockRead,
): Steps<RunResult> {
  const batches = ownBatches(head, settings);
  const sending = yield* sendBatches(settings, head, batches, begun);
  const { sent, unrecorded } = sending;
  const handed = batches.map((batch) => ({ batch, sent: sent.get(batch.id) ?? UNSENT }));
  const waited = yield* waitForBatches(settings, sending.head, handed);
  if (unrecorded !== "") result.warnings.push(unrecordedText(unrecorded, handed));
  const told = yield* tellPullRequests(settings, waited.head);
  const after = yield* showDashboard(settings, told, opened.issue, sending.isRefused, result);
  return {
    ...result,
    handed,
    finished: [...result.finished, ...waited.finished.filter(isEndOfJob)],
    edit: settings.editOf(after),
    sha: after.sha,
  };
}

/** Comments on merged pull requests, and remembers on which it need not be tried again. */
function* tellPullRequests(settings: RunSettings, head: Head): Steps<Head> {
  if (head.ledger.untold.length === 0) return head;
  const told = new Set(yield* io.tell(head.ledger.untold));
  const after = yield* record(settings, head, (edit) => {
    const untold = edit.ledger.untold.filter(({ change }) => !told.has(change.key));
    if (untold.length < edit.ledger.untold.length)
      edit.change({ untold }, "Comment on pull requests");
  });
  return hasFailed(after) ? head : after;
}

function unrecordedText(unrecorded: string, handed: readonly Handed[]): string {
  return `What became of the requests could not be recorded: ${unrecorded}.${startedText(handed)} The post step tries again.`;
}
