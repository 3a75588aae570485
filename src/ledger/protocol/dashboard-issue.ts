/** Opens a ledger together with its dashboard. Each shows whether the other was lost. */

import type { IssueRead } from "../../github/labelled-issue.ts";
import { invalidInput } from "../../runtime/errors.ts";
import { type DashboardMark, markText, readMark, readTicks } from "../dashboard/boxes.ts";
import { timeText } from "../model/file.ts";
import type { Ledger } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import type { LedgerPort } from "./port.ts";
import { answered, type Head, Unavailable } from "./store.ts";

export interface RunSettings {
  /** The issue that the workflow names. */
  dashboard: number | null;
  /** Whether nothing is written or sent. */
  isDryRun: boolean;
  /**
   * The issue whose edit triggered the run. The run continues only if it is the dashboard. 0 if the edit needs no
   * action; null for another event.
   */
  editedIssue: number | null;
}

/** A ledger that a run may work with, and its dashboard. */
export type Opened = Awaited<ReturnType<typeof openLedger>>;

/**
 * Reads the ledger and its dashboard. A missing ref is created again at the commit that the dashboard names. A second
 * read distinguishes a ref that was set back from an outdated answer.
 *
 * @returns `issue`: null if there is none, or the token cannot read it; `mayOpen`: whether one may be opened
 * @throws ActionError `github-unavailable`, `invalid-input`
 */
export async function openLedger(port: LedgerPort, settings: RunSettings) {
  const { store } = port;
  let head = await store.read();
  const read = await readIssue(port, head.ledger, settings.dashboard);
  const warnings = read.type === "refused" ? [`The dashboard cannot be read: ${read.why}.`] : [];
  if (read.type === "gone" && settings.dashboard !== null) {
    throw invalidInput(`dashboard: there is no issue #${settings.dashboard} in this repository.`);
  }
  // If the ledger comes from another repository or time, its number may be that of another issue.
  const isOwn =
    read.type === "issue" &&
    (settings.dashboard !== null || read.issue.isLabelled || readMark(read.issue.body) !== null);
  const issue = isOwn ? read.issue : null;
  const mark = readMark(issue?.body ?? "");
  if (mark !== null) {
    const { ref } = store.options;
    if (mark.ref !== ref) {
      throw invalidInput(
        `dashboard: issue #${issue?.number} shows another ledger (${mark.ref}). Name another issue, or none.`,
      );
    }
    if (head.sha === null) head = await restore(port, settings, mark, head, warnings);
    if (head.sha !== null && head.ledger.writes < mark.writes) {
      head = await store.readAgain();
      if (head.ledger.writes < mark.writes) throw setBack(ref, mark.sha);
    }
  }
  const mayOpen = read.type !== "refused" && settings.dashboard === null;
  return { head, issue, mayOpen, decisions: readTicks(issue?.body ?? ""), warnings };
}

async function readIssue(
  { issue }: LedgerPort,
  { dashboard }: Ledger,
  named: number | null,
): Promise<IssueRead> {
  // The dashboard may exist although the ledger does not know it yet, or no longer.
  const number = named ?? dashboard.number ?? (await answered(issue.find())).number;
  return number === null ? { type: "gone" } : await answered(issue.read(number));
}

async function restore(
  { store }: LedgerPort,
  { isDryRun }: RunSettings,
  { sha, writes }: DashboardMark,
  empty: Head<Ledger>,
  warnings: string[],
): Promise<Head<Ledger>> {
  const { ref } = store.options;
  const { text } = await answered(store.git.readFile(sha, "ledger.json"));
  if (text === null) {
    warnings.push(
      `The ref ${ref} is missing, and GitHub no longer has its last commit ${sha}. The ledger begins anew.`,
    );
    // The count continues, so that the new ledger does not look set back before the dashboard shows it.
    return { ...empty, ledger: { ...empty.ledger, writes } };
  }
  if (isDryRun) return await store.readAt(sha, empty.now);
  if (await store.move(null, sha)) {
    warnings.push(`The ref ${ref} was missing. It was restored at commit ${sha}.`);
  }
  return await store.readAgain();
}

function setBack(ref: string, sha: string) {
  return invalidInput(
    `The ledger ${ref} was set back: its dashboard knows of later writes, up to commit ${sha}. Going on could hand over the same thing twice. To restore it: git push --force origin ${sha}:${ref} (after git fetch origin ${sha}). To keep it as it is, delete the dashboard.`,
  );
}

/** How long only the run that claimed the dashboard opens it; and after GitHub refused it, no run. */
const CLAIM = 10 * 60_000;
const AFTER_REFUSAL = 24 * 60 * 60_000;

/** Claims the opening of a dashboard, if there is none and there is something to show. */
export function claimDashboard(
  edit: LedgerEdit,
  { issue, mayOpen }: Pick<Opened, "issue" | "mayOpen">,
  runName: string,
): void {
  const current = edit.ledger.dashboard;
  if (issue !== null) {
    if (issue.number === current.number) return;
    edit.change({ dashboard: { number: issue.number, claim: "", until: "" } });
  } else if (mayOpen && current.until <= edit.time && hasContent(edit.ledger)) {
    const until = timeText(edit.now + CLAIM);
    edit.change({ dashboard: { number: null, claim: runName, until } });
  }
}

function hasContent(ledger: Ledger): boolean {
  const { waiting, batches, reviews, done, passedOver } = ledger;
  return [waiting, batches, reviews, done, passedOver].some((list) => list.length > 0);
}

/**
 * Updates the dashboard, or opens it.
 *
 * @param isRefused whether the service refused the key or the project, so that no dashboard is opened
 * @returns the ledger, which may name a new dashboard; `why`: why that could not be written, or empty
 */
export async function showDashboard(
  port: LedgerPort,
  head: Head<Ledger>,
  issue: Opened["issue"],
  isRefused: boolean,
) {
  const shown = { head, dashboard: issue?.number ?? null, why: "" };
  const isMine = head.ledger.dashboard.claim === port.store.options.runName;
  try {
    if (issue !== null) shown.why = await update(port, head, issue.number, issue.body);
    else if (isMine && !isRefused) await open(port, shown);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    shown.why = error.why;
  }
  return shown;
}

/**
 * The body is read again right before the write, so that a box that was ticked meanwhile stays ticked.
 *
 * @param before the body at the start of the run; if nothing new is shown, it is not read again
 * @returns why it could not be written
 */
async function update(
  port: LedgerPort,
  head: Head<Ledger>,
  number: number,
  before: string,
): Promise<string> {
  if (isSame(bodyOf(port, head, before), before)) return "";
  const now = await answered(port.issue.read(number));
  if (now.type !== "issue") return now.type === "gone" ? "it is gone" : now.why;
  const text = bodyOf(port, head, now.issue.body);
  if (!isSame(text, now.issue.body)) await answered(port.issue.write(number, text));
  return "";
}

/** GitHub may remove white space from the end of a body. */
function isSame(one: string, other: string): boolean {
  return one.trimEnd() === other.trimEnd();
}

function bodyOf({ store, action }: LedgerPort, head: Head<Ledger>, before: string): string {
  const { ref, editOf } = store.options;
  const mark = markText({ ref, sha: head.sha ?? "", writes: head.ledger.writes });
  return `${mark}\n${action.render(editOf(head), readTicks(before))}`;
}

/** Uses a dashboard that an earlier run opened but did not record, or opens one. */
async function open(
  port: LedgerPort,
  shown: Awaited<ReturnType<typeof showDashboard>>,
): Promise<void> {
  const { head } = shown;
  const found = await answered(port.issue.find());
  const opened =
    found.number === null ? await answered(port.issue.open(bodyOf(port, head, ""))) : found;
  const number = "refused" in opened ? null : opened.number;
  const until = number === null ? timeText(head.now + AFTER_REFUSAL) : "";
  const event =
    number === null ? "GitHub refuses a dashboard" : `Show the ledger on issue #${number}`;
  shown.dashboard = number;
  shown.head = await port.store.tryToRecord(head, (edit) =>
    edit.change({ dashboard: { number, claim: "", until } }, event),
  );
  if ("refused" in opened) shown.why = opened.refused;
  else if (number !== null) shown.why = await update(port, shown.head, number, "");
}
