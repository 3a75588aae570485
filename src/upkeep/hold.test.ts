import { expect, test } from "vitest";
import { AT, EMPTY, group, review, revision } from "../../test/support/ledger-examples.ts";
import { upkeepInputs } from "../../test/support/upkeep-examples.ts";
import type { Ledger } from "../batches/model/ledger.ts";
import { holdOf } from "./hold.ts";

const EARLIER = "2026-11-21T12:00:00Z";
const HELD = { "open-pull-request": "hold" };

test.each<[string, Partial<Ledger>, Record<string, string>, RegExp | null, string]>([
  ["nothing", {}, {}, null, ""],
  ["an open docs pull request", { reviews: [review()] }, HELD, /until the docs pull/, AT],
  [
    "its own limit, since the newest request",
    { starts: [EARLIER, AT].map((at, nth) => ({ batch: `b${nth}`, at })) },
    { "max-jobs-per-day": "1" },
    /`max-jobs-per-day`, is reached/,
    AT,
  ],
  [
    "a job that accepts no message",
    { reviews: [review()], busyJobs: [{ jobId: "job", since: AT }] },
    {},
    /accepts no message/,
    AT,
  ],
  [
    "no job that another one is sent to",
    { reviews: [review()], busyJobs: [{ jobId: "job", since: AT }] },
    { "open-pull-request": "new" },
    null,
    "",
  ],
])("the waiting changes are held back by %s", (_, ledger, values, text, since) => {
  const hold = holdOf(revision({ ...EMPTY, waiting: [group(1)], ...ledger }), upkeepInputs(values));
  expect(hold).toEqual(text === null ? null : { text: expect.stringMatching(text), since });
});
