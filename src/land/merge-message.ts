/** The message of a merge, where GitHub's own would skip the workflows of the base. Pure. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import { hasSkipMark, withoutSkipMarks } from "../github/changes/skip-marks.ts";
import { counted } from "../text/sentence.ts";
import type { JudgedDocsPull, PullAct } from "./acts.ts";
import type { LandInputs } from "./inputs.ts";
import { mayName } from "./visibility.ts";

/** Whether GitHub's own message would carry a mark, and is land's to choose. */
export function needsMessage(
  { skipMarks: { inText, inCommits } }: Pick<DocsPull, "skipMarks">,
  mergeMethod: LandInputs["mergeMethod"],
): boolean {
  return (inText || inCommits) && mergeMethod !== "rebase";
}

/** Land's own message; null if GitHub's will do. */
export function mergeMessage(
  { entry, pull, visibility }: JudgedDocsPull,
  { mergeMethod }: LandInputs,
): Extract<PullAct, { type: "merge" }>["message"] {
  const { title, number } = pull;
  if (!needsMessage(pull, mergeMethod)) return null;
  const plain = withoutSkipMarks(title);
  const subject = plain === "" || hasSkipMark(plain) ? "Update the documentation" : plain;
  const shown = entry.changes.filter(({ repository }) => mayName(visibility.onPull, repository));
  const others = entry.changes.length - shown.length;
  const lines = shown.map(({ url }) => `Documents ${url}`);
  if (others > 0) lines.push(`Documents ${counted(others, "change")} of other repositories`);
  return { title: `${subject} (#${number})`, body: lines.join("\n") };
}
