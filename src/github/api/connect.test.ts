import { afterEach, expect, test, vi } from "vitest";
import { dependenciesOf } from "../../../test/support/dependencies.ts";
import { HttpInProcess } from "../../../test/support/http-in-process.ts";
import type { Outgoing } from "../../net/http.ts";
import { Cancellation } from "../../runtime/cancellation.ts";
import { connector } from "./connect.ts";
import { Patience } from "./patience.ts";

const GITHUB = { githubToken: "ghs_x", githubApiUrl: new URL("https://api.github.test") };

afterEach(() => {
  vi.useRealTimers();
});

/** A client of a GitHub that never answers, and the signals by which its requests are given up. */
function unanswered() {
  const signals: (AbortSignal | undefined)[] = [];
  const exchange = ({ signal }: Outgoing) => {
    signals.push(signal);
    return new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("given up")));
    });
  };
  const cancellation = new Cancellation();
  const http = new HttpInProcess(exchange);
  return {
    connect: connector(GITHUB, dependenciesOf({ http, cancellation })),
    cancellation,
    signals,
  };
}

test("after a cancellation GitHub has 2.2 s left to take what is written there", async () => {
  const { connect, cancellation, signals } = unanswered();
  const github = await connect();
  const written = github.request("POST /repos/octo/docs/issues/7/comments", { body: "Written." });
  const failed = expect(written).rejects.toThrow("given up");
  await vi.waitFor(() => expect(signals).toHaveLength(1), { timeout: 10_000 });

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  cancellation.cancel();
  vi.advanceTimersByTime(2_199);
  expect(signals[0]?.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signals[0]?.aborted).toBe(true);
  vi.useRealTimers();
  await failed;
});

test("the client is made once, and not before it is needed", async () => {
  const { connect } = unanswered();
  expect(await connect()).toBe(await connect());
});

test.each([
  ["a minute after the job's end", 70_000],
  ["when the run is cancelled", 10_000],
])("a wait for a rate limit that GitHub makes an hour long ends %s", async (_, end) => {
  let now = 0;
  const cancellation = new Cancellation();
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
    if (now !== 10_000) return;
    if (end > now) patience.forAMinute();
    else cancellation.cancel();
  };
  const clock = { now: () => now, timeOfDay: () => now, sleep };
  const patience = new Patience(dependenciesOf({ clock, cancellation }));
  patience.withoutEnd();
  expect(await patience.wait(3_600_000)).toBe(true);
  expect(now).toBe(end);
  expect(await patience.wait(1)).toBe(false);
});
