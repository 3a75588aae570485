import type { Issue, IssueRead } from "../../github/conversation/labelled-issue.ts";
import { DAY, MINUTE } from "../../runtime/clock.ts";
import { invalidInput } from "../../runtime/errors.ts";
import { type DashboardMark, markText, readMark, readTicks } from "../dashboard/render.ts";
import type { Decision } from "../model/batches.ts";
import { timeText } from "../model/file.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import type { LedgerPort } from "./port.ts";
import { Unavailable } from "./unavailable.ts";

/** How long only the run that claimed the dashboard opens it; and after GitHub refused it, no run. */
const CLAIM = 10 * MINUTE;
const AFTER_REFUSAL = DAY;

type Render = (ticked: readonly Decision[]) => string;

/** The dashboard of a ledger. Each shows whether the other was lost. */
export class Dashboard {
  /** Null if there is none, or the token cannot read it. */
  issue: Issue | null = null;
  /** Its number, or the one that the ledger names; null if there is none. */
  number: number | null = null;
  /** What people should know about the ledger and its dashboard. */
  readonly warnings: string[] = [];
  /** Whether one may be opened. */
  #mayOpen = false;
  readonly #port: LedgerPort;

  constructor(port: LedgerPort) {
    this.#port = port;
  }

  /**
   * Reads the ledger and its dashboard. A missing ref is created again at the commit that the dashboard names. A second
   * read distinguishes a ref that was set back from an outdated answer.
   *
   * @throws ActionError `github-unavailable`, `invalid-input`
   */
  async read(): Promise<void> {
    const { store, settings } = this.#port;
    const { dashboard: named } = settings;
    await store.read();
    const read = await this.#readIssue();
    if (read.type === "refused")
      this.warnings.push(`The dashboard cannot be read: ${read.reason}.`);
    if (read.type === "gone" && named !== null) {
      throw invalidInput(`dashboard: there is no issue #${named} in this repository.`);
    }
    this.#mayOpen = read.type !== "refused" && named === null;
    const mark = readMark(read.type === "issue" ? read.issue.body : "");
    // If the ledger comes from another repository or time, its number may be that of another issue.
    const isOwn =
      read.type === "issue" && (named !== null || read.issue.isLabelled || mark !== null);
    this.issue = isOwn ? read.issue : null;
    if (mark !== null) await this.#compare(mark);
    this.number = this.issue?.number ?? store.head.ledger.dashboard.number;
  }

  /** Finds out whether the ledger was lost or set back. */
  async #compare(mark: DashboardMark): Promise<void> {
    const { store } = this.#port;
    const { ref } = store.options;
    if (mark.ref !== ref) {
      throw invalidInput(
        `dashboard: issue #${this.issue?.number} shows another ledger (${mark.ref}). Name another issue, or none.`,
      );
    }
    if (store.head.sha === null) await this.#restore(mark);
    const isBehind = () => store.head.ledger.writes < mark.writes;
    if (store.head.sha === null || !isBehind()) return;
    await store.readAgain();
    if (isBehind()) {
      throw invalidInput(
        `The ledger ${ref} was set back: its dashboard knows of later writes, up to commit ${mark.sha}. Going on could hand over the same thing twice. To restore it: git push --force origin ${mark.sha}:${ref} (after git fetch origin ${mark.sha}). To keep it as it is, delete the dashboard.`,
      );
    }
  }

  async #readIssue(): Promise<IssueRead> {
    const { issue, store, settings } = this.#port;
    // The dashboard may exist although the ledger does not know it yet, or no longer.
    const known = settings.dashboard ?? store.head.ledger.dashboard.number;
    const number = known ?? (await issue.find());
    return number === null ? { type: "gone" } : await issue.read(number);
  }

  async #restore({ sha, writes }: DashboardMark): Promise<void> {
    const { store, settings } = this.#port;
    const { ref } = store.options;
    const { now, ledger } = store.head;
    const text = await store.git.readFile(sha, "ledger.json");
    if (text === null) {
      this.warnings.push(
        `The ref ${ref} is missing, and GitHub no longer has its last commit ${sha}. The ledger begins anew.`,
      );
      // The count continues, so that the new ledger does not look set back before the dashboard shows it.
      store.head = { sha: null, now, ledger: { ...ledger, writes } };
    } else if (settings.isDryRun) {
      await store.readAt(sha, now);
    } else {
      if (await store.move(null, sha)) {
        this.warnings.push(`The ref ${ref} was missing. It was restored at commit ${sha}.`);
      }
      await store.readAgain();
    }
  }

  /** Records its number, or claims its opening, if there is none and there is something to show. */
  claim(edit: LedgerEdit): void {
    const { dashboard, waiting, batches, reviews, done, passedOver } = edit.ledger;
    const { runName: claim } = this.#port.store.options;
    if (this.issue !== null) {
      const { number } = this.issue;
      if (number !== dashboard.number) edit.change({ dashboard: { number, claim: "", until: "" } });
      return;
    }
    const isEmpty = [waiting, batches, reviews, done, passedOver].every((list) => !list.length);
    if (!this.#mayOpen || dashboard.until > edit.time || isEmpty) return;
    edit.change({ dashboard: { number: null, claim, until: timeText(edit.now + CLAIM) } });
  }

  /**
   * Updates the dashboard, or opens it.
   *
   * @param render the body without its mark, with these boxes ticked
   * @param mayOpen false if the service refused the key or the project
   */
  async show(render: Render, mayOpen: boolean): Promise<void> {
    const { head, options } = this.#port.store;
    this.number = this.issue?.number ?? null;
    try {
      if (this.issue !== null) await this.#update(render, this.issue.number, this.issue.body);
      else if (mayOpen && head.ledger.dashboard.claim === options.runName) await this.#open(render);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      this.warnings.push(
        `The dashboard could not be written: ${error.why}. The ledger is not affected.`,
      );
    }
  }

  /**
   * The body is read again right before the write, so that a box that was ticked meanwhile stays ticked.
   *
   * @param before its body at the start of the run; if nothing new is shown, it is not read again
   */
  async #update(render: Render, number: number, before: string): Promise<void> {
    const { issue } = this.#port;
    if (this.#bodyOf(before, render) === before) return;
    const now = await issue.read(number);
    if (now.type !== "issue")
      throw new Unavailable(now.type === "gone" ? "it is gone" : now.reason);
    const { body } = now.issue;
    const text = this.#bodyOf(body, render);
    if (text !== body) await issue.write(number, text);
  }

  /** Uses a dashboard that an earlier run opened but did not record, or opens one. */
  async #open(render: Render): Promise<void> {
    const { issue, store } = this.#port;
    const found = await issue.find();
    const opened = found === null ? await issue.open(this.#bodyOf("", render)) : { number: found };
    const number = "refused" in opened ? null : opened.number;
    const until = number === null ? timeText(store.head.now + AFTER_REFUSAL) : "";
    const event =
      number === null ? "GitHub refuses a dashboard" : `Show the ledger on issue #${number}`;
    this.number = number;
    await store.record((edit) => edit.change({ dashboard: { number, claim: "", until } }, event));
    if ("refused" in opened) throw new Unavailable(opened.refused);
    if (number !== null) await this.#update(render, number, "");
  }

  #bodyOf(before: string, render: Render): string {
    const { head, options } = this.#port.store;
    const mark = { ref: options.ref, sha: head.sha ?? "", writes: head.ledger.writes };
    return `${markText(mark)}\n${render(readTicks(before))}`;
  }
}
