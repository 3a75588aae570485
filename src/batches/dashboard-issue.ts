/** The issue that shows a ledger of batches. Each shows whether the other was lost. */

import { expectFact, reasonOf } from "../github/api/explain.ts";
import type { Issue, LabelledIssue } from "../github/conversation/labelled-issue.ts";
import { timeText, withFields } from "../ledger/file.ts";
import type { LostRef } from "../ledger/program.ts";
import type { Head } from "../ledger/store.ts";
import { LEDGER_MESSAGES } from "../ledger/unavailable.ts";
import { DAY, MINUTE } from "../runtime/clock.ts";
import type { Delivery } from "../runtime/delivery.ts";
import { type ActionError, invalidInput } from "../runtime/errors.ts";
import type { Fact, Unread } from "../runtime/fact.ts";
import { readTicks } from "./dashboard/boxes.ts";
import { markText, readMark } from "./dashboard/render.ts";
import type { Tick } from "./model/decisions.ts";
import type { Ledger } from "./model/ledger.ts";
import { type BatchRevision, timeOf } from "./model/revision.ts";

/** How long only the run that claimed the dashboard opens it; and after GitHub refused it, no run. */
const CLAIM = 10 * MINUTE;
const AFTER_REFUSAL = DAY;

/** What the dashboard needs of its issue. */
export type Issues = Pick<LabelledIssue, "find" | "open" | "read" | "write">;

/** A dashboard, as far as it could be read. */
export interface DashboardFacts {
  /** Null if there is none, or the token cannot read it. */
  issue: Issue | null;
  /** Whether one may be opened. */
  mayOpen: boolean;
  /** Why it could not be read, as the end of a sentence; null if it could. */
  unread: string | null;
}

/** A dashboard that shows later writes than the ledger has. */
export type LedgerProblem = LostRef | { readonly type: "set-back"; readonly error: ActionError };

/** Where a run shows its ledger. */
export interface DashboardPlace {
  /** The ledger's ref. */
  ref: string;
  /** The number that the workflow gives; null for none. */
  named: number | null;
}

/**
 * Compares a dashboard with its ledger.
 *
 * @param sha the ledger's commit; null for none
 * @throws ActionError `invalid-input` if the issue cannot be the dashboard
 */
export function checkDashboard(
  read: Fact<Issue>,
  ledger: Ledger,
  sha: string | null,
  { ref, named }: DashboardPlace,
): { readonly type: "dashboard"; readonly dashboard: DashboardFacts } | LedgerProblem {
  if (read.type === "absent" && named !== null) {
    throw invalidInput(`dashboard: there is no issue #${named} in this repository.`);
  }
  const mayOpen = read.type !== "unread" && named === null;
  const unread = read.type === "unread" ? read.reason : null;
  if (read.type !== "known") {
    return { type: "dashboard", dashboard: { issue: null, mayOpen, unread } };
  }
  const { value: issue } = read;
  const mark = readMark(issue.body);
  if (mark !== null && mark.ref !== ref) {
    throw invalidInput(
      `dashboard: issue #${issue.number} shows another ledger (${mark.ref}). Name another issue, or none.`,
    );
  }
  if (mark !== null && ledger.writes < mark.writes) {
    if (sha === null) return { type: "lost", sha: mark.sha, writes: mark.writes };
    return { type: "set-back", error: setBack(ref, mark, sha) };
  }
  // If the ledger comes from another repository or time, its number may be that of another issue.
  const isOwn = named !== null || issue.isLabelled || mark !== null;
  return { type: "dashboard", dashboard: { issue: isOwn ? issue : null, mayOpen, unread } };
}

export class DashboardIssue {
  readonly place: DashboardPlace;
  readonly #issues: Issues;

  constructor(issues: Issues, place: DashboardPlace) {
    this.place = place;
    this.#issues = issues;
  }

  /** The number of the issue that is to be read; null if none is known. */
  numberFor(ledger: Ledger): number | null {
    return this.place.named ?? dashboardNumber(ledger.dashboard);
  }

  /**
   * The number of an issue that the ledger does not know yet, or no longer; null for none.
   *
   * @throws ActionError `github-unavailable`, `github-refused`
   */
  async find(): Promise<number | null> {
    return expectFact(await this.#issues.find(), LEDGER_MESSAGES.unavailable);
  }

  /** Without an issue that the token cannot read, the run goes on. @throws ActionError `github-unavailable` */
  async read(number: number): Promise<Fact<Issue>> {
    const read = await this.#issues.read(number);
    if (read.type === "unread" && !isRefused(read)) expectFact(read, LEDGER_MESSAGES.unavailable);
    return read;
  }

  /** Uses a dashboard that an earlier run opened but did not record, or opens one. */
  async open(body: string): Promise<Delivery<{ readonly number: number }>> {
    const found = await this.#issues.find();
    if (found.type === "known") return { type: "accepted", value: { number: found.value } };
    if (found.type === "unread") return { type: "uncertain", reason: found.reason, error: null };
    const sent = await this.#issues.open(body);
    if (sent.type === "accepted") return sent;
    const reason = reasonOf(sent);
    if (sent.type !== "refused") return { type: "uncertain", reason, error: null };
    return { type: "refused", by: "right", error: { ...sent.error, problem: reason } };
  }

  /**
   * The body is read again right before the write, so that a box that was ticked meanwhile stays ticked.
   *
   * @param before its body at the start of the run; null if it was opened since then. If nothing new is shown, it is
   * not read again
   * @returns why it could not be updated; null if it is up to date
   */
  async update(
    number: number,
    before: string | null,
    bodyOf: (body: string) => string,
  ): Promise<string | null> {
    if (before !== null && bodyOf(before) === before) return null;
    const read = await this.#issues.read(number);
    if (read.type === "absent") return "it is gone";
    if (read.type === "unread") return read.reason;
    const { body, isClosedByBot } = read.value;
    const text = bodyOf(body);
    const [shown, own] = [readMark(body), readMark(text)];
    // Another run has shown a newer ledger meanwhile.
    if (shown !== null && own !== null && shown.writes > own.writes) return null;
    if (text === body && !isClosedByBot) return null;
    const sent = await this.#issues.write(number, text, isClosedByBot);
    return sent.type === "accepted" ? null : reasonOf(sent);
  }

  /** @param before the body that the new one replaces: its ticks stay */
  body(
    { sha, ledger }: Head<Ledger>,
    before: string,
    render: (ticked: readonly Tick[]) => string,
  ): string {
    const text = render(readTicks(before));
    if (sha === null) return text;
    return `${markText({ ref: this.place.ref, sha, writes: ledger.writes })}\n${text}`;
  }
}

/** Whether GitHub has answered no, and would again. */
function isRefused({ cause, isPassing }: Unread): boolean {
  return cause === "refused" && !isPassing;
}

/** @param current the commit that the ref names now: the command moves no other */
function setBack(ref: string, { sha }: { sha: string }, current: string): ActionError {
  return invalidInput(
    `The ledger ${ref} was set back: its dashboard knows of later writes, up to commit ` +
      `${sha}. Going on could hand over the same thing twice. To restore it: git push ` +
      `--force-with-lease=${ref}:${current} origin ${sha}:${ref} (after git fetch origin ` +
      `${sha}). To keep it as it is, delete the dashboard.`,
  );
}

/** The number of the issue that the ledger names; null for none. */
export function dashboardNumber(dashboard: Ledger["dashboard"]): number | null {
  return dashboard.type === "open" ? dashboard.number : null;
}

/** Records its number, or claims its opening, if there is none and there is something to show. */
export function claimDashboard(
  revision: BatchRevision,
  { issue, mayOpen }: DashboardFacts,
  runName: string,
): BatchRevision {
  const { dashboard, waiting, batches, reviews, done, passedOver } = revision.ledger;
  if (issue !== null) {
    const noted = noteClosing(revision, issue);
    const { number } = issue;
    if (number === dashboardNumber(dashboard)) return noted;
    return withFields(noted, { dashboard: { type: "open", number } });
  }
  const isEmpty = [waiting, batches, reviews, done, passedOver].every((list) => !list.length);
  const isHeld = "until" in dashboard && dashboard.until > timeOf(revision);
  if (!mayOpen || isHeld || isEmpty) return revision;
  const until = timeText(revision.now + CLAIM);
  return withFields(revision, { dashboard: { type: "claimed", by: runName, until } });
}

/** Notes that a bot closed it, for its body. */
function noteClosing(revision: BatchRevision, { isClosedByBot, closedBy, closedAt }: Issue) {
  const { closedByBot } = revision.ledger;
  if (!isClosedByBot || closedBy === null) return revision;
  if (closedByBot?.by === closedBy && closedByBot.at === closedAt) return revision;
  return withFields(revision, { closedByBot: { by: closedBy, at: closedAt } });
}

/** Records what became of opening it, for the run that claimed it. */
export function recordOpened(
  revision: BatchRevision,
  runName: string,
  opened: Delivery<{ readonly number: number }>,
): BatchRevision {
  const { dashboard } = revision.ledger;
  if (dashboard.type !== "claimed" || dashboard.by !== runName) return revision;
  switch (opened.type) {
    case "accepted": {
      const { number } = opened.value;
      const event = `Show the ledger on issue #${number}`;
      return withFields(revision, { dashboard: { type: "open", number } }, event);
    }
    case "refused": {
      const until = timeText(revision.now + AFTER_REFUSAL);
      const event = "GitHub refuses a dashboard";
      return withFields(revision, { dashboard: { type: "refused", until } }, event);
    }
    case "uncertain":
      return revision;
    case "limited":
    case "busy":
    case "not-sent":
      return giveClaimBack(revision, runName);
  }
}

/** Ends the claim of a run that opens none. */
export function giveClaimBack(revision: BatchRevision, runName: string): BatchRevision {
  const { dashboard } = revision.ledger;
  if (dashboard.type !== "claimed" || dashboard.by !== runName) return revision;
  return withFields(revision, { dashboard: { type: "none" } });
}
