import type { Failed } from "../../../src/ledger/model/issue-answers.ts";
import type { Change, LedgerRecord } from "../../../src/ledger/model/record.ts";
import type { AnswerTo, Effect, EffectType } from "../../../src/ledger/protocol/effects.ts";
import { choose } from "./choose.ts";
import { readCheckpoint, readComments } from "./github.ts";
import { overwriteBody } from "./memory.ts";
import type { SimulatedRun } from "./run.ts";
import type { Simulation } from "./simulation.ts";

const LOST: Failed = { failed: "lost", why: "no answer" };
const REFUSED: Failed = { failed: "refused", why: "refused" };

/** Does what a run asks for, or not, or later, and answers, or not. */
export function perform(
  simulation: Simulation,
  run: SimulatedRun,
  effect: Effect<Change>,
): unknown {
  const performer = performers[effect.type] as (
    simulation: Simulation,
    run: SimulatedRun,
    effect: Effect<Change>,
  ) => unknown;
  return performer(simulation, run, effect);
}

const performers: {
  [T in EffectType]: (
    simulation: Simulation,
    run: SimulatedRun,
    effect: Effect<Change, T>,
  ) => AnswerTo<Change, T>;
} = {
  "read-dashboard": (simulation, { name, key }) => {
    if (simulation.fails()) return LOST;
    const issue = simulation.issue.before(simulation.lag());
    const checkpoint = readCheckpoint(issue, key);
    const hidden = simulation.hiddenFrom(name);
    const claims = checkpoint?.claims.filter(({ claim }) => !hidden.includes(claim.id)) ?? [];
    return {
      isClosed: issue.body.isClosed,
      checkpoint: checkpoint === null ? null : { ...checkpoint, claims },
      isSignedByPreviousKey: issue.body.signed?.key === key - 1,
      ticked: [...issue.body.ticked],
    };
  },
  "read-thread": (simulation, { name, key }, { since }) => {
    if (simulation.fails()) return LOST;
    const issue = simulation.issue.before(simulation.lag());
    const hidden = simulation.hiddenFrom(name);
    const comments = readComments(issue, key, since).filter(
      ({ record }) => record?.kind !== "claim" || !hidden.includes(record.id),
    );
    return { comments, now: simulation.issue.clock };
  },
  poll: (simulation, _run, { batch }) => {
    const status = simulation.fails() ? "active" : simulation.service.find(batch.jobId)?.status;
    if (status === "active") return { state: "running" };
    if (status === "completed") return { state: "done", prLink: null };
    return { state: "failed", reason: "the job failed" };
  },
  choose: (simulation, _run, { state, ticked }) => choose(simulation, state, ticked),
  post: (simulation, { key }, { record }) => {
    let commentId = 0;
    const failed = write(simulation, () => {
      commentId = simulation.issue.post({ value: record, key });
      simulation.noteRecord(record, commentId);
    });
    return failed ?? { commentId };
  },
  edit: (simulation, { key }, { commentId, claim }) => {
    let exists = true;
    const failed = write(simulation, () => {
      exists = simulation.issue.edit(commentId, { value: claim as LedgerRecord<Change>, key });
    });
    return failed ?? (exists ? { ok: true } : REFUSED);
  },
  "write-dashboard": (simulation, { key }, { state, checkpoint, ticked }) => {
    const shown = simulation.boxes(state);
    const kept = ticked.filter((box) => shown.includes(box));
    const failed = write(simulation, () =>
      overwriteBody(simulation, { signed: { value: checkpoint, key }, ticked: kept }),
    );
    return failed ?? { ok: true };
  },
  remember: (_world, run, { memory }) => {
    run.memory = memory;
    return { ok: true };
  },
  send: (simulation, _run, { claim, batch }) => {
    const accept = (): string => simulation.accept(claim, batch);
    const what = simulation.chooser.weighted(simulation.sending);
    if (what.startsWith("accepted")) simulation.noteReceived(claim, claim.batches.indexOf(batch));
    switch (what) {
      case "accepted":
        return { type: "accepted", jobId: accept() };
      case "accepted-unheard":
        accept();
        return { type: "uncertain", why: "no answer" };
      case "accepted-late":
        simulation.later.push(accept);
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
function write(simulation: Simulation, change: () => void): Failed | null {
  switch (simulation.chooser.weighted(simulation.writing)) {
    case "done":
      change();
      return null;
    case "done-unheard":
      change();
      return LOST;
    case "late":
      simulation.later.push(change);
      return LOST;
    case "lost":
      return LOST;
    case "refused":
      return REFUSED;
  }
}
