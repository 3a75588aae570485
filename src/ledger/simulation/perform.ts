import type { AnswerTo, Effect, EffectType, Failed } from "../effects.ts";
import type { Change, LedgerRecord } from "../record.ts";
import { choose } from "./choose.ts";
import { readCheckpoint, readComments } from "./github.ts";
import { overwriteBody } from "./memory.ts";
import type { SimulatedRun } from "./run.ts";
import type { World } from "./world.ts";

const LOST: Failed = { failed: "lost", why: "no answer" };
const REFUSED: Failed = { failed: "refused", why: "refused" };

/** Does what a run asks for, or not, or later, and answers, or not. */
export function perform(world: World, run: SimulatedRun, effect: Effect<Change>): unknown {
  const performer = performers[effect.type] as (
    world: World,
    run: SimulatedRun,
    effect: Effect<Change>,
  ) => unknown;
  return performer(world, run, effect);
}

const performers: {
  [T in EffectType]: (
    world: World,
    run: SimulatedRun,
    effect: Effect<Change, T>,
  ) => AnswerTo<Change, T>;
} = {
  "read-dashboard": (world, { name, key }) => {
    if (world.fails()) return LOST;
    const issue = world.issue.before(world.lag());
    const checkpoint = readCheckpoint(issue, key);
    const hidden = world.hiddenFrom(name);
    const claims = checkpoint?.claims.filter(({ claim }) => !hidden.includes(claim.id)) ?? [];
    return {
      isClosed: issue.body.isClosed,
      checkpoint: checkpoint === null ? null : { ...checkpoint, claims },
      isSignedByPreviousKey: issue.body.signed?.key === key - 1,
      ticked: [...issue.body.ticked],
    };
  },
  "read-thread": (world, { name, key }, { since }) => {
    if (world.fails()) return LOST;
    const issue = world.issue.before(world.lag());
    const hidden = world.hiddenFrom(name);
    const comments = readComments(issue, key, since).filter(
      ({ record }) => record?.kind !== "claim" || !hidden.includes(record.id),
    );
    return { comments, now: world.issue.clock };
  },
  poll: (world, _run, { batch }) => {
    const status = world.fails() ? "active" : world.service.find(batch.jobId)?.status;
    if (status === "active") return { state: "running" };
    if (status === "completed") return { state: "done", prLink: null };
    return { state: "failed", reason: "the job failed" };
  },
  choose: (world, _run, { state, ticked }) => choose(world, state, ticked),
  post: (world, { key }, { record }) => {
    let commentId = 0;
    const failed = write(world, () => {
      commentId = world.issue.post({ value: record, key });
      world.noteRecord(record, commentId);
    });
    return failed ?? { commentId };
  },
  edit: (world, { key }, { commentId, claim }) => {
    let exists = true;
    const failed = write(world, () => {
      exists = world.issue.edit(commentId, { value: claim as LedgerRecord<Change>, key });
    });
    return failed ?? (exists ? { ok: true } : REFUSED);
  },
  "write-dashboard": (world, { key }, { state, checkpoint, ticked }) => {
    const shown = world.boxes(state);
    const kept = ticked.filter((box) => shown.includes(box));
    const failed = write(world, () =>
      overwriteBody(world, { signed: { value: checkpoint, key }, ticked: kept }),
    );
    return failed ?? { ok: true };
  },
  remember: (_world, run, { memory }) => {
    run.memory = memory;
    return { ok: true };
  },
  send: (world, _run, { claim, batch }) => {
    const accept = (): string => world.accept(claim, batch);
    const what = world.chooser.weighted(world.sending);
    if (what.startsWith("accepted")) world.noteReceived(claim, claim.batches.indexOf(batch));
    switch (what) {
      case "accepted":
        return { type: "accepted", jobId: accept() };
      case "accepted-unheard":
        accept();
        return { type: "uncertain", why: "no answer" };
      case "accepted-late":
        world.later.push(accept);
        return { type: "uncertain", why: "no answer" };
      case "unheard":
        return { type: "uncertain", why: "no answer" };
      case "rejected":
        return { type: "rejected", why: "refused for what it holds" };
      case "refused":
        return { type: "refused", why: "too many requests" };
    }
  },
};

/** Writes now, later or not at all. Null: it is done, and the run hears of it. */
function write(world: World, change: () => void): Failed | null {
  switch (world.chooser.weighted(world.writing)) {
    case "done":
      change();
      return null;
    case "done-unheard":
      change();
      return LOST;
    case "late":
      world.later.push(change);
      return LOST;
    case "lost":
      return LOST;
    case "refused":
      return REFUSED;
  }
}
