import * as z from "zod/mini";
import type { QueueTask } from "../inputs/tasks-file.ts";
import type { Change } from "../ledger/model/record.ts";
import { cut } from "../text/markdown.ts";

/** Longest title that the ledger keeps, in characters. */
const MAX_TITLE = 80;

/** A task as the ledger keeps it: what the dashboard shows of it, also when the file has lost it. */
export interface TaskChange extends Change {
  id: string;
  /** The first line of its prompt. */
  title: string;
}

/** The same, to check what is read back. */
export const taskChangeShape: z.ZodMiniType<TaskChange> = z.object({
  key: z.string(),
  landedAt: z.number(),
  id: z.string(),
  title: z.string(),
});

export function taskChange({ id, prompt }: QueueTask): TaskChange {
  const [title = ""] = prompt.trim().split(/[\r\n]/, 1);
  return { key: taskKey(id), landedAt: 0, id, title: cut(title, MAX_TITLE) };
}

/** The ledger's key of a task. In quotes, no id is taken for the number of a pull request. */
export function taskKey(id: string): string {
  return JSON.stringify(id);
}
