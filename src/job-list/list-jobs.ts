import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { type JobsInputs, parseJobsInputs } from "../inputs/jobs.ts";
import { explain } from "../job/failures.ts";
import { delayBefore } from "../job/schedule.ts";
import { fitting } from "../runtime/bounded-outputs.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import { tryWriteSummary } from "../runtime/step-outputs.ts";
import { createTransport } from "../service/create-transport.ts";
import { isPassing, ServiceError } from "../service/errors.ts";
import { type Page, readAllPages, readPageOf } from "../service/session-list.ts";
import { duration } from "../text/markdown.ts";
import { counted, sentence } from "../text/sentence.ts";
import { type JobRow, MAY_BE_MISSING, renderJobs, rowOf } from "./table.ts";

/** How often one page is asked for, and the delays in between unless the service names one. */
const TRIES = 4;
const BACKOFF = { initial: 1_000, max: 8_000 };
/** The longest delay that the service may ask for, in milliseconds. */
const MAX_DELAY = 60_000;
/**
 * Lists a project's jobs.
 *
 * @param read reads an input by its name
 * @returns false: a list that was read never fails the step
 * @throws ActionError when there is none
 */
export async function listJobs(
  read: ReadInput,
  _: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const { outputs, log } = dependencies;
  const inputs = parseJobsInputs(read);
  const { projectId, state, limit } = inputs;
  const transport = createTransport(inputs, dependencies);
  const signal = dependencies.cancellation.stop;
  const { sessions, isPartial } = await readAllPages((skip, take) =>
    withRetries(() => readPageOf(transport, projectId, { skip, take }, { signal }), dependencies),
  );
  const all = sessions.map(rowOf);
  const running = all.filter(({ status }) => status === "active").length;
  const chosen = all.filter((row) => isIn(state, row)).slice(0, limit);
  const rows = fitting(chosen);

  if (isPartial) log.warning("The service may have more jobs than it returned.");
  if (rows.length < chosen.length) {
    log.warning(
      `The output \`jobs\` contains the newest ${rows.length} of ${chosen.length} jobs because of its size limit. Lower \`limit\` to choose how many are listed.`,
    );
  }
  outputs.setOutput("jobs", JSON.stringify(rows));
  outputs.setOutput("count", String(rows.length));
  outputs.setOutput("runningCount", String(running));
  log.info(
    `Listed ${rows.length} of ${counted(all.length, "job")}; ${running} running. ${MAY_BE_MISSING}`,
  );
  tryWriteSummary(outputs, log, renderJobs(rows, running));
  return false;
}

function isIn(state: JobsInputs["state"], { status }: JobRow): boolean {
  return state === "all" || (status === "active") === (state === "running");
}

/** Reads a page, again when the answer may be better a moment later: reading can be repeated. */
async function withRetries(ask: () => Promise<Page>, dependencies: Dependencies): Promise<Page> {
  const { log, clock, random, cancellation } = dependencies;
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (cancellation.stop.aborted) throw new ActionError("cancelled", CANCELLED);
      if (!(error instanceof ServiceError)) throw error;
      const after = error.retryAfter ?? delayBefore(tries, BACKOFF, random());
      if (!isPassing(error) || tries === TRIES || after > MAX_DELAY) throw explain(error, "list");
      log.info(`${sentence(error.message)} Trying again in ${duration(after)}.`);
      await clock.sleep(after, cancellation.stop);
    }
  }
}

const CANCELLED = "This workflow run was cancelled before the jobs were listed.";
