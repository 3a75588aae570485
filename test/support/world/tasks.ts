/** The tasks of the queue. */

/** Path of the tasks file. */
export const TASKS_FILE = "docs/tasks.yml";

/** A tasks file in JSON, with a task for each ID. */
export function tasksFile(...ids: string[]): string {
  return JSON.stringify(ids.map((id) => ({ id, prompt: `Document ${id}.` })));
}
