import type { Issue } from "../../github/labelled-issue.ts";
import { markText, readTicks } from "../dashboard/boxes.ts";
import { timeText } from "../model/file.ts";
import type { Ledger } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import type { Opened, OpenSettings } from "./open-ledger.ts";
import { hasFailed, io, type Steps } from "./port.ts";
import { type Head, record } from "./write-ledger.ts";

/** For how long only the run that claimed it opens a dashboard; and after GitHub refused one, nobody. */
const CLAIM = 10 * 60_000;
const AFTER_REFUSAL = 24 * 60 * 60_000;

/** Claims the opening of a dashboard, if there is none and there is something to show. */
export function claimDashboard(
  edit: LedgerEdit,
  { issue, mayOpen }: Pick<Opened, "issue" | "mayOpen">,
  runName: string,
): void {
  const known = edit.ledger.dashboard;
  if (issue !== null) {
    if (issue.number === known.number) return;
    edit.change({ dashboard: { number: issue.number, claim: "", until: "" } });
  } else if (mayOpen && known.until <= edit.time && hasContent(edit.ledger)) {
    const until = timeText(edit.now + CLAIM);
    edit.change({ dashboard: { number: null, claim: runName, until } });
  }
}

function hasContent(ledger: Ledger): boolean {
  const { waiting, batches, reviews, done, passedOver, sources } = ledger;
  const entries = [...waiting, ...batches, ...reviews, ...done, ...passedOver];
  return entries.length > 0 || sources.some(({ tooMany }) => tooMany !== null);
}

/**
 * Brings the dashboard up to date, or opens it. A dashboard that GitHub refuses is a warning.
 *
 * @param isRefused the service has refused the key or the project: nothing is opened
 * @returns the ledger, which may have come to know its dashboard
 */
export function* showDashboard(
  settings: OpenSettings,
  head: Head,
  issue: Issue | null,
  isRefused: boolean,
  result: { dashboard: number | null; warnings: string[] },
): Steps<Head> {
  const isMine = head.ledger.dashboard.claim === settings.runName;
  const opened =
    issue === null && isMine && !isRefused
      ? yield* open(settings, head)
      : { number: issue?.number ?? null, head, why: "" };
  const { number } = opened;
  result.dashboard = number;
  const why =
    number === null ? opened.why : yield* update(settings, opened.head, number, issue?.body ?? "");
  if (why !== "") {
    result.warnings.push(`The dashboard could not be written: ${why}. The ledger is not affected.`);
  }
  return opened.head;
}

/**
 * Read again right before it is written: a box that somebody ticked meanwhile stays ticked.
 *
 * @param before the body as it was at first: if there is nothing new to show, it is not read again
 */
function* update(
  settings: OpenSettings,
  head: Head,
  number: number,
  before: string,
): Steps<string> {
  if (isSame(yield* bodyOf(settings, head, before), before)) return "";
  const now = yield* io.readDashboard(number);
  if (hasFailed(now)) return now.failed;
  if (now.type !== "issue") return now.type === "gone" ? "it is gone" : now.why;
  const text = yield* bodyOf(settings, head, now.issue.body);
  if (isSame(text, now.issue.body)) return "";
  const written = yield* io.writeDashboard(number, text);
  return hasFailed(written) ? written.failed : "";
}

/** GitHub may take white space off the end of a body. */
function isSame(one: string, other: string): boolean {
  return one.trimEnd() === other.trimEnd();
}

function* bodyOf(settings: OpenSettings, head: Head, before: string): Steps<string> {
  const text = yield* io.render(settings.editOf(head), readTicks(before));
  const { ref } = settings;
  return `${markText({ ref, sha: head.sha ?? "", writes: head.ledger.writes })}\n${text}`;
}

/** Takes up the dashboard that a run before opened and could not write down, or opens one. */
function* open(
  settings: OpenSettings,
  head: Head,
): Steps<{ number: number | null; head: Head; why: string }> {
  const found = yield* io.findDashboard();
  if (hasFailed(found)) return { number: null, head, why: found.failed };
  const opened =
    found.number === null
      ? yield* io.openDashboard(yield* bodyOf(settings, head, ""))
      : { number: found.number };
  if (hasFailed(opened)) return { number: null, head, why: opened.failed };
  const isOpen = "number" in opened;
  const number = isOpen ? opened.number : null;
  const dashboard = { number, claim: "", until: isOpen ? "" : timeText(head.now + AFTER_REFUSAL) };
  const event = isOpen ? `Show the ledger on issue #${number}` : "GitHub refuses a dashboard";
  const after = yield* record(settings, head, (edit) => edit.change({ dashboard }, event));
  return {
    number,
    head: hasFailed(after) ? head : after,
    why: "refused" in opened ? opened.refused : "",
  };
}
