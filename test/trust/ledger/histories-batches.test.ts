import fc from "fast-check";
import { expect, test } from "vitest";
import { intend, recordRequest, type StartedJob } from "../../../src/batches/model/batches.ts";
import { applyDecision, entryId } from "../../../src/batches/model/decisions.ts";
import { parseHistory } from "../../../src/batches/model/excerpts.ts";
import { batchFormat } from "../../../src/batches/model/format.ts";
import type { Change, HistoryLine, Ledger } from "../../../src/batches/model/ledger.ts";
import { takePoll } from "../../../src/batches/model/polls.ts";
import { takeReopened, takeReview } from "../../../src/batches/model/reviews.ts";
import { type BatchRevision, revisionOf } from "../../../src/batches/model/revision.ts";
import { ledgerText, parseLedger } from "../../../src/ledger/file.ts";
import { type Delivery, notSent } from "../../../src/runtime/delivery.ts";
import { hostileText } from "../../support/arbitrary.ts";
import {
  accepted,
  change,
  EMPTY,
  group,
  HOUR,
  LINK,
  NOW,
  plannedBatch,
  polled,
  pullRead,
  RULES,
  refusedBy,
  UNCERTAIN,
} from "../../support/ledger-examples.ts";
import { runs } from "../../support/sample.ts";

const CHANGES = 6;
const LINKS = [null, LINK, `${LINK}8`] as const;
const nth = fc.nat(3);
const link = fc.constantFrom(...LINKS);
const SENT: Delivery<StartedJob>[] = [
  accepted("job", true),
  accepted("other"),
  notSent("changed"),
  UNCERTAIN,
  refusedBy("content"),
];

const oneOf = <const T>(...values: T[]) => fc.constantFrom(...values);

/** What may come to a ledger; `at` says to which of its batches or groups. */
const event = fc.oneof(
  fc.record({ kind: oneOf("intend"), at: nth, count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: oneOf("sent"), at: nth, sent: oneOf(...SENT) }),
  fc.record({
    kind: oneOf("poll"),
    at: nth,
    prLink: link,
    pull: oneOf("open", "merged", null),
    type: oneOf("running", "completed", "archived", "failed", "unknown"),
  }),
  fc.record({
    kind: oneOf("review"),
    prLink: link,
    state: oneOf("open", "merged", "closed", "unread", "unavailable"),
  }),
  fc.record({ kind: oneOf("reopen"), prLink: link, state: oneOf("open", "merged") }),
  fc.record({ kind: oneOf("decide"), at: nth, choice: oneOf("again", "leave") }),
  fc.record({ kind: oneOf("pass"), time: oneOf(60_000, HOUR, 25 * HOUR) }),
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** @param id of the batch that an intent makes */
function apply(
  revision: BatchRevision,
  event: Exclude<Event, { kind: "pass" }>,
  id: string,
): BatchRevision {
  const { batches, waiting } = revision.ledger;
  // An event may also come to a batch that is not there any more.
  const held = "at" in event ? batches[event.at] : undefined;
  const batch = held?.id ?? "gone";
  const entry = held === undefined ? "gone" : entryId(held);
  switch (event.kind) {
    case "intend": {
      const groups = waiting.slice(event.at, event.at + event.count);
      const attempt = Math.max(0, ...groups.map(({ attempts }) => attempts)) + 1;
      const changes = groups.flatMap((group) => group.changes);
      return intend(revision, [plannedBatch(id, changes, attempt)]);
    }
    case "sent":
      return recordRequest(revision, batch, event.sent);
    case "poll": {
      const { type, prLink, pull: state } = event;
      const lastCommitAt = "2026-11-22T12:30:00Z";
      const pull = state === null ? null : { state, lastCommitAt, hasLaterCommits: true };
      return takePoll(revision, batch, polled(type, prLink), { pull });
    }
    case "review":
      return takeReview(revision, event.prLink ?? "", pullRead(event.state));
    case "reopen": {
      const changes = endedIn(revision.ledger, event.prLink);
      return takeReopened(revision, event.prLink ?? "", event.state, { jobId: "job", changes });
    }
    case "decide":
      return applyDecision(revision, { id: entry, choice: event.choice });
  }
}

/** The changes of a docs pull request that ended without being merged. */
function endedIn({ done }: Ledger, link: string | null): Change[] {
  const own = done.filter(({ prLink }) => prLink !== null && prLink === link);
  const ended = own.filter(({ result }) => result === "closed" || result === "unread");
  return ended.flatMap(({ changes }) => changes);
}

/** Where a change is, however often it is there. */
function placesOf({ waiting, batches, reviews, done }: Ledger, key: string): string[] {
  const places = Object.entries({ waiting, batches, reviews, done });
  return places.flatMap(([name, entries]) =>
    entries.flatMap(({ changes }) => changes.filter((held) => held.key === key).map(() => name)),
  );
}

/** The days count what is done. The ledger reads back as it was written. */
function checkLedger(ledger: Ledger): void {
  const counts = Object.values(ledger.days).map(
    ({ documented, not, unseen }) => documented + not + unseen,
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  expect(total).toBe(ledger.done.flatMap(({ changes }) => changes).length);
  const format = batchFormat({ action: "upkeep", project: "p" });
  const text = ledgerText(ledger);
  const parsed = parseLedger(text, format, NOW);
  expect(parsed).toEqual({ ledger });
  // Also its fields are in the same order, so that a write changes only the lines of what it changes.
  expect("ledger" in parsed && ledgerText(parsed.ledger)).toBe(text);
}

test("whatever comes to a ledger, each change is in one place, what is done stays done, and it reads back", () => {
  const histories = fc.array(event, { maxLength: 40 });
  fc.assert(
    fc.property(histories, hostileText(), fc.integer({ min: 1, max: 5 }), (events, title, most) => {
      const rules = { ...RULES, maxAttempts: most, comments: true };
      const changes = Array.from({ length: CHANGES }, (_, at) => ({ ...change(at), title }));
      const waiting = changes.map((waits, at) => group(at, { changes: [waits] }));
      let revision = revisionOf({ ...EMPTY, waiting }, NOW, rules);
      const history: HistoryLine[] = [];
      for (const [at, happened] of events.entries()) {
        const { ledger: before, now } = revision;
        const again = happened.kind === "reopen" ? endedIn(before, happened.prLink) : [];
        const done = changes.filter(
          ({ key }) => placesOf(before, key)[0] === "done" && !again.some((it) => it.key === key),
        );
        if (happened.kind !== "pass") revision = apply(revision, happened, `b${at}`);
        const { ledger } = revision;
        for (const { key } of changes) expect(placesOf(ledger, key)).toHaveLength(1);
        for (const { key } of done) expect(placesOf(ledger, key)).toEqual(["done"]);
        checkLedger(ledger);
        history.push(...revision.history);
        const passed = happened.kind === "pass" ? happened.time : 0;
        revision = revisionOf(ledger, now + passed, rules);
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
