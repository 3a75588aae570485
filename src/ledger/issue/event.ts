import { markerIn } from "../../github/markers.ts";
import type { Payload, RunContext } from "../../github/run-context.ts";

export type LedgerEvent =
  /** It asks for nothing. */
  | { type: "skipped"; why: string }
  /** `issue`: the one that was edited, which counts only if it is the dashboard; null: it is about none. */
  | { type: "run"; issue: number | null };

/**
 * What an event asks for. A workflow that also runs on `issues: [edited]` acts on a tick at once: edits by
 * the action itself or another bot are no ticks.
 */
export function readLedgerEvent({
  eventName,
  payload,
}: Pick<RunContext, "eventName" | "payload">): LedgerEvent {
  if (eventName !== "issues") return { type: "run", issue: null };
  const number = payload.issue?.number;
  if (number === undefined || (payload.action !== "edited" && payload.action !== "reopened")) {
    return {
      type: "skipped",
      why: `a run does not start for ${[eventName, payload.action ?? ""].join(" ").trim()}`,
    };
  }
  if (payload.sender?.type === "Bot") return { type: "skipped", why: "a bot edited the issue" };
  if (isOwnEdit(payload)) return { type: "skipped", why: "the action itself edited the issue" };
  return { type: "run", issue: number };
}

/** With a person's token the action's edits have that person's name; but nobody else writes markers. */
function isOwnEdit({ changes, issue }: Payload): boolean {
  const before = changes?.body?.from;
  if (typeof before !== "string") return false;
  const marker = markerIn(issue?.body ?? "");
  return marker !== null && marker !== markerIn(before);
}
