import type { QueueTask, TaskEntry } from "../inputs/tasks-file.ts";
import type { Change, Group, Ledger, Task } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import { chunks, endedMark } from "../ledger/model/names.ts";
import { cut, type Slice } from "../text/markdown.ts";

/** Longest title that the ledger keeps, in characters. */
const MAX_TITLE = 80;

/** A state in the output `tasks`. */
export type TaskState = "waiting" | "running" | "done" | "needs-decision";

/** A task and its state. */
export interface TaskView {
  task: Task;
  state: TaskState;
  /** The job of its batch; null for none. */
  jobId: string | null;
  prLink: string | null;
  /** The number of earlier attempts. */
  attempts: number;
}

/** A task in the ledger: what is shown about it, even after it was removed from the file. */
export function taskOf({ id, prompt, isPlain }: QueueTask): Task {
  const [title = ""] = prompt.trim().split(/[\r\n]/, 1);
  return { kind: "task", key: id, title: cut(title, MAX_TITLE), id, isPlain };
}

/**
 * The tasks of a file's entries. Files of open or finished tasks stay together. The others are divided again, so that new
 * files become new tasks, and no file is in two tasks.
 */
export function tasksOf(
  { batches, waiting, ended }: Ledger,
  entries: readonly TaskEntry[],
): QueueTask[] {
  const marks = new Set(ended);
  const keysOf = (all: readonly Pick<Group, "changes">[]) =>
    all.flatMap(({ changes }) => changes.map(({ key }) => key));
  const sent = keysOf(batches);
  const open = [...sent, ...keysOf(waiting)];
  return entries.flatMap((entry) => {
    if (!("paths" in entry)) return [entry];
    const { paths, perTask, prompt } = entry;
    const there = new Set(paths);
    const held = open.filter((key) => key.split("\n").every((path) => there.has(path)));
    // No file of a sent task is free, even if others of its files were deleted.
    const taken = new Set([...held, ...sent].flatMap((key) => key.split("\n")));
    const free = paths.filter((path) => !taken.has(path));
    const done = free.filter((path) => marks.has(endedMark(path)));
    const rest = free.filter((path) => !marks.has(endedMark(path)));
    const fresh = [...chunks(done, perTask), ...chunks(rest, perTask)];
    const ids = [...held, ...fresh.map((group) => group.join("\n"))];
    return ids.map((id) => ({ id, prompt: prompt.replaceAll("{files}", id), isPlain: false }));
  });
}

/** The state of each task: first the file's, in its order, then running ones that are no longer in the file. */
export function viewTasks(edit: LedgerEdit, tasks: readonly QueueTask[]): TaskView[] {
  const { batches, waiting, ended } = edit.ledger;
  const marks = new Set(ended);
  const held = new Map(
    batches.flatMap((batch) => batch.changes.map(({ key }) => [key, batch] as const)),
  );
  const again = new Map(
    waiting.flatMap((group) => group.changes.map(({ key }) => [key, group] as const)),
  );
  const viewOf = (task: Task): TaskView => {
    const batch = held.get(task.key);
    const attempts = again.get(task.key)?.attempts ?? 0;
    const rest = { task, jobId: batch?.jobId ?? null, prLink: null, attempts };
    if (batch !== undefined) {
      return { ...rest, state: edit.needsDecision(batch) ? "needs-decision" : "running" };
    }
    const isEnded = task.key.split("\n").every((part) => marks.has(endedMark(part)));
    return { ...rest, state: isEnded && !again.has(task.key) ? "done" : "waiting" };
  };
  const inFile = tasks.map(taskOf).map(viewOf);
  const keys = new Set(inFile.map(({ task }) => task.key));
  const isLost = (one: Change): one is Task => one.kind === "task" && !keys.has(one.key);
  const lost = edit.active.flatMap(({ changes }) => changes.filter(isLost));
  return [...inFile, ...lost.map(viewOf)];
}

/** The waiting tasks for the dashboard: those that are started again come first. */
export function waitingGroups(views: readonly TaskView[]): Group[] {
  return views
    .filter(({ state }) => state === "waiting")
    .toSorted((one, other) => Number(other.attempts > 0) - Number(one.attempts > 0))
    .map(({ task, attempts }) => ({ changes: [task], attempts, source: "", isReleased: true }));
}

export function countOf(views: readonly TaskView[], state: TaskState): number {
  return views.filter((view) => view.state === state).length;
}

export function progressOf(views: readonly TaskView[]): Slice[] {
  return [
    { name: "Done", meaning: "good", count: countOf(views, "done") },
    { name: "Running", meaning: "at work", count: countOf(views, "running") },
    { name: "Waiting", meaning: "at rest", count: countOf(views, "waiting") },
    { name: "Needs a decision", meaning: "wrong", count: countOf(views, "needs-decision") },
  ];
}
