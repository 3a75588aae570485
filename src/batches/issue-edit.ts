/** The edit of an issue that triggers a run: a workflow that also runs on `issues: [edited]` acts on a tick at once. */

import type { RunContext } from "../github/trigger/run-context.ts";
import { readMark } from "./dashboard/render.ts";

export type IssueEdit =
  /** Another event triggered the run. */
  | { type: "none" }
  /** It needs no action: another action of this event, or an edit by a bot or by the action itself. */
  | { type: "ignored" }
  /** The run continues only if the issue is its dashboard. `body`: after the edit. */
  | { type: "edited"; issue: number; body: string };

export function issueEditOf({ eventName, payload }: RunContext): IssueEdit {
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
