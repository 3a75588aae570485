import type { QueueTask } from "../../src/inputs/tasks-file.ts";
import { type LedgerState, readLedger } from "../../src/ledger/model/read-ledger.ts";
import { type Batch, EMPTY_CHECKPOINT, type LedgerComment } from "../../src/ledger/model/record.ts";
import { type TaskChange, taskChange } from "../../src/queue/task-change.ts";

/** When every state here was read, in milliseconds since 1970. */
export const NOW = Date.UTC(2026, 2, 31, 12);

const MINUTE = 60_000;

/** Tasks with these ids. */
export function tasksOf(...ids: string[]): QueueTask[] {
  return ids.map((id) => ({ id, prompt: `Document ${id}.` }));
}

type Handed = Partial<Omit<Batch<TaskChange>, "handed">> & { id: string; attempt?: number };

/** What one run handed over. */
export interface RunExample {
  tasks: Handed[];
  /** How long ago, in milliseconds. Default: two hours. */
  age?: number;
}

/** The ledger after these runs, oldest first, named `run1`, `run2` and so on. */
export function stateOf(...runs: RunExample[]): LedgerState<TaskChange> {
  return readLedger({
    ...{ checkpoints: [EMPTY_CHECKPOINT], comments: commentsOf(...runs), own: [] },
    now: NOW,
  });
}

export function commentsOf(...runs: RunExample[]): LedgerComment<TaskChange>[] {
  return runs.map(({ tasks, age = 120 * MINUTE }, index) => {
    const number = index + 1;
    const batches = tasks.map(({ id, attempt = 1, ...over }): Batch<TaskChange> => {
      const change = taskChange({ id, prompt: `Document ${id}.` });
      return {
        ...{ state: "done", cursors: {}, jobId: `job-${id}`, prLink: null, reason: "" },
        ...{ retry: true, handed: [{ change, attempt, after: null }], ...over },
      };
    });
    const record = { kind: "claim" as const, id: `run${number}`, number, comment: number };
    return {
      ...{ id: number, createdAt: NOW - age, updatedAt: NOW - age },
      record: { ...record, takenAsUncertain: [], batches },
    };
  });
}
