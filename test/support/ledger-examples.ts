/** Example ledgers for tests. */

import type { MergedChange } from "../../src/github/changes/change-details.ts";
import { intend, type Polled, recordSent } from "../../src/ledger/model/batches.ts";
import {
  type Batch,
  batchFormat,
  type Change,
  type Ledger,
  type Source,
  type Task,
} from "../../src/ledger/model/ledger.ts";
import { LedgerEdit } from "../../src/ledger/model/ledger-edit.ts";

export const NOW = Date.parse("2026-11-22T12:00:00Z");
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const RULES = { maxAttempts: 3, deadline: 24 * HOUR, comments: false };
export const LINK = "https://github.com/acme/docs/pull/7";

export function change(number: number): MergedChange {
  return {
    kind: "change",
    key: `1#${number}`,
    title: `Change ${number}`,
    url: "",
    number,
    repository: "acme/code",
    sha: "a",
    author: "writer",
    landedAt: "2026-11-20T10:00:00Z",
  };
}

/** A task. @param id such as `docs/a.md`, or the paths of several files, one per line */
export function task(id: string): Task {
  return { kind: "task", key: id, title: `Improve ${id}`, isPlain: false };
}

/** A batch in any state. By default, its job accepted it at {@link NOW}. */
export function batch(id: string, changes: Change[], over: Partial<Batch> = {}): Batch {
  return {
    id,
    state: "running",
    changes,
    attempt: 1,
    at: "2026-11-22T12:00:00Z",
    jobId: `job-${id}`,
    acceptedAt: "2026-11-22T12:00:00Z",
    isFollowUp: false,
    prLink: null,
    why: "",
    unknown: 0,
    ...over,
  };
}

export function source(over: Partial<Source> = {}): Source {
  return {
    id: 1,
    repository: "acme/code",
    branch: "main",
    sha: "a",
    date: "2026-11-01T00:00:00Z",
    readAt: "",
    wasRewritten: false,
    release: "",
    ...over,
  };
}

export function edit(ledger: Ledger, { now = NOW, rules = RULES } = {}): LedgerEdit {
  return new LedgerEdit(ledger, now, rules);
}

export const EMPTY = batchFormat({ action: "upkeep", project: "p" }).begin;

/** A ledger with a running batch of the changes 1 to `count`. */
export function running(
  count = 2,
  { isFollowUp = false, attempt = 1, jobId = "job" } = {},
): Ledger {
  const ledgerEdit = edit(EMPTY);
  const changes = Array.from({ length: count }, (_, nth) => change(nth + 1));
  intend(ledgerEdit, [{ id: "b", changes, attempt }]);
  recordSent(ledgerEdit, "b", { type: "accepted", jobId, isFollowUp });
  return ledgerEdit.ledger;
}

export function group(nth: number) {
  return { changes: [change(nth)], attempts: 0, source: "1@main", isReleased: true };
}

export function review() {
  return {
    prLink: LINK,
    jobId: "job",
    changes: [change(9)],
    unread: 0,
    isClosedToBatches: false,
  };
}

/** The result of a poll, with its type as the status. */
export function polled(type: Polled["type"], prLink: string | null = null): Polled {
  return { type, status: type, prLink, branch: null };
}

/** The waiting groups: the keys of their changes, and how often they were handed over. */
export function waiting({ ledger }: LedgerEdit): [string[], number][] {
  return ledger.waiting.map(({ changes, attempts }) => [changes.map(({ key }) => key), attempts]);
}
