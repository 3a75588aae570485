import { describe, expect, test } from "vitest";
import {
  AT,
  change,
  EMPTY,
  group,
  HOUR,
  intendedBatch,
  LINK,
  NOW,
  review,
  revision,
  runningBatch,
  task,
} from "../../../test/support/ledger-examples.ts";
import type { Group, InReview, Ledger } from "../model/ledger.ts";
import {
  limitHold,
  progressItem,
  reviewItem,
  unreadSourceLines,
  waitingItem,
  waitingLines,
} from "./open-items.ts";

const SINCE = "since 2026-11-22 12:00 UTC";
const SOURCE = { source: "acme/code", since: AT, reason: "GitHub returned 502" };

test("what is at work says since when", () => {
  expect(progressItem(intendedBatch("b", [change(1)]))).toMatch(`- Being sent, ${SINCE} ← `);
  const job = { acceptedAt: "2026-11-22T11:00:00Z" };
  const text = progressItem(runningBatch("b", [change(1)], job));
  expect(text).toMatch("- Since 2026-11-22 11:00 UTC ← ");
});

test.each<[string, InReview["unread"], string]>([
  ["is open", null, ""],
  [
    "GitHub fails to show",
    { since: "2026-11-22T10:00:00Z", isPassing: true },
    " (could not be read since 2026-11-22 10:00 UTC, so it counts as open)",
  ],
  [
    "is elsewhere",
    { since: AT, isPassing: false },
    " (not on this GitHub, or the token may not read it: it counts as open for 7 days)",
  ],
])("a docs pull request that %s says since when", (_, unread, words) => {
  const text = reviewItem(review({ unread }));
  expect(text).toContain(`- [Docs pull request #7](${LINK}), ${SINCE}${words} ← `);
});

describe("what waits says since when, and for whom", () => {
  const held = { ...EMPTY.unread, changes: [{ key: "1#1", since: AT }] };

  test.each<[string, Group, Partial<Ledger>, string]>([
    ["for its turn", group(1), {}, "- Since 2026-11-20 10:00 UTC ← "],
    ["again", group(1, { attempts: 1 }), {}, "- Attempt 2 ← "],
    [
      "for a release",
      group(1, { isReleased: false }),
      {},
      "- For a release, since 2026-11-20 10:00 UTC ← ",
    ],
    ["to be read", group(1), { unread: held }, `- Could not be read ${SINCE} ← `],
    ["while another one cannot be read", group(2), { unread: held }, "- Since 2026-11-20"],
    ["as a task, of which nothing is known", { ...group(1), changes: [task("a")] }, {}, "- `a`"],
  ])("%s", (_, waiting, ledger, text) => {
    expect(waitingItem(waiting, { ...EMPTY, ...ledger })).toMatch(new RegExp(`^${text}`));
  });

  test("all of it, once", () => {
    const starts = [1, 2].map((nth) => ({ batch: `b${nth}`, at: `2026-11-22T0${nth}:00:00Z` }));
    const ledger = { ...EMPTY, limitedSince: AT, starts };
    const lines = (waiting: readonly Group[]) =>
      waitingLines(revision(ledger), waiting, limitHold(ledger, "Enough."));
    expect(lines([group(1)])).toEqual([
      "- Enough. It has been so since 2026-11-22 02:00 UTC.",
      `- The service's hourly limit is reached. It has been so ${SINCE}.`,
    ]);
    expect(lines([])).toEqual([]);
  });

  test("for a source that cannot be read: after a day it is a person's", () => {
    const ledger = { ...EMPTY, unread: { ...EMPTY.unread, sources: [SOURCE] } };
    const early = revision(ledger, { now: NOW + HOUR });
    const text = `- \`acme/code\` could not be read ${SINCE}: GitHub returned 502.`;
    expect(waitingLines(early, [], null)).toEqual([text]);
    expect(unreadSourceLines(early)).toEqual([]);
    const late = revision(ledger, { now: NOW + 25 * HOUR });
    expect(waitingLines(late, [], null)).toEqual([]);
    expect(unreadSourceLines(late)).toEqual([expect.stringContaining(`${text} To go on: the`)]);
  });
});
