/** Judges one pull request for a status, and shows statuses and comments. */

import { reasonOf } from "../github/api/explain.ts";
import type { SinglePull } from "../github/changes/history-records.ts";
import {
  ActionError,
  asActionError,
  cancelledRun,
  KIND_WORDS,
  orThrow,
} from "../runtime/errors.ts";
import type { GateParts, GateRun } from "./gate-run.ts";
import { judgePull, type PullToJudge } from "./pull-reads.ts";
import {
  type CommitStatus,
  errorStatus,
  StatusNotSet,
  setStatus,
  verdictStatus,
} from "./status.ts";
import { JUDGE_AGAIN, requireValue } from "./unread.ts";
import type { ShownVerdict } from "./verdict-outputs.ts";
import { reportText } from "./verdict-text.ts";

/** Judges an open pull request, asks for its draft, and comments on it. */
export async function judgeAndComment(
  pull: SinglePull,
  run: GateRun,
): Promise<{ shown: ShownVerdict; status: CommitStatus }> {
  const { inputs, context, dependencies } = run;
  const judged = await orThrow(judgePull(pull, run, { mayDraft: true }), async (error) => {
    if (isKeyRefused(error)) await showError(pull.head, error, run);
    return error;
  });
  const commentUrl = pull.isOpen ? await keepComment(judged, run) : null;
  if (dependencies.cancellation.stop.aborted) throw cancelledRun(JUDGE_AGAIN);
  const shown = { judged: judged.judged, commentUrl };
  const link = commentUrl ?? context.runUrl;
  return { shown, status: verdictStatus(judged.judged, inputs, link) };
}

/** Keeps the comment on a pull request. @returns its URL; null for none */
async function keepComment(
  { judged, comments, readComments }: PullToJudge,
  { inputs, dependencies }: GateRun,
): Promise<string | null> {
  if (!inputs.comment) return null;
  const known = requireValue(await readComments());
  const mark = `docs-agent-gate:${inputs.name}`;
  const text = reportText(judged, inputs);
  const sent = await comments.keep(mark, text, known, judged.verdict === "needed");
  if (sent.type === "accepted") return sent.value;
  dependencies.log.warning(
    `The comment could not be written: ${reasonOf(sent)}. The verdict is in the step summary.`,
  );
  return null;
}

/** Whether the service refuses the key: then no earlier green status may stay. */
export function isKeyRefused(error: unknown): error is ActionError {
  const kinds = ["unauthorized", "forbidden", "not-found"];
  return error instanceof ActionError && kinds.includes(error.kind);
}

/** What a status is about. */
export type StatusTarget =
  /** A pull request, judged for an event of its own: the step's result can show the verdict, too. */
  | { type: "pull"; pull: SinglePull }
  /** A pull request, judged for a comment: the step's result is not a check of it. */
  | { type: "comment"; pull: SinglePull }
  /** The last commit of a merge queue's group, for which the step's result can show the verdict, too. */
  | { type: "group"; sha: string };

/** Shows a verdict as a commit status. @returns whether the status shows it; if not, the step's result can */
export async function showStatus(
  target: StatusTarget,
  status: CommitStatus,
  run: GateRun,
): Promise<boolean> {
  const sha = target.type === "group" ? target.sha : target.pull.head;
  const refusal = await setStatus(run, sha, status);
  if (refusal === null) return true;
  if (target.type === "comment" || refusal.by === "passing") throw new StatusNotSet(refusal);
  const advice = isReadOnly(target)
    ? " For forks and Dependabot, the token only reads: a run on `workflow_run` or a schedule sets the status."
    : "";
  run.dependencies.log.warning(
    `The status could not be set: ${refusal.reason}. The step's result shows the verdict instead.${advice}`,
  );
  return false;
}

/** Whether the token of the run only reads, whatever the workflow says. */
function isReadOnly(target: StatusTarget): boolean {
  if (target.type === "group") return false;
  return target.pull.isFork || target.pull.author.login === "dependabot[bot]";
}

/** Replaces an earlier status by an error, if GitHub accepts it: the error itself is reported in any case. */
export async function showError(sha: string, error: unknown, run: GateParts): Promise<void> {
  const { context, dependencies } = run;
  if (dependencies.cancellation.stop.aborted) return;
  await setStatus(run, sha, errorStatus(KIND_WORDS[asActionError(error).kind], context.runUrl));
}
