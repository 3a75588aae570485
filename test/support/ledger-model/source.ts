import type { MergedChange } from "../../../src/github/changes/change-details.ts";
import type { LedgerEdit } from "../../../src/ledger/model/ledger-edit.ts";
import type { Choice } from "../../../src/ledger/protocol/port.ts";

/** The nth change that landed. */
export function changeAt(nth: number): MergedChange {
  const key = `1#${nth}`;
  const place = { repository: "acme/code", number: nth, sha: String(nth), url: "", author: "" };
  return { kind: "change", key, title: key, ...place, landedAt: "2026-11-22T00:00:00Z" };
}

/** Finds what has landed since the ledger's cursor, and chooses all of it as one batch, as upkeep does. */
export function takeFound(edit: LedgerEdit, landed: number): Choice {
  const [source] = edit.ledger.sources;
  const before = Number(source?.sha ?? 0);
  const found = Array.from({ length: landed - before }, (_, nth) => changeAt(before + nth + 1));
  if (found.length > 0) {
    const groups = found.map((change) => ({
      changes: [change],
      attempts: 0,
      source: "",
      isReleased: true,
    }));
    edit.change(
      {
        sources: [{ ...SOURCE, sha: String(landed) }],
        waiting: [...edit.ledger.waiting, ...groups],
      },
      `Found ${found.length}`,
    );
  }
  if (edit.active.length > 0) return { batches: [], reason: "busy" };
  const [first] = edit.ledger.waiting;
  if (first === undefined) return { batches: [], reason: "idle" };
  const together =
    first.attempts > 0 ? [first] : edit.ledger.waiting.filter(({ attempts }) => attempts === 0);
  const changes = together.flatMap((it) => it.changes);
  return { batches: [{ changes, attempt: first.attempts + 1 }], reason: "" };
}

const SOURCE = {
  id: 1,
  repository: "acme/code",
  branch: "main",
  date: "",
  readAt: "",
  release: "",
  wasRewritten: false,
};
