import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { type JobsInputs, parseJobsInputs } from "../inputs/jobs.ts";
import { explain } from "../job/failures.ts";
import { delayBefore } from "../job/schedule.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import { fitting } from "../runtime/step-outputs.ts";
import type { Todo } from "../service/agent.ts";
import { isPassing, ServiceError } from "../service/errors.ts";
import {
  jobOfSession,
  type Page,
  readAllPages,
  readPageOf,
  type Session,
} from "../service/session.ts";
import { Transport } from "../service/transport.ts";
import { pullNumber, safeLink } from "../text/link.ts";
import { duration, inlineCode } from "../text/markdown.ts";
import { counted, sentence } from "../text/sentence.ts";

/** Maximum number of attempts per page, and the delays between them unless the service names one. */
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
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const { outputs, log } = dependencies;
  const inputs = parseJobsInputs(read, context);
  const { projectId, state, limit } = inputs;
  const transport = new Transport(inputs, dependencies);
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
  outputs.writeSummary(renderJobs(rows, running));
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

/** Maximum number of rows in the table. */
const MAX_ROWS = 100;

/** A session in the output: with the service's names, and its status. */
export interface JobRow {
  sessionId: string;
  /** `active`, `completed` or `failed`. */
  status: string;
  title: string | null;
  branch: string | null;
  createdAt: string | null;
  haulted: boolean | null;
  haultReason: string | null;
  /** Null too when it is no address to follow. */
  pullRequestLink: string | null;
  messageToUser: string | null;
  todos: readonly Todo[] | null;
  subdomain: string | null;
  userId: string | null;
}

/** Nothing documents whether the list of version 1 holds the jobs of version 2. */
const MAY_BE_MISSING =
  "The list comes from version 1 of the service's API: jobs started with version 2 may be missing.";

export function rowOf(session: Session): JobRow {
  const { record, sessionId, title, branch, createdAt, ...more } = session;
  const { pullRequestLink: link } = session;
  return {
    sessionId,
    status: jobOfSession(session).status,
    ...{ title, branch, createdAt },
    ...more,
    pullRequestLink: link === null ? null : safeLink(link),
  };
}

/** The Markdown of a list of jobs. Text from outside appears only as code. */
export function renderJobs(rows: readonly JobRow[], running: number): string {
  const heading = `### Docs jobs: ${running === 0 ? "no job" : counted(running, "job")} running`;
  if (rows.length === 0) return `${heading}\n\nThere are no jobs to list. ${MAY_BE_MISSING}`;
  const lines = rows.slice(0, MAX_ROWS).map(line);
  const more = rows.length - MAX_ROWS;
  return [
    heading,
    MAY_BE_MISSING,
    [
      "| Job | Status | Title | Branch | Created (UTC) | Pull request |",
      "|---|---|---|---|---|---|",
    ]
      .concat(lines)
      .join("\n"),
    more > 0 ? `… and ${more} more.` : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function line(row: JobRow): string {
  const link = row.pullRequestLink;
  const cells = [
    cell(row.sessionId),
    row.status,
    cell(row.title),
    cell(row.branch),
    cell(shortTime(row.createdAt)),
    link === null ? "" : `[${pullNumber(link) === "" ? "link" : `#${pullNumber(link)}`}](${link})`,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** A time of the service as `2026-08-01 12:00`; any other text is not changed. */
function shortTime(time: string | null): string | null {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/.exec(time ?? "") ?? [];
  return day === undefined || minute === undefined ? time : `${day} ${minute}`;
}

/** A bar ends a cell even in code, and not all Markdown parsers escape it in the same way. */
function cell(text: string | null): string {
  return inlineCode((text ?? "").replaceAll("|", "¦"), 120);
}
