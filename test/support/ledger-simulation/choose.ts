import type { LedgerState } from "../../../src/ledger/model/read-ledger.ts";
import type { Change } from "../../../src/ledger/model/record.ts";
import { selectChanges } from "../../../src/ledger/model/select-changes.ts";
import type { Choice } from "../../../src/ledger/protocol/effects.ts";
import type { Simulation } from "./simulation.ts";

const DAY = 24 * 60 * 60_000;
export const MAX_ATTEMPTS = 2;
export const MAX_A_DAY = 8;

/** What an action decides: as `upkeep` one batch at a time, or as `queue` several at once. */
export function choose(
  simulation: Simulation,
  state: LedgerState<Change>,
  ticked: string[],
): Choice<Change> {
  const cursors = simulation.begin(state);
  if (Object.keys(cursors).length > 0) return { type: "begin", cursors };
  const nothing: Choice<Change> = {
    type: "nothing",
    changed: simulation.chooser.chance(50),
    moved: {},
  };
  const running = state.claims
    .flatMap(({ batches }) => batches)
    .filter(({ stateNow }) => stateNow === "running").length;
  const room = Math.min(
    simulation.profile.isQueue ? 3 - running : 1 - running,
    MAX_A_DAY - recent(state),
  );
  if (room <= 0) return nothing;
  const selection = selectChanges(state, {
    found: simulation.found(state),
    ticked,
    maxChanges: simulation.profile.isQueue ? room : 3,
    maxAttempts: MAX_ATTEMPTS,
  });
  const { handed, moved } = selection;
  if (handed.length === 0) return { ...nothing, moved };
  const batches = simulation.profile.isQueue
    ? handed.map((one) => ({ handed: [one], cursors: {} }))
    : [{ handed, cursors: selection.cursors }];
  return { type: "hand-over", batches };
}

function recent(state: LedgerState<Change>): number {
  return [...state.starts.values()].filter(({ at }) => state.now - at < DAY).length;
}
