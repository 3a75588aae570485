import { appendFileSync } from "node:fs";
import * as core from "@actions/core";
import type { Env } from "../net/proxy.ts";
import { cutToBytes } from "../text/markdown.ts";
import type { Secrets } from "../text/secrets.ts";
import { sentence } from "../text/sentence.ts";
import { ActionError, errorMessage } from "./errors.ts";
import type { Log } from "./log.ts";

/** The outputs of a step, the state for its post step, and its summary. No method throws. */
export type StepOutputs = Pick<RunnerOutputs, "setOutput" | "saveState" | "writeSummary">;

const STATE = "run";

/** What the main step saved for its post step; null if it cannot be read, undefined if this is no post step. */
export function readState(): unknown {
  const state = core.getState(STATE);
  if (state === "") return undefined;
  try {
    return JSON.parse(state);
  } catch {
    return null;
  }
}

/**
 * Writes the runner's files, without secrets. If outputs or state cannot be written, the run continues, and they are
 * written again at the end of the step. An output that is larger than 512 KiB is cut at its end, with a warning. A
 * JSON array loses whole items, so that it stays valid.
 */
export class RunnerOutputs {
  readonly #env: Env;
  readonly #secrets: Secrets;
  readonly #log: Log;
  /** What could not be written yet, by its name in errors. */
  readonly #pending = new Map<string, () => void>();
  #cause: unknown;

  /** @param env as `process.env` has it */
  constructor(env: Env, secrets: Secrets, log: Log) {
    this.#env = env;
    this.#secrets = secrets;
    this.#log = log;
  }

  setOutput(name: string, value: string): void {
    const whole = this.#secrets.redact(value);
    const shown = bounded(whole);
    if (shown !== whole) {
      this.#log.warning(`The output ${name} is larger than 512 KiB and was truncated.`);
    }
    this.#write(name, () => core.setOutput(name, shown));
  }

  /** Replaces what was saved before. The file is plain text on the runner: no secret belongs in it. */
  saveState(state: unknown): void {
    const shown = this.#secrets.redactValue(state);
    this.#write("the state for the post step", () => core.saveState(STATE, shown));
  }

  /** Adds Markdown to the step's summary. A file that cannot be written to is a warning. */
  writeSummary(markdown: string): void {
    // core.summary loads Node's promises of files, which takes longer than this write.
    const file = this.#env.GITHUB_STEP_SUMMARY;
    try {
      if (file) appendFileSync(file, `${this.#secrets.redact(markdown)}\n`);
    } catch (error) {
      this.#log.warning(sentence(`The step summary could not be written: ${errorMessage(error)}`));
    }
  }

  /**
   * Writes what could not be written before.
   *
   * @returns what still cannot be written, and why; null when nothing is left
   */
  flush(): ActionError | null {
    for (const [name, write] of [...this.#pending]) this.#write(name, write);
    if (this.#pending.size === 0) return null;
    const names = [...this.#pending.keys()].join(", ");
    const problem = `Step outputs could not be written: ${names} (${errorMessage(this.#cause)}).`;
    return new ActionError("internal", problem, UNWRITTEN, { cause: this.#cause });
  }

  #write(name: string, write: () => void): void {
    try {
      write();
      this.#pending.delete(name);
    } catch (error) {
      this.#pending.set(name, write);
      this.#cause = error;
    }
  }
}

const UNWRITTEN = [
  "The next steps cannot read them; the log above shows what this step did.",
  "Check the runner's disk, and the files named by GITHUB_OUTPUT and GITHUB_STATE.",
].join(" ");

/** Largest output, in bytes of UTF-8: GitHub takes 1 MB for each job, counted in two bytes a character. */
const MAX_OUTPUT = 512 * 1024;

/** A value that fits into one output: of a JSON array the first items, of a text its beginning. */
function bounded(value: string): string {
  if (Buffer.byteLength(value) <= MAX_OUTPUT) return value;
  try {
    const items: unknown = JSON.parse(value);
    if (Array.isArray(items)) return JSON.stringify(firstItems(items));
  } catch {
    // It is a text, or nested more deeply than can be written.
  }
  return `${cutToBytes(value, MAX_OUTPUT - Buffer.byteLength("…"))}…`;
}

/** The first items of a list, as many as fit into one output. */
function firstItems(items: readonly unknown[]): unknown[] {
  const kept: unknown[] = [];
  // The brackets and the commas count, too.
  let bytes = 1;
  for (const item of items) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > MAX_OUTPUT) break;
    kept.push(item);
  }
  return kept;
}
