import type { BatchState, Claim } from "../ledger/record.ts";
import { pullNumber, safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import type { TaskChange } from "./task-change.ts";

/** How many tasks a comment names; its marker, which holds them all, needs the room. */
const MAX_LINES = 40;

const STATES: Record<BatchState, string> = {
  intended: "about to be handed to the agent",
  running: "with the agent",
  done: "done",
  failed: "failed",
  withdrawn: "withdrawn: nothing was sent",
  uncertain: "may have been received by the service and needs a decision",
  unreported: "may have been received by the service and needs a decision",
};

/** The comment of a run, its marker left out: a line for each task that it handed over. */
export function renderClaim({ batches }: Claim<TaskChange>): string {
  const lines = batches.flatMap(({ state, handed, jobId, prLink, reason }) => {
    const link = prLink === null ? null : safeLink(prLink);
    const facts = [
      STATES[state],
      jobId === null ? "" : `job ${inlineCode(jobId, 80)}`,
      link === null ? "" : `[docs pull request ${pullNumber(link)}](${link})`,
      reason === "" ? "" : inlineCode(reason, 160),
    ].filter((fact) => fact !== "");
    return handed.map(({ change, attempt }) => {
      const again = attempt > 1 ? ` (attempt ${attempt})` : "";
      return `- ${taskText(change)}${again} — ${facts.join(", ")}`;
    });
  });
  const count = lines.length === 1 ? "1 task" : `${lines.length} tasks`;
  const more = lines.length - MAX_LINES;
  const rest = more > 0 ? [`- … and ${more} more`] : [];
  return [`A run picked up ${count}:\n`, ...lines.slice(0, MAX_LINES), ...rest].join("\n");
}

/** A task's id, and the beginning of its prompt. In code, where GitHub reads nothing into it. */
export function taskText({ id, title }: TaskChange): string {
  return `${inlineCode(id, 100)} ${inlineCode(title, 80)}`;
}

/** The comment that says where the first run began, and the one that signs anew after a key rotation. */
export function renderCheckpoint(): string {
  return "The queue continues from here. This comment belongs to the dashboard above. Do not edit or delete it.";
}
