/** What a run hands over after its first requests. */

import type { Engine } from "../ledger/engine.ts";
import type { Revision } from "../ledger/file.ts";
import type { EngineResult, Moment, Planned } from "../ledger/program.ts";
import { ActionError, valueOrError } from "../runtime/errors.ts";
import type { BatchNotes, DecidedNotes, OwnNotes } from "./batch-plan.ts";
import type { BatchTerms } from "./batch-program.ts";
import type { Ledger } from "./model/ledger.ts";
import { type Handed, handedIn } from "./outcome.ts";

/** An action's part in it. */
export interface MoreHandOvers<R, N extends OwnNotes> {
  /** Plans what is handed over after requests of the same run. @param notes of the first plan */
  planMore(
    from: Revision<Ledger>,
    reads: R,
    moment: Moment,
    notes: DecidedNotes<N>,
  ): Promise<Planned<BatchTerms<R>, DecidedNotes<N>>>;
  /** Whether it is asked for more after these requests. */
  mayHandOverMore(last: readonly Handed[]): boolean;
}

/**
 * Goes on after the first requests, with a plan for each few of them: its write records what came of those before, so
 * that a run that is lost leaves few questions.
 */
export async function handOverMore<R, N extends OwnNotes>(
  first: EngineResult<BatchTerms<R>, BatchNotes<N>>,
  action: MoreHandOvers<R, N>,
  engine: Engine<BatchTerms<R>>,
  stop: AbortSignal,
): Promise<EngineResult<BatchTerms<R>, BatchNotes<N>>> {
  if (first.type !== "done" || first.plan.notes.type !== "decided") return first;
  const { notes } = first.plan;
  const done = [...first.done];
  let last = first.done;
  let { unrecorded } = first;
  while (unrecorded === null && !stop.aborted && action.mayHandOverMore(handedIn(last))) {
    const running = engine.run<DecidedNotes<N>>(
      (from, reads, moment) => action.planMore(from, reads, moment, notes),
      { isRead: true, leavesResults: true },
    );
    const more = await valueOrError(running, ActionError);
    if (more instanceof ActionError || more.type !== "done") break;
    ({ done: last, unrecorded } = more);
    done.push(...last);
  }
  unrecorded ??= await engine.recordLeft();
  return { ...first, done, unrecorded };
}
