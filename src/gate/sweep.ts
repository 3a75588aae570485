/** Judges open pull requests whose status may have changed without an event of theirs. */

import { explainRefusal } from "../github/api/refusal.ts";
import { ActionError, cancelledRun } from "../runtime/errors.ts";
import { clause, counted } from "../text/sentence.ts";
import type { GateRun } from "./docs-jobs.ts";
import type { OpenPull } from "./gate-reader.ts";
import { report, type ShownVerdict } from "./report.ts";
import { isKeyRefused, judgeAndComment, StatusNotAllowed } from "./show.ts";
import { type CommitStatus, isSameStatus, setStatus } from "./status.ts";
import { chooseOpen, isFinal } from "./subjects.ts";

/** After this many failures in a row, GitHub is unavailable. */
const MOST_FAILED = 3;

/** A pull request that could not be judged, and why: the rest of a sentence. */
interface Failure {
  number: number;
  reason: string;
  /** If the service refuses the key: others may need none, and no status that needs it stays green. */
  keyError: ActionError | null;
}

/** @throws ActionError if pull requests could not be judged, or a status not be set */
export async function judgeOpen(run: GateRun): Promise<void> {
  const { inputs, context, reader, dependencies } = run;
  const open = await reader.openPulls(inputs.statusName);
  const { pulls, hasMore } = chooseOpen(open, context.eventName === "workflow_dispatch");
  const rest = hasMore ? ", and more for later runs" : "";
  dependencies.log.info(
    `${counted(open.length, "open pull request")}, of which ${pulls.length} may have changed${rest}.`,
  );
  const all: ShownVerdict[] = [];
  const failures: Failure[] = [];
  let inARow = 0;
  for (const pull of pulls) {
    const result = await judgeOne(pull, run, hasMore);
    if ("judged" in result) all.push(result);
    else failures.push(result);
    const isOfGitHub = !("judged" in result) && result.keyError === null;
    inARow = isOfGitHub ? inARow + 1 : 0;
    if (inARow === MOST_FAILED) break;
  }
  report(all, inputs, dependencies, false);
  const [first] = failures;
  if (first === undefined) return;
  const refused = failures.find(({ keyError }) => keyError !== null)?.keyError ?? null;
  if (refused !== null) throw refused;
  const count = counted(failures.length, "pull request");
  const problem = `${count} could not be judged, for example #${first.number}: ${clause(first.reason)}.`;
  throw new ActionError("github-unavailable", problem, "The next run tries again.");
}

/** @param hasMore whether later runs judge others first, by the time of this status */
async function judgeOne(
  { number, head, status }: OpenPull,
  run: GateRun,
  hasMore: boolean,
): Promise<ShownVerdict | Failure> {
  try {
    const pull = await run.history.pull(number);
    const { shown, status: next } = await judgeAndComment(pull, run);
    const known = head === pull.head ? status : null;
    if (!pull.isOpen || isKept(known, next, run, hasMore)) return shown;
    const refusal = await setStatus(run, pull.head, next);
    if (refusal === null) return shown;
    if (refusal.by === "token") throw new StatusNotAllowed(refusal.reason);
    return { number, reason: refusal.reason, keyError: null };
  } catch (error) {
    if (run.dependencies.cancellation.stop.aborted) throw cancelledRun("Run the job again.");
    if (error instanceof StatusNotAllowed) throw error;
    if (isKeyRefused(error)) return { number, reason: error.problem, keyError: error };
    if (error instanceof ActionError) return { number, reason: error.problem, keyError: null };
    const { reason } = explainRefusal(error, ["pull-requests: read"]);
    return { number, reason, keyError: null };
  }
}

/**
 * Whether a status stays as it is. One that is final gets a new time, so that later runs pass the pull request over.
 */
function isKept(
  known: OpenPull["status"],
  status: CommitStatus,
  { context }: GateRun,
  hasMore: boolean,
): boolean {
  if (known === null || hasMore || isFinal(status)) return false;
  return isSameStatus(known, status, context.runUrl);
}
