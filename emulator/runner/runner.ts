/**
 * Runs an action's committed bundle as GitHub's runner does, with inputs, event and files in the environment and
 * nothing else inherited, and reads what the runner reads.
 */

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { type Kept, keptOf } from "./kept.ts";
import { prepareScript, prepareStep } from "./prepare-step.ts";
import type { RunOptions } from "./run-options.ts";
import {
  readFiles,
  readOutputSoFar,
  removeFolders,
  type StepFiles,
  type StepFolders,
} from "./step-folders.ts";
import { readLines, readLog, type StepLog } from "./workflow-commands.ts";

export { REPOSITORY_ROOT } from "./prepare-step.ts";
export type { RunOptions } from "./run-options.ts";

/** What a step left behind. */
export interface RunResult extends StepLog, StepFiles, Kept {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  durationMs: number;
}

/** Long, because a machine that runs all tests at once is slow; a stuck step still ends. */
export const DEFAULT_LIMIT_MS = 90_000;

/** The runner's own delays when a person cancels: SIGINT, then SIGTERM, then the end. */
const CANCEL_TO_SIGTERM_MS = 7_500;
const SIGTERM_TO_KILL_MS = 2_500;

/** How long to wait for a line or an output. */
const WAIT_MS = 60_000;

/** Interval at which lines and files are read: no event for changed files is reliable on every system. */
const CHECK_MS = 10;

/** Running steps. They end with this process, and their folders are removed. */
const running = new Set<RunningAction>();
process.on("exit", () => {
  for (const step of running) step.discard();
});

export function runAction(options: RunOptions): Promise<RunResult> {
  return startAction(options).result;
}

function commandOf(options: RunOptions) {
  const { script } = options;
  // As the runner does where a step names no shell.
  if (script !== undefined)
    return { command: "bash", args: ["-e", "-c", script], ...prepareScript(options) };
  const { bundle, ...prepared } = prepareStep(options);
  return { command: process.execPath, args: [bundle], ...prepared };
}

/** Starts a step and returns at once. @throws when the action or its bundle is missing */
export function startAction(options: RunOptions): RunningAction {
  return new RunningAction(options);
}

export class RunningAction {
  readonly lines: string[];
  /** Resolves when the step has ended, whatever its exit code. */
  readonly result: Promise<RunResult>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #folders: StepFolders;
  readonly #streams = { stdout: "", stderr: "" };
  readonly #timers: NodeJS.Timeout[] = [];
  #hasEnded = false;

  constructor(options: RunOptions) {
    const { command, args, env, log, folders } = commandOf(options);
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    this.lines = log;
    this.#folders = folders;
    this.#child = spawn(command, args, { cwd: folders.workspace, env, stdio });
    running.add(this);
    for (const name of ["stdout", "stderr"] as const) {
      readLines(this.#child[name], {
        onText: (text) => {
          this.#streams[name] += text;
        },
        onLine: (line) => {
          this.lines.push(line);
          options.onLine?.(line, name);
        },
      });
    }
    this.result = this.#untilEnded(options.limitMs ?? DEFAULT_LIMIT_MS);
    // A caller that only waits for lines gets the same error there.
    this.result.catch(() => {});
  }

  /** Resolves with the first line, past or to come, that matches. */
  waitForLine(pattern: string | RegExp): Promise<string> {
    const matches = (line: string) =>
      typeof pattern === "string" ? line.includes(pattern) : pattern.test(line);
    return this.#waitFor(`line with ${pattern}`, () => this.lines.find(matches));
  }

  /** Resolves with the outputs once the file holds a value for this name. */
  waitForOutput(name: string): Promise<Record<string, string>> {
    return this.#waitFor(`output ${name}`, () => readOutputSoFar(this.#folders, name));
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Cancels as the runner does: SIGINT, 7.5 s later SIGTERM, 2.5 s later SIGKILL. */
  cancel(): void {
    this.signal("SIGINT");
    this.#after(CANCEL_TO_SIGTERM_MS, () => this.signal("SIGTERM"));
    this.#after(CANCEL_TO_SIGTERM_MS + SIGTERM_TO_KILL_MS, () => this.signal("SIGKILL"));
  }

  /** Kills the process and removes its folders at once, without a result. */
  discard(): void {
    this.signal("SIGKILL");
    removeFolders(this.#folders);
  }

  #after(delayMs: number, callback: () => void): void {
    this.#timers.push(setTimeout(callback, delayMs));
  }

  async #untilEnded(limitMs: number): Promise<RunResult> {
    const startedAt = performance.now();
    let isOverdue = false;
    this.#after(limitMs, () => {
      isOverdue = true;
      this.signal("SIGKILL");
    });
    try {
      const [exitCode, signal] = await once(this.#child, "close");
      if (isOverdue) throw this.#problem(`The step did not end within ${limitMs} ms`);
      const log = readLog(this.lines);
      const files = readFiles(this.#folders);
      return {
        exitCode,
        signal,
        ...this.#streams,
        ...log,
        ...files,
        ...keptOf(log, files),
        durationMs: performance.now() - startedAt,
      };
    } finally {
      this.#hasEnded = true;
      running.delete(this);
      for (const timer of this.#timers) clearTimeout(timer);
      removeFolders(this.#folders);
    }
  }

  async #waitFor<T>(description: string, find: () => T | undefined): Promise<T> {
    const giveUpAt = performance.now() + WAIT_MS;
    for (;;) {
      const hasEnded = this.#hasEnded;
      const result = find();
      if (result !== undefined) return result;
      if (hasEnded) throw this.#problem(`The step ended without ${description}`);
      if (performance.now() > giveUpAt) {
        throw this.#problem(`No ${description} within ${WAIT_MS} ms`);
      }
      await delay(CHECK_MS);
    }
  }

  #problem(message: string): Error {
    return new Error(`${message}. Its log:\n${this.lines.join("\n")}`);
  }
}
