import { expect, test } from "vitest";
import {
  entryOf,
  landInputs,
  landLedger,
  lastRead,
  NOW,
  timeBefore,
} from "../../test/support/land-facts.ts";
import { type Revision, unchanged } from "../ledger/file.ts";
import { type Delivery, notSent } from "../runtime/delivery.ts";
import { accepted, intentIdOf, type LandAct, type LandValue } from "./acts.ts";
import type { LandLedger, Preview, PullEntry } from "./ledger.ts";
import type { LandReason } from "./reasons.ts";
import { expireLandIntents, hasIntent, recordLandAct } from "./record.ts";

const INPUTS = landInputs();
const MINUTE = 60_000;
const LOOK: LandReason = { code: "blocked" };
const AT = timeBefore(MINUTE);
const INTENT: PullEntry["intent"] = {
  decision: "run 1",
  at: AT,
  followUp: { about: { check: 1 }, head: "head", problems: ["check 9"] },
  circumstances: "c",
};
const TAKEN: PullEntry["intent"] = { ...INTENT, followUp: null };
const ENTRY = entryOf({ lastRead: lastRead(), sent: ["check 1"], needs: LOOK, intent: INTENT });
const ID = intentIdOf("run 1", ENTRY.url);
const SENT = { at: AT, about: { check: 1 }, head: "head" };
const CLOSED: LandReason = { code: "job-takes-none", problems: { check: 1 } };

const PREVIEW: Preview = {
  head: "head",
  state: "building",
  statusId: "s",
  url: "https://p.example",
};
/** Since when what was decided does not work out. */
const UNDONE = { waiting: { code: "not-done", from: AT } } as const;
const BUSY = { waiting: { code: "job-busy", from: AT } } as const;
const NOT_BEGUN = notSent("cancelled");
const CHANGED = notSent("changed");
const UNKNOWN: Delivery<LandValue> = { type: "uncertain", reason: "The run ended", error: null };
const refusedBy = (by: "key" | "job" | "content" | "state" | "right"): Delivery<LandValue> => {
  return { type: "refused", by, error: { kind: "unauthorized", problem: "No", advice: null } };
};

function recorded(
  ledger: LandLedger,
  type: LandAct["type"],
  delivery: Delivery<LandValue>,
): Revision<LandLedger> {
  return recordLandAct(unchanged(ledger), { type, id: ID }, delivery, NOW, INPUTS);
}

const refused = (
  act: "merge" | "close",
  code: "merge" | "queue" | "update" | "close",
  isOfState = true,
) => {
  const reason: LandReason = { code: `${code}-refused`, words: "No" };
  const { at } = INTENT;
  const waiting: PullEntry["waiting"] = { code: reason.code, from: at };
  return { needs: reason, refused: { act, at, circumstances: "c", isOfState, reason }, waiting };
};
const SENT_ONCE = { sent: ["check 1", "check 9"], intent: TAKEN };

const rows: [LandAct["type"], string, Delivery<LandValue>, Partial<PullEntry>][] = [
  [
    "follow-up",
    "was accepted",
    accepted({ type: "sent" }),
    { ...SENT_ONCE, followUps: [{ ...SENT, isUncertain: false }] },
  ],
  [
    "follow-up",
    "may have been received",
    UNKNOWN,
    { ...SENT_ONCE, followUps: [{ ...SENT, isUncertain: true }] },
  ],
  ["follow-up", "was not begun", NOT_BEGUN, { intent: TAKEN }],
  ["follow-up", "was decided otherwise", CHANGED, { intent: TAKEN }],
  ["follow-up", "is too much for now", { type: "limited" }, { intent: TAKEN, ...UNDONE }],
  ["follow-up", "met a busy job", { type: "busy" }, { intent: TAKEN, ...BUSY }],
  ["follow-up", "met a refused key", refusedBy("key"), { intent: TAKEN }],
  [
    "follow-up",
    "was refused by its job",
    refusedBy("job"),
    { isClosedToFollowUps: true, needs: CLOSED, intent: TAKEN },
  ],
  [
    "follow-up",
    "was refused for its content",
    refusedBy("content"),
    { isClosedToFollowUps: true, needs: CLOSED, intent: TAKEN },
  ],
  [
    "set-up",
    "is complete",
    accepted({ type: "set-up", asked: ["ada"], isComplete: true }),
    { isSetUp: true, asked: ["ada"] },
  ],
  [
    "set-up",
    "is to be repeated",
    accepted({ type: "set-up", asked: ["ada"], isComplete: false }),
    { isSetUp: false, asked: ["ada"] },
  ],
  ["set-up", "was interrupted", UNKNOWN, {}],
  ["preview", "was started", accepted({ type: "preview", preview: PREVIEW }), { preview: PREVIEW }],
  [
    "preview",
    "was refused",
    refusedBy("right"),
    { preview: { head: "head", state: "refused", words: "No" } },
  ],
  ["preview", "is too much for now", { type: "limited" }, {}],
  ["merge", "was refused", refusedBy("state"), refused("merge", "merge")],
  ["merge", "the token may not make", refusedBy("right"), refused("merge", "merge", false)],
  ["enqueue", "was refused", refusedBy("state"), refused("merge", "queue")],
  ["update", "was refused", refusedBy("state"), refused("merge", "update")],
  ["close", "was refused", refusedBy("state"), refused("close", "close")],
  ["merge", "was decided otherwise", CHANGED, { needs: null }],
  ["merge", "got no answer", notSent("unreached"), UNDONE],
  ["merge", "was not begun", NOT_BEGUN, {}],
  ["merge", "was decided too long ago", notSent("outdated"), {}],
  ["merge", "was interrupted", UNKNOWN, UNDONE],
  ["merge", "met a limit", { type: "limited" }, UNDONE],
  [
    "enqueue",
    "was accepted",
    accepted({ type: "queued", head: "head" }),
    { queued: "head", needs: null },
  ],
  [
    "update",
    "was accepted",
    accepted({ type: "updated", head: "head" }),
    { updated: [{ head: "head", headAt: ENTRY.headAt }], needs: null },
  ],
  ["close", "failed", UNKNOWN, UNDONE],
  ["remind", "was written", accepted({ type: "reminded" }), { isReminded: true }],
  ["remind", "failed", UNKNOWN, {}],
  [
    "comment",
    "was written",
    accepted({ type: "commented", digest: "d" }),
    { comment: { digest: "d" } },
  ],
  ["comment", "met a locked conversation", refusedBy("state"), { isClosedToComments: true }],
  ["remind", "met a locked conversation", refusedBy("state"), { isClosedToComments: true }],
  ["comment", "the token may not write", refusedBy("right"), {}],
  ["remind", "the token may not write", refusedBy("right"), { isReminded: true }],
  ["comment", "was interrupted", UNKNOWN, {}],
  ["release", "was performed", accepted({ type: "unchanged" }), { intent: null }],
  ["release", "was not begun", NOT_BEGUN, { intent: null }],
];

test.each(rows)("%s that %s, recorded once or twice", (type, _, delivery, expected) => {
  const once = recorded(landLedger([ENTRY]), type, delivery);
  expect(once.ledger.open).toEqual([{ ...ENTRY, ...expected }]);
  const twice = recordLandAct(once, { type, id: ID }, delivery, NOW + MINUTE, INPUTS);
  expect(twice).toEqual(once);
});

test.each(rows)("%s that %s leaves what other runs have written", (type, _, delivery, expected) => {
  const other = entryOf({ url: "https://github.com/acme/docs/pull/9" });
  const changed = { ...ENTRY, headAt: timeBefore(0), jobId: "job_2" };
  const { ledger } = recorded(landLedger([other, changed], { writes: 8 }), type, delivery);
  expect(ledger.writes).toBe(8);
  expect(ledger.open).toEqual([other, { ...changed, ...expected }]);
});

test.each(rows)("%s that %s says nothing about another run's intent", (type, _, delivery) => {
  const held = { ...ENTRY, intent: { ...INTENT, decision: "run 2" } };
  for (const entry of [held, { ...ENTRY, intent: null }]) {
    const from = unchanged(landLedger([entry]));
    expect(recordLandAct(from, { type, id: ID }, delivery, NOW, INPUTS)).toBe(from);
  }
});

test.each(["merged", "closed"] as const)("one that this run has %s is over, once", (state) => {
  const type = state === "merged" ? "merge" : "close";
  const once = recorded(landLedger([ENTRY]), type, accepted({ type: state }));
  expect(once.ledger).toMatchObject({ open: [], ended: [{ state, endedAt: timeBefore(0) }] });
  expect(once.history).toEqual(once.ledger.ended);
  expect(recordLandAct(once, { type: "release", id: ID }, NOT_BEGUN, NOW, INPUTS)).toBe(once);
  expect(recorded(once.ledger, "merge", accepted({ type: state })).history).toEqual([]);
});

test("what GitHub does not do is waited for from the first attempt until one has an answer", () => {
  const { waiting } = UNDONE;
  const entry = { ...ENTRY, waiting, intent: { ...INTENT, at: timeBefore(0) } };
  const again = recorded(landLedger([entry]), "merge", notSent("unreached"));
  expect(again.ledger.open).toMatchObject([{ waiting }]);
  const queued = recorded(landLedger([entry]), "enqueue", accepted({ type: "queued", head: "h" }));
  expect(queued.ledger.open).toMatchObject([{ waiting: null }]);
});

test("what GitHub refuses again is waited for from the first time", () => {
  const waiting = { code: "merge-refused", from: timeBefore(60 * MINUTE) } as const;
  const again = recorded(landLedger([{ ...ENTRY, waiting }]), "merge", refusedBy("right"));
  expect(again.ledger.open).toMatchObject([{ waiting, refused: { at: INTENT.at } }]);
});

test("results that are recorded in parts end the intent with the last of them", () => {
  const first = recorded(landLedger([ENTRY]), "follow-up", accepted({ type: "sent" }));
  expect(hasIntent(first.ledger, { type: "follow-up", id: ID })).toBe(true);
  expect(first.events).toEqual([`Sent a follow-up: ${ENTRY.url}`]);
  // As the engine does it: from the first result on, onto what is written.
  const again = recorded(first.ledger, "follow-up", accepted({ type: "sent" }));
  const released = recordLandAct(
    again,
    { type: "release", id: ID },
    accepted({ type: "unchanged" }),
    NOW,
    INPUTS,
  );
  expect(released.ledger.open).toMatchObject([{ intent: null, followUps: [{}] }]);
  expect(released.events).toEqual([]);
  expect(hasIntent(released.ledger, { type: "release", id: ID })).toBe(false);
});

const UNCERTAIN = { sent: ["check 1", "check 9"], followUps: [{ ...SENT, isUncertain: true }] };

test.each<[string, boolean, PullEntry["intent"], Partial<PullEntry>, string[]]>([
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
  const expired = expireLandIntents(unchanged(landLedger([entry])), (at) => at === AT && isDead);
  expect(expired.ledger.open).toEqual([{ ...entry, ...expected }]);
  expect(expired.events).toEqual(events);
});

test("reviewers that two runs asked are all recorded", () => {
  const delivery = accepted({ type: "set-up", asked: ["bob"], isComplete: true });
  const { ledger } = recorded(landLedger([{ ...ENTRY, asked: ["ada"] }]), "set-up", delivery);
  expect(ledger.open[0]?.asked).toEqual(["ada", "bob"]);
});
