import type { Issue, IssueRead } from "../../github/labelled-issue.ts";
import { invalidInput } from "../../runtime/errors.ts";
import { type DashboardMark, readMark, readTicks } from "../dashboard/boxes.ts";
import type { Decision } from "../model/batch-ends.ts";
import type { Ledger } from "../model/ledger.ts";
import type { LedgerPort } from "./port.ts";
import { answered, type Head } from "./store.ts";

export interface OpenSettings {
  /** The issue that the workflow names. */
  dashboard: number | null;
  /** Nothing is written and nothing sent. */
  isDryRun: boolean;
}

/** A ledger that a run may work with, and its dashboard. */
export interface Opened {
  head: Head<Ledger>;
  /** Null: there is none, or the token may not read it. */
  issue: Issue | null;
  /** Whether one may be opened in its place. */
  mayOpen: boolean;
  decisions: Decision[];
  warnings: string[];
}

/**
 * Reads the ledger and its dashboard. A ref that is missing is made again where the dashboard says it was;
 * one that was set back is told apart from an answer out of an old copy by a second reading.
 *
 * @throws ActionError `github-unavailable`, `invalid-input`
 */
export async function openLedger(port: LedgerPort, settings: OpenSettings): Promise<Opened> {
  const { store } = port;
  let head = await store.read();
  const read = await readIssue(port, head.ledger, settings.dashboard);
  const warnings = read.type === "refused" ? [`The dashboard cannot be read: ${read.why}.`] : [];
  if (read.type === "gone" && settings.dashboard !== null) {
    throw invalidInput(`dashboard: there is no issue #${settings.dashboard} in this repository.`);
  }
  // A number that the ledger knows from another repository, or another time, names somebody else's issue.
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
    if (head.sha !== null && head.ledger.writes < mark.writes) head = await store.readAgain();
    if (head.sha !== null && head.ledger.writes < mark.writes) throw setBack(ref, mark.sha);
  }
  const mayOpen = read.type !== "refused" && settings.dashboard === null;
  return { head, issue, mayOpen, decisions: readTicks(issue?.body ?? ""), warnings };
}

async function readIssue(
  { issue }: LedgerPort,
  { dashboard }: Ledger,
  named: number | null,
): Promise<IssueRead> {
  // It may have been opened before the ledger came to know it, or was set back.
  const number = named ?? dashboard.number ?? (await answered(issue.find())).number;
  return number === null ? { type: "gone" } : await answered(issue.read(number));
}

async function restore(
  { store }: LedgerPort,
  { isDryRun }: OpenSettings,
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
    // It counts on from there: until the dashboard shows the new ledger, that must not look set back.
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
