import { CHECKPOINT_LIMITS, type CheckpointLimits } from "../model/checkpoint.ts";
import type { BatchNow } from "../model/claim-now.ts";
import { type Failed, hasFailed } from "../model/issue-answers.ts";
import type { LedgerState } from "../model/read-ledger.ts";
import { type Batch, type Change, type Cursor, EMPTY_CHECKPOINT } from "../model/record.ts";
import { ask, type Choice, type Steps } from "./effects.ts";
import { finishBatches } from "./finish-batches.ts";
import { handOver } from "./hand-over.ts";
import { OpenLedger } from "./open-ledger.ts";
import { writeDashboard } from "./write-dashboard.ts";

export interface LedgerRunSettings {
  /** Random, for this run alone. */
  claimId: string;
  limits?: CheckpointLimits;
}

/** How a run came out. */
export type RunEnd<C extends Change> =
  /** Requests were made: each batch says what became of its own. */
  | { type: "handed-over"; batches: Batch<C>[] }
  | { type: "nothing" }
  /** Another run is at work, or was faster. */
  | { type: "busy" }
  | { type: "paused" }
  /** GitHub refused or did not answer; nothing was sent. */
  | { type: "github-unavailable"; why: string }
  /** Nothing on the issue verifies. */
  | { type: "foreign" }
  /** The body holds no checkpoint, and the thread lacks claims with these numbers (0: its beginning). */
  | { type: "incomplete"; missing: number[] };

export interface RunResult<C extends Change> {
  end: RunEnd<C>;
  /** The ledger as the run leaves it; null if it could not be read. */
  state: LedgerState<C> | null;
  /** Batches that this run found ended. */
  finished: BatchNow<C>[];
  /** Why the dashboard was left as it was; empty if it was written or has nothing new to show. */
  unwritten: string;
}

/**
 * One run: reads the ledger, finishes what has ended, hands over what the action chooses, and writes the
 * dashboard. May be stopped between any two effects, before or after what was asked for is done.
 */
export function* runLedger<C extends Change>(settings: LedgerRunSettings): Steps<C, RunResult<C>> {
  const ledger = new OpenLedger<C>(settings.limits ?? CHECKPOINT_LIMITS);
  const opened = yield* open(ledger);
  if (opened.end !== null) return { end: opened.end, state: null, finished: [], unwritten: "" };
  const finished = yield* finishBatches(ledger);
  const choice = yield* choose(ledger);
  if ("failed" in choice) {
    const end: RunEnd<C> = { type: "github-unavailable", why: choice.why };
    return { end, state: ledger.state(), finished, unwritten: "" };
  }
  const end: RunEnd<C> =
    choice.type === "hand-over"
      ? yield* handOver(ledger, settings.claimId, choice.batches)
      : { type: choice === BUSY ? "busy" : "nothing" };
  const isChanged =
    opened.isStale || finished.length > 0 || choice.type !== "nothing" || choice.changed;
  const moved = choice.type === "nothing" ? choice.moved : {};
  const hasMoved = Object.keys(moved).length > 0;
  if (hasMoved) ledger.moveCursors(moved);
  const written = isChanged || hasMoved ? yield* writeDashboard(ledger) : null;
  return { end, state: ledger.state(), finished, unwritten: written?.why ?? "" };
}

/** Another run may be about to send something: it will write the dashboard, too. */
const BUSY: Choice<never> & { type: "nothing" } = { type: "nothing", changed: false, moved: {} };

/** Reads body and thread. `isStale`: the body has to be written whether or not anything happens. */
function* open<C extends Change>(
  ledger: OpenLedger<C>,
): Steps<C, { end: RunEnd<C> | null; isStale: boolean }> {
  const dashboard = yield* ask<C, "read-dashboard">({ type: "read-dashboard" });
  if (hasFailed(dashboard)) return { end: unavailable(dashboard.why), isStale: false };
  if (dashboard.isClosed) return { end: { type: "paused" }, isStale: false };
  ledger.takeDashboard(dashboard);
  const thread = yield* ask<C, "read-thread">({ type: "read-thread", since: ledger.since });
  if (hasFailed(thread)) return { end: unavailable(thread.why), isStale: false };
  ledger.takeThread(thread);
  if (dashboard.checkpoint === null) {
    if (thread.comments.every(({ record }) => record === null)) {
      return { end: { type: "foreign" }, isStale: false };
    }
    const { missing } = ledger.state();
    if (missing.length > 0) return { end: { type: "incomplete", missing }, isStale: false };
  }
  const isStale = dashboard.checkpoint === null || dashboard.isSignedByPreviousKey;
  if (isStale) {
    // Signs anew, in the thread, all that is known: the comments themselves stay as they are. Where the body
    // is lost they may be signed by the previous key, too, and after the next rotation nothing would verify.
    const record = ledger.checkpoint();
    const posted = yield* ask<C, "post">({ type: "post", record });
    if (hasFailed(posted)) return { end: unavailable(posted.why), isStale: false };
  }
  return { end: null, isStale };
}

/** Asks the action what to do. Where a source begins is written down first, then it is asked again. */
function* choose<C extends Change>(
  ledger: OpenLedger<C>,
): Steps<C, Exclude<Choice<C>, { type: "begin" }> | Failed> {
  for (let time = 1; ; time++) {
    const state = ledger.state();
    const states = state.claims.flatMap(({ batches }) => batches.map(({ stateNow }) => stateNow));
    if (states.includes("claimed")) return BUSY;
    const choice = yield* ask<C, "choose">({ type: "choose", state, ticked: ledger.ticked });
    if (choice.type !== "begin") return choice;
    if (time > 2) return { failed: "lost", why: "GitHub does not show a comment just written" };
    const begin = (sha: string): Cursor => ({ sha, number: 0, comment: null, moved: 0 });
    const cursors = Object.entries(choice.cursors).map(([source, sha]) => [source, begin(sha)]);
    const record = { ...EMPTY_CHECKPOINT, cursors: Object.fromEntries(cursors) };
    const posted = yield* ask<C, "post">({ type: "post", record });
    if (hasFailed(posted)) return posted;
    // Another first run may have begun elsewhere, and its comment may have come first.
    const thread = yield* ask<C, "read-thread">({ type: "read-thread", since: ledger.since });
    if (hasFailed(thread)) return thread;
    ledger.takeThread(thread);
  }
}

function unavailable(why: string): RunEnd<never> {
  return { type: "github-unavailable", why };
}
