/** A ledger of any kind: files under a git ref, read at a commit and written as a commit. The engine moves the ref. */

import type { GitRef } from "../github/api/git-ref.ts";
import { MINUTE, type Watch } from "../runtime/clock.ts";
import { invalidInput } from "../runtime/errors.ts";
import {
  type LedgerFile,
  type LedgerFormat,
  ledgerText,
  parseLedger,
  README,
  type Revision,
  timeText,
} from "./file.ts";
import { Unavailable } from "./unavailable.ts";

/** What a ledger needs of {@link GitRef}, which tests replace. No ledger is ever deleted. */
export type Git = Omit<GitRef, "create" | "remove">;

/** Refs below this one are made for a moment, to see whether a ledger could be written. They hold none. */
export const TRIAL_REFS = "refs/docs-agent/doctor/";

/** The refs of the ledgers that have no `ledger-ref` of their own, and their commits. */
export async function listLedgerRefs(git: Git): Promise<{ ref: string; sha: string }[]> {
  const refs = await git.listRefs("docs-agent/");
  return refs.filter(({ ref }) => !ref.startsWith(TRIAL_REFS));
}

/** The ledger at a commit. */
export interface Head<L extends LedgerFile> {
  /** Null if there is none yet. */
  readonly sha: string | null;
  readonly ledger: L;
}

/** How long an intent may belong to a living run, in milliseconds of GitHub's clock. */
export const INTENT_LIFETIME = 10 * MINUTE;

/** Largest history file, in characters: each write sends the whole file. */
const MAX_HISTORY = 1_000_000;

/** Methods throw `Unavailable` if GitHub does not answer, and `invalid-input` if the ref holds another content. */
export class LedgerStore<L extends LedgerFile> {
  readonly git: Git;
  readonly options: {
    /** Full name of the ref. */
    ref: string;
    /** Names the run in its commits: `4242-1-9f3a…`, with a random end. */
    runName: string;
    format: LedgerFormat<L>;
  };
  /** The ledger that was read or written last. */
  head: Head<L>;
  readonly #clock: Watch;
  /** GitHub's time when it last named the ref, in milliseconds since 1970. */
  namedAt = 0;
  /** How long ago it was asked. */
  #elapsed: () => number = () => 0;
  /** The history files that were written with a commit, and before it. */
  #written: { sha: string | null; files: Record<string, string> } = { sha: null, files: {} };

  constructor(git: Git, options: LedgerStore<L>["options"], clock: Watch) {
    this.git = git;
    this.options = options;
    this.#clock = clock;
    this.head = { sha: null, ledger: options.format.begin };
  }

  /** GitHub's time, in milliseconds since 1970. If its answer was slow, later than it really is, but never earlier. */
  get now(): number {
    return Math.floor(this.namedAt + this.#elapsed());
  }

  /**
   * Whether an intent is a dead run's, by the time at which it was written. One without a valid time counts as such.
   */
  readonly isDead = (writtenAt: string): boolean => {
    return !(this.namedAt - Date.parse(writtenAt) < INTENT_LIFETIME);
  };

  async read(): Promise<Head<L>> {
    const elapsed = stopwatch(this.#clock);
    const { sha, now } = await this.git.readRef();
    this.namedAt = now;
    this.#elapsed = elapsed;
    if (sha !== null) return await this.readAt(sha);
    this.head = { sha, ledger: this.options.format.begin };
    return this.head;
  }

  async readAt(sha: string): Promise<Head<L>> {
    const { ref, format } = this.options;
    const text = await this.git.readFile(sha, "ledger.json");
    const parsed = parseLedger(text, format, this.now);
    if ("problem" in parsed) {
      throw invalidInput(
        `The ref ${ref} ${parsed.problem}. Set \`name\` or \`ledger-ref\` to keep another ` +
          "ledger, or look at it with git.",
      );
    }
    this.head = { sha, ledger: parsed.ledger };
    return this.head;
  }

  /** Reads again after a moment, because an answer may come from an outdated copy of GitHub's database. */
  async readAgain(): Promise<Head<L>> {
    await this.git.pause(1);
    return await this.read();
  }

  /** The text of a history file that the ledger names. */
  async readHistory(file: string): Promise<string> {
    const { sha, files } = this.#written;
    const written = sha === this.head.sha ? files[file] : undefined;
    if (written !== undefined) return written;
    const text = await this.git.readFile(this.head.sha, file);
    if (text !== null) return text;
    // An outdated answer must not remove the month's lines.
    throw new Unavailable(
      `GitHub does not show ${file}; if it was removed on purpose, take it out of \`historyFiles\` in ledger.json, too`,
    );
  }

  /** The history file that gets further lines, and its text. A month that needs more than one has several. */
  async #historyFor(lines: string, historyFiles: readonly string[]) {
    const month = `history/${timeText(this.now).slice(0, 7)}`;
    const files = historyFiles.filter((name) => name.startsWith(`${month}.`));
    const last = files.at(-1);
    if (last === undefined) return { file: `${month}.jsonl`, before: "" };
    const before = await this.readHistory(last);
    const isFull = before.length + lines.length > MAX_HISTORY;
    if (!isFull) return { file: last, before };
    return { file: `${month}.${files.length + 1}.jsonl`, before: "" };
  }

  /** Writes a commit on top of the head, which no ref names yet. @returns the head that it would be */
  async commit({ ledger, events, history }: Revision<L>): Promise<Head<L> & { sha: string }> {
    const { sha: parent } = this.head;
    const { runName } = this.options;
    const changed: Record<string, string> = {};
    let { historyFiles } = ledger;
    if (history.length > 0) {
      const lines = history.map((line) => `${JSON.stringify(line)}\n`).join("");
      const { file, before } = await this.#historyFor(lines, historyFiles);
      changed[file] = before + lines;
      if (!historyFiles.includes(file)) historyFiles = [...historyFiles, file];
    }
    const written = { ...ledger, writes: ledger.writes + 1, historyFiles };
    const files = { ...changed, "ledger.json": ledgerText(written) };
    const first = parent === null ? { "README.md": README } : {};
    const message = messageOf(events, runName);
    const sha = await this.git.commit(parent, { ...files, ...first }, message);
    const earlier = this.#written.sha === parent ? this.#written.files : {};
    this.#written = { sha, files: { ...earlier, ...changed } };
    return { sha, ledger: written };
  }
}

/** Starts to measure time. @returns how many milliseconds have passed */
export function stopwatch(clock: Watch): () => number {
  const [monotonic, wall] = [clock.now(), clock.timeOfDay()];
  // If the machine was suspended, only one of its clocks may show that.
  return () => Math.max(clock.now() - monotonic, clock.timeOfDay() - wall);
}

/** Longest first line, in characters. */
const MAX_SUBJECT = 100;

/** Without the trailer, two runs that decide alike in the same second would write the same commit. */
function messageOf(events: readonly string[], runName: string): string {
  // The last event is what the run hands over, which is the most important.
  const subject = events.at(-1) ?? "Look for changes";
  const isWhole = events.length < 2 && subject.length <= MAX_SUBJECT;
  const body = isWhole ? [] : [events.join("\n")];
  return [subject.slice(0, MAX_SUBJECT), ...body, `Run: ${runName}`].join("\n\n");
}
