/** Judges open pull requests whose status may have changed without an event of theirs. */

import { ActionError, valueOrError } from "../runtime/errors.ts";
import { clause, counted, sentence } from "../text/sentence.ts";
import type { KnownStatus, OpenPull } from "./gate-reader.ts";
import type { GateRun } from "./gate-run.ts";
import { isKeyRefused, judgeAndComment } from "./show.ts";
import { type CommitStatus, isSameStatus, StatusNotSet, setStatus } from "./status.ts";
import { chooseOpen, isFinalStatus } from "./subjects.ts";
import { requireValue } from "./unread.ts";
import { reportVerdicts, type ShownVerdict } from "./verdict-outputs.ts";
import { groupText } from "./verdict-text.ts";

/** After this many failures in a row, GitHub is unavailable. */
const MOST_FAILED = 3;

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
  const open = requireValue(await reader.openPulls(inputs.statusName));
  const { pulls, hasMore } = chooseOpen(open, context.eventName === "workflow_dispatch");
  const rest = hasMore ? ", and more for later runs" : "";
  dependencies.log.info(
    `${counted(open.length, "open pull request")}, of which ${pulls.length} may have changed${rest}.`,
  );
  const all: ShownVerdict[] = [];
  const failures: Failure[] = [];
  let inARow = 0;
  for (const pull of pulls) {
    const result = await judgeOne(pull, run, { hasMore });
    if ("judged" in result) {
      all.push(result);
      inARow = 0;
      continue;
    }
    failures.push(result);
    inARow = result.by === "github" ? inARow + 1 : 0;
    if (inARow === MOST_FAILED) break;
  }
  const verdicts = all.map(({ judged }) => judged);
  reportVerdicts(all, groupText(verdicts, inputs), dependencies);
  const [first, ...others] = failures;
  if (first !== undefined) throw errorOf(first, others);
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

/** `hasMore`: whether later runs judge others first, by the time of this status. */
async function judgeOne(
  open: OpenPull,
  run: GateRun,
  { hasMore }: { hasMore: boolean },
): Promise<ShownVerdict | Failure> {
  const { number } = open;
  const result = await valueOrError(judgeAndShow(open, run, hasMore), ActionError);
  if (!(result instanceof ActionError)) return result;
  // After a signal, the run ends with the error as it is, or as cancelled.
  const isOver = result instanceof StatusNotSet && result.kind === "github-refused";
  if (run.dependencies.cancellation.stop.aborted || isOver) throw result;
  return { number, by: isKeyRefused(result) ? "key" : sideOf(result), error: result };
}

async function judgeAndShow(
  { number, head, status }: OpenPull,
  run: GateRun,
  hasMore: boolean,
): Promise<ShownVerdict | Failure> {
  const pull = requireValue(await run.reader.pull(number));
  const { shown, status: next } = await judgeAndComment(pull, run);
  const known = head === pull.head ? status : null;
  const isKept = known !== null && !hasMore && staysAs(known, next, run);
  if (!pull.isOpen || isKept) return shown;
  const refusal = await setStatus(run, pull.head, next);
  if (refusal === null) return shown;
  if (refusal.by !== "commit") throw new StatusNotSet(refusal);
  const error = new ActionError("github-refused", sentence(refusal.reason));
  return { number, by: "commit", error };
}

/** Whether GitHub or the service is to blame for an error. */
function sideOf({ kind }: ActionError): "github" | "service" {
  return kind === "github-refused" || kind === "github-unavailable" ? "github" : "service";
}

/**
 * Whether a status stays as it is. One that is final gets a new time, so that later runs pass the pull request over.
 */
function staysAs(known: KnownStatus, status: CommitStatus, { context }: GateRun): boolean {
  return !isFinalStatus(status) && isSameStatus(known, status, context.runUrl);
}
