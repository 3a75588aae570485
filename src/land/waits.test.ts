import { expect, test } from "vitest";
import { entryOf, NOW, pullOf, timeBefore } from "../../test/support/land-facts.ts";
import type { PullEntry } from "./ledger.ts";
import type { LandReason } from "./reasons.ts";
import { idleFrom, isForPeople, waitFor, waitText, withWait } from "./waits.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

test.each<[string, LandReason, PullEntry["waiting"], string, string]>([
  ["begins now", { code: "draft" }, null, "reviewer", timeBefore(0)],
  [
    "goes on",
    { code: "draft" },
    { code: "draft", from: timeBefore(90 * DAY) },
    "reviewer",
    timeBefore(90 * DAY),
  ],
  [
    "is for another than before",
    { code: "approval" },
    { code: "draft", from: timeBefore(DAY) },
    "reviewer",
    timeBefore(0),
  ],
  [
    "is for GitHub, as before, but for something else",
    { code: "merge-state-unknown" },
    { code: "in-base", from: timeBefore(HOUR) },
    "github",
    timeBefore(HOUR),
  ],
  [
    "is over",
    { code: "checks-pending" },
    { code: "workflows-pending", from: timeBefore(6 * HOUR) },
    "person",
    timeBefore(6 * HOUR),
  ],
])("a wait that %s", (_, reason, waiting, waitsFor, since) => {
  const wait = waitFor(reason, waiting, NOW);
  expect(wait).toMatchObject({ waitsFor, since });
  const isOver = waitsFor === "person";
  expect(waitText(wait).includes("too long")).toBe(isOver);
});

test.each<[LandReason, number, boolean]>([
  [{ code: "approval" }, 0, true],
  [{ code: "blocked" }, 0, true],
  [{ code: "check-missing", name: "build" }, HOUR, false],
  [{ code: "check-missing", name: "build" }, DAY, true],
  [{ code: "merge-state-unknown" }, 2 * DAY, false],
  [{ code: "code-open" }, 90 * DAY, false],
  [{ code: "unread", words: "404" }, DAY, false],
  [{ code: "checks-unreadable" }, DAY, false],
])("whether %j, after %d ms, is only for people to end: %j", (reason, ago, expected) => {
  const waiting = { code: reason.code, from: timeBefore(ago) };
  expect(isForPeople(waitFor(reason, waiting, NOW))).toBe(expected);
});

const PULL = pullOf({ createdAt: timeBefore(20 * DAY) });
const OLD = entryOf({}, 20 * DAY);

test.each([
  ["for its code made it no older", "code-open", timeBefore(12 * DAY), 8],
  ["for a reviewer made it older", "approval", timeBefore(12 * DAY), 20],
  ["for its code from before it was opened", "code-open", timeBefore(30 * DAY), 0],
] as const)("the time that a docs pull request waited %s", (_, code, from, days) => {
  const entry = { ...OLD, waiting: { code, from } };
  const after = withWait(entry, PULL, waitFor({ code: "draft" }, entry.waiting, NOW), NOW);
  expect(after.waiting).toEqual({ code: "draft", from: timeBefore(0) });
  expect((NOW - idleFrom(PULL, after)) / DAY).toBe(days);
});

test("what goes on changes nothing", () => {
  const entry = { ...OLD, waiting: { code: "code-open", from: timeBefore(DAY) } } as const;
  const wait = waitFor({ code: "code-open" }, entry.waiting, NOW);
  expect(withWait(entry, PULL, wait, NOW)).toEqual(entry);
});
