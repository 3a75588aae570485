import type { Issue, IssueRead } from "../../github/labelled-issue.ts";
import type { Failed } from "../../github/refusal.ts";
import { type DashboardMark, readMark, readTicks } from "../dashboard/boxes.ts";
import type { Decision } from "../model/batch-events.ts";
import { hasFailed, io, type Steps } from "./port.ts";
import {
  type BatchSettings,
  type Head,
  headAt,
  moveRef,
  readHead,
  type Unusable,
} from "./write-ledger.ts";

export interface OpenSettings extends BatchSettings {
  /** The issue that the workflow names. */
  dashboard: number | null;
  /** Nothing is written and nothing sent. */
  isDryRun: boolean;
}

/** A ledger that a run may work with, and its dashboard. */
export interface Opened {
  head: Head;
  /** Null: there is none, or the token may not read it. */
  issue: Issue | null;
  /** Whether one may be opened in its place. */
  mayOpen: boolean;
  decisions: Decision[];
  warnings: string[];
}

/** It was set back: the dashboard knows of later writes. */
export interface SetBack {
  setBackFrom: string;
}

/**
 * Reads the ledger and its dashboard. A ref that is missing is made again where the dashboard says it was;
 * one that was set back is told apart from an answer out of an old copy by a second reading.
 */
export function* openLedger(settings: OpenSettings): Steps<Opened | Failed | Unusable | SetBack> {
  let head = yield* readHead(settings);
  if (!("sha" in head)) return head;
  const warnings: string[] = [];
  const read = yield* readIssue(settings, head);
  if (hasFailed(read)) return read;
  // A number that the ledger knows from another repository, or another time, names somebody else's issue.
  const isOwn =
    read.type === "issue" &&
    (settings.dashboard !== null || read.issue.isLabelled || readMark(read.issue.body) !== null);
  const issue = isOwn ? read.issue : null;
  if (read.type === "refused") warnings.push(`The dashboard cannot be read: ${read.why}.`);
  if (read.type === "gone" && settings.dashboard !== null) {
    return { problem: `dashboard: there is no issue #${settings.dashboard} in this repository.` };
  }
  const mark = readMark(issue?.body ?? "");
  if (mark !== null && mark.ref !== settings.ref) {
    return {
      problem: `dashboard: issue #${issue?.number} shows another ledger (${mark.ref}). Name another issue, or none.`,
    };
  }
  if (mark !== null) {
    if (head.sha === null) {
      head = yield* restore(settings, mark, head, warnings);
      if (!("sha" in head)) return head;
    }
    if (head.sha !== null && head.ledger.writes < mark.writes) {
      head = yield* readAgain(settings);
      if (!("sha" in head)) return head;
      if (head.ledger.writes < mark.writes) return { setBackFrom: mark.sha };
    }
  }
  const mayOpen = read.type !== "refused" && settings.dashboard === null;
  return { head, issue, mayOpen, decisions: readTicks(issue?.body ?? ""), warnings };
}

function* readIssue(settings: OpenSettings, { ledger }: Head): Steps<IssueRead | Failed> {
  let number = settings.dashboard ?? ledger.dashboard.number;
  // It may have been opened before the ledger came to know it, or was set back.
  if (number === null) {
    const found = yield* io.findDashboard();
    if (hasFailed(found)) return found;
    number = found.number;
  }
  return number === null ? { type: "gone" } : yield* io.readDashboard(number);
}

function* restore(
  settings: OpenSettings,
  { sha, writes }: DashboardMark,
  empty: Head,
  warnings: string[],
): Steps<Head | Failed | Unusable> {
  const file = yield* io.readFile(sha, "ledger.json");
  if (hasFailed(file)) return file;
  if (file.text === null) {
    warnings.push(
      `The ref ${settings.ref} is missing, and GitHub no longer has its last commit ${sha}. The ledger begins anew.`,
    );
    // It counts on from there: until the dashboard shows the new ledger, that must not look set back.
    return { ...empty, ledger: { ...empty.ledger, writes } };
  }
  if (settings.isDryRun) return yield* headAt(settings, sha, empty.now);
  const moved = yield* moveRef(null, sha);
  if (typeof moved !== "string") return moved;
  if (moved === "won") {
    warnings.push(`The ref ${settings.ref} was missing. It was restored at commit ${sha}.`);
  }
  return yield* readAgain(settings);
}

/** An answer may come from a copy of GitHub's database that is behind: a moment later, it rarely is. */
function* readAgain(settings: OpenSettings): Steps<Head | Failed | Unusable> {
  yield* io.pause(1);
  return yield* readHead(settings);
}
