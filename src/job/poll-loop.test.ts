import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { answered, failureOf } from "../../test/support/job.ts";
import { ActionError } from "../runtime/errors.ts";
import type { ServiceError } from "../service/errors.ts";
import { type Polling, pollUntilEnd } from "./poll-loop.ts";

interface Count {
  readonly missingSince: null;
  readonly failing: { since: number; polls: number } | null;
  readonly answers: readonly string[];
}

const GIVEN_UP = new ActionError("service-unavailable", "It does not answer.", "Run again.");

/** An answer ends the polls, lets them be given up, or is followed by another poll after ten seconds. */
const decide: Polling<Count, string, string>["decide"] = (state, polled, now) => {
  const notices: ["info", string][] = [["info", `poll at ${now / 1000} s`]];
  if (typeof polled !== "string") {
    const failing = { since: state.failing?.since ?? now, polls: 1 };
    return { type: "pending", state: { ...state, failing }, delay: 10_000, notices };
  }
  if (polled === "end") return { type: "ended", end: "the end", notices };
  if (polled === "hopeless") return { type: "given-up", error: GIVEN_UP, notices };
  const next = { missingSince: null, failing: null, answers: [...state.answers, polled] };
  return { type: "pending", state: next, delay: 10_000, notices };
};

type Answer = string | ServiceError;

/**
 * Polls to an end, the first time after five seconds.
 *
 * @param deadline in milliseconds
 * @param answers one after the other, the last one again and again; during `signal`, the run is cancelled
 * @param took how long each poll takes, in milliseconds
 */
async function pollTo(deadline: number, answers: readonly Answer[], took = 0) {
  let now = 0;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const dependencies = dependenciesOf({ clock: { now: () => now, timeOfDay: () => now, sleep } });
  const limits: (number | undefined)[] = [];
  const pending: Count[] = [];
  const polling: Polling<Count, string, string> = {
    subject: "job 1",
    firstDelay: 5_000,
    deadline,
    poll: async ({ limit }) => {
      const answer = answers[Math.min(limits.length, answers.length - 1)] ?? "end";
      limits.push(limit);
      now += took;
      if (answer !== "signal") return answer;
      dependencies.cancellation.cancel();
      return failureOf({ type: "stopped", sent: true });
    },
    decide,
    statusOf: (state) => state.answers.at(-1) ?? null,
    onPending: (state) => void pending.push(state),
  };
  const end = await pollUntilEnd(
    { missingSince: null, failing: null, answers: [] },
    polling,
    dependencies,
  );
  return { end, limits, pending, lines: dependencies.lines };
}

test("an end is returned, and every decision's lines are logged", async () => {
  const { end, pending, lines } = await pollTo(60_000, ["one", "two", "end"]);
  expect(end).toEqual({ type: "ended", end: "the end" });
  expect(pending.map(({ answers }) => answers)).toEqual([["one"], ["one", "two"]]);
  expect(lines).toEqual(["info: poll at 5 s", "info: poll at 15 s", "info: poll at 25 s"]);
});

test("polls that are given up end with the state before, and the error", async () => {
  const { end } = await pollTo(60_000, ["one", "hopeless"]);
  const state = { missingSince: null, failing: null, answers: ["one"] };
  expect(end).toEqual({ type: "stopped", state, error: GIVEN_UP });
});

test("the last poll is at the time limit, has half a minute, and may bring the end", async () => {
  const limited = await pollTo(20_000, ["one", "two", "three"]);
  expect(limited.limits).toEqual([15_000, 5_000, 30_000]);
  expect(limited.end).toMatchObject({
    type: "time-limit",
    state: { answers: ["one", "two", "three"] },
  });
  expect(limited.pending).toHaveLength(2);
  expect((await pollTo(20_000, ["one", "two", "end"])).end.type).toBe("ended");
});

test("a poll that the time limit cuts off decides nothing: another one does", async () => {
  const { end, lines } = await pollTo(20_000, ["one", answered(503), "end"], 4_000);
  expect(end.type).toBe("ended");
  expect(lines).toEqual(["info: poll at 9 s", "info: poll at 27 s"]);
});

test("a poll that a signal stopped decides nothing, and the run was cancelled", async () => {
  const { end, lines } = await pollTo(60_000, ["one", "signal"]);
  expect(end).toMatchObject({
    type: "stopped",
    state: { answers: ["one"] },
    error: { kind: "cancelled" },
  });
  expect(lines).toEqual(["info: poll at 5 s"]);
});

test.each<[string, Answer[], string]>([
  ["a status", ["active"], "Job 1 is still active after 1 min. Next poll in 5 s."],
  ["failures", [answered(503)], "Polls of job 1 have failed for 55 s. Next poll in 5 s."],
  [
    "failures after a status",
    ["a", answered(503)],
    "Polls of job 1 have failed for 45 s. Next poll in 5 s.",
  ],
])("once a minute, the log shows %s", async (_, answers, line) => {
  const { lines } = await pollTo(80_000, answers);
  expect(lines.filter((text) => !text.startsWith("info: poll at"))).toEqual([`info: ${line}`]);
});
