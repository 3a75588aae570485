import type { Failed } from "../../github/refusal.ts";
import {
  type FileEdit,
  type LedgerFile,
  type LedgerFormat,
  type LedgerIdentity,
  ledgerText,
  notShown,
  README,
} from "../model/file.ts";
import { batchFormat, type Ledger } from "../model/ledger.ts";
import { type BatchRules, LedgerEdit } from "../model/ledger-edit.ts";
import { hasFailed, io, type Steps } from "./port.ts";

/** Which ledger of batches it is, and its rules: plain data. */
export interface LedgerSettings {
  identity: LedgerIdentity;
  rules: BatchRules;
  /** Full name of the ref. */
  ref: string;
  /** Names the run in its commits: `4242-1-9f3a…`, with a random end. */
  runName: string;
}

/** The ledger at a commit. */
export interface Head<L = Ledger> {
  /** Null: there is none yet. */
  sha: string | null;
  ledger: L;
  /** GitHub's time, in milliseconds since 1970. */
  now: number;
}

/** The ref exists, but its content is not this action's ledger. `problem` is a text for people. */
export interface Unusable {
  problem: string;
}

/** What a run needs to read and write a ledger of any kind. */
export interface FileSettings<L extends LedgerFile, E extends FileEdit<L>> {
  ref: string;
  runName: string;
  format: LedgerFormat<L>;
  editOf(head: Pick<Head<L>, "ledger" | "now">): E;
}

/** The same for a ledger of batches. */
export type BatchSettings = FileSettings<Ledger, LedgerEdit>;

export function ofBatches({ ref, runName, identity, rules }: LedgerSettings): BatchSettings {
  const editOf: BatchSettings["editOf"] = ({ ledger, now }) => new LedgerEdit(ledger, now, rules);
  return { ref, runName, format: batchFormat(identity), editOf };
}

type Readable<L extends LedgerFile> = Pick<FileSettings<L, FileEdit<L>>, "ref" | "format">;

/** Reads the ref, and the ledger at the commit that it leads to. */
export function* readHead<L extends LedgerFile>(
  settings: Readable<L>,
): Steps<Head<L> | Failed | Unusable> {
  const read = yield* io.readRef();
  if (hasFailed(read)) return read;
  const { sha, now } = read;
  if (sha === null) return { sha, now, ledger: settings.format.begin() };
  return yield* headAt(settings, sha, now);
}

/** Reads the ledger at a commit. */
export function* headAt<L extends LedgerFile>(
  { ref, format }: Readable<L>,
  sha: string,
  now: number,
): Steps<Head<L> | Failed | Unusable> {
  const file = yield* io.readFile(sha, "ledger.json");
  if (hasFailed(file)) return file;
  const parsed = format.parse(file.text);
  if ("ledger" in parsed) return { sha, now, ledger: parsed.ledger };
  const advice = "Set `name` or `ledger-ref` to keep another ledger, or look at the ref with git.";
  return { problem: `The ref ${ref} ${parsed.problem}. ${advice}` };
}

/** The result of a write. */
export type Written<L = Ledger> =
  | { type: "written"; head: Head<L> }
  | { type: "lost" }
  | (Failed & { type: "failed" });

/**
 * One ledger write: a commit on top of the head that the edit was made from, or nothing if the ref is
 * no longer there.
 */
export function* writeLedger<L extends LedgerFile>(
  { runName }: Pick<LedgerSettings, "runName">,
  { sha: parent, now }: Head<L>,
  edit: FileEdit<L>,
): Steps<Written<L>> {
  const { history } = edit;
  const historyFile = `history/${edit.time.slice(0, 7)}.jsonl`;
  const known = edit.ledger.historyFiles;
  const files: Record<string, string> = {};
  if (history.length > 0) {
    const isBegun = known.includes(historyFile);
    const before = isBegun ? yield* io.readFile(parent ?? "", historyFile) : { text: "" };
    if (hasFailed(before)) return { type: "failed", ...before };
    // An answer from an old copy of GitHub's database must not cost the month.
    if (before.text === null) return { type: "failed", failed: notShown(historyFile) };
    files[historyFile] = [before.text, ...history.map((it) => `${JSON.stringify(it)}\n`)].join("");
  }
  const historyFiles = [...new Set([...known, ...Object.keys(files)])];
  const ledger = { ...edit.ledger, writes: edit.ledger.writes + 1, historyFiles };
  files["ledger.json"] = ledgerText(ledger);
  if (parent === null) files["README.md"] = README;
  const commit = yield* io.commit(parent, files, messageOf(edit.events, runName));
  if (hasFailed(commit)) return { type: "failed", ...commit };
  const moved = yield* moveRef(parent, commit.sha);
  if (moved === "lost") return { type: "lost" };
  if (moved !== "won") return { type: "failed", ...moved };
  return { type: "written", head: { sha: commit.sha, ledger, now } };
}

/** How often an unanswered move is repeated: with the same commit, it can do no harm. */
const MOVES = 3;

/**
 * Moves the ref from where it was read. After any answer but a plain yes, the run whose commit the ref
 * holds, now or among its ancestors, has won.
 */
export function* moveRef(from: string | null, to: string): Steps<"won" | "lost" | Failed> {
  for (let time = 1; ; time++) {
    const moved = yield* io.move(from, to);
    if (moved.type === "moved") return "won";
    const ref = yield* io.readRef();
    if (hasFailed(ref)) return { failed: moved.why };
    if (ref.sha === to) return "won";
    if (ref.sha !== from) {
      if (ref.sha === null) return "lost";
      const held = yield* io.contains(ref.sha, to);
      if (hasFailed(held)) return held;
      return held.contains ? "won" : "lost";
    }
    if (moved.type === "refused") return moved.isRace ? "lost" : { failed: moved.why };
    if (time === MOVES) return { failed: moved.why };
  }
}

/**
 * Makes a change that must not be lost: again on top of the newest ledger, until it is written or the run has
 * to end.
 */
export function* record<L extends LedgerFile, E extends FileEdit<L>>(
  settings: FileSettings<L, E>,
  from: Head<L>,
  change: (edit: E) => void,
): Steps<Head<L> | Failed> {
  let head = from;
  for (let attempt = 1; ; attempt++) {
    const edit = settings.editOf(head);
    change(edit);
    if (!edit.isChanged) return head;
    const written = yield* writeLedger(settings, head, edit);
    if (written.type === "written") return written.head;
    if (!(yield* io.pause(attempt))) {
      return { failed: written.type === "failed" ? written.failed : "other runs were faster" };
    }
    const newest = yield* readHead(settings);
    if ("failed" in newest || "problem" in newest) continue;
    // Somebody deleted the ref meanwhile: what this run has read is the newest that is known.
    if (newest.sha === null && head.sha !== null) yield* io.move(null, head.sha);
    else head = newest;
  }
}

/** The same without a ledger that was read before: on top of the newest one. */
export function* recordOnNewest<L extends LedgerFile, E extends FileEdit<L>>(
  settings: FileSettings<L, E>,
  change: (edit: E) => void,
): Steps<Head<L> | Failed | Unusable> {
  for (let attempt = 1; ; attempt++) {
    const head = yield* readHead(settings);
    if ("sha" in head) return yield* record(settings, head, change);
    if ("problem" in head || !(yield* io.pause(attempt))) return head;
  }
}

/** Longest first line, in characters. */
const MAX_SUBJECT = 100;

/** Without the trailer, two runs that decide alike in the same second would write the same commit. */
function messageOf(events: readonly string[], runName: string): string {
  // What a run hands over comes last, and matters most.
  const subject = events.at(-1) ?? "Look for changes";
  const isWhole = events.length < 2 && subject.length <= MAX_SUBJECT;
  const body = isWhole ? [] : [events.join("\n")];
  return [subject.slice(0, MAX_SUBJECT), ...body, `Run: ${runName}`].join("\n\n");
}
