import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TimeLimit } from "./time-limit.ts";

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
