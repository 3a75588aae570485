/** Reads what there is to know of docs pull requests: from GitHub, the job, the build of the preview. */

import { readDocsPull } from "../github/docs-pull.ts";
import { explainRefusal } from "../github/refusal.ts";
import { readPullRequest } from "../github/rest.ts";
import { isEnd } from "../job/poll.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import { pullRequestAt, safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import type { Facts, JobFacts } from "./facts.ts";
import type { LandRun } from "./land-run.ts";
import type { Entry, Preview } from "./ledger.ts";

/** How long a request about a preview may take, in milliseconds. */
export const SERVICE_LIMIT = 15_000;
/** How much of a build's log is kept, in lines and characters: its end says why it failed. */
const LOG_LINES = 40;
const LOG_LENGTH = 4_000;

/** A docs pull request as it was read; `unread` says why it could not be, as a sentence. */
export type PullRead = { facts: Facts; preview: Preview | null } | { unread: string };

/** Polls a docs pull request's job. @throws what {@link SinglePolls} throws */
export async function readJob(id: string, { polls, agent }: LandRun): Promise<JobFacts> {
  const job = await polls.poll(agent, id);
  if (job === null || job === "unknown") return { state: job ?? "unread", prLink: null };
  return { state: isEnd(job.status) ? "ended" : "active", prLink: safeLink(job.prLink ?? "") };
}

/** @throws what {@link readJob} throws */
export async function readPull(entry: Entry, run: LandRun): Promise<PullRead> {
  const place = pullRequestAt(entry.url, run.serverUrl);
  if (place === null) {
    return {
      unread: "It is not on the GitHub that this workflow runs on, so it is left as it is.",
    };
  }
  const job = await readJob(entry.jobId, run);
  try {
    const pull = await readDocsPull(await run.connect(), place.repository, place.number);
    const isOpen = pull.state === "open";
    const paths = isOpen && !run.inputs.allowedPaths.isEmpty ? await readPaths(place, run) : null;
    const preview = isOpen ? await readBuild(entry.preview, run) : entry.preview;
    const codePull = isOpen ? await readCodePull(entry.codePull, run) : null;
    return { facts: { pull, job, paths, codePull }, preview };
  } catch (error) {
    return { unread: `It cannot be read: ${whyUnread(error)}.` };
  }
}

async function readPaths(
  { repository, number }: { repository: string; number: number },
  { historyOf }: LandRun,
): Promise<string[] | null> {
  const { files, isComplete } = await (await historyOf(repository)).pullFiles(number);
  if (!isComplete) return null;
  return files.flatMap(({ path, previousPath }) =>
    previousPath === undefined ? [path] : [path, previousPath],
  );
}

async function readCodePull(
  link: string,
  { serverUrl, connect }: LandRun,
): Promise<Facts["codePull"]> {
  return link === "" ? null : (await readPullRequest(link, serverUrl, connect)).state;
}

/** The build of a preview, if it was not over when it was read last. */
async function readBuild(
  preview: Preview | null,
  { previews, dependencies: { log, cancellation } }: LandRun,
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
