import type { Payload, RunContext } from "../../github/run-context.ts";
import { readMark } from "../dashboard/boxes.ts";

/**
 * The issue whose edit triggered the run. A workflow that also runs on `issues: [edited]` acts on a tick at
 * once; other actions of this event, and edits by a bot or by the action itself, ask for nothing.
 *
 * @returns null for any other event; 0 for one that asks for nothing
 */
export function editedDashboard({
  eventName,
  payload,
}: Pick<RunContext, "eventName" | "payload">): number | null {
  if (eventName !== "issues") return null;
  const { action, sender, issue } = payload;
  const isEdit = action === "edited" || action === "reopened";
  if (!isEdit || sender?.type === "Bot" || isOwnEdit(payload)) return 0;
  return issue?.number ?? 0;
}

/** With a person's token the action's edits have that person's name; but nobody else changes the mark. */
function isOwnEdit({ changes, issue }: Payload): boolean {
  const before = changes?.body?.from;
  if (typeof before !== "string") return false;
  const [old, now] = [readMark(before), readMark(issue?.body ?? "")];
  return now !== null && (old?.sha !== now.sha || old.writes !== now.writes);
}
