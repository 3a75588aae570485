import type { Octokit } from "@octokit/core";
import type { Connect } from "../github/connect.ts";
import type { Place } from "../github/markers.ts";
import type { RunContext } from "../github/run-context.ts";
import type { UpkeepInputs } from "../inputs/upkeep.ts";
import {
  closeIssue,
  type DashboardOptions,
  findDashboard,
  openDashboard,
  unavailable,
} from "../ledger/find-dashboard.ts";
import { type IssueRecord, LedgerIssue } from "../ledger/ledger-issue.ts";
import { ledgerMarkers, ledgerTag } from "../ledger/ledger-markers.ts";
import { EMPTY_CHECKPOINT } from "../ledger/record.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import { renderCheckpoint, renderClaim } from "./claim-text.ts";
import { isAboutIssue } from "./event.ts";
import type { UpkeepChange } from "./ledger-change.ts";
import { NOTHING_SHOWN } from "./shown.ts";

export const NAME = "upkeep";
const TITLE = "Docs upkeep";
const LABEL = "docs-upkeep";

/** The dashboard of a run: the issue, and where it is. */
export interface OpenedDashboard {
  ledger: LedgerIssue<UpkeepChange>;
  place: Place;
  url: string;
  tag: string;
}

/**
 * Finds the dashboard, or opens it.
 *
 * @returns null if there is none yet, and a dry run or an event about some issue opens none
 * @throws ActionError `invalid-input`, `github-unavailable`; nothing was sent
 */
export async function openLedgerIssue(
  inputs: UpkeepInputs,
  context: Pick<RunContext, "repository" | "eventName">,
  connect: Connect,
  { log, random }: Dependencies,
): Promise<OpenedDashboard | null> {
  const { repository } = context;
  const tag = ledgerTag(NAME, inputs.projectId);
  const markers = ledgerMarkers<UpkeepChange>(NAME, inputs.keys, inputs.projectId);
  const options: DashboardOptions<UpkeepChange> = {
    ...{ repository, markers, tag, title: TITLE, label: LABEL },
    number: inputs.dashboard,
    text: `${tag}\n\nThis issue is being set up.`,
    draft: Math.floor(random() * 2 ** 52).toString(36),
  };
  const github = await connect();
  let found = await findDashboard(github, options);
  if (found === null && !inputs.dryRun && !isAboutIssue(context)) {
    const opened = await openDashboard(github, options);
    log.info(`Opened the dashboard #${opened.number}.`);
    // Another first run may have opened one at the same moment: the lower number wins.
    found = await findDashboard(github, options);
    found ??= { issue: opened, isBlank: true, others: [] };
  }
  // A dry run signs nothing: a dashboard that nobody has signed yet is none to it.
  if (found === null || (found.isBlank && inputs.dryRun)) return null;
  if (!inputs.dryRun) await closeOthers(github, repository, found, log);
  const { issue } = found;
  const place = { repository, issue: issue.number };
  const ledger = new LedgerIssue<UpkeepChange>(
    { connect, place, markers, renderClaim, renderCheckpoint },
    found.isBlank ? null : issue,
  );
  if (found.isBlank) await setUp(ledger, issue, tag);
  return { ledger, place, url: issue.url, tag };
}

async function closeOthers(
  github: Octokit,
  repository: string,
  { issue, others }: { issue: IssueRecord; others: number[] },
  log: Dependencies["log"],
): Promise<void> {
  for (const number of others) {
    try {
      await closeIssue(github, repository, number, issue.number);
      log.warning(`Closed the dashboard #${number}: #${issue.number} is the one in use.`);
    } catch (error) {
      throw unavailable(error, "issues: write");
    }
  }
}

/** Signs the body of a dashboard that holds nothing yet. */
async function setUp(
  ledger: LedgerIssue<UpkeepChange>,
  issue: IssueRecord,
  tag: string,
): Promise<void> {
  const text = `${tag}\n\nThis issue shows which merged changes are documented. Nothing has been read yet.`;
  const written = await ledger.setUp(issue, text, EMPTY_CHECKPOINT, NOTHING_SHOWN);
  if (!("failed" in written)) return;
  throw new ActionError(
    "github-unavailable",
    `The dashboard could not be written: ${written.why}.`,
    "Nothing was sent.",
  );
}
