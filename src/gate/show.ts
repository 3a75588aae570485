/** Judges one pull request for a status, and shows statuses and comments. */

import { reasonOf } from "../github/api/explain.ts";
import {
  ActionError,
  asActionError,
  cancelledRun,
  KIND_WORDS,
  orThrow,
} from "../runtime/errors.ts";
import type { GatePull } from "./gate-pull.ts";
import type { GateRun } from "./gate-run.ts";
import { newPageLink } from "./new-page.ts";
import { judgePull } from "./pull-reads.ts";
import {
  type CommitStatus,
  errorStatus,
  headStatus,
  isSameStatus,
  StatusNotSet,
  setStatus,
} from "./status.ts";
import { JUDGE_AGAIN, requireValue } from "./unread.ts";
import type { PullVerdict } from "./verdict.ts";
import type { ShownVerdict } from "./verdict-outputs.ts";
import { reportText } from "./verdict-text.ts";

/**
 * Judges an open pull request, asks for its draft, and comments on it. Its head can have one status only, so that the
 * other open pull requests with this head are judged, too, unless the strictest verdict is known already.
 */
export async function judgeAndComment(
  pull: GatePull,
  run: GateRun,
): Promise<{
  shown: ShownVerdict;
  /** On the others with this head. */
  others: PullVerdict[];
  status: CommitStatus;
}> {
  const { inputs, context, dependencies } = run;
  const judging = async () => {
    const own = await judgePull(pull, run, { mayDraft: true });
    return { own, others: await judgeOthers(pull, own.judged, run) };
  };
  const { own, others } = await orThrow(judging(), async (error) => {
    if (isKeyError(error)) await showError({ type: "pull", pull }, error, run);
    return error;
  });
  const commentUrl = pull.isOpen ? await keepComment(pull, own, run) : null;
  if (dependencies.cancellation.stop.aborted) throw cancelledRun(JUDGE_AGAIN);
  const status = headStatus([own.judged, ...others], inputs, commentUrl ?? context.runUrl);
  return { shown: { judged: own.judged, commentUrl }, others, status };
}

/** The verdicts on the other open pull requests with the same head. */
async function judgeOthers(
  { number, head, isOpen }: GatePull,
  { verdict }: PullVerdict,
  run: GateRun,
): Promise<PullVerdict[]> {
  if (!isOpen || verdict === "needed") return [];
  const open = requireValue(await run.reader.openPulls());
  const others = open.filter((other) => other.head === head && other.number !== number);
  const all: PullVerdict[] = [];
  for (const other of others) {
    const pull = requireValue(await run.reader.pull(other.number));
    if (!pull.isOpen || pull.head !== head) continue;
    all.push((await judgePull(pull, run, { mayDraft: false })).judged);
  }
  return all;
}

/** Keeps the comment on a pull request. @returns its URL; null for none */
async function keepComment(
  pull: GatePull,
  { judged, comments, readComments }: Awaited<ReturnType<typeof judgePull>>,
  { inputs, context, dependencies }: GateRun,
): Promise<string | null> {
  if (!inputs.comment) return null;
  const known = requireValue(await readComments());
  const mark = `docs-agent-gate:${inputs.name}`;
  const text = reportText(judged, inputs, newPageLink(pull, inputs, context.serverUrl));
  const mayCreate = judged.verdict === "needed" && !pull.isDraft;
  const sent = await comments.keep(mark, text, known, mayCreate);
  if (sent.type === "accepted") return sent.value;
  dependencies.log.warning(
    `The comment could not be written: ${reasonOf(sent)}. The verdict is in the step summary.`,
  );
  return null;
}

/** Whether the service refuses the key: then no earlier green status may stay. */
export function isKeyError(error: unknown): error is ActionError {
  const kinds = ["unauthorized", "forbidden", "not-found"];
  return error instanceof ActionError && kinds.includes(error.kind);
}

/** What a status is about. */
export type StatusTarget =
  /** A pull request, judged for an event of its own: the step's result can show the verdict, too. */
  | { type: "pull"; pull: GatePull }
  /** A pull request, judged for a comment: the step's result is not a check of it. */
  | { type: "comment"; pull: GatePull }
  /** The last commit of a merge queue's group, for which the step's result can show the verdict, too. */
  | { type: "group"; sha: string };

/** Shows a verdict as a commit status. @returns whether the status shows it; if not, the step's result can */
export async function showStatus(
  target: StatusTarget,
  status: CommitStatus,
  run: GateRun,
): Promise<boolean> {
  const refusal = await setIfChanged(target, status, run);
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

/**
 * Sets a status, unless the head has one that says the same: GitHub takes 1,000 for a commit.
 *
 * @returns why it is not set; null if it is
 */
export async function setIfChanged(target: StatusTarget, status: CommitStatus, run: GateRun) {
  const sha = target.type === "group" ? target.sha : target.pull.head;
  const isSame = target.type !== "group" && (await saysSo(target.pull, status, run));
  return isSame ? null : await setStatus(run, sha, status);
}

/** Whether the head's status says the same. Where a newer green one may not be seen yet, another read has to agree. */
async function saysSo(
  { head, status: known }: GatePull,
  status: CommitStatus,
  { reader, context }: GateRun,
): Promise<boolean> {
  if (known === null || !isSameStatus(known, status, context.runUrl)) return false;
  return status.state === "success" || (await reader.hasStatus(head, status));
}

/** Whether the token of the run only reads, whatever the workflow says. */
function isReadOnly(target: StatusTarget): boolean {
  if (target.type === "group") return false;
  return target.pull.isFork || target.pull.author.login === "dependabot[bot]";
}

/** Replaces an earlier status by an error, if GitHub accepts it: the error itself is reported in any case. */
export async function showError(target: StatusTarget, error: unknown, run: GateRun): Promise<void> {
  const { context, dependencies } = run;
  if (dependencies.cancellation.stop.aborted) return;
  const status = errorStatus(KIND_WORDS[asActionError(error).kind], context.runUrl);
  await setIfChanged(target, status, run);
}
