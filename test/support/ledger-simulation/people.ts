import { forgotten, heldBatches, readNow } from "./memory.ts";
import type { Simulation } from "./simulation.ts";

/** People tick boxes and close and open the dashboard. */
export function actAsMaintainer(simulation: Simulation): void {
  const state = readNow(simulation);
  const { body } = simulation.issue.now;
  switch (simulation.chooser.weighted({ tick: 8, untick: 1, close: 1, open: 3 })) {
    case "tick": {
      const box = state === null ? null : simulation.chooser.one(simulation.boxes(state));
      if (box === null) return;
      simulation.everTicked.add(box);
      simulation.issue.writeBody({ ticked: [...new Set([...body.ticked, box])] });
      return;
    }
    case "untick":
      simulation.issue.writeBody({ ticked: body.ticked.slice(1) });
      return;
    case "close":
      simulation.issue.writeBody({ isClosed: true });
      return;
    case "open":
      simulation.issue.writeBody({ isClosed: false });
      return;
  }
}

/**
 * People take things away, and outsiders copy. Thread and body are two memories: what one of them alone
 * still remembers is left alone, and counted.
 */
export function deleteAndCopy(simulation: Simulation): void {
  if (readNow(simulation) === null) return;
  const before = simulation.issue.now;
  const known = forgotten(simulation);
  const held = heldBatches(simulation);
  damage(simulation);
  const harm = forgotten(simulation).filter((what) => !known.includes(what));
  // Runs at work build on what they have read, even if it never was sent.
  const goOn = simulation.runs.length > 0 || simulation.later.length > 0;
  const left = heldBatches(simulation);
  const isGone = goOn && held.some((batch) => !left.includes(batch));
  if (isGone || (harm.length > 0 && !isRefused(simulation))) {
    simulation.issue.restore(before);
    simulation.forgotten++;
  }
}

/**
 * Whether every run would stop and ask for the body to be restored, and that would help. Runs that have
 * read the ledger before do not stop.
 */
function isRefused(simulation: Simulation): boolean {
  const { now } = simulation.issue;
  if (readNow(simulation) !== null || simulation.runs.length > 0 || simulation.later.length > 0)
    return false;
  simulation.restoreBody();
  const isComplete = forgotten(simulation).length === 0;
  simulation.issue.restore(now);
  return isComplete;
}

function damage(simulation: Simulation): void {
  const { issue, chooser } = simulation;
  const comment = chooser.one(issue.now.comments);
  const former = chooser.one(issue.former);
  const what = chooser.weighted({
    remove: 3,
    overwrite: 3,
    restore: 2,
    copy: 4,
    "copy-into": 3,
    write: 2,
    "empty-body": 2,
    "restore-body": 2,
  });
  simulation.tell(() => `${what} ${comment?.id} or ${former?.id}`);
  switch (what) {
    case "remove":
      if (comment !== null) issue.remove(comment.id);
      return;
    case "overwrite":
      if (comment !== null) issue.edit(comment.id, null);
      return;
    case "restore":
      // What GitHub shows as the history of an edited comment.
      if (former !== null) issue.edit(former.id, former.signed);
      return;
    case "copy":
      if (former !== null) issue.post(former.signed, true);
      return;
    case "copy-into": {
      const foreign = chooser.one(issue.now.comments.filter(({ isForeign }) => isForeign));
      if (former !== null && foreign !== null) issue.edit(foreign.id, former.signed);
      return;
    }
    case "write":
      issue.post(null, true);
      return;
    case "empty-body":
      issue.writeBody({ signed: null, ticked: [] });
      return;
    case "restore-body":
      issue.writeBody(issue.before(chooser.number(7_200_000)).body);
      return;
  }
}
