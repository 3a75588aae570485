import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Cancellation, cancelOnSignal } from "./cancellation.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a cancelled run stops waiting at once, and gives what is under way its time", () => {
  const cancellation = new Cancellation();
  const later = cancellation.after(1_200);
  vi.advanceTimersByTime(10_000);
  expect([cancellation.stop.aborted, later.aborted]).toEqual([false, false]);
  cancellation.cancel();
  expect([cancellation.stop.aborted, later.aborted]).toEqual([true, false]);
  vi.advanceTimersByTime(1_199);
  expect(later.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(later.aborted).toBe(true);
});

test("what begins after the cancellation has its time too", () => {
  const cancellation = new Cancellation();
  cancellation.cancel();
  const later = cancellation.after(500);
  vi.advanceTimersByTime(499);
  expect(later.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(later.aborted).toBe(true);
});

test("a second cancellation does not begin the time anew", () => {
  const cancellation = new Cancellation();
  const later = cancellation.after(1_000);
  cancellation.cancel();
  vi.advanceTimersByTime(600);
  cancellation.cancel();
  vi.advanceTimersByTime(400);
  expect(later.aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test("the runner's signals cancel the run; the first is told, and the process is gone in time", () => {
  const handlers = new Map<string, () => void>();
  vi.spyOn(process, "on").mockImplementation((name, handler) => {
    handlers.set(String(name), handler as () => void);
    return process;
  });
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  const cancellation = new Cancellation();
  const told: string[] = [];
  cancelOnSignal(cancellation, (name) => told.push(name));
  expect([...handlers.keys()]).toEqual(["SIGINT", "SIGTERM", "SIGBREAK"]);

  handlers.get("SIGINT")?.();
  expect(cancellation.stop.aborted).toBe(true);
  vi.advanceTimersByTime(2_599);
  handlers.get("SIGTERM")?.();
  expect(told).toEqual(["SIGINT"]);
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
});
