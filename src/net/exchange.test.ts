import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  asExchangeError,
  type Break,
  ExchangeError,
  parseRetryAfter,
  type Stage,
  TimeLimit,
} from "./exchange.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("the signal is aborted when the time is over, and not before", () => {
  const limit = new TimeLimit(1_000);
  vi.advanceTimersByTime(999);
  expect([limit.signal.aborted, limit.ended]).toEqual([false, undefined]);
  vi.advanceTimersByTime(1);
  expect(limit.signal.aborted).toBe(true);
  expect(limit.ended).toEqual({ reason: "time-limit", limit: 1_000 });
});

test("a limit that is set anew runs from then on, and is named as it is told", () => {
  const limit = new TimeLimit(1_000);
  vi.advanceTimersByTime(900);
  limit.restart(500, "idle-limit", 30_000);
  vi.advanceTimersByTime(499);
  expect(limit.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(limit.ended).toEqual({ reason: "idle-limit", limit: 30_000 });
});

test("a limit beyond what Node's timers hold is no limit of 1 ms", () => {
  const limit = new TimeLimit(Number.MAX_SAFE_INTEGER);
  vi.advanceTimersByTime(24 * 60 * 60_000);
  expect(limit.signal.aborted).toBe(false);
  limit.clear();
});

test.each(["before", "during"])("the caller stops it %s the exchange: no timer is left", (when) => {
  const caller = new AbortController();
  if (when === "before") caller.abort();
  const limit = new TimeLimit(1_000, caller.signal);
  caller.abort();
  limit.restart(1_000);
  expect(limit.signal.aborted).toBe(true);
  expect(limit.ended?.reason).toBe("stopped");
  expect(vi.getTimerCount()).toBe(0);
});

test("once it is cleared, neither the time nor the caller aborts anything", () => {
  const caller = new AbortController();
  const limit = new TimeLimit(1_000, caller.signal);
  limit.clear();
  vi.advanceTimersByTime(2_000);
  caller.abort();
  expect([limit.signal.aborted, limit.ended]).toEqual([false, undefined]);
});

/** What was thrown under a limit that has come to this. */
function brokenBy(
  thrown: unknown,
  stage: Stage,
  ended?: TimeLimit["ended"],
  proxyVariable?: string,
) {
  const at: Break = { stage, limit: { ended }, host: "api.example:443", proxyVariable };
  return asExchangeError(thrown, at);
}

const coded = (code: string) => Object.assign(new Error(`read ${code}`), { code });
const late = (limit = 30_000) => ({ reason: "time-limit" as const, limit });
const idle = { reason: "idle-limit" as const, limit: 30_000 };

test.each<[Stage, TimeLimit["ended"], string]>([
  ["connect", undefined, "could not connect to api.example:443 through the proxy in P (EPIPE)"],
  [
    "sent",
    undefined,
    "the connection to api.example:443 was lost before a response arrived (EPIPE)",
  ],
  ["answer", undefined, "the response of api.example:443 is incomplete or damaged (EPIPE)"],
  ["connect", late(), "could not connect to api.example:443 through the proxy in P within 30 s"],
  ["sent", late(), "api.example:443 did not respond within 30 s"],
  ["answer", late(1_250), "api.example:443 did not send the whole response within 1.3 s"],
  ["answer", idle, "api.example:443 sent nothing for 30 s in the middle of the response"],
  ["sent", { reason: "stopped", limit: 0 }, "stopped by the run"],
])("at the stage %s, after %o: %s", (stage, ended, message) => {
  const cause = coded("EPIPE");
  const reason = ended?.reason ?? "network";
  expect(brokenBy(cause, stage, ended, "P")).toMatchObject({ stage, reason, message, cause });
});

test.each([
  ["the first of several", new AggregateError([coded("ECONNREFUSED"), coded("x")]), "ECONNREFUSED"],
  ["the cause", new Error("other side", { cause: coded("EPIPE") }), "EPIPE"],
  ["the message", new Error("other side closed"), "other side closed"],
  ["nothing", "a text", "unknown reason"],
])("the reason is %s", (_, thrown, reason) => {
  expect(brokenBy(thrown, "connect").message).toBe(
    `could not connect to api.example:443 (${reason})`,
  );
});

test("what is an exchange that broke off already stays as it is", () => {
  const error = new ExchangeError("answer", "size-limit", "too large");
  expect(brokenBy(error, "connect", idle)).toBe(error);
});

const NOW = Date.UTC(2026, 7, 1, 12, 0, 0);

test.each([
  ["0", 0],
  ["120", 120_000],
  [" 5 ", 5_000],
  ["1.5", 1_500],
  ["007", 7_000],
  ["2026", 2_026_000],
])("%j are seconds", (value, milliseconds) => {
  expect(parseRetryAfter(value, NOW)).toBe(milliseconds);
});

test.each([
  ["Sat, 01 Aug 2026 12:00:30 GMT", 30_000],
  ["Saturday, 01-Aug-26 12:01:00 GMT", 60_000],
  ["Sat Aug  1 12:00:02 2026 GMT", 2_000],
  ["Sat, 01 Aug 2026 11:00:00 GMT", 0],
])("%j is a date", (value, milliseconds) => {
  expect(parseRetryAfter(value, NOW)).toBe(milliseconds);
});

const NOTHING = [
  ...[undefined, "", " ", "-5", "+5", "soon", "5 s", "1e3", "0x10", "NaN", "1,5", "Sat, x"],
  "2026-08-01T12:00:30Z",
];

test.each(NOTHING)("%j says nothing", (value) => {
  expect(parseRetryAfter(value, NOW)).toBeUndefined();
});

test("whatever a header says, it is no time before now, and no NaN", () => {
  const text = fc.oneof(
    fc.string(),
    fc.date({ noInvalidDate: true }).map((it) => it.toUTCString()),
  );
  fc.assert(
    fc.property(text, (value) => {
      const read = parseRetryAfter(value, NOW);
      if (read !== undefined) expect(read).toBeGreaterThanOrEqual(0);
    }),
  );
});
