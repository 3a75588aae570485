import { expect, test } from "vitest";
import { jobOf } from "../../test/support/job.ts";
import { change } from "../../test/support/ledger-examples.ts";
import type { Delivery } from "../job/send.ts";
import type { BasicResult } from "../ledger/program.ts";
import { ActionError } from "../runtime/errors.ts";
import { lastDelivery } from "./report.ts";
import type { Handed } from "./run-batches.ts";

const ACCEPTED: Delivery = { type: "accepted", job: jobOf("active"), isFollowUp: false };
const KEY = new ActionError("unauthorized", "The key was refused.");

function handed(result: Delivery | BasicResult): Handed {
  const changes = [change(1)];
  return { act: { type: "hand over", id: "b", changes, jobId: null, prompt: "" }, result };
}

test.each<[string, (Delivery | BasicResult)[], number | null]>([
  ["none was made", [], null],
  ["none was begun", [{ type: "withdrawn" }], null],
  ["the second was not begun", [ACCEPTED, { type: "withdrawn" }], 0],
  ["the second could not be sent", [ACCEPTED, { type: "not-started", error: KEY }], 1],
  ["the second was limited", [ACCEPTED, { type: "limited" }, { type: "withdrawn" }], 1],
])("the last request: %s", (_, results, expected) => {
  const last = lastDelivery(results.map(handed));
  expect(last).toBe(expected === null ? null : results[expected]);
});
