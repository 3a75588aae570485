import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Exchange, type Outgoing, parseRetryAfter, type Stage } from "./exchange.ts";
import { TunnelError } from "./proxy.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const OUTGOING: Outgoing = {
  method: "GET",
  url: new URL("https://api.example:8443"),
  headers: {},
  headerLimit: 30_000,
  bodyLimit: 30_000,
  maxBytes: 100,
};

test("a limit aborts when its time is over, and not before; one that is set anew runs from then on", () => {
  const exchange = new Exchange(OUTGOING);
  vi.advanceTimersByTime(29_999);
  exchange.restart(500);
  vi.advanceTimersByTime(499);
  expect(exchange.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(exchange.signal.reason).toMatchObject({ stage: "connect", reason: "time-limit" });
});

test("a limit beyond what Node's timers hold is no limit of 1 ms", () => {
  const { signal } = new Exchange({ ...OUTGOING, headerLimit: Number.MAX_SAFE_INTEGER });
  vi.advanceTimersByTime(24 * 60 * 60_000);
  expect(signal.aborted).toBe(false);
});

test.each(["before", "during"])("the caller stops it %s the exchange: no timer is left", (when) => {
  const caller = new AbortController();
  if (when === "before") caller.abort();
  const exchange = new Exchange({ ...OUTGOING, signal: caller.signal });
  caller.abort();
  exchange.restart(1_000);
  expect(exchange.signal.reason).toMatchObject({ reason: "stopped" });
  expect(vi.getTimerCount()).toBe(0);
});

test("once it has ended, neither the time nor the caller aborts anything", () => {
  const caller = new AbortController();
  const exchange = new Exchange({ ...OUTGOING, signal: caller.signal });
  exchange.clear();
  vi.advanceTimersByTime(60_000);
  caller.abort();
  expect(exchange.signal.aborted).toBe(false);
});

const coded = (code: string) => Object.assign(new Error(`read ${code}`), { code });

test.each<[Stage, "lost" | "late" | "stopped", string]>([
  ["connect", "lost", "could not connect to api.example:8443 through the proxy in P (EPIPE)"],
  ["sent", "lost", "api.example:8443 did not respond (EPIPE)"],
  ["answer", "lost", "api.example:8443 did not send a complete response (EPIPE)"],
  ["connect", "late", "could not connect to api.example:8443 through the proxy in P within 1.3 s"],
  ["sent", "late", "api.example:8443 did not respond within 1.3 s"],
  ["answer", "late", "api.example:8443 did not send a complete response within 1.3 s"],
  ["sent", "stopped", "stopped by the run"],
])("at the stage %s, %s: %s", (stage, how, message) => {
  const caller = new AbortController();
  const exchange = new Exchange({ ...OUTGOING, signal: caller.signal }, "P");
  exchange.stage = stage;
  if (how === "late") exchange.restart(1_250);
  if (how === "stopped") caller.abort();
  if (how === "late") vi.advanceTimersByTime(1_250);
  expect(exchange.failed(coded("EPIPE"))).toMatchObject({ stage, message });
});

test.each([
  new TunnelError("the proxy returned 502"),
  // As Node throws a TLS alert that OpenSSL has no words for.
  Object.assign(new Error("sslv3 alert 255"), { library: "SSL routines" }),
])("without a code, the reason is the message: $message", (cause) => {
  expect(new Exchange(OUTGOING).failed(cause)).toMatchObject({
    reason: "network",
    cause,
    message: `could not connect to api.example:8443 (${cause.message})`,
  });
});

test("the error of several addresses, which has no message, is told by the first one's code", () => {
  const cause = new AggregateError([coded("ETIMEDOUT"), coded("ENETUNREACH")], "");
  const message = "could not connect to api.example:8443 (ETIMEDOUT)";
  expect(new Exchange(OUTGOING).failed(cause)).toMatchObject({ reason: "network", message });
});

const withCode = (error: Error, code: string) => Object.assign(error, { code });

test.each<[string, unknown]>([
  ["an error of a type", new TypeError("x is not a function")],
  ["one of Node's with a code", withCode(new TypeError("The argument"), "ERR_INVALID_ARG_TYPE")],
  ["a number beyond its range", withCode(new RangeError("The port"), "ERR_SOCKET_BAD_PORT")],
  ["an argument that undici refuses", withCode(new Error("path"), "UND_ERR_INVALID_ARG")],
  ["a header that undici refuses", withCode(new Error("expect"), "UND_ERR_NOT_SUPPORTED")],
  ["a wrong length", withCode(new Error("length"), "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH")],
  ["an error of any kind", new Error("unexpected")],
  ["a text", "some text"],
  ["nothing", undefined],
])("a mistake of the action is thrown as it is, and ends the exchange: %s", (_, mistake) => {
  const exchange = new Exchange(OUTGOING);
  let thrown: unknown = "nothing was thrown";
  try {
    exchange.failed(mistake);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBe(mistake);
  expect(exchange.signal.aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
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

test.each(NOTHING)("%j is no delay", (value) => {
  expect(parseRetryAfter(value, NOW)).toBeNull();
});

test("no header gives a time before now, or NaN", () => {
  const text = fc.oneof(
    fc.string(),
    fc.date({ noInvalidDate: true }).map((it) => it.toUTCString()),
  );
  fc.assert(
    fc.property(text, (value) => {
      const read = parseRetryAfter(value, NOW);
      if (read !== null) expect(read).toBeGreaterThanOrEqual(0);
    }),
  );
});
