import { expect, test } from "vitest";
import { accepted, refusedBy, UNCERTAIN } from "../../test/support/ledger-examples.ts";
import type { BatchValue } from "../batches/batch-program.ts";
import { type Delivery, notSent } from "../runtime/delivery.ts";
import { mayStartAnother } from "./start-tasks.ts";

const ACCEPTED = accepted();
const REFUSED = refusedBy("content");
const KEY = refusedBy("key");

test.each<[string, Delivery<BatchValue>[], boolean]>([
  ["nothing", [], true],
  ["accepted tasks", [ACCEPTED, ACCEPTED], true],
  ["two refused tasks", [REFUSED, REFUSED], true],
  ["accepted and refused tasks", [REFUSED, ACCEPTED, REFUSED], true],
  ["credits that are used up", [refusedBy("credits")], false],
  ["a refused key", [ACCEPTED, KEY], false],
  ["a limit", [{ type: "limited" }], false],
  ["a request whose answer was lost", [UNCERTAIN], false],
  ["what was not begun", [notSent("changed")], false],
])("after %s, another task is started: %s", (_, deliveries, isStarted) => {
  expect(mayStartAnother(deliveries)).toBe(isStarted);
});
