import type { RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { LIST } from "../job/failures.ts";
import { send } from "../job/send.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { CallOptions } from "../service/agent.ts";
import { jobOfSession, listSessions, type Session } from "../service/agent-v1.ts";
import { isTooLarge, orServiceError, ServiceError } from "../service/errors.ts";
import { Transport } from "../service/transport.ts";
import { pullNumber, safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import { parseJobsInputs } from "./inputs.ts";
import { type AllPages, type JobsPage, type JobsPageQuery, readAllPages } from "./pages.ts";

/** How long a page is read again, in milliseconds. */
const READ_LIMIT = 90_000;

/** It is not documented whether the list of version 1 contains the jobs of version 2. */
const MAY_BE_MISSING =
  "The list comes from version 1 of the service's API: jobs started with version 2 may be missing.";

/**
 * Lists a project's jobs.
 *
 * @throws ActionError if the list cannot be read
 * @public
 */
export async function jobs(
  read: ReadInput,
  _context: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const { outputs, log } = dependencies;
  const inputs = parseJobsInputs(read);
  const { state, limit } = inputs;
  const transport = new Transport(inputs, dependencies);
  const pages = await readAllPages((query) =>
    readPage(query, transport, inputs.projectId, dependencies),
  );
  const allRows = pages.sessions.map(rowOf);
  const isRunning = ({ status }: JobRow) => status === "active";
  const running = allRows.filter(isRunning).length;
  const rows = allRows
    .filter((row) => state === "all" || isRunning(row) === (state === "running"))
    .slice(0, limit);

  for (const warning of warningsOf(pages)) log.warning(warning);
  outputs.setOutput("jobs", JSON.stringify(rows));
  outputs.setOutput("count", String(rows.length));
  outputs.setOutput("runningCount", String(running));
  const listed = `Listed ${rows.length} of ${counted(allRows.length, "job")}`;
  log.info(`${listed}${running === 0 ? "" : `; ${running} running`}. ${MAY_BE_MISSING}`);
  outputs.writeSummary(renderJobs(rows, running));
}

/** What may be missing in the list: sentences. */
function warningsOf({ sessions, unreadable, end }: AllPages): string[] {
  const many = counted(sessions.length, "job");
  const warnings: string[] = [];
  if (end === "ignored") {
    warnings.push(
      `The service returned the same ${many} for the next page, so it may have more jobs.`,
    );
  }
  if (end === "limit") {
    warnings.push(`The service may have more jobs than the ${many} that were read.`);
  }
  if (unreadable > 0) {
    const rows = counted(unreadable, "row");
    warnings.push(`${rows} of the service's list could not be read as jobs, and are left out.`);
  }
  return warnings;
}

/** Reads one page of `GET /v1/agent/{projectId}/jobs`, and tries again after a passing failure. */
async function readPage(
  query: JobsPageQuery,
  transport: Transport,
  projectId: string,
  dependencies: Dependencies,
): Promise<JobsPage> {
  const read = async (options: CallOptions): Promise<JobsPage> => {
    const rows = await orServiceError(listSessions(transport, projectId, query, options));
    if (!(rows instanceof ServiceError)) return { type: "rows", rows };
    // The same page would be too large again.
    if (isTooLarge(rows) && query.take > 1) return { type: "too-large" };
    throw rows;
  };
  const deadline = dependencies.clock.now() + READ_LIMIT;
  const sent = await send({ send: read, operation: LIST, deadline }, dependencies);
  if (sent.type === "accepted") return sent.reply;
  throw sent.explained;
}

/** Maximum number of rows in the table. */
const MAX_ROWS = 100;

/** A session in the output: with the service's names, and its status. */
export interface JobRow extends Session {
  status: string;
}

export function rowOf(session: Session): JobRow {
  const { sessionId, title, branch, createdAt, ...others } = session;
  const { pullRequestLink: link } = others;
  return {
    sessionId,
    status: jobOfSession(session).status,
    title,
    branch,
    createdAt,
    ...others,
    // An unsafe link is left out.
    pullRequestLink: link === null ? null : safeLink(link),
  };
}

/** The Markdown of a list of jobs. Text from outside appears only as code. */
export function renderJobs(rows: readonly JobRow[], running: number): string {
  const heading = `### Docs jobs${running === 0 ? "" : `: ${counted(running, "job")} running`}`;
  if (rows.length === 0) return `${heading}\n\nThere are no jobs to list. ${MAY_BE_MISSING}`;
  const remaining = rows.length - MAX_ROWS;
  const table = [
    "| Job | Status | Title | Branch | Created (UTC) | Pull request |",
    "|---|---|---|---|---|---|",
    ...rows.slice(0, MAX_ROWS).map(line),
  ].join("\n");
  const parts = [heading, MAY_BE_MISSING, table, remaining > 0 ? `… and ${remaining} more.` : ""];
  return parts.filter((part) => part !== "").join("\n\n");
}

function line(row: JobRow): string {
  const cells = [
    cell(row.sessionId),
    row.status,
    cell(row.title),
    cell(row.branch),
    cell(shortTime(row.createdAt)),
    linkCell(row.pullRequestLink),
  ];
  return `| ${cells.join(" | ")} |`;
}

function linkCell(link: string | null): string {
  if (link === null) return "";
  const number = pullNumber(link);
  return number === null ? `[link](${link})` : `[#${number}](${link})`;
}

/** A time of the service as `2026-08-01 12:00`; any other text is not changed. */
function shortTime(time: string | null): string | null {
  const minute = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/;
  return time === null ? null : time.replace(minute, "$1 $2");
}

/** A bar ends a cell even in code, and not all Markdown parsers escape it in the same way. */
function cell(text: string | null): string {
  return text === null ? "" : inlineCode(text.replaceAll("|", "¦"), 120);
}
