import { forgotten, heldBatches, readNow } from "./memory.ts";
import type { World } from "./world.ts";

/** People tick boxes and close and open the dashboard. */
export function actAsMaintainer(world: World): void {
  const state = readNow(world);
  const { body } = world.issue.now;
  switch (world.chooser.weighted({ tick: 8, untick: 1, close: 1, open: 3 })) {
    case "tick": {
      const box = state === null ? null : world.chooser.one(world.boxes(state));
      if (box === null) return;
      world.everTicked.add(box);
      world.issue.writeBody({ ticked: [...new Set([...body.ticked, box])] });
      return;
    }
    case "untick":
      world.issue.writeBody({ ticked: body.ticked.slice(1) });
      return;
    case "close":
      world.issue.writeBody({ isClosed: true });
      return;
    case "open":
      world.issue.writeBody({ isClosed: false });
      return;
  }
}

/**
 * People take things away, and outsiders copy. Thread and body are two memories: what one of them alone
 * still remembers is left alone, and counted.
 */
export function actAsVandal(world: World): void {
  if (readNow(world) === null) return;
  const before = world.issue.now;
  const known = forgotten(world);
  const held = heldBatches(world);
  vandalize(world);
  const harm = forgotten(world).filter((what) => !known.includes(what));
  // Runs at work build on what they have read, even if it never was sent.
  const goOn = world.runs.length > 0 || world.later.length > 0;
  const left = heldBatches(world);
  const isGone = goOn && held.some((batch) => !left.includes(batch));
  if (isGone || (harm.length > 0 && !isRefused(world))) {
    world.issue.restore(before);
    world.forgotten++;
  }
}

/**
 * Whether every run would stop and ask for the body to be restored, and that would help. Runs that have
 * read the ledger before do not stop.
 */
function isRefused(world: World): boolean {
  const { now } = world.issue;
  if (readNow(world) !== null || world.runs.length > 0 || world.later.length > 0) return false;
  world.restoreBody();
  const isComplete = forgotten(world).length === 0;
  world.issue.restore(now);
  return isComplete;
}

function vandalize(world: World): void {
  const { issue, chooser } = world;
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
  world.tell(() => `${what} ${comment?.id} or ${former?.id}`);
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
