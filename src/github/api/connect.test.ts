import { afterEach, expect, test, vi } from "vitest";
import { dependenciesOf } from "../../../test/support/dependencies.ts";
import { HttpInProcess } from "../../../test/support/http-in-process.ts";
import type { Outgoing } from "../../net/http.ts";
import { Cancellation } from "../../runtime/cancellation.ts";
import { known } from "../../runtime/fact.ts";
import { connector } from "./connect.ts";
import { BriefPatience, Patience } from "./patience.ts";

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
  const comment = { repository: "octo/docs", number: 7, body: "Written." };
  const written = github.issues.comment(comment);
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

/** A run that nobody waits for, on a clock that only its waiting moves. */
function briefly() {
  let now = 0;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const clock = { now: () => now, timeOfDay: () => now, sleep };
  const dependencies = dependenciesOf({ clock });
  return { dependencies, patience: new BriefPatience(dependencies), clock };
}

test("a run that nobody waits for waits about a minute for limits in all, and for none that is longer", async () => {
  const { patience, clock } = briefly();
  expect(await patience.wait(3_600_000)).toBe(false);
  expect(clock.now()).toBe(0);
  expect(await patience.wait(1_000)).toBe(true);
  expect(clock.now()).toBe(1_000);
  expect(await patience.wait(60_000)).toBe(true);
  expect(await patience.wait(10_000)).toBe(false);
  expect(clock.now()).toBe(61_000);
});

test("a run that is cancelled waits for no limit", async () => {
  const { patience, dependencies, clock } = briefly();
  dependencies.cancellation.cancel();
  expect(await patience.wait(1)).toBe(false);
  expect(clock.now()).toBe(0);
});

test("a client waits for a limit of a second, and goes on", async () => {
  const { dependencies, clock } = briefly();
  const answers = [403, 200];
  const exchange = async () => ({
    status: answers.shift() ?? 500,
    headers: { "retry-after": "1", "content-type": "application/json" },
    text: "{}",
  });
  const github = await connector(GITHUB, { ...dependencies, http: new HttpInProcess(exchange) })();
  expect(await github.commits.newest({ repository: "octo/docs" })).toEqual(known({}));
  expect(clock.now()).toBe(1_000);
});

test("a limit that names no time worth waiting for, and stays, is asked about ever more rarely", async () => {
  const { dependencies, clock } = briefly();
  const patience = new Patience(dependencies);
  patience.withoutEnd();
  const times: number[] = [];
  const exchange = async () => {
    times.push(clock.now() / 1_000);
    if (clock.now() === 183_000) patience.forAMinute();
    return { status: 429, headers: { "retry-after": "0" }, text: "{}" };
  };
  const http = new HttpInProcess(exchange);
  const github = await connector(GITHUB, { ...dependencies, http }, patience)();
  const newest = await github.commits.newest({ repository: "octo/docs" });
  expect(newest).toMatchObject({ type: "unread", cause: "limited" });
  expect(times).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
});
