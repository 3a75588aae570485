import type { OpenedDashboard } from "../issue/open-ledger-issue.ts";
import { type Change, EMPTY_CHECKPOINT, type LedgerComment } from "../model/record.ts";
import type { LedgerPort } from "../protocol/effects.ts";

/**
 * The port of a dry run: reads for real, and writes nothing. What a run would write to read it again is
 * kept in memory, and what it would hand over is chosen and not handed over.
 *
 * @param dashboard null when there is none yet
 * @param timeOfDay stands in for GitHub's clock then
 */
export function asIfWriting<C extends Change>(
  port: LedgerPort<C>,
  dashboard: OpenedDashboard<C> | null,
  timeOfDay: () => number,
): LedgerPort<C> {
  const written: LedgerComment<C>[] = [];
  let now = 0;
  return {
    ...port,
    "read-dashboard": async (effect) =>
      dashboard === null
        ? {
            isClosed: false,
            checkpoint: EMPTY_CHECKPOINT,
            isSignedByPreviousKey: false,
            ticked: [],
          }
        : await port["read-dashboard"](effect),
    "read-thread": async (effect) => {
      const thread =
        dashboard === null ? { comments: [], now: timeOfDay() } : await port["read-thread"](effect);
      if ("failed" in thread) return thread;
      now = thread.now;
      return { ...thread, comments: [...thread.comments, ...written] };
    },
    choose: async (effect) => {
      const choice = await port.choose(effect);
      return choice.type === "hand-over" ? { type: "nothing", changed: false, moved: {} } : choice;
    },
    post: async ({ record }) => {
      const id = Number.MAX_SAFE_INTEGER - 1000 + written.length;
      written.push({ id, createdAt: now, updatedAt: now, record });
      return { commentId: id };
    },
    edit: async () => ({ ok: true }),
    "write-dashboard": async () => ({ ok: true }),
    remember: async () => ({ ok: true }),
    send: async () => ({ type: "refused", why: "a dry run sends nothing" }),
  };
}
