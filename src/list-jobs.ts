import * as z from "zod/mini";
import { ActionError } from "./errors.ts";
import type { Given } from "./github/given.ts";
import { type JobRow, renderJobs, rowOf } from "./github/job-table.ts";
import {
  commonChecks,
  input,
  invalid,
  oneOf,
  problemsOf,
  type ReadInput,
} from "./inputs/checks.ts";
import { explain } from "./job/failures.ts";
import { delayBefore } from "./job/schedule.ts";
import { isPassing, ServiceError } from "./service/errors.ts";
import { type Page, readAllPages, readPageOf } from "./service/session-list.ts";
import { Transport } from "./service/transport.ts";
import { duration } from "./text/markdown.ts";
import type { World } from "./world.ts";

/** How often one page is asked for, and the delays in between unless the service names one. */
const TRIES = 4;
const BACKOFF = { initial: 1_000, max: 8_000 };
/** The longest delay that the service may ask for, in milliseconds. */
const MAX_DELAY = 60_000;
/**
 * The most characters of the output: GitHub takes outputs of up to 1 MB, counted in two bytes a character.
 */
const MAX_OUTPUT = 500_000;

const schema = z.object({
  ...commonChecks,
  state: oneOf("all", "running", "finished"),
  limit: input(
    "a whole number from 1",
    (text) => {
      const value = /^\d+$/.test(text.trim()) ? Number(text) : 0;
      return Number.isSafeInteger(value) && value > 0 ? value : undefined;
    },
    { fallback: "100" },
  ),
});

/** The inputs of the action that lists jobs, checked. */
export interface ListInputs {
  apiKey: string;
  projectId: string;
  baseUrl: URL;
  state: "all" | "running" | "finished";
  limit: number;
}

/** @throws ActionError `invalid-input`, naming every input that is wrong */
export function parseListInputs(read: ReadInput): ListInputs {
  const raw = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, read(name)]));
  const { data, error } = schema.safeParse(raw);
  const problems = problemsOf(raw, error);
  if (data === undefined || problems.length > 0) throw invalid(problems);
  const { "api-key": apiKey, "project-id": projectId, "base-url": baseUrl, state, limit } = data;
  return { apiKey, projectId, baseUrl, state, limit };
}

/**
 * Lists a project's jobs.
 *
 * @param read reads an input by its name
 * @returns false: a list that was had never fails the step
 * @throws ActionError when there is none
 */
export async function listJobs(read: ReadInput, _: Given, world: World): Promise<boolean> {
  const { desk, log, clock, http } = world;
  const { apiKey, projectId, baseUrl, state, limit } = parseListInputs(read);
  const transport = new Transport({ http, baseUrl, apiKey, timeOfDay: clock.timeOfDay });
  const signal = world.cancellation.stop;
  const { sessions, isPartial } = await readAllPages((skip, take) =>
    patiently(() => readPageOf(transport, projectId, { skip, take }, { signal }), world),
  );
  const all = sessions.map(rowOf);
  const running = all.filter(({ status }) => status === "active").length;
  const chosen = all.filter((row) => isIn(state, row)).slice(0, limit);
  const { json, rows } = bounded(chosen);

  if (isPartial) log.warning("The service may have more jobs than it lets itself be asked for.");
  const left = chosen.length - rows.length;
  if (left > 0) {
    log.warning(
      `The ${left} oldest of ${chosen.length} jobs are left out of the output \`jobs\`: together they are more than GitHub takes. Lower \`limit\` to choose how many.`,
    );
  }
  desk.setOutput("jobs", json);
  desk.setOutput("count", String(rows.length));
  desk.setOutput("runningCount", String(running));
  log.info(`Listed ${rows.length} of ${all.length} jobs; ${running} running.`);
  desk.writeSummary(renderJobs(rows, running));
  return false;
}

function isIn(state: ListInputs["state"], { status }: JobRow): boolean {
  return state === "all" || (status === "active") === (state === "running");
}

/** As many of the jobs, the newest first, as one output holds. */
function bounded(rows: readonly JobRow[]): { json: string; rows: JobRow[] } {
  const fitting: JobRow[] = [];
  const parts: string[] = [];
  let length = 2;
  for (const row of rows) {
    const part = JSON.stringify(row);
    length += part.length + 1;
    if (length > MAX_OUTPUT) break;
    fitting.push(row);
    parts.push(part);
  }
  return { json: `[${parts.join(",")}]`, rows: fitting };
}

/** Asks for a page again when the answer may be better a moment later: a question can be repeated. */
async function patiently(ask: () => Promise<Page>, world: World): Promise<Page> {
  const { log, clock, random, cancellation } = world;
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (cancellation.stop.aborted) throw new ActionError("cancelled", CANCELLED);
      if (!(error instanceof ServiceError)) throw error;
      const after = error.retryAfter ?? delayBefore(tries, BACKOFF, random());
      if (!isPassing(error) || tries === TRIES || after > MAX_DELAY) throw explain(error, "list");
      log.info(`${error.message}. Trying again in ${duration(after)}.`);
      await clock.sleep(after, cancellation.stop);
    }
  }
}

const CANCELLED = "This workflow run was cancelled before the jobs were listed.";
