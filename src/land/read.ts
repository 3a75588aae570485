/** Reads what there is to know of docs pull requests: from GitHub, the job, the build of the preview. */

import type { Connect } from "../github/connect.ts";
import { readDocsPull } from "../github/docs-pull.ts";
import type { History } from "../github/history.ts";
import { readPullRequest } from "../github/pull-request.ts";
import { explainRefusal } from "../github/refusal.ts";
import { explain } from "../job/failures.ts";
import { isEnd } from "../job/poll.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { JobReader } from "../service/agent.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import type { Previews } from "../service/previews.ts";
import { pullRequestAt, safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import type { Facts, JobFacts } from "./facts.ts";
import type { Entry, Preview } from "./ledger.ts";

/** How long a request to the service may take, in milliseconds. */
export const SERVICE_LIMIT = 15_000;
/** How much of a build's log is kept, in lines and characters: its end says why it failed. */
const LOG_LINES = 40;
const LOG_LENGTH = 4_000;

export interface ReadOptions {
  connect: Connect;
  historyOf(repository: string): Promise<History>;
  reader: JobReader;
  previews: Previews;
  serverUrl: string;
  /** Whether the paths of files matter. */
  readsPaths: boolean;
  dependencies: Dependencies;
}

/** A docs pull request as it was read; `unread` says why it could not be, as a sentence. */
export type PullRead = { facts: Facts; preview: Preview | null } | { unread: string };

/** Polls jobs until the service takes no more polls for now. */
export function jobPolls({
  reader,
  dependencies: { log, cancellation },
}: Pick<ReadOptions, "reader" | "dependencies">): (id: string) => Promise<JobFacts> {
  let isLimited = false;
  /** @throws ActionError for a key that is refused */
  return async (id) => {
    const nothing: JobFacts = { state: "unread", prLink: null };
    if (isLimited) return nothing;
    try {
      const { job } = await reader.get(id, { limit: SERVICE_LIMIT, signal: cancellation.stop });
      return { state: isEnd(job.status) ? "ended" : "active", prLink: safeLink(job.prLink ?? "") };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { failure } = error;
      if (isStatus(failure, 404, 410)) return { ...nothing, state: "unknown" };
      if (isStatus(failure, 401, 403) || failure.type === "redirect") throw explain(error, "poll");
      isLimited = isStatus(failure, 429);
      const rest = isLimited ? " No further job is polled." : "";
      log.warning(`Job ${id} could not be polled: ${sentence(error.message)}${rest}`);
      return nothing;
    }
  };
}

/** @throws ActionError for a key that is refused */
export async function readPull(
  entry: Entry,
  pollJob: (id: string) => Promise<JobFacts>,
  options: ReadOptions,
): Promise<PullRead> {
  const place = pullRequestAt(entry.url, options.serverUrl);
  if (place === null) {
    return {
      unread: "It is not on the GitHub that this workflow runs on, so it is left as it is.",
    };
  }
  const job = await pollJob(entry.jobId);
  try {
    const pull = await readDocsPull(await options.connect(), place.repository, place.number);
    const isOpen = pull.state === "open";
    const paths = isOpen && options.readsPaths ? await readPaths(place, options) : null;
    const preview = isOpen ? await readBuild(entry.preview, options) : entry.preview;
    const codePull = isOpen ? await readCodePull(entry.codePull, options) : null;
    return { facts: { pull, job, paths, codePull }, preview };
  } catch (error) {
    return { unread: `It cannot be read: ${whyUnread(error)}.` };
  }
}

async function readPaths(
  { repository, number }: { repository: string; number: number },
  { historyOf }: ReadOptions,
): Promise<string[] | null> {
  const { files, isComplete } = await (await historyOf(repository)).pullFiles(number);
  if (!isComplete) return null;
  return files.flatMap(({ path, previousPath }) =>
    previousPath === undefined ? [path] : [path, previousPath],
  );
}

async function readCodePull(
  link: string,
  { serverUrl, connect }: ReadOptions,
): Promise<Facts["codePull"]> {
  return link === "" ? null : (await readPullRequest(link, serverUrl, connect)).state;
}

/** The build of a preview, if it was not over when it was read last. */
async function readBuild(
  preview: Preview | null,
  { previews, dependencies: { log, cancellation } }: ReadOptions,
): Promise<Preview | null> {
  if (preview?.state !== "building") return preview;
  const limits = { limit: SERVICE_LIMIT, signal: cancellation.stop };
  try {
    const { status, summary, logs } = await previews.build(preview.statusId, limits);
    if (status === "success") return { ...preview, state: "built" };
    if (status !== "failure") return preview;
    const end = [summary, ...logs].filter((line) => line !== "").slice(-LOG_LINES);
    return { ...preview, state: "failed", log: end.join("\n").slice(-LOG_LENGTH) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.info(`The build of a preview could not be read: ${sentence(error.message)}`);
    const isForgotten = isStatus(error.failure, 404, 410);
    return isForgotten
      ? { ...preview, state: "refused", log: "The service has forgotten its build." }
      : preview;
  }
}

const PERMISSIONS = "contents: write`, `pull-requests: write`, `checks: read` and `statuses: read";

/** GraphQL tells its refusals in an answer of status 200. */
function whyUnread(error: unknown): string {
  const [refusal] = (error as { errors?: { type?: unknown; message?: unknown }[] }).errors ?? [];
  if (refusal === undefined) return explainRefusal(error, PERMISSIONS).why;
  const hint = `check that \`github-token\` has the permissions \`${PERMISSIONS}\` there`;
  return `GitHub says ${inlineCode(String(refusal.message ?? "")) || "no reason"}: ${hint}`;
}
