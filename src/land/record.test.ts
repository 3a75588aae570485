import { expect, test } from "vitest";
import { entryOf, landLedger, lastRead, NOW, timeBefore } from "../../test/support/land-facts.ts";
import { unchanged } from "../ledger/file.ts";
import { type ActResult, intentIdOf, type LandAct } from "./acts.ts";
import type { Entry, Intent, LandLedger, LandRevision, Preview } from "./ledger.ts";
import { expire, holds, recordBy } from "./record.ts";

const record = recordBy({ deploy: false });
const MINUTE = 60_000;
const AT = timeBefore(MINUTE);
const INTENT: Intent = {
  decision: "run 1",
  at: AT,
  followUp: { about: "1 failed check", head: "head", problems: ["check 9"] },
};
const TAKEN: Intent = { ...INTENT, followUp: null };
const ENTRY = entryOf({ lastRead: lastRead(), sent: ["check 1"], needs: "Look.", intent: INTENT });
const ID = intentIdOf("run 1", ENTRY.url);
const SENT = { at: AT, about: "1 failed check", head: "head" };
const CLOSED = "Its job accepts no follow-ups, so none about 1 failed check can be sent.";
const PREVIEW: Preview = {
  head: "head",
  state: "building",
  statusId: "s",
  url: "https://p.example",
};
const WITHDRAWN: ActResult = { type: "withdrawn" };
const INTERRUPTED: ActResult = { type: "uncertain", reason: "The run ended." };
const KEY_REFUSED: ActResult = {
  type: "refused",
  by: "key",
  error: { kind: "unauthorized", problem: "The key was refused.", advice: null },
};

function recorded(ledger: LandLedger, type: LandAct["type"], result: ActResult): LandRevision {
  return record(unchanged(ledger), { type, id: ID }, result, NOW);
}

const REFUSAL = { reason: "No.", circumstances: "c" };
const refused = (act: "merge" | "close") => ({
  needs: "No.",
  refused: { act, at: INTENT.at, ...REFUSAL },
});

const rows: [LandAct["type"], string, ActResult, Partial<Entry>][] = [
  [
    "follow-up",
    "was accepted",
    { type: "accepted" },
    { followUps: [{ ...SENT, isUncertain: false }], sent: ["check 1", "check 9"], intent: TAKEN },
  ],
  [
    "follow-up",
    "may have been received",
    INTERRUPTED,
    { followUps: [{ ...SENT, isUncertain: true }], sent: ["check 1", "check 9"], intent: TAKEN },
  ],
  ["follow-up", "was not begun", WITHDRAWN, { intent: TAKEN }],
  ["follow-up", "is too much for now", { type: "limited" }, { intent: TAKEN }],
  ["follow-up", "met a busy job", { type: "busy" }, { intent: TAKEN }],
  ["follow-up", "met a refused key", KEY_REFUSED, { intent: TAKEN }],
  [
    "follow-up",
    "was refused by its job",
    { type: "refused", by: "job" },
    { isClosedToFollowUps: true, needs: CLOSED, intent: TAKEN },
  ],
  [
    "follow-up",
    "was refused for its content",
    { type: "refused", by: "content" },
    { isClosedToFollowUps: true, needs: CLOSED, intent: TAKEN },
  ],
  [
    "set-up",
    "is complete",
    { type: "set-up", asked: ["ada"], isComplete: true },
    { isSetUp: true, asked: ["ada"] },
  ],
  [
    "set-up",
    "is to be repeated",
    { type: "set-up", asked: ["ada"], isComplete: false },
    { isSetUp: false, asked: ["ada"] },
  ],
  ["set-up", "was interrupted", INTERRUPTED, {}],
  ["preview", "was started", { type: "preview", preview: PREVIEW }, { preview: PREVIEW }],
  ["preview", "is too much for now", { type: "limited" }, {}],
  ["merge", "was refused", { type: "unmergeable", ...REFUSAL }, refused("merge")],
  ["close", "was refused", { type: "unclosable", ...REFUSAL }, refused("close")],
  ["merge", "was overtaken", { type: "overtaken" }, { needs: null }],
  ["merge", "got no answer", { type: "not-done" }, {}],
  ["merge", "was not begun", WITHDRAWN, {}],
  ["merge", "was interrupted", INTERRUPTED, {}],
  ["close", "failed", { type: "not-done" }, {}],
  ["remind", "was written", { type: "reminded" }, { isReminded: true }],
  ["remind", "failed", { type: "not-done" }, {}],
  ["comment", "was written", { type: "commented", digest: "d" }, { comment: { digest: "d" } }],
  ["comment", "met a locked conversation", { type: "locked" }, { isClosedToComments: true }],
  ["remind", "met a locked conversation", { type: "locked" }, { isClosedToComments: true }],
  ["comment", "was interrupted", INTERRUPTED, {}],
  ["release", "was performed", { type: "unchanged" }, { intent: null }],
  ["release", "was not begun", WITHDRAWN, { intent: null }],
];

test.each(rows)("%s that %s, recorded once or twice", (type, _, result, expected) => {
  const once = recorded(landLedger([ENTRY]), type, result);
  expect(once.ledger.open).toEqual([{ ...ENTRY, ...expected }]);
  const twice = record(once, { type, id: ID }, result, NOW + MINUTE);
  expect(twice).toEqual(once);
});

test.each(rows)("%s that %s leaves what other runs have written", (type, _, result, expected) => {
  const other = entryOf({ url: "https://github.com/acme/docs/pull/9" });
  const changed = { ...ENTRY, headAt: timeBefore(0), jobId: "job_2" };
  const { ledger } = recorded(landLedger([other, changed], { writes: 8 }), type, result);
  expect(ledger.writes).toBe(8);
  expect(ledger.open).toEqual([other, { ...changed, ...expected }]);
});

test.each(rows)("%s that %s says nothing about another run's intent", (type, _, result) => {
  const held = { ...ENTRY, intent: { ...INTENT, decision: "run 2" } };
  for (const entry of [held, { ...ENTRY, intent: null }]) {
    const from = unchanged(landLedger([entry]));
    expect(record(from, { type, id: ID }, result, NOW)).toBe(from);
  }
});

test.each(["merged", "closed"] as const)("one that this run has %s is over, once", (state) => {
  const once = recorded(landLedger([ENTRY]), state === "merged" ? "merge" : "close", {
    type: state,
  });
  expect(once.ledger).toMatchObject({ open: [], ended: [{ state, endedAt: timeBefore(0) }] });
  expect(once.history).toEqual(once.ledger.ended);
  expect(record(once, { type: "release", id: ID }, WITHDRAWN, NOW)).toBe(once);
  expect(recorded(once.ledger, "merge", { type: state }).history).toEqual([]);
});

test("results that are recorded in parts end the intent with the last of them", () => {
  const first = recorded(landLedger([ENTRY]), "follow-up", { type: "accepted" });
  expect(holds(first.ledger, { type: "follow-up", id: ID })).toBe(true);
  expect(first.events).toEqual([`Sent a follow-up: ${ENTRY.url}`]);
  // As the engine does it: from the first result on, onto what is written.
  const again = recorded(first.ledger, "follow-up", { type: "accepted" });
  const released = record(again, { type: "release", id: ID }, { type: "unchanged" }, NOW);
  expect(released.ledger.open).toMatchObject([{ intent: null, followUps: [{}] }]);
  expect(released.events).toEqual([]);
  expect(holds(released.ledger, { type: "release", id: ID })).toBe(false);
});

const UNCERTAIN = { sent: ["check 1", "check 9"], followUps: [{ ...SENT, isUncertain: true }] };

test.each<[string, boolean, Entry["intent"], Partial<Entry>, string[]]>([
  ["of a living run is another run's", false, INTENT, {}, []],
  [
    "of a dead run may have gone out",
    true,
    INTENT,
    { ...UNCERTAIN, intent: null },
    [`May have sent a follow-up: ${ENTRY.url}`],
  ],
  ["of a dead run without a follow-up is over", true, TAKEN, { intent: null }, []],
])("an intent %s", (_, isDead, intent, expected, events) => {
  const entry = { ...ENTRY, intent };
  const expired = expire(unchanged(landLedger([entry])), (at) => at === AT && isDead);
  expect(expired.ledger.open).toEqual([{ ...entry, ...expected }]);
  expect(expired.events).toEqual(events);
});

test("reviewers that two runs asked are all recorded", () => {
  const result: ActResult = { type: "set-up", asked: ["bob"], isComplete: true };
  const { ledger } = recorded(landLedger([{ ...ENTRY, asked: ["ada"] }]), "set-up", result);
  expect(ledger.open[0]?.asked).toEqual(["ada", "bob"]);
});
