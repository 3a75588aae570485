import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileText } from "../../../test/support/arbitrary.ts";
import {
  change,
  EMPTY,
  group,
  HOUR,
  LINK,
  NOW,
  RULES,
} from "../../../test/support/ledger-examples.ts";
import { runs } from "../../../test/support/sample.ts";
import { type BatchSent, decide, intend, recordSent, takePoll, takeReview } from "./batches.ts";
import { ledgerText, parseLedger } from "./file.ts";
import { batchFormat, type HistoryLine, type Ledger, parseHistory } from "./ledger.ts";
import { LedgerEdit } from "./ledger-edit.ts";

const CHANGES = 6;
const LINKS = [null, LINK, `${LINK}8`] as const;
const nth = fc.nat(3);
const link = fc.constantFrom(...LINKS);
const SENT: BatchSent[] = [
  { type: "accepted", jobId: "job", isFollowUp: true },
  { type: "accepted", jobId: "other", isFollowUp: false },
  { type: "withdrawn" },
  { type: "uncertain", why: "lost" },
  { type: "rejected", why: "too long" },
];

const one = <const T>(...of: T[]) => fc.constantFrom(...of);

/** What may come to a ledger; `at` says to which of its batches or groups. */
const event = fc.oneof(
  fc.record({ kind: one("intend"), at: nth, count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: one("sent"), at: nth, sent: one(...SENT) }),
  fc.record({
    kind: one("poll"),
    at: nth,
    prLink: link,
    pull: one("open", "merged", null),
    type: one("running", "done", "failed", "unknown"),
  }),
  fc.record({
    kind: one("review"),
    prLink: link,
    state: one("open", "merged", "closed", "unread"),
  }),
  fc.record({ kind: one("decide"), at: nth, what: one("again", "leave") }),
  fc.record({ kind: one("pass"), time: one(60_000, HOUR, 25 * HOUR) }),
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

function apply(edit: LedgerEdit, one: Exclude<Event, { kind: "pass" }>, id: string): void {
  const { batches, waiting } = edit.ledger;
  // An event may also come to a batch that is not there any more.
  const batch = "at" in one ? (batches[one.at]?.id ?? "gone") : "";
  switch (one.kind) {
    case "intend": {
      const groups = waiting.slice(one.at, one.at + one.count);
      const attempt = Math.max(0, ...groups.map(({ attempts }) => attempts)) + 1;
      intend(edit, [{ id, changes: groups.flatMap(({ changes }) => changes), attempt }]);
      break;
    }
    case "sent":
      recordSent(edit, batch, one.sent);
      break;
    case "poll": {
      const polled = { type: one.type, prLink: one.prLink, status: one.type, branch: null };
      const pull = one.pull && { state: one.pull, lastCommitAt: "2026-11-22T12:30:00Z" };
      takePoll(edit, batch, { ...polled, ...(pull && { pull }) });
      break;
    }
    case "review":
      takeReview(edit, one.prLink ?? "", one.state);
      break;
    case "decide":
      decide(edit, { id: batch, what: one.what });
  }
}

/** Where a change is, however often it is there. */
function placesOf({ waiting, batches, reviews, done }: Ledger, key: string): string[] {
  const places = Object.entries({ waiting, batches, reviews, done });
  return places.flatMap(([name, list]) =>
    list.flatMap(({ changes }) => changes.filter((it) => it.key === key).map(() => name)),
  );
}

test("whatever comes to a ledger, each change is in one place, what is done stays done, and it reads back", () => {
  const histories = fc.array(event, { maxLength: 40 });
  fc.assert(
    fc.property(histories, hostileText(), fc.integer({ min: 1, max: 5 }), (all, title, most) => {
      const rules = { ...RULES, maxAttempts: most, comments: true };
      const changes = Array.from({ length: CHANGES }, (_, at) => ({ ...change(at), title }));
      const waiting = changes.map((one, at) => ({ ...group(at), changes: [one] }));
      let edit = new LedgerEdit({ ...EMPTY, waiting }, NOW, rules);
      const history: HistoryLine[] = [];
      for (const [at, one] of all.entries()) {
        const done = changes.filter(({ key }) => placesOf(edit.ledger, key)[0] === "done");
        if (one.kind !== "pass") apply(edit, one, `b${at}`);
        for (const { key } of changes) expect(placesOf(edit.ledger, key)).toHaveLength(1);
        for (const { key } of done) expect(placesOf(edit.ledger, key)).toEqual(["done"]);
        const counts = Object.values(edit.ledger.days).map((it) => it.documented + it.not);
        expect(counts.reduce((sum, it) => sum + it, 0)).toBe(
          edit.ledger.done.flatMap((it) => it.changes).length,
        );
        const format = batchFormat({ action: "upkeep", project: "p" });
        const parsed = parseLedger(ledgerText(edit.ledger), format);
        expect(parsed).toEqual({ ledger: edit.ledger });
        history.push(...edit.history);
        const now = edit.now + (one.kind === "pass" ? one.time : 0);
        edit = new LedgerEdit(edit.ledger, now, rules);
      }
      const text = history.map((line) => `${JSON.stringify(line)}\nbroken {\n`).join("");
      expect(parseHistory(text)).toEqual(history);
      const over = history.filter(({ state }) => state === "done" || state === "left");
      const keys = over.flatMap((line) => line.changes.map(({ key }) => key));
      expect(new Set(keys).size).toBe(keys.length);
    }),
    { numRuns: runs(500) },
  );
});
