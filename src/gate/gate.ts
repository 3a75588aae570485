import { connector } from "../github/api/connect.ts";
import {
  inRepository,
  type RepositoryContext,
  type RunContext,
} from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { type Dependencies, once } from "../runtime/dependencies.ts";
import { ActionError, cancelledRun, invalidInput, orThrow } from "../runtime/errors.ts";
import { GateReader } from "./gate-reader.ts";
import type { GateRun } from "./gate-run.ts";
import { parseGateInputs } from "./inputs.ts";
import { newPageLink } from "./new-page.ts";
import { judgePull } from "./pull-reads.ts";
import { judgeAndComment, showError, showStatus } from "./show.ts";
import { groupStatus } from "./status.ts";
import { groupPulls, type MergeGroup, type Subject, subjectOf } from "./subjects.ts";
import { JUDGE_AGAIN, requireValue } from "./unread.ts";
import { byVerdict, isRed, type PullVerdict } from "./verdict.ts";
import { reportVerdicts, type ShownVerdict } from "./verdict-outputs.ts";
import { groupText, neededMessage, reportText } from "./verdict-text.ts";

/**
 * Judges whether pull requests are documented, by their labels, their files, what people say, and the jobs that were
 * requested on them, and shows each verdict as a commit status.
 *
 * @returns whether the step fails
 */
export async function gate(
  read: ReadInput,
  runContext: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const inputs = parseGateInputs(read, runContext);
  const context = inRepository(runContext);
  const subject = subjectOf(context);
  const judging = startRun(inputs, context, dependencies).then((run) => judgeSubject(subject, run));
  return await orThrow(judging, (error) => {
    // Requests that a signal interrupted say nothing about GitHub.
    const isUnanswered = error instanceof ActionError && error.kind === "github-unavailable";
    const isCancelled = dependencies.cancellation.stop.aborted && isUnanswered;
    return isCancelled ? cancelledRun(JUDGE_AGAIN) : error;
  });
}

async function startRun(
  inputs: ReturnType<typeof parseGateInputs>,
  context: RepositoryContext,
  dependencies: Dependencies,
): Promise<GateRun> {
  const connect = connector(inputs, dependencies);
  const parts = { inputs, context, connect, dependencies };
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...parts,
    reader: new GateReader(await connect(), context.repository, inputs.statusName, connect),
    ledgers: once(async () => {
      // Most runs need no ledger.
      const { readTraces } = await import("./traces.ts");
      return await readTraces(parts);
    }),
    inTurn: (write) => {
      const turn = last.then(write);
      last = turn.catch(() => null);
      return turn;
    },
  };
}

/** @returns whether the step fails */
async function judgeSubject(subject: Subject, run: GateRun): Promise<boolean> {
  switch (subject.type) {
    case "none":
      run.dependencies.log.info("The comment is not on a pull request: there is nothing to judge.");
      return false;
    case "pull":
    case "comment":
      return await judgeOwn(subject, run);
    case "group":
      return await judgeGroup(subject.group, run);
    case "open": {
      const { judgeOpen } = await import("./sweep.ts");
      await judgeOpen(run);
      return false;
    }
  }
}

/** Judges the pull request of the event. */
async function judgeOwn(
  { type, number }: Extract<Subject, { type: "pull" | "comment" }>,
  run: GateRun,
): Promise<boolean> {
  const { inputs, context, dependencies } = run;
  const pull = requireValue(await run.reader.pull(number));
  const { shown, others, status } = await judgeAndComment(pull, run);
  // The head of a pull request that was merged or closed is judged no more.
  const isShown = !pull.isOpen || (await showStatus({ type, pull }, status, run));
  const { judged: own } = shown;
  const newPage = newPageLink(pull, inputs, context.serverUrl);
  const text =
    others.length === 0 ? reportText(own, inputs, newPage) : groupText([own, ...others], inputs);
  const shownOthers = others.map((judged) => ({ judged, commentUrl: null }));
  reportVerdicts([shown, ...shownOthers], text, dependencies);
  const [decisive = own] = byVerdict([own, ...others]);
  return logNeeded(decisive, run, isShown);
}

/** Judges the pull requests of a merge queue's group. A group without a status waits until the queue gives up. */
async function judgeGroup(group: MergeGroup, run: GateRun): Promise<boolean> {
  const { inputs, context, dependencies } = run;
  const verdicts = await orThrow(judgePulls(group, run), async (error) => {
    await showError({ type: "group", sha: group.head }, error, run);
    return error;
  });
  if (dependencies.cancellation.stop.aborted) throw cancelledRun(JUDGE_AGAIN);
  const [first, ...others] = verdicts;
  if (first === undefined) {
    throw invalidInput("The event names no pull request of the merge queue's group.");
  }
  const [decisive = first] = byVerdict(verdicts);
  const status = groupStatus([first, ...others], inputs, context.runUrl);
  const isShown = await showStatus({ type: "group", sha: group.head }, status, run);
  const all = verdicts.map((judged): ShownVerdict => ({ judged, commentUrl: null }));
  const text = all.length === 1 ? reportText(decisive, inputs, null) : groupText(verdicts, inputs);
  reportVerdicts(all, text, dependencies);
  return logNeeded(decisive, run, isShown);
}

async function judgePulls(group: MergeGroup, run: GateRun): Promise<PullVerdict[]> {
  const all: PullVerdict[] = [];
  for (const { number, isOfTitle } of await groupPulls(group, run.reader)) {
    const pull = await run.reader.pull(number);
    // An answer about this part of the question.
    const isMissing = pull.type === "unread" && pull.cause === "refused" && pull.status === 200;
    if (isMissing && isOfTitle) continue;
    all.push((await judgePull(requireValue(pull), run, { mayDraft: false })).judged);
  }
  return all;
}

/** @returns whether the step fails */
function logNeeded(
  judged: PullVerdict,
  { inputs, dependencies }: GateRun,
  isShown: boolean,
): boolean {
  if (judged.verdict !== "needed") return false;
  const isFailed = !isShown && isRed(judged, inputs);
  if (isFailed) dependencies.log.error(neededMessage(judged));
  else dependencies.log.warning(neededMessage(judged));
  return isFailed;
}
