import { expect, test } from "vitest";
import { accepted, refusedBy, UNCERTAIN } from "../../test/support/ledger-examples.ts";
import type { BatchValue } from "../batches/batch-program.ts";
import { type Delivery, notSent } from "../runtime/delivery.ts";
import { mayStartAnother } from "./start-tasks.ts";

const ACCEPTED = accepted();
const REFUSED = refusedBy("content");
const KEY = refusedBy("key");

test.each<[string, Delivery<BatchValue>[], boolean, before?: number]>([
  ["nothing", [], true],
  ["accepted tasks", [ACCEPTED, ACCEPTED], true],
  ["two refused tasks", [REFUSED, REFUSED], true],
  ["three refused tasks in a row", [REFUSED, REFUSED, REFUSED], false],
  ["three refused tasks with one between", [REFUSED, ACCEPTED, REFUSED, REFUSED], true],
  ["a refused task, after two in earlier runs", [REFUSED], false, 2],
  ["an accepted and a refused task, after two in earlier runs", [ACCEPTED, REFUSED], true, 2],
  ["nothing, after two in earlier runs", [], true, 2],
  ["a refused key", [ACCEPTED, KEY], false],
  ["a limit", [{ type: "limited" }], false],
  ["a request whose answer was lost", [UNCERTAIN], false],
  ["what was not begun", [notSent("changed")], false],
])("after %s, another task is started: %s", (_, deliveries, isStarted, before = 0) => {
  expect(mayStartAnother(deliveries, before)).toBe(isStarted);
});
