/** Events for which GitHub starts no run, whatever the workflows say. */

import { mergeabilityOf } from "../../emulator/github/merge.ts";
import type { Repository } from "../../emulator/github/repository.ts";
import type { WorkflowEvent } from "./workflow.ts";

/** Words in a commit's message that keep its events from starting anything. */
const SKIP = /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]/i;

/** Whether an event is of a head that says so, or that conflicts with its base. */
export function isWithoutRun(home: Repository, { name, payload }: WorkflowEvent): boolean {
  const pull = home.pulls.find(({ number }) => number === payload.pull_request?.number);
  if (pull === undefined || !name.startsWith("pull_request")) return false;
  const isSkipped = SKIP.test(home.find(pull.head)?.message ?? "");
  return isSkipped || mergeabilityOf(home, pull).state === "dirty";
}
