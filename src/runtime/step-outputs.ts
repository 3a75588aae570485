import { appendFileSync } from "node:fs";
import * as core from "@actions/core";
import type { Env } from "../net/proxy.ts";
import { cutToBytes } from "../text/markdown.ts";
import type { Secrets } from "../text/secrets.ts";
import { sentence } from "../text/sentence.ts";
import { ActionError, errorMessage } from "./errors.ts";
import type { Log } from "./log.ts";

/** The outputs of a step, the state for its post step, and its summary. No method throws. */
export interface StepOutputs {
  /** @param value null for an empty output */
  setOutput(name: string, value: string | null): void;
  /** @param state null for none */
  saveState(state: unknown): void;
  writeSummary(markdown: string): void;
}

const STATE = "run";

/** What the main step saved for its post step; null if it cannot be read, undefined if this is not a post step. */
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
 * written again at the end of the step. An output that is larger than 512 KiB, or for which GitHub's limit for all of
 * them leaves no room, is cut at its end, with a warning. A JSON array loses whole items, so that it stays valid.
 */
export class RunnerOutputs implements StepOutputs {
  readonly #env: Env;
  readonly #secrets: Secrets;
  readonly #log: Log;
  /** What could not be written yet, by its name in errors. */
  readonly #pending = new Map<string, () => void>();
  /** The lengths of the outputs by their names, in UTF-16 code units. */
  readonly #lengths = new Map<string, number>();
  /** What still fits into the summary, in bytes of UTF-8. */
  #summaryRoom = MAX_SUMMARY;
  #cause: unknown;

  /** @param env as `process.env` has it */
  constructor(env: Env, secrets: Secrets, log: Log) {
    this.#env = env;
    this.#secrets = secrets;
    this.#log = log;
  }

  /** @param value null for an empty output */
  setOutput(name: string, value: string | null): void {
    const whole = value === null ? "" : this.#secrets.redact(value);
    this.#lengths.delete(name);
    const used = [...this.#lengths.values()].reduce((sum, length) => sum + length, 0);
    const shown = bounded(whole, Math.max(SMALL, MAX_ALL - RESERVED - used));
    this.#lengths.set(name, shown.length);
    if (shown !== whole) {
      const limit = Buffer.byteLength(whole) > MAX_OUTPUT ? "larger than 512 KiB" : TOO_LARGE;
      this.#log.warning(`The output ${name} is ${limit} and was truncated.`);
    }
    this.#write(name, () => core.setOutput(name, shown));
  }

  /** Replaces what was saved before. The file is plain text on the runner: no secret belongs in it. */
  saveState(state: unknown): void {
    const shown = this.#secrets.redactValue(state);
    this.#write("the state for the post step", () => core.saveState(STATE, shown));
  }

  /**
   * Adds Markdown to the step's summary. GitHub drops a summary of more than 1 MiB, so it ends after 1,000 KiB, with a
   * note. A file that cannot be written to is a warning.
   */
  writeSummary(markdown: string): void {
    // core.summary loads Node's promises of files, which takes longer than this write.
    const file = this.#env.GITHUB_STEP_SUMMARY;
    if (this.#summaryRoom === 0) return;
    const whole = `${this.#secrets.redact(markdown)}\n`;
    const isWhole = Buffer.byteLength(whole) <= this.#summaryRoom;
    const shown = isWhole ? whole : cutSummary(whole, this.#summaryRoom);
    this.#summaryRoom -= isWhole ? Buffer.byteLength(whole) : this.#summaryRoom;
    if (!isWhole) this.#log.warning("The step summary is larger than 1,000 KiB and was truncated.");
    try {
      if (file) appendFileSync(file, shown);
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

/** Largest output, in bytes of UTF-8. */
const MAX_OUTPUT = 512 * 1024;
/** All outputs of a step, in UTF-16 code units: GitHub takes 1 MB for a job, counted in two bytes for each. */
const MAX_ALL = 500_000;
/** The part of this that large outputs leave to those that are set later, such as the reason for a failure. */
const RESERVED = 50_000;
/** What an output may have in any case, in UTF-16 code units. */
const SMALL = 5_000;
const TOO_LARGE = "too large for GitHub's limit of 1 MB for all outputs";

/**
 * A value that fits into one output: of a JSON array the first items, of a text its beginning.
 *
 * @param most the maximum length, in UTF-16 code units
 */
function bounded(value: string, most: number): string {
  if (Buffer.byteLength(value) <= MAX_OUTPUT && value.length <= most) return value;
  try {
    const items: unknown = JSON.parse(value);
    if (Array.isArray(items)) return JSON.stringify(firstItems(items, most));
  } catch {
    // It is a text, or nested more deeply than can be written.
  }
  const beginning = value.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "");
  return `${cutToBytes(beginning, MAX_OUTPUT - Buffer.byteLength("…"))}…`;
}

/** The first items of a list, as many as fit into one output. */
function firstItems(items: readonly unknown[], most: number): unknown[] {
  const kept: unknown[] = [];
  // The brackets and the commas count, too.
  let bytes = 1;
  let length = 1;
  for (const item of items) {
    const text = JSON.stringify(item);
    bytes += Buffer.byteLength(text) + 1;
    length += text.length + 1;
    if (bytes > MAX_OUTPUT || length > most) break;
    kept.push(item);
  }
  return kept;
}

/** Largest summary of a step, in bytes of UTF-8. */
const MAX_SUMMARY = 1_000 * 1024;
const SUMMARY_END = "\n\n…\n\nThe rest of this summary is left out: GitHub shows at most 1 MiB.\n";

/** The first lines of a summary, as many as fit, with a note. @param room in bytes */
function cutSummary(markdown: string, room: number): string {
  const beginning = cutToBytes(markdown, room - Buffer.byteLength(SUMMARY_END));
  const lines = beginning.slice(0, Math.max(0, beginning.lastIndexOf("\n")));
  return `${lines}${SUMMARY_END}`;
}
