import type { Octokit } from "@octokit/core";
import type { Connect } from "../../github/connect.ts";
import type { Place } from "../../github/markers.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import { drawName } from "../../runtime/draw-name.ts";
import { ActionError } from "../../runtime/errors.ts";
import { type Change, EMPTY_CHECKPOINT } from "../model/record.ts";
import { unavailable } from "./dashboard-errors.ts";
import {
  closeIssue,
  type DashboardOptions,
  type FoundDashboard,
  findDashboard,
  labelAgain,
  openDashboard,
} from "./find-dashboard.ts";
import { findUnlabelled } from "./find-unlabelled.ts";
import type { LedgerInputs } from "./ledger-inputs.ts";
import { type IssueRecord, LedgerIssue } from "./ledger-issue.ts";
import type { LedgerKind } from "./ledger-kind.ts";
import { ledgerMarkers, ledgerTag } from "./ledger-markers.ts";

/** The dashboard of a run: the issue, and where it is. */
export interface OpenedDashboard<C extends Change> {
  ledger: LedgerIssue<C>;
  place: Place;
  url: string;
  tag: string;
}

/**
 * Finds the dashboard, with or without its label, or opens it.
 *
 * @param mayOpen whether a dashboard is opened if there is none yet
 * @returns null if there is none, and none is opened
 * @throws ActionError `invalid-input`, `github-unavailable`; nothing was sent
 */
export async function openLedgerIssue<C extends Change>(
  kind: LedgerKind<C>,
  inputs: Pick<LedgerInputs, "keys" | "projectId" | "dashboard" | "dryRun">,
  { repository, mayOpen }: { repository: string; mayOpen: boolean },
  connect: Connect,
  dependencies: Dependencies,
): Promise<OpenedDashboard<C> | null> {
  const { log } = dependencies;
  const { title, label, renderClaim, renderCheckpoint } = kind;
  const tag = ledgerTag(kind.name, inputs.projectId);
  const markers = ledgerMarkers<C>(kind.name, inputs.keys, inputs.projectId);
  const options: DashboardOptions<C> = {
    ...{ repository, markers, tag, title, label },
    number: inputs.dashboard,
    text: `${tag}\n\nThis issue is being set up.`,
    draft: drawName(dependencies),
  };
  const github = await connect();
  let found = await findDashboard(github, options);
  // An issue that holds no ledger yet may be one that was opened too late, by a request given up as lost.
  if (options.number === null && (found === null || found.isBlank)) {
    const unlabelled = await findUnlabelled(github, options);
    const isOther = unlabelled !== null && unlabelled.issue.number !== found?.issue.number;
    if (isOther && !inputs.dryRun) await putLabelBack(github, options, unlabelled.issue, log);
    found = unlabelled ?? found;
  }
  if (found === null && mayOpen) {
    const opened = await openDashboard(github, options);
    log.info(`Opened the dashboard #${opened.number}.`);
    found = await findLowest(github, options, opened, dependencies);
  }
  // A dry run signs nothing: a dashboard that nobody has signed yet is none to it.
  if (found === null || (found.isBlank && inputs.dryRun)) return null;
  if (!inputs.dryRun) await closeOthers(github, repository, found, log);
  const { issue } = found;
  const place = { repository, issue: issue.number };
  const ledger = new LedgerIssue<C>(
    { connect, place, markers, renderClaim, renderCheckpoint },
    found.isBlank ? null : issue,
  );
  if (found.isBlank) await setUp(ledger, issue, tag, kind);
  return { ledger, place, url: issue.url, tag };
}

/** How often the list of issues is read until it shows the one that was just opened. */
const READINGS = 3;
/** Between two readings, in milliseconds. */
const PAUSE = 1_000;

/**
 * The dashboard that counts once one was opened: another first run may have opened one at the same moment,
 * and the lower number wins. An answer that shows the own issue shows every lower one too, even if GitHub
 * answers from a copy of its database that is behind; one that does not says nothing.
 */
async function findLowest<C extends Change>(
  github: Octokit,
  options: DashboardOptions<C>,
  { number }: IssueRecord,
  { clock, cancellation }: Dependencies,
): Promise<FoundDashboard> {
  for (let reading = 1; reading <= READINGS; reading++) {
    if (reading > 1) await clock.sleep(PAUSE, cancellation.stop);
    const found = await findDashboard(github, options);
    if (found !== null && found.issue.number <= number) return found;
  }
  throw new ActionError(
    "github-unavailable",
    `GitHub does not show the dashboard #${number}, which was just opened.`,
    "Nothing was sent. The next run goes on with it.",
  );
}

async function putLabelBack<C extends Change>(
  github: Octokit,
  options: DashboardOptions<C>,
  { number }: IssueRecord,
  log: Dependencies["log"],
): Promise<void> {
  try {
    await labelAgain(github, options, number);
    log.warning(
      `The dashboard #${number} had lost the label \`${options.label}\`: it is put back.`,
    );
  } catch (error) {
    throw unavailable(error, "issues: write");
  }
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
async function setUp<C extends Change>(
  ledger: LedgerIssue<C>,
  issue: IssueRecord,
  tag: string,
  { introduction, shown }: LedgerKind<C>,
): Promise<void> {
  const text = `${tag}\n\n${introduction}`;
  const written = await ledger.setUp(issue, text, EMPTY_CHECKPOINT, shown);
  if (!("failed" in written)) return;
  throw new ActionError(
    "github-unavailable",
    `The dashboard could not be written: ${written.why}.`,
    "Nothing was sent.",
  );
}
