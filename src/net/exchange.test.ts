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

const never = new Promise<never>(() => {});

test("the signal is aborted when the time is over, and not before", () => {
  const limit = new TimeLimit(1_000);
  vi.advanceTimersByTime(999);
  expect(limit.signal.aborted).toBe(false);
  expect(limit.expired).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(limit.signal.aborted).toBe(true);
  expect(limit).toMatchObject({ expired: "time-limit", stopped: false, milliseconds: 1_000 });
});

test("a limit that is set anew runs from then on, and is named as it is told", () => {
  const limit = new TimeLimit(1_000);
  vi.advanceTimersByTime(900);
  limit.restart(500, "idle-limit", 30_000);
  vi.advanceTimersByTime(499);
  expect(limit.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(limit).toMatchObject({ expired: "idle-limit", milliseconds: 30_000 });
});

test("a limit beyond what Node's timers hold is no limit of 1 ms", () => {
  const limit = new TimeLimit(Number.MAX_SAFE_INTEGER);
  vi.advanceTimersByTime(24 * 60 * 60_000);
  expect(limit.signal.aborted).toBe(false);
  limit.clear();
});

test("the caller stops it: nothing has expired, and no timer is left", () => {
  const caller = new AbortController();
  const limit = new TimeLimit(1_000, caller.signal);
  expect(limit.stopped).toBe(false);
  caller.abort();
  expect(limit.signal.aborted).toBe(true);
  expect(limit).toMatchObject({ stopped: true, expired: undefined });
  expect(vi.getTimerCount()).toBe(0);
});

test("a caller that has stopped already stops it at once", () => {
  const limit = new TimeLimit(1_000, AbortSignal.abort());
  expect(limit.signal.aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test("once it is cleared, neither the time nor the caller aborts anything", () => {
  const caller = new AbortController();
  const limit = new TimeLimit(1_000, caller.signal);
  limit.clear();
  vi.advanceTimersByTime(2_000);
  caller.abort();
  expect(limit.signal.aborted).toBe(false);
  expect(limit.expired).toBeUndefined();
});

test("what comes in time is handed on", async () => {
  const limit = new TimeLimit(1_000);
  await expect(limit.within(Promise.resolve("answer"))).resolves.toBe("answer");
  await expect(limit.within(Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  expect(limit.signal.aborted).toBe(false);
  limit.clear();
});

test("what comes too late is waited for no longer than the limit lasts", async () => {
  const limit = new TimeLimit(1_000);
  const waiting = limit.within(never);
  vi.advanceTimersByTime(1_000);
  await expect(waiting).rejects.toThrow("time limit");
  await expect(limit.within(never)).rejects.toThrow("time limit");
});

/** What was thrown under a limit that has come to this. */
function brokenBy(
  thrown: unknown,
  stage: Stage,
  limit: Partial<TimeLimit> = {},
  more: Partial<Break> = {},
) {
  const known = { stopped: false, expired: undefined, milliseconds: 30_000, ...limit };
  return asExchangeError(thrown, {
    ...{ stage, limit: known as TimeLimit, host: "api.example:443" },
    ...more,
  });
}

const coded = (code: string) => Object.assign(new Error(`read ${code}`), { code });

test.each<[Stage, string]>([
  ["connect", "could not connect to api.example:443 (ECONNRESET)"],
  ["sent", "the connection to api.example:443 was lost before a response arrived (ECONNRESET)"],
  [
    "answer",
    "the connection to api.example:443 was lost in the middle of the response (ECONNRESET)",
  ],
])("the network, at the stage %s", (stage, message) => {
  const cause = coded("ECONNRESET");
  expect(brokenBy(cause, stage)).toMatchObject({ stage, reason: "network", message, cause });
});

test.each<[Stage, Partial<TimeLimit>, string, string]>([
  [
    "connect",
    { expired: "time-limit" },
    "time-limit",
    "could not connect to api.example:443 within 30 s",
  ],
  ["sent", { expired: "time-limit" }, "time-limit", "did not respond within 30 s"],
  [
    "answer",
    { expired: "time-limit", milliseconds: 1_250 },
    "time-limit",
    "did not send the whole response within 1.3 s",
  ],
  [
    "answer",
    { expired: "idle-limit" },
    "idle-limit",
    "sent nothing for 30 s in the middle of the response",
  ],
])(
  "a limit that ran out, at the stage %s, is told instead of what it caused",
  (stage, limit, reason, message) => {
    const error = brokenBy(new Error("time limit"), stage, limit);
    expect(error).toMatchObject({ stage, reason });
    expect(error.message).toContain(message);
  },
);

test("what the run itself stopped is neither a limit nor the network", () => {
  const error = brokenBy(coded("UND_ERR_ABORTED"), "sent", {
    stopped: true,
    expired: "time-limit",
  });
  expect(error).toMatchObject({ reason: "stopped", message: "stopped by the run" });
});

test("a proxy is named where it may be the reason", () => {
  const proxy = { proxyVariable: "HTTPS_PROXY" };
  const network = brokenBy(coded("ECONNREFUSED"), "connect", {}, proxy);
  expect(network.message).toContain(
    "could not connect to api.example:443 through the proxy in HTTPS_PROXY (ECONNREFUSED)",
  );
  const late = brokenBy(coded("x"), "connect", { expired: "time-limit" }, proxy);
  expect(late.message).toContain("through the proxy in HTTPS_PROXY within 30 s");
  expect(brokenBy(coded("x"), "sent", {}, proxy).message).not.toContain("proxy");
});

test.each([
  ["the first of several", new AggregateError([coded("ECONNREFUSED"), coded("x")]), "ECONNREFUSED"],
  ["the cause", new Error("other side", { cause: coded("EPIPE") }), "EPIPE"],
  [
    "the cause of undici's own error",
    Object.assign(new Error("other", { cause: coded("EPIPE") }), { code: "UND_ERR_INFO" }),
    "EPIPE",
  ],
  ["the message", new Error("other side closed"), "other side closed"],
  ["nothing", "a text", "unknown reason"],
])("the reason is %s", (_, thrown, reason) => {
  expect(brokenBy(thrown, "sent").message).toMatch(new RegExp(`\\(${reason}\\)$`));
});

test("what is an exchange that broke off already stays as it is", () => {
  const error = new ExchangeError("answer", "size-limit", "too large");
  expect(brokenBy(error, "connect", { stopped: true })).toBe(error);
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
  undefined,
  "",
  " ",
  "-5",
  "+5",
  "soon",
  "5 s",
  "1e3",
  "0x10",
  "NaN",
  "1,5",
  "Sat, x",
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

test("a date is read back as the time until then", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (seconds) => {
      const date = new Date(NOW + seconds * 1000).toUTCString();
      expect(parseRetryAfter(date, NOW)).toBe(seconds * 1000);
    }),
  );
});
