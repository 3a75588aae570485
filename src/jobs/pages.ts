/** Reads the pages of a list of sessions, whatever the service makes of `skip` and `take`. */

import { isDeepStrictEqual } from "node:util";
import { readSession, type Session } from "../service/agent-v1.ts";

/** The service's maximum page size. */
const PAGE_SIZE = 100;
/** Maximum number of pages, for a service whose list never ends. */
const MAX_PAGES = 100;
/** Maximum number of sessions that are read. */
const MAX_SESSIONS = 10_000;

/** Which part of the list. */
export interface JobsPageQuery {
  readonly skip: number;
  readonly take: number;
}

/** A page as the service returned it, or one that is larger than what is read of an answer. */
export type JobsPage =
  | { readonly type: "rows"; readonly rows: readonly unknown[] }
  | { readonly type: "too-large" };

/** Each session once, newest first. */
export interface AllPages {
  readonly sessions: Session[];
  /** How many rows could not be read. */
  readonly unreadable: number;
  /** `ignored`: the service returned the first page again. `limit`: there are more than are read. */
  readonly end: "end" | "ignored" | "limit";
}

/**
 * Reads all pages of a list, in any order, up to an empty page or one of known sessions alone. A page that is too large
 * is asked for in smaller ones.
 *
 * @param read throws for a single session that is too large
 */
export async function readAllPages(
  read: (query: JobsPageQuery) => Promise<JobsPage>,
): Promise<AllPages> {
  const sessions = new Map<string, Session>();
  let unreadable = 0;
  let end: AllPages["end"] = "limit";
  let take = PAGE_SIZE;
  let skip = 0;
  let last: readonly unknown[] = [];
  for (let pages = 0; pages < MAX_PAGES && sessions.size < MAX_SESSIONS; ) {
    const page = await read({ skip, take });
    if (page.type === "too-large") {
      take = Math.ceil(take / 2);
      continue;
    }
    pages += 1;
    const rows = page.rows.slice(0, MAX_SESSIONS).map((row) => readSession(row));
    const readable = rows.filter((row) => row !== null);
    const fresh = readable.filter(({ sessionId }) => !sessions.has(sessionId));
    const isKnown = readable.length > 0 ? fresh.length === 0 : isDeepStrictEqual(page.rows, last);
    last = page.rows;
    if (rows.length === 0 || isKnown) {
      // The first page came again: `skip` is ignored, and there may be more than it holds.
      end = rows.length > 0 && pages === 2 ? "ignored" : "end";
      break;
    }
    for (const session of fresh) sessions.set(session.sessionId, session);
    unreadable += rows.length - readable.length;
    skip += page.rows.length;
  }
  const newestFirst = [...sessions.values()].sort((a, b) => timeOf(b) - timeOf(a));
  return { sessions: newestFirst, unreadable, end };
}

/** When a session was created, in milliseconds since 1970; 0 if that cannot be read. */
function timeOf({ createdAt }: Session): number {
  return createdAt === null ? 0 : Date.parse(createdAt) || 0;
}
