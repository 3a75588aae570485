import { type Group, jobIdOf, type Ledger, type Task } from "../batches/model/ledger.ts";
import { chunks, endedMark } from "../batches/model/names.ts";
import { type BatchRevision, needsDecision, openBatches } from "../batches/model/revision.ts";
import { undecidedBatches } from "../batches/model/undecided.ts";
import { cut } from "../text/markdown.ts";
import type { QueueTask, TaskEntry } from "./tasks-file.ts";

/** Longest title that the ledger keeps, in characters. */
const MAX_TITLE = 80;

/** A task and its state. */
export interface TaskView {
  task: Task;
  /** As in the output `tasks`. */
  state: "waiting" | "running" | "done" | "needs-decision";
  /** The job of its batch; null for none. */
  jobId: string | null;
  /** The number of earlier attempts. */
  attempts: number;
  /** The batch in which it was first started; null for none. */
  origin: Group["origin"];
}

/** Batches, groups or lines of the history by the keys of their changes. */
export function byKey<T extends { changes: readonly { key: string }[] }>(
  all: readonly T[],
): Map<string, T> {
  return new Map(all.flatMap((entry) => entry.changes.map(({ key }) => [key, entry] as const)));
}

/** A task in the ledger: what is shown about it, even after it was removed from the file. */
function taskOf({ id, prompt, isPlain }: QueueTask): Task {
  const [title = ""] = prompt.trim().split(/[\r\n]/, 1);
  return { kind: "task", key: id, title: cut(title, MAX_TITLE), isPlain };
}

/**
 * The tasks of a file's entries. Files of open or finished tasks stay together. The others are divided again, so that
 * new files become new tasks, and no file is in two tasks.
 */
export function tasksOf(
  { batches, waiting, ended }: Ledger,
  entries: readonly TaskEntry[],
): QueueTask[] {
  const marks = new Set(ended);
  const sent = [...byKey(batches).keys()];
  const open = [...sent, ...byKey(waiting).keys()];
  return entries.flatMap((entry) => {
    if (!("paths" in entry)) return [entry];
    const { paths, perTask, prompt } = entry;
    const there = new Set(paths);
    const held = open.filter((key) => key.split("\n").every((path) => there.has(path)));
    // No file of a sent task is free, even if others of its files were deleted.
    const taken = new Set([...held, ...sent].flatMap((key) => key.split("\n")));
    const free = paths.filter((path) => !taken.has(path));
    const { done = [], rest = [] } = Object.groupBy(free, (path) =>
      marks.has(endedMark(path)) ? "done" : "rest",
    );
    const fresh = [...chunks(done, perTask), ...chunks(rest, perTask)];
    const ids = [...held, ...fresh.map((group) => group.join("\n"))];
    return ids.map((id) => ({
      id,
      // A function, because a text would have patterns such as `$&`.
      prompt: prompt.replaceAll("{files}", () => id),
      isPlain: false,
    }));
  });
}

/** The tasks of a file, and what a ledger knows about them. */
export class TaskList {
  /** The IDs of the file's tasks. */
  readonly ids: ReadonlySet<string>;
  /** First the file's tasks, in its order, then running ones that are no longer in the file. */
  readonly views: readonly TaskView[];
  /** Those that are started again come first. */
  readonly waiting: readonly {
    task: Task;
    prompt: string;
    /** The number of earlier attempts. */
    attempts: number;
    /** The batch in which it was first started; null for none. */
    origin: Group["origin"];
  }[];
  /** How many need a decision, with those that are no longer in the file. */
  readonly undecided: number;

  constructor(revision: BatchRevision, entries: readonly TaskEntry[]) {
    const { batches, waiting, ended } = revision.ledger;
    const marks = new Set(ended);
    const [batchOf, groupOf] = [byKey(batches), byKey(waiting)];
    const viewOf = (task: Task): TaskView => {
      const { attempts, origin } = groupOf.get(task.key) ?? { attempts: 0, origin: null };
      const batch = batchOf.get(task.key);
      if (batch !== undefined) {
        const state = needsDecision(revision, batch) ? "needs-decision" : "running";
        return { task, state, jobId: jobIdOf(batch), attempts, origin };
      }
      const isEnded = task.key.split("\n").every((part) => marks.has(endedMark(part)));
      const state = isEnded && !groupOf.has(task.key) ? "done" : "waiting";
      return { task, state, jobId: null, attempts, origin };
    };
    const tasks = tasksOf(revision.ledger, entries);
    this.ids = new Set(tasks.map(({ id }) => id));
    this.undecided = undecidedBatches(revision).flatMap(({ changes }) => changes).length;
    const running = openBatches(revision).flatMap(({ changes }) => changes);
    const known = running.filter((change) => change.kind === "task");
    const lost = known.filter(({ key }) => !this.ids.has(key));
    const listed = tasks.map((task) => ({ view: viewOf(taskOf(task)), prompt: task.prompt }));
    this.views = [...listed.map(({ view }) => view), ...lost.map(viewOf)];
    this.waiting = listed
      .filter(({ view }) => view.state === "waiting")
      .map(({ view: { task, attempts, origin }, prompt }) => ({ task, prompt, attempts, origin }))
      .toSorted((task, other) => Number(other.attempts > 0) - Number(task.attempts > 0));
  }

  /** The waiting tasks as a ledger would have them. */
  get groups(): Group[] {
    return this.waiting.map(({ task, attempts, origin }) => ({
      changes: [task],
      origin,
      followUp: null,
      attempts,
      source: null,
      isReleased: true,
    }));
  }

  count(state: TaskView["state"]): number {
    return this.views.filter((view) => view.state === state).length;
  }

  get progress(): Readonly<Record<string, number>> {
    return {
      Done: this.count("done"),
      Running: this.count("running"),
      Waiting: this.count("waiting"),
      "Needs a decision": this.count("needs-decision"),
    };
  }
}

/** The lists of one run. A file may have 20,000 tasks, so none is made twice. */
export class TaskLists {
  readonly #entries: readonly TaskEntry[];
  /** By what a list depends on. */
  #last: { key: string; list: TaskList } | null = null;

  constructor(entries: readonly TaskEntry[]) {
    this.#entries = entries;
  }

  of(revision: BatchRevision): TaskList {
    const { batches, waiting, ended } = revision.ledger;
    // The time counts only as far as it decides which batches wait for a person.
    const undecided = undecidedBatches(revision).map(({ id }) => id);
    const key = JSON.stringify([undecided, batches, waiting, ended]);
    if (this.#last?.key === key) return this.#last.list;
    const list = new TaskList(revision, this.#entries);
    this.#last = { key, list };
    return list;
  }
}
