import { ActionError } from "../../runtime/errors.ts";
import type { Change } from "../model/record.ts";
import type { RunEnd } from "../protocol/run-ledger.ts";

/**
 * Why a run could not work with its ledger; null: it could.
 *
 * @param what the action hands over
 */
export function unusableLedger(end: RunEnd<Change>, what: "changes" | "tasks"): ActionError | null {
  switch (end.type) {
    case "github-unavailable":
      return new ActionError(
        "github-unavailable",
        `The ledger could not be read or written: ${end.why}.`,
        `Nothing was sent. The ${what} wait for the next run.`,
      );
    case "foreign":
      return new ActionError(
        "invalid-input",
        "dashboard: nothing on the issue is signed with `api-key`.",
        "If the key was rotated, set `previous-api-key` to the key before. Nothing was sent.",
      );
    case "incomplete":
      return new ActionError(
        "invalid-input",
        `dashboard: its body holds no valid marker, and comments that remember what was handed over are missing (numbers ${end.missing.slice(0, 20).join(", ")}).`,
        `Restore the body from its edit history, or the comments. Going on could hand ${what} over twice, so nothing was sent.`,
      );
    default:
      return null;
  }
}
