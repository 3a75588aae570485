import { createHash } from "node:crypto";
import { type Comment, MAX_PAGES, recentComments } from "../github/comments.ts";
import type { Connect } from "../github/connect.ts";
import type { JobMarker, JobMarkers } from "../github/job-marker.ts";
import type { Place } from "../github/markers.ts";
import { explainRefusal } from "../github/refusal.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";

/** A comment about a job that took its run's request. */
export interface JobComment {
  place: Place;
  id: number;
  url: string;
  /** Digest of its text; a different digest means that the comment was edited. */
  digest: string;
  /** When it was last written, in milliseconds since 1970 by GitHub's clock. */
  updatedAt: number;
  marker: JobMarker;
}

/** What a sweep does about the comments that it found. */
export interface SweepPlan {
  /** The comments that are finished once their job has ended, by the job's id. */
  jobs: Map<string, JobComment[]>;
  /** How many comments are left to their run, which may still wait. */
  left: number;
}

/**
 * How long a run may need for the rest once its waiting is over, in milliseconds: a last poll, and what it
 * writes to a GitHub that answers slowly.
 */
const MARGIN = 10 * 60_000;

/** Whether the run that wrote a comment may still be there to write more. @param now by GitHub's clock */
export function mayStillWait({ marker: { later }, updatedAt }: JobComment, now: number): boolean {
  const waits = later?.waits ?? null;
  return waits !== null && now < updatedAt + waits + MARGIN;
}

/**
 * Which comments are finished once their job has ended: those of every request that it was sent.
 *
 * @param found in any order
 * @param now milliseconds since 1970 by GitHub's clock
 */
export function planSweep(found: readonly JobComment[], now: number): SweepPlan {
  const open = found.filter(({ marker }) => !marker.ended);
  const idle = open.filter((comment) => !mayStillWait(comment, now));
  return {
    jobs: Map.groupBy(idle, ({ marker }) => marker.job),
    left: open.length - idle.length,
  };
}

export interface FoundComments {
  comments: JobComment[];
  /** The time by GitHub's clock when the list was read, in milliseconds since 1970. */
  now: number;
}

export interface FindOptions {
  repository: string;
  markers: JobMarkers;
  connect: Connect;
  /** How far back comments are read, in milliseconds. */
  age: number;
  dependencies: Dependencies;
}

/**
 * The comments about jobs in a repository.
 *
 * @throws ActionError `github-unavailable`; `cancelled`
 */
export async function findComments(options: FindOptions): Promise<FoundComments> {
  const { repository, markers, connect, age, dependencies } = options;
  const { clock, log, cancellation } = dependencies;
  const found = new Map<number, JobComment>();
  let now = clock.timeOfDay();
  let pages = 0;
  try {
    for await (const page of recentComments(await connect(), repository, now - age)) {
      if (cancellation.stop.aborted) break;
      if (pages === 0) now = page.now ?? now;
      pages += 1;
      for (const comment of page.comments) {
        const own = jobCommentOf(comment, repository, markers);
        // The list may come in parts of different age: the first one read is the newest.
        if (own !== null && !found.has(own.id)) found.set(own.id, own);
      }
    }
  } catch (error) {
    if (!cancellation.stop.aborted) throw unreadable(error);
  }
  if (cancellation.stop.aborted) {
    throw new ActionError("cancelled", "This workflow run was cancelled before the sweep started.");
  }
  if (pages === MAX_PAGES) {
    log.warning(
      `Only the newest ${MAX_PAGES * 100} comments were read. Lower \`days\` so that a sweep can read all comments.`,
    );
  }
  return { comments: [...found.values()], now };
}

/** Stands for a comment's text: kept in its place, because thousands of texts take room. */
export function digestOf(body: string): string {
  return createHash("sha256").update(body).digest("base64");
}

/** Null for any comment that is not about a job which took its request. */
function jobCommentOf(
  { id, body, url, issue, updatedAt }: Comment,
  repository: string,
  markers: JobMarkers,
): JobComment | null {
  const place = { repository, issue };
  const marker = markers.read(body, place, id);
  if (marker === null || marker.job === "" || marker.request !== "accepted") return null;
  return { place, id, url, digest: digestOf(body), updatedAt, marker };
}

function unreadable(error: unknown): ActionError {
  const { why } = explainRefusal(error, "issues: write");
  return new ActionError(
    "github-unavailable",
    `The repository's comments could not be read: ${why}.`,
    "Nothing was changed. The next sweep starts over.",
    { cause: error },
  );
}
