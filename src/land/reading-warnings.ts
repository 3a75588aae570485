/** What a run warns of once it has ended without an error. It may read several times, if others write first. Pure. */

import { type JudgedDocsPull, pullPlace } from "./acts.ts";
import type { LandLedger, PullEntry } from "./ledger.ts";
import type { OtherLedgers } from "./read-sources.ts";
import { UNSEEN_ONE } from "./visibility.ts";

/**
 * @param known land's ledger with the docs pull requests that were found
 * @param repository the workflow's, `owner/name`
 */
export function readingWarnings(
  { missingRefs, areAny, unusable }: OtherLedgers,
  known: LandLedger,
  judged: readonly JudgedDocsPull[],
  repository: string,
): string[] {
  const { open, jobs, ended } = known;
  const isNothingKnown = open.length + jobs.length + ended.length === 0;
  return [
    ...missingRefs.map((ref) => `There is no ref ${ref} here, which \`ledgers\` names.`),
    ...unusable.map(
      ({ ref, problem }) =>
        `${ref} ${problem}: docs pull requests that only it knows are left alone until it is repaired.`,
    ),
    ...(isNothingKnown && !areAny ? [nothingKnown(repository)] : []),
    ...judged.flatMap((pull) => checksWarning(pull, open) ?? []),
  ];
}

function nothingKnown(repository: string): string {
  return [
    `There is no ledger of upkeep or queue in ${repository}, so no docs pull requests are known.`,
    "Run land in the repository in which they run.",
    "If they have a `ledger-ref`, name it in `ledgers`.",
  ].join(" ");
}

/** For a docs pull request that is read for the first time; null if the token can read its checks. */
function checksWarning(judged: JudgedDocsPull, open: readonly PullEntry[]): string | null {
  const { state, checksRead } = judged.pull;
  if (state.type !== "open" || checksRead !== "none" || isSaid(judged)) return null;
  const { url, isNamed } = pullPlace(judged);
  if (open.some((entry) => entry.url === url && entry.lastRead !== null)) return null;
  const whose = isNamed ? `${url}: The token cannot read its checks.` : UNNAMED_CHECKS;
  return [
    `${whose} Nothing of them is sent, and it is not merged.`,
    "Check that the token has the permissions `checks: read` and `statuses: read`.",
  ].join(" ");
}

/** Whether it is a warning by itself that it is not merged for this reason. */
function isSaid({ decision }: JudgedDocsPull): boolean {
  return decision.type === "wait" && decision.reason.code === "checks-unreadable";
}

const UNNAMED_CHECKS = `The token cannot read the checks of a docs pull request ${UNSEEN_ONE}.`;
