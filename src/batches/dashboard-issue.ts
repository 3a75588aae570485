/** The issue that shows a ledger of batches. Each shows whether the other was lost. */

import type { Issue, LabelledIssue } from "../github/conversation/labelled-issue.ts";
import { timeText, withFields } from "../ledger/file.ts";
import type { Head } from "../ledger/store.ts";
import { Unavailable } from "../ledger/unavailable.ts";
import { DAY, MINUTE } from "../runtime/clock.ts";
import { type ActionError, invalidInput } from "../runtime/errors.ts";
import { readTicks } from "./dashboard/boxes.ts";
import { type DashboardMark, markText, readMark } from "./dashboard/render.ts";
import type { Decision } from "./model/decisions.ts";
import type { DashboardState, Ledger } from "./model/ledger.ts";
import { type BatchRevision, timeOf } from "./model/revision.ts";

/** How long only the run that claimed the dashboard opens it; and after GitHub refused it, no run. */
const CLAIM = 10 * MINUTE;
const AFTER_REFUSAL = DAY;

export type Issues = Pick<LabelledIssue, "find" | "open" | "read" | "write">;

/** A dashboard, as far as it could be read. */
export interface DashboardFacts {
  /** Null if there is none, or the token cannot read it. */
  issue: Issue | null;
  /** Whether one may be opened. */
  mayOpen: boolean;
  /** What people should know about it; null for nothing. */
  warning: string | null;
}

type DashboardReading =
  | { type: "dashboard"; dashboard: DashboardFacts }
  | { type: "lost"; sha: string; writes: number }
  | { type: "set back"; error: ActionError };

export class DashboardIssue {
  readonly #issues: Issues;
  /** The ledger's ref. */
  readonly #ref: string;
  /** The number that the workflow gives; null for none. */
  readonly #named: number | null;

  constructor(issues: Issues, ref: string, named: number | null) {
    this.#issues = issues;
    this.#ref = ref;
    this.#named = named;
  }

  /**
   * Reads the dashboard, and compares it with the ledger.
   *
   * @throws ActionError `github-unavailable`, `invalid-input`
   */
  async read({ sha, ledger }: Head<Ledger>): Promise<DashboardReading> {
    const named = this.#named;
    // The dashboard may exist although the ledger does not know it yet, or no longer.
    const number = named ?? numberOf(ledger.dashboard) ?? (await this.#issues.find());
    const read = number === null ? NO_ISSUE : await this.#issues.read(number);
    if (read.type === "gone" && named !== null) {
      throw invalidInput(`dashboard: there is no issue #${named} in this repository.`);
    }
    const mayOpen = read.type !== "refused" && named === null;
    const warning =
      read.type === "refused" ? `The dashboard cannot be read: ${read.reason}.` : null;
    if (read.type !== "issue") {
      return { type: "dashboard", dashboard: { issue: null, mayOpen, warning } };
    }
    const mark = readMark(read.issue.body);
    if (mark !== null && mark.ref !== this.#ref) {
      throw invalidInput(
        `dashboard: issue #${read.issue.number} shows another ledger (${mark.ref}). Name another issue, or none.`,
      );
    }
    if (mark !== null && ledger.writes < mark.writes) {
      if (sha === null) return { type: "lost", sha: mark.sha, writes: mark.writes };
      return { type: "set back", error: setBack(this.#ref, mark, sha) };
    }
    // If the ledger comes from another repository or time, its number may be that of another issue.
    const isOwn = named !== null || read.issue.isLabelled || mark !== null;
    const issue = isOwn ? read.issue : null;
    return { type: "dashboard", dashboard: { issue, mayOpen, warning } };
  }

  /** Uses a dashboard that an earlier run opened but did not record, or opens one. */
  async open(body: string): Promise<Opened> {
    try {
      const known = await this.#issues.find();
      const opened = known === null ? await this.#issues.open(body) : { number: known };
      if ("refused" in opened) return { type: "denied", reason: opened.refused };
      return { type: "opened", number: opened.number };
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      return { type: "uncertain", reason: error.reason };
    }
  }

  /**
   * The body is read again right before the write, so that a box that was ticked meanwhile stays ticked.
   *
   * @param before its body at the start of the run; null if it was opened since then. If nothing new is shown, it is not
   * read again
   * @returns why it could not be updated; null if it is up to date
   */
  async update(
    number: number,
    before: string | null,
    bodyOf: (body: string) => string,
  ): Promise<string | null> {
    if (before !== null && bodyOf(before) === before) return null;
    try {
      const read = await this.#issues.read(number);
      if (read.type === "gone") return "it is gone";
      if (read.type === "refused") return read.reason;
      const { body } = read.issue;
      const text = bodyOf(body);
      const [shown, own] = [readMark(body), readMark(text)];
      // Another run has shown a newer ledger meanwhile.
      if (shown !== null && own !== null && shown.writes > own.writes) return null;
      if (text !== body) await this.#issues.write(number, text);
      return null;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      return error.reason;
    }
  }

  /** @param before the body that the new one replaces: its ticks stay */
  body(
    { sha, ledger }: Head<Ledger>,
    before: string,
    render: (ticked: readonly Decision[]) => string,
  ): string {
    const mark = { ref: this.#ref, sha: sha ?? "", writes: ledger.writes };
    return `${markText(mark)}\n${render(readTicks(before))}`;
  }
}

const NO_ISSUE = { type: "gone" } as const;

/** @param current the commit that the ref names now: the command moves no other */
function setBack(ref: string, { sha }: DashboardMark, current: string): ActionError {
  return invalidInput(
    `The ledger ${ref} was set back: its dashboard knows of later writes, up to commit ${sha}. Going on could hand over the same thing twice. To restore it: git push --force-with-lease=${ref}:${current} origin ${sha}:${ref} (after git fetch origin ${sha}). To keep it as it is, delete the dashboard.`,
  );
}

/** The result of opening a dashboard. */
export type Opened =
  | { type: "opened"; number: number }
  | { type: "denied"; reason: string }
  | { type: "uncertain"; reason: string };

/** The number of the issue that the ledger names; null for none. */
export function numberOf(dashboard: DashboardState): number | null {
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
    const { number } = issue;
    if (number === numberOf(dashboard)) return revision;
    return withFields(revision, { dashboard: { type: "open", number } });
  }
  const isEmpty = [waiting, batches, reviews, done, passedOver].every((list) => !list.length);
  const isHeld = "until" in dashboard && dashboard.until > timeOf(revision);
  if (!mayOpen || isHeld || isEmpty) return revision;
  const until = timeText(revision.now + CLAIM);
  return withFields(revision, { dashboard: { type: "claimed", by: runName, until } });
}

/** Records the result of opening it, for the run that claimed it. */
export function recordOpened(
  revision: BatchRevision,
  runName: string,
  opened: Opened | { type: "withdrawn" },
): BatchRevision {
  const { dashboard } = revision.ledger;
  if (dashboard.type !== "claimed" || dashboard.by !== runName) return revision;
  switch (opened.type) {
    case "opened": {
      const { number } = opened;
      const event = `Show the ledger on issue #${number}`;
      return withFields(revision, { dashboard: { type: "open", number } }, event);
    }
    case "denied": {
      const until = timeText(revision.now + AFTER_REFUSAL);
      const event = "GitHub refuses a dashboard";
      return withFields(revision, { dashboard: { type: "refused", until } }, event);
    }
    case "withdrawn":
      return withFields(revision, { dashboard: { type: "none" } });
    case "uncertain":
      return revision;
  }
}
