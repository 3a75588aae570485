import { explain } from "../../job/failures.ts";
import { STALE_LIMIT } from "../../job/poll.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import type { JobReader } from "../../service/agent.ts";
import { isStatus, ServiceError } from "../../service/errors.ts";
import { sentence } from "../../text/sentence.ts";
import type { LedgerIssue } from "../issue/ledger-issue.ts";
import type { Thread } from "../model/issue-answers.ts";
import type { Batch, Change } from "../model/record.ts";
import type { ClaimMemory, Effect, LedgerPort, Polled } from "../protocol/effects.ts";
import type { LedgerAction } from "./ledger-action.ts";

/** How long a poll may take, in milliseconds. */
const POLL_LIMIT = 15_000;

export interface PortOptions<C extends Change> {
  /** Null for a dry run of a project that has none yet. */
  issue: LedgerIssue<C> | null;
  reader: JobReader;
  dependencies: Dependencies;
  action: LedgerAction<C>;
  /** Told what a poll brought: the service's own status, `unknown` for a job that it does not know. */
  onStatus(jobId: string, status: string): void;
  /** Whether batches go to jobs that were there before, so that a status may be an old one. */
  hasFollowUps: boolean;
  /** Jobs that this run has waited for: their end is no old one. */
  waitedFor: ReadonlySet<string>;
  /** Saves what the post step needs; null: nothing is left to do for it. */
  remember(memory: ClaimMemory<C> | null): void;
  /** Names a comment before it has an id. */
  draft(): string;
}

/** Does what the ledger asks for: GitHub for the issue, the service for polls and requests. */
export function ledgerPort<C extends Change>(options: PortOptions<C>): LedgerPort<C> {
  const issueOf = (): LedgerIssue<C> => {
    if (options.issue === null) throw new Error("a dry run without a dashboard reads no issue");
    return options.issue;
  };
  let thread: Thread<C> = { comments: [], now: 0 };
  return {
    "read-dashboard": () => issueOf().readDashboard(),
    "read-thread": async ({ since }) => {
      const read = await issueOf().readThread(since);
      if (!("failed" in read)) thread = read;
      return read;
    },
    poll: async ({ batch }) => {
      const polled = await poll(batch, options);
      const isOld =
        options.hasFollowUps &&
        mayBeStale(batch, thread) &&
        !options.waitedFor.has(batch.jobId ?? "");
      if (polled.state === "running" || isOld) return { state: "running" };
      if (polled.state === "done") await options.action.onDone({ ...batch, prLink: polled.prLink });
      return polled;
    },
    choose: ({ state, ticked }) => options.action.choose(state, ticked),
    post: ({ record }) => issueOf().post(record, options.draft()),
    edit: ({ commentId, claim }) => issueOf().edit(commentId, claim),
    "write-dashboard": ({ state, checkpoint, ticked }) => {
      const { text, shown } = options.action.render(state, ticked);
      return issueOf().writeBody(text, checkpoint, shown);
    },
    remember: async ({ memory }) => {
      options.remember(memory);
      return { ok: true };
    },
    send: ({ batch }: Effect<C, "send">) => options.action.send(batch),
  };
}

/**
 * What the service says of a batch's job.
 *
 * @throws ActionError for a key that is refused
 */
async function poll<C extends Change>(
  { jobId }: Batch<C>,
  { reader, dependencies, onStatus }: PortOptions<C>,
): Promise<Polled> {
  if (jobId === null) return { state: "running" };
  const { log, cancellation } = dependencies;
  try {
    const { job } = await reader.get(jobId, { limit: POLL_LIMIT, signal: cancellation.stop });
    log.info(`Job ${jobId} is ${job.status}.`);
    onStatus(jobId, job.status);
    switch (job.status) {
      case "completed":
      case "archived":
        return { state: "done", prLink: job.prLink };
      case "failed":
        return { state: "failed", reason: "the job failed" };
      default:
        return { state: "running" };
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (isStatus(error.failure, 404, 410)) {
      onStatus(jobId, "unknown");
      return { state: "failed", reason: "the service does not know the job" };
    }
    if (isStatus(error.failure, 401, 403)) throw explain(error, "poll");
    log.warning(
      `Job ${jobId} could not be polled: ${sentence(error.message)} The next run polls it again.`,
    );
    return { state: "running" };
  }
}

/** Right after a follow-up the record may still tell of the request before. */
function mayBeStale<C extends Change>({ jobId }: Batch<C>, { comments, now }: Thread<C>): boolean {
  return comments.some(
    ({ record, updatedAt }) =>
      record?.kind === "claim" &&
      record.batches.some((it) => it.jobId === jobId && it.state === "running") &&
      now - updatedAt < STALE_LIMIT,
  );
}
