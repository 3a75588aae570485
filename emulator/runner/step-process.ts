/** A step's process: its lines as they arrive, its signals, and what it leaves behind. */

import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import type { RunningAction, RunOptions, RunResult } from "./step.ts";
import { readFiles, readOutputSoFar, removeFolders, type StepFolders } from "./step-folders.ts";
import { readLines, readLog } from "./step-log.ts";

/** The runner's own delays when a person cancels: SIGINT, then SIGTERM, then the end. */
const CANCEL_TO_SIGTERM_MS = 7_500;
const SIGTERM_TO_KILL_MS = 2_500;

/** How long to wait for a line or an output, unless the caller says otherwise. */
const DEFAULT_WAIT_MS = 60_000;

/** Files have no event that can be relied on everywhere, so they are read this often. */
const FILE_CHECK_MS = 10;

/** Processes that are still running: they end with this one, and so do their folders. */
const running = new Set<StepProcess>();
process.on("exit", () => {
  for (const step of running) step.discard();
});

export class StepProcess implements RunningAction {
  readonly lines: string[] = [];
  readonly result: Promise<RunResult>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #folders: StepFolders;
  readonly #startedAt = performance.now();
  readonly #streams = { stdout: "", stderr: "" };
  readonly #listeners = new Set<() => void>();
  readonly #timers: NodeJS.Timeout[] = [];
  #isOverdue = false;
  #hasEnded = false;

  /** @param limitMs after so much time the process is killed, and `result` rejects */
  constructor(
    child: ChildProcessByStdio<null, Readable, Readable>,
    folders: StepFolders,
    limitMs: number,
    onLine: RunOptions["onLine"],
  ) {
    this.#child = child;
    this.#folders = folders;
    running.add(this);
    this.#read("stdout", onLine);
    this.#read("stderr", onLine);
    this.#after(limitMs, () => {
      this.#isOverdue = true;
      child.kill("SIGKILL");
    });
    this.result = this.#untilEnded(limitMs);
    // A caller that only waits for lines must not fail because of a rejection that it gets there too.
    this.result.catch(() => {});
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  waitForLine(pattern: string | RegExp, limitMs = DEFAULT_WAIT_MS): Promise<string> {
    const matches = (line: string) =>
      typeof pattern === "string" ? line.includes(pattern) : pattern.test(line);
    return this.#waitFor(`line with ${pattern}`, () => this.lines.find(matches), limitMs);
  }

  waitForOutput(name: string, limitMs = DEFAULT_WAIT_MS): Promise<Record<string, string>> {
    return this.#waitFor(`output ${name}`, () => readOutputSoFar(this.#folders, name), limitMs);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  cancel(): void {
    this.signal("SIGINT");
    this.#after(CANCEL_TO_SIGTERM_MS, () => this.signal("SIGTERM"));
    this.#after(CANCEL_TO_SIGTERM_MS + SIGTERM_TO_KILL_MS, () => this.signal("SIGKILL"));
  }

  /** Kills the process and removes its folders at once; nobody gets a result. */
  discard(): void {
    this.signal("SIGKILL");
    removeFolders(this.#folders);
  }

  #after(delayMs: number, callback: () => void): void {
    this.#timers.push(setTimeout(callback, delayMs));
  }

  #read(name: "stdout" | "stderr", onLine: RunOptions["onLine"]): void {
    readLines(this.#child[name], {
      onText: (text) => {
        this.#streams[name] += text;
      },
      onLine: (line) => {
        this.lines.push(line);
        onLine?.(line, name);
        this.#notify();
      },
    });
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  async #untilEnded(limitMs: number): Promise<RunResult> {
    const { promise, resolve, reject } =
      Promise.withResolvers<Pick<RunResult, "exitCode" | "signal">>();
    this.#child.once("error", reject);
    this.#child.once("close", (exitCode, signal) => resolve({ exitCode, signal }));
    try {
      const end = await promise;
      if (this.#isOverdue) {
        throw new Error(`The step did not end within ${limitMs} ms. Its log:\n${this.#log()}`);
      }
      return {
        ...end,
        ...this.#streams,
        ...readLog(this.lines),
        ...readFiles(this.#folders),
        durationMs: performance.now() - this.#startedAt,
      };
    } finally {
      this.#hasEnded = true;
      running.delete(this);
      for (const timer of this.#timers) clearTimeout(timer);
      removeFolders(this.#folders);
      this.#notify();
    }
  }

  async #waitFor<T>(what: string, find: () => T | undefined, limitMs: number): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const check = () => {
      const found = find();
      if (found !== undefined) resolve(found);
      else if (this.#hasEnded) reject(new Error(`The step ended without ${what}:\n${this.#log()}`));
    };
    const timer = setTimeout(
      () => reject(new Error(`No ${what} within ${limitMs} ms:\n${this.#log()}`)),
      limitMs,
    );
    const interval = setInterval(check, FILE_CHECK_MS);
    this.#listeners.add(check);
    check();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      clearInterval(interval);
      this.#listeners.delete(check);
    }
  }

  #log(): string {
    return this.lines.join("\n");
  }
}
