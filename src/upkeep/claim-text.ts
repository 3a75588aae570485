import { attemptText, statePredicate } from "../ledger/dashboard/claim-lines.ts";
import { pullLink } from "../ledger/dashboard/dashboard-lines.ts";
import { moreLines } from "../ledger/dashboard/dashboard-sections.ts";
import type { Claim } from "../ledger/model/record.ts";
import { inlineCode } from "../text/markdown.ts";
import { changeText } from "./change-text.ts";
import type { UpkeepChange } from "./ledger-change.ts";

/** How many changes are named; the marker, which holds them all, needs the room. */
const MAX_NAMED = 30;

/** The comment of a batch, its marker left out. */
export function renderChangeClaim({ batches }: Claim<UpkeepChange>): string {
  return batches
    .map(({ state, handed, jobId, prLink, reason }) => {
      const count = handed.length === 1 ? "1 change" : `${handed.length} changes`;
      const pull = pullLink("Docs pull request", prLink);
      const facts = [
        jobId === null ? "" : `Job ${inlineCode(jobId, 80)}.`,
        pull === null ? "" : `${pull}.`,
        reason === "" ? "" : `${inlineCode(reason, 300)}.`,
      ].filter((fact) => fact !== "");
      const lines = handed
        .slice(0, MAX_NAMED)
        .map(({ change, attempt }) => `- ${changeText(change)}${attemptText(attempt)}`);
      lines.push(...moreLines(handed.length - MAX_NAMED));
      return [`A batch of ${count} ${statePredicate(state)}.`, facts.join(" "), lines.join("\n")]
        .filter((part) => part !== "")
        .join("\n\n");
    })
    .join("\n\n");
}
