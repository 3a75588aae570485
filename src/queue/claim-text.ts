import { attemptText, stateWords } from "../ledger/dashboard/claim-lines.ts";
import { jobText, pullLink } from "../ledger/dashboard/dashboard-lines.ts";
import { moreLines } from "../ledger/dashboard/dashboard-sections.ts";
import type { Claim } from "../ledger/model/record.ts";
import { inlineCode } from "../text/markdown.ts";
import type { TaskChange } from "./task-change.ts";

/** How many tasks a comment names; its marker, which holds them all, needs the room. */
const MAX_LINES = 40;

/** The comment of a run, its marker left out: a line for each task that it handed over. */
export function renderTaskClaim({ batches }: Claim<TaskChange>): string {
  const lines = batches.flatMap(({ state, handed, jobId, prLink, reason }) => {
    const facts = [
      stateWords(state),
      jobId === null ? "" : jobText(jobId),
      pullLink("docs pull request", prLink) ?? "",
      reason === "" ? "" : inlineCode(reason, 160),
    ].filter((fact) => fact !== "");
    return handed.map(
      ({ change, attempt }) => `- ${taskText(change)}${attemptText(attempt)} — ${facts.join(", ")}`,
    );
  });
  const count = lines.length === 1 ? "1 task" : `${lines.length} tasks`;
  const rest = moreLines(lines.length - MAX_LINES);
  return [`A run took up ${count}:\n`, ...lines.slice(0, MAX_LINES), ...rest].join("\n");
}

/** A task's id, and the beginning of its prompt. In code, where GitHub reads nothing into it. */
export function taskText({ id, title }: TaskChange): string {
  return `${inlineCode(id, 100)} ${inlineCode(title, 80)}`;
}
