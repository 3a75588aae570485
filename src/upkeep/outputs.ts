import type { Delivered } from "../job/start.ts";
import type { Change, HistoryLine } from "../ledger/model/ledger.ts";
import type { RunResult } from "../ledger/protocol/run-steps.ts";
import type { ActionError } from "../runtime/errors.ts";
import { safeLink } from "../text/link.ts";

/** What a value of the output `result` says that nothing else tells. */
export const WORDS: Readonly<Record<string, string>> = {
  busy: "The last batch is still in progress, or another run is active.",
  held: "Changes wait until the docs pull request is merged or closed.",
  limited: "The job limit is reached; changes wait for a later run.",
  "dry-run": "Dry run: nothing was written or started.",
};

/** The output `result`; empty where nothing is known to have been started. */
export function resultOf(
  { end }: RunResult,
  delivered: Delivered | null,
  error: ActionError | null,
  isDryRun: boolean,
): string {
  if (end.type !== "ran") return "";
  if (isDryRun) return "dry-run";
  if (delivered === null) return error === null || end.reason !== "idle" ? end.reason : "";
  if (delivered.job !== null) return delivered.isFollowUp ? "continued" : "started";
  return delivered.reason ?? "";
}

/** The outputs that are upkeep's own. */
export function outputsOf(
  { edit, finished, handed, polls }: RunResult,
  delivered: Delivered | null,
): Record<string, string> {
  const job = delivered?.job ?? null;
  const changes = handed
    .filter(({ sent }) => sent.type === "accepted" || sent.type === "uncertain")
    .flatMap(({ batch }) => batch.changes.flatMap(changeOutput));
  const waiting = edit === null ? [] : edit.ledger.waiting.flatMap((it) => it.changes);
  const undecided = edit === null ? [] : edit.undecided.flatMap((it) => it.changes);
  const ended = finished.map((line) => finishedOutput(line, polls.get(line.batch)?.status));
  return {
    jobId: job?.id ?? "",
    status: job?.status ?? "",
    prLink: safeLink(job?.prLink ?? "") ?? "",
    changes: JSON.stringify(changes),
    changeCount: String(changes.length),
    waitingCount: String(waiting.length),
    finished: JSON.stringify(ended),
    finishedCount: String(ended.length),
    needsDecisionCount: String(undecided.length),
  };
}

function finishedOutput(
  { jobId, prLink, changes, state }: HistoryLine,
  status: string | undefined,
) {
  const told = status ?? (state === "done" ? "completed" : "failed");
  return { jobId, status: told, prLink, changes: changes.flatMap(changeOutput) };
}

function changeOutput(change: Change) {
  if (change.kind !== "change") return [];
  const { repository, number, sha, title, url, author } = change;
  return [{ repository, number, sha, title, url, author }];
}
