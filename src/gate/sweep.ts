/** Judges open pull requests whose status may have changed without an event of theirs. */

import { ActionError, valueOrError } from "../runtime/errors.ts";
import { clause, counted, sentence } from "../text/sentence.ts";
import type { OpenPull } from "./gate-pull.ts";
import type { GateRun } from "./gate-run.ts";
import { isKeyError, judgeAndComment, setIfChanged } from "./show.ts";
import { StatusNotSet } from "./status.ts";
import { sweepOrder } from "./sweep-order.ts";
import { requireValue } from "./unread.ts";
import { reportVerdicts, type ShownVerdict } from "./verdict-outputs.ts";
import { groupText } from "./verdict-text.ts";

/** After this many failures in a row, GitHub is unavailable. */
const MOST_FAILED = 3;
/** How many pull requests are read in one query, and judged together. */
const TOGETHER = 10;
/** Maximum number of requests to GitHub in a run, and how many of them those that are judged together may take. */
const MOST_REQUESTS = 200;
const REQUESTS_TOGETHER = 5 * TOGETHER;

/** A pull request that could not be judged, or whose status could not be set. */
interface Failure {
  number: number;
  /**
   * `key`: the service refuses the key, so that no status that needs it stays green; other pull requests may need none.
   * `service`: any other request to it failed. `commit`: GitHub does not accept another status of its head. `github`:
   * any other request to GitHub failed.
   */
  by: "key" | "service" | "commit" | "github";
  error: ActionError;
}

/** @throws ActionError if pull requests could not be judged, or a status not be set */
export async function judgeOpen(run: GateRun): Promise<void> {
  const { inputs, context, reader, dependencies } = run;
  const { log, clock } = dependencies;
  const open = requireValue(await reader.openPulls());
  const order = sweepOrder(open, {
    isEach: context.eventName === "workflow_dispatch",
    now: clock.timeOfDay(),
  });
  log.info(
    `${counted(open.length, "open pull request")}, of which ${order.length} may have changed.`,
  );
  const all: ShownVerdict[] = [];
  const failures: Failure[] = [];
  let inARow = 0;
  let begun = 0;
  while (begun < order.length && reader.requests + REQUESTS_TOGETHER <= MOST_REQUESTS) {
    const results = await judgeTogether(order.slice(begun, begun + TOGETHER), run);
    begun += results.length;
    for (const result of results) {
      if ("judged" in result) all.push(result);
      else failures.push(result);
      inARow = "by" in result && result.by === "github" ? inARow + 1 : 0;
    }
    if (inARow >= MOST_FAILED) break;
  }
  if (begun < order.length) log.info(`Later runs judge ${order.length - begun} more.`);
  const verdicts = all.map(({ judged }) => judged);
  reportVerdicts(all, groupText(verdicts, inputs), dependencies);
  const [first, ...others] = failures;
  if (first !== undefined) throw errorOf(first, others);
}

/** @throws the first error that ends the run, after all have come to their end */
async function judgeTogether(
  pulls: readonly OpenPull[],
  run: GateRun,
): Promise<(ShownVerdict | Failure)[]> {
  const settled = await Promise.allSettled(pulls.map((pull) => judgeOne(pull, run)));
  return settled.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

/**
 * The error of a run that could not judge pull requests: `github-unavailable` if a later run may judge some of them,
 * otherwise of the kind of the first. A key that is refused comes before all.
 */
function errorOf(first: Failure, others: readonly Failure[]): ActionError {
  const all = [first, ...others];
  const refused = all.find(({ by }) => by === "key");
  if (refused !== undefined) return refused.error;
  const { kind, problem: reason } = first.error;
  const count = counted(all.length, "pull request");
  const problem = `${count} could not be judged, for example #${first.number}: ${clause(reason)}.`;
  const isPassing = all.some(({ error }) => error.kind === "github-unavailable");
  const advice = isPassing
    ? "The next run tries again."
    : "The next run fails, too, unless the cause is removed.";
  const options = { cause: first.error };
  return new ActionError(isPassing ? "github-unavailable" : kind, problem, advice, options);
}

async function judgeOne({ number }: OpenPull, run: GateRun): Promise<ShownVerdict | Failure> {
  const result = await valueOrError(judgeAndShow(number, run), ActionError);
  if (!(result instanceof ActionError)) return result;
  // After a signal, the run ends with the error as it is, or as cancelled.
  const isOver = result instanceof StatusNotSet && result.kind === "github-refused";
  if (run.dependencies.cancellation.stop.aborted || isOver) throw result;
  return { number, by: isKeyError(result) ? "key" : sideOf(result), error: result };
}

async function judgeAndShow(number: number, run: GateRun): Promise<ShownVerdict | Failure> {
  const pull = requireValue(await run.reader.pull(number));
  const { shown, status } = await judgeAndComment(pull, run);
  if (!pull.isOpen) return shown;
  const refusal = await setIfChanged({ type: "pull", pull }, status, run);
  if (refusal === null) return shown;
  if (refusal.by !== "commit") throw new StatusNotSet(refusal);
  const error = new ActionError("github-refused", sentence(refusal.reason));
  return { number, by: "commit", error };
}

/** Whether GitHub or the service is to blame for an error. */
function sideOf({ kind }: ActionError): "github" | "service" {
  return kind === "github-refused" || kind === "github-unavailable" ? "github" : "service";
}
