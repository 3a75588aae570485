import { markerIn } from "../github/markers.ts";
import type { Payload, RunContext } from "../github/run-context.ts";

/**
 * Why an event starts nothing; null: it may. A workflow that also runs on `issues: [edited]` acts on a
 * tick at once: edits by the action itself or another bot are no ticks.
 */
export function whySkipped({
  eventName,
  payload,
}: Pick<RunContext, "eventName" | "payload">): string | null {
  if (eventName !== "issues") return null;
  if (payload.action !== "edited" && payload.action !== "reopened") {
    return `the event issues ${payload.action ?? ""} starts nothing`;
  }
  if (payload.sender?.type === "Bot") return "a bot edited the issue";
  return isOwnEdit(payload) ? "the action itself edited the issue" : null;
}

/** Whether the event is about an issue: only the dashboard's own counts then. */
export function isAboutIssue({ eventName }: Pick<RunContext, "eventName">): boolean {
  return eventName === "issues";
}

/** With a person's token the action's edits have that person's name; but nobody else writes markers. */
function isOwnEdit({ changes, issue }: Payload): boolean {
  const before = changes?.body?.from;
  if (typeof before !== "string") return false;
  const marker = markerIn(issue?.body ?? "");
  return marker !== null && marker !== markerIn(before);
}
