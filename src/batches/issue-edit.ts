/** The edit of an issue that triggers a run: a workflow that also runs on `issues: [edited]` acts on a tick at once. */

import type { RunContext } from "../github/trigger/run-context.ts";
import { readMark } from "./dashboard/render.ts";
import type { PlanSettings } from "./settings.ts";

export function issueEditOf({ eventName, payload }: RunContext): PlanSettings["edit"] {
  if (eventName !== "issues") return { type: "none" };
  const { action, sender, issue, changes } = payload;
  const isEdit = action === "edited" || action === "reopened";
  if (!isEdit || issue?.number === undefined || sender?.type === "Bot") return { type: "ignored" };
  const before = changes?.body?.from ?? null;
  const body = issue.body ?? "";
  const edited = { type: "edited", issue: issue.number, body } as const;
  if (before === null) return edited;
  const [markBefore, mark] = [readMark(before), readMark(body)];
  // With a person's token, the action's edits have that person's name. But only the action changes the mark.
  const isMarked =
    mark !== null && (markBefore?.sha !== mark.sha || markBefore.writes !== mark.writes);
  return isMarked ? { type: "ignored" } : edited;
}
