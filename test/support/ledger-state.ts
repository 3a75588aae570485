import { type LedgerState, readLedger } from "../../src/ledger/model/read-ledger.ts";
import { type Batch, EMPTY_CHECKPOINT, type LedgerComment } from "../../src/ledger/model/record.ts";
import type { UpkeepChange } from "../../src/upkeep/ledger-change.ts";

/** When every state here was read, in milliseconds since 1970. */
export const NOW = Date.parse("2026-03-31T12:00:00Z");

const HOUR = 3_600_000;

/** A merged pull request that landed an hour ago. */
export function changeOf(number: number, over: Partial<UpkeepChange> = {}): UpkeepChange {
  return {
    key: `acme/code#${number}`,
    landedAt: NOW - HOUR,
    repository: "acme/code",
    number,
    sha: number.toString(16).padStart(40, "0"),
    title: `Change ${number}`,
    url: `https://github.com/acme/code/pull/${number}`,
    author: "writer",
    ...over,
  };
}

type BatchOptions = Partial<Omit<Batch<UpkeepChange>, "handed">> & {
  changes?: UpkeepChange[];
  attempt?: number;
  /** How long ago its comment was written, in milliseconds. Default: an hour. */
  age?: number;
};

/** The ledger with these batches, oldest first: one claim each, named `claim1`, `claim2` and so on. */
export function stateOf(...batches: BatchOptions[]): LedgerState<UpkeepChange> {
  const comments = batches.map((options, index): LedgerComment<UpkeepChange> => {
    const { changes = [changeOf(index + 1)], attempt = 1, age = HOUR, ...over } = options;
    const number = index + 1;
    const batch: Batch<UpkeepChange> = {
      ...{ state: "done", cursors: {}, jobId: `job${number}`, prLink: null, reason: "" },
      retry: true,
      handed: changes.map((change) => ({ change, attempt, after: null })),
      ...over,
    };
    const claim = { kind: "claim" as const, id: `claim${number}`, number, comment: number };
    return {
      ...{ id: number, createdAt: NOW - age, updatedAt: NOW - age },
      record: { ...claim, takenAsUncertain: [], batches: [batch] },
    };
  });
  return readLedger({
    ...{ checkpoints: [EMPTY_CHECKPOINT], comments, own: [], moved: {} },
    ...{ now: NOW, without: null },
  });
}

/** A text that no compression makes shorter by much, and always the same. */
export function incompressible(length: number, seed: number): string {
  let state = seed + 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(0x4e00 + (state % 20_000));
  }).join("");
}
