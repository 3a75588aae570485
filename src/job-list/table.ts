import type { Todo } from "../service/agent.ts";
import { jobOfSession, type Session } from "../service/session.ts";
import { pullNumber, safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";

/** The most rows of the table: a longer one is read by nobody. */
const MAX_ROWS = 100;

/** A session as it is told to the next steps: the service's names, and what it means. */
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
export const MAY_BE_MISSING =
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

/** The Markdown of a list of jobs. Text from outside stands only in code. */
export function renderJobs(rows: readonly JobRow[], running: number): string {
  const heading = `### Docs agent: ${running === 0 ? "no jobs" : counted(running, "job")} running`;
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

/** `2026-08-01 12:00` of a time as the service tells it; any other text as it is. */
function shortTime(time: string | null): string | null {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/.exec(time ?? "") ?? [];
  return day === undefined || minute === undefined ? time : `${day} ${minute}`;
}

/** A bar ends a cell even inside of code, and no way to escape one is read alike everywhere. */
function cell(text: string | null): string {
  return inlineCode((text ?? "").replaceAll("|", "¦"), 120);
}
