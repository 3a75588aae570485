/** Reads and writes a ledger of any kind: files under a git ref. */

import type { GitRef } from "../../github/api/git-ref.ts";
import { Unavailable } from "../../github/api/refusal.ts";
import { ActionError, invalidInput } from "../../runtime/errors.ts";
import type { Log } from "../../runtime/log.ts";
import { clause } from "../../text/sentence.ts";
import {
  type FileEdit,
  type LedgerFile,
  type LedgerFormat,
  ledgerText,
  parseLedger,
  README,
} from "../model/file.ts";

/** The parts of git that a ledger needs. */
export type Git = Pick<GitRef, keyof GitRef>;

/** The ledger at a commit. */
export interface Head<L> {
  /** Null if there is none yet. */
  sha: string | null;
  ledger: L;
  /** GitHub's time, in milliseconds since 1970. */
  now: number;
}

export interface StoreOptions<L extends LedgerFile, E extends FileEdit<L>> {
  /** Full name of the ref. */
  ref: string;
  /** Names the run in its commits: `4242-1-9f3a…`, with a random end. */
  runName: string;
  format: LedgerFormat<L>;
  editOf(head: Pick<Head<L>, "ledger" | "now">): E;
}

/** Maximum number of times that a run decides if others write first. */
export const DECISIONS = 3;

/** Maximum number of attempts to move the ref. To repeat one with the same commit is safe. */
const MOVES = 3;

/** Methods throw `Unavailable` if GitHub does not answer, and `invalid-input` if the ref holds another content. */
export class LedgerStore<L extends LedgerFile, E extends FileEdit<L>> {
  readonly git: Git;
  readonly options: StoreOptions<L, E>;
  /** The ledger that was read or written last. */
  head: Head<L>;
  /** The history files that were written with a commit, and before it. */
  #written: { sha: string | null; files: Record<string, string> } = { sha: null, files: {} };

  constructor(git: Git, options: StoreOptions<L, E>) {
    this.git = git;
    this.options = options;
    this.head = { sha: null, ledger: options.format.begin, now: 0 };
  }

  /** A change to the head. */
  edit(): E {
    return this.options.editOf(this.head);
  }

  async read(): Promise<Head<L>> {
    const { sha, now } = await this.git.readRef();
    if (sha !== null) return await this.readAt(sha, now);
    this.head = { sha, now, ledger: this.options.format.begin };
    return this.head;
  }

  async readAt(sha: string, now: number): Promise<Head<L>> {
    const text = await this.git.readFile(sha, "ledger.json");
    const parsed = parseLedger(text, this.options.format);
    if ("problem" in parsed) {
      throw invalidInput(
        `The ref ${this.options.ref} ${parsed.problem}. Set \`name\` or \`ledger-ref\` to keep another ledger, or look at the ref with git.`,
      );
    }
    this.head = { sha, now, ledger: parsed.ledger };
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

  /** Writes a commit on top of the head. @returns the new head; null if another run was first */
  async write(edit: FileEdit<L>): Promise<Head<L> | null> {
    const { sha: parent, now } = this.head;
    const lines = edit.history.map((line) => `${JSON.stringify(line)}\n`);
    const historyFile = `history/${edit.time.slice(0, 7)}.jsonl`;
    const named = edit.ledger.historyFiles;
    const history: Record<string, string> = {};
    if (lines.length > 0) {
      const before = named.includes(historyFile) ? await this.readHistory(historyFile) : "";
      history[historyFile] = before + lines.join("");
    }
    const historyFiles = [...new Set([...named, ...Object.keys(history)])];
    const ledger = { ...edit.ledger, writes: edit.ledger.writes + 1, historyFiles };
    const files: Record<string, string> = { ...history, "ledger.json": ledgerText(ledger) };
    if (parent === null) files["README.md"] = README;
    const message = messageOf(edit.events, this.options.runName);
    const sha = await this.git.commit(parent, files, message);
    if (!(await this.move(parent, sha))) return null;
    const earlier = this.#written.sha === parent ? this.#written.files : {};
    this.#written = { sha, files: { ...earlier, ...history } };
    this.head = { sha, ledger, now };
    return this.head;
  }

  /**
   * Moves the ref from the commit that was read. If GitHub does not confirm it, the run has won if its commit is the ref's
   * or one of its ancestors.
   *
   * @returns whether the run has won
   */
  async move(from: string | null, to: string): Promise<boolean> {
    for (let time = 1; ; time++) {
      const moved = await this.git.move(from, to);
      if (moved.type === "moved") return true;
      const ref = await this.git.readRef();
      if (ref.sha === to) return true;
      if (ref.sha !== from) return ref.sha !== null && (await this.git.contains(ref.sha, to));
      if (moved.type === "refused" && moved.isRace) return false;
      if (moved.type === "refused" || time === MOVES) throw new Unavailable(moved.why);
    }
  }

  /**
   * Records a change that must not be lost. It is repeated on the newest ledger until it is written or the run has to end.
   * If no ledger was read, it begins with the newest one.
   */
  async record(change: (edit: E) => void): Promise<Head<L>> {
    for (let attempt = 1; ; attempt++) {
      let error = new Unavailable("other runs were faster");
      try {
        if (attempt > 1 || this.head.sha === null) await this.#readNewest();
        const edit = this.edit();
        change(edit);
        if (!edit.isChanged || (await this.write(edit)) !== null) return this.head;
      } catch (thrown) {
        if (!(thrown instanceof ActionError)) throw thrown;
        if (thrown instanceof Unavailable) error = thrown;
        // After a ledger that could be read, one that cannot be may come from an old copy.
        else if (this.head.sha !== null) error = new Unavailable(clause(thrown.problem));
        else throw thrown;
      }
      if (!(await this.git.pause(attempt))) throw error;
    }
  }

  /** Records a change in a post step. @param details added to the log */
  async recordLate(change: (edit: E) => void, log: Log, details = ""): Promise<void> {
    try {
      await this.record(change);
      log.info(`What the run has done is recorded.${details}`);
    } catch (error) {
      if (!(error instanceof ActionError)) throw error;
      log.warning(`What the run has done could not be recorded. ${error.problem}${details}`);
    }
  }

  async #readNewest(): Promise<void> {
    const last = this.head;
    const { sha } = await this.read();
    if (sha !== null || last.sha === null) return;
    // The ref was deleted meanwhile. The newest known ledger is the one that this run has read.
    await this.git.move(null, last.sha);
    this.head = last;
  }
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
