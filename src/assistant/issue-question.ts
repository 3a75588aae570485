import { clean } from "../github/prompt-context.ts";
import type { RunContext } from "../github/run-context.ts";

/** Longest question that is made of an issue, in characters. */
const MAX_ISSUE = 32 * 1024;

/**
 * The title and the text of the issue that was opened or labelled, as readers see them: a question by
 * themselves. Empty for other events, which ask nothing.
 */
export function questionOfIssue({
  eventName,
  payload,
}: Pick<RunContext, "eventName" | "payload">): string {
  if (eventName !== "issues" || payload.issue === undefined) return "";
  const { title, body } = payload.issue;
  const text = [title, body].map((part) => clean(part ?? "")).filter((part) => part !== "");
  return text.join("\n\n").slice(0, MAX_ISSUE).toWellFormed();
}
