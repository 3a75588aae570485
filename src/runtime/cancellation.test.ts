import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Cancellation, cancelOnSignal } from "./cancellation.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Sends signals to listeners that are not registered. An exit of the process throws its code. */
function minded(cancellation: Cancellation) {
  const listeners = new Map<string | symbol, (...given: unknown[]) => void>();
  vi.spyOn(process, "on").mockImplementation((name, listener) => {
    listeners.set(name, listener);
    return process;
  });
  vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  const heard: string[] = [];
  cancelOnSignal(cancellation, (name) => heard.push(name));
  return { signal: (name: string) => listeners.get(name)?.(name), heard };
}

test("a cancelled run stops at once, and what is under way has its time", () => {
  const cancellation = new Cancellation();
  const [short, long] = [cancellation.after(1_200), cancellation.after(2_200)];
  cancellation.cancel();
  expect(cancellation.stop.aborted).toBe(true);
  vi.advanceTimersByTime(1_199);
  expect([short.aborted, long.aborted]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect([short.aborted, long.aborted]).toEqual([true, false]);
  vi.advanceTimersByTime(999);
  expect(long.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(long.aborted).toBe(true);
});

test("what begins after the cancellation has its time from its own beginning", () => {
  const cancellation = new Cancellation();
  cancellation.cancel();
  vi.advanceTimersByTime(500);
  const signal = cancellation.after(1_200);
  vi.advanceTimersByTime(1_199);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.aborted).toBe(true);
});

test("a second cancellation does not give more time", () => {
  const cancellation = new Cancellation();
  const signal = cancellation.after(1_200);
  cancellation.cancel();
  vi.advanceTimersByTime(1_000);
  cancellation.cancel();
  vi.advanceTimersByTime(200);
  expect(signal.aborted).toBe(true);
});

test.each(["SIGINT", "SIGTERM", "SIGBREAK"])("at %s the process is gone after 2.6 s", (name) => {
  const cancellation = new Cancellation();
  const { signal, heard } = minded(cancellation);
  signal(name);
  expect(cancellation.stop.aborted).toBe(true);
  expect(heard).toEqual([name]);
  vi.advanceTimersByTime(2_599);
  expect(() => vi.advanceTimersByTime(1)).toThrow("exit 1");
});

test("a second signal is not reported, and does not put off the end", () => {
  const { signal, heard } = minded(new Cancellation());
  signal("SIGINT");
  vi.advanceTimersByTime(2_000);
  signal("SIGTERM");
  expect(() => vi.advanceTimersByTime(600)).toThrow("exit 1");
  expect(heard).toEqual(["SIGINT"]);
  vi.advanceTimersByTime(10_000);
});
