import type { BatchState, Claim } from "../ledger/record.ts";
import { pullNumber, safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import type { UpkeepChange } from "./ledger-change.ts";
import { nameOf } from "./prompt.ts";

/** How many changes are named; the marker, which holds them all, needs the room. */
const MAX_NAMED = 30;

const HEADLINES: Record<BatchState, string> = {
  intended: "is about to be handed to the agent",
  running: "is being processed by the agent",
  done: "is done",
  failed: "failed",
  withdrawn: "was withdrawn: nothing was sent",
  uncertain: "may have been received by the service and needs a decision",
  unreported: "may have been received by the service and needs a decision",
};

/** The comment of a batch, its marker left out. */
export function renderClaim({ batches }: Claim<UpkeepChange>): string {
  return batches
    .map(({ state, handed, jobId, prLink, reason }) => {
      const count = handed.length === 1 ? "1 change" : `${handed.length} changes`;
      const link = prLink === null ? null : safeLink(prLink);
      const facts = [
        jobId === null ? "" : `Job ${inlineCode(jobId, 80)}.`,
        link === null ? "" : `[Docs pull request ${pullNumber(link)}](${link}).`,
        reason === "" ? "" : `${inlineCode(reason, 300)}.`,
      ].filter((fact) => fact !== "");
      const lines = handed
        .slice(0, MAX_NAMED)
        .map(({ change, attempt }) => lineOf(change, attempt));
      if (handed.length > MAX_NAMED) lines.push(`- … and ${handed.length - MAX_NAMED} more`);
      return [`A batch of ${count} ${HEADLINES[state]}.`, facts.join(" "), lines.join("\n")]
        .filter((part) => part !== "")
        .join("\n\n");
    })
    .join("\n\n");
}

function lineOf(change: UpkeepChange, attempt: number): string {
  const link = safeLink(change.url);
  const title = inlineCode(change.title, 120) || "`(no title)`";
  const again = attempt > 1 ? ` (attempt ${attempt})` : "";
  return `- ${link === null ? title : `[${title}](${link})`} ${inlineCode(nameOf(change), 100)}${again}`;
}

/** The comment that says where the first run began, and the one that signs anew after a key rotation. */
export function renderCheckpoint(): string {
  return "Upkeep continues from here. This comment belongs to the dashboard above. Do not edit or delete it.";
}
