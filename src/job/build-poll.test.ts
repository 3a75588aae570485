import { expect, test } from "vitest";
import { answered, failureOf } from "../../test/support/job.ts";
import type { Build } from "../service/builds.ts";
import { ServiceError } from "../service/errors.ts";
import { BUILD_STARTED, decideAfterBuildPoll } from "./build-poll.ts";

const PACE = { initial: 3_000, max: 15_000 };
const MINUTE = 60_000;

function buildOf(status: string): Build {
  return { status, summary: "", logs: [], commit: null };
}

function decide(answer: Build | ServiceError, at = 0, state = BUILD_STARTED) {
  const polled = answer instanceof ServiceError ? answer : { build: answer, retryAfter: null };
  return decideAfterBuildPoll(state, polled, PACE, at, 0.5);
}

test.each(["success", "failure"])("%s is an end", (status) => {
  expect(decide(buildOf(status))).toEqual({
    type: "ended",
    end: buildOf(status),
    notices: [["info", `The build's status is ${status}.`]],
  });
});

test("a status is logged when it changes, and the delay grows", () => {
  const first = decide(buildOf("queued"));
  if (first.type !== "pending") throw new Error(first.type);
  expect(first).toMatchObject({ delay: 4_500, notices: [["info", expect.any(String)]] });
  const second = decide(buildOf("queued"), 0, first.state);
  expect(second).toMatchObject({ type: "pending", delay: 6_750, notices: [] });
});

test("an unknown status is one warning, and no end", () => {
  const first = decide(buildOf("paused"));
  if (first.type !== "pending") throw new Error(first.type);
  expect(first.notices).toEqual([["warning", expect.stringContaining('"paused"')]]);
  expect(decide(buildOf("paused"), 0, first.state)).toMatchObject({ type: "pending", notices: [] });
});

test("a build is unknown once no poll has found it for two minutes", () => {
  const missing = decide(answered(404));
  if (missing.type !== "pending") throw new Error(missing.type);
  const { state } = missing;
  expect(decide(answered(404), 2 * MINUTE - 1, state)).toMatchObject({ notices: [] });
  const unknown = { type: "given-up", error: { kind: "not-found" } };
  expect(decide(answered(404), 2 * MINUTE, state)).toMatchObject(unknown);
  const found = decide(buildOf("queued"), MINUTE, state);
  expect(found).toMatchObject({ state: { missingSince: null } });
});

test.each([
  [answered(401), "unauthorized"],
  [answered(403), "forbidden"],
])("%o ends the polls at once", (error, kind) => {
  expect(decide(error)).toMatchObject({ type: "given-up", error: { kind } });
});

test("failures are one warning, and polling is given up after five minutes of them", () => {
  const lost = failureOf({ type: "lost" });
  const first = decide(lost, 0);
  if (first.type !== "pending") throw new Error(first.type);
  expect(first.notices).toEqual([["warning", expect.stringContaining("continues to poll")]]);
  const second = decide(lost, 4 * MINUTE, first.state);
  if (second.type !== "pending") throw new Error(second.type);
  expect(second.notices).toEqual([]);
  expect(decide(lost, 5 * MINUTE, second.state)).toMatchObject({
    type: "given-up",
    error: { kind: "service-unavailable", advice: expect.stringContaining("build") },
  });
  const healed = decide(buildOf("in_progress"), 4 * MINUTE, second.state);
  expect(healed).toMatchObject({ state: { failing: null } });
  expect(healed.notices).toContainEqual(["warning", expect.stringContaining("normally again")]);
});
