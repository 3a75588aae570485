/** Finds docs pull requests, and reads the facts about them: from GitHub, the job, and the preview's build. */

import { explainRefusal, type TokenPermissions } from "../github/api/refusal.ts";
import { readDocsPull } from "../github/changes/docs-pull.ts";
import { readPullRequest } from "../github/changes/history.ts";
import { jobMarkers, recentJobs } from "../github/conversation/job-marker.ts";
import { isEnd } from "../job/poll.ts";
import { UNKNOWN_GRACE } from "../ledger/model/batches.ts";
import { timeText } from "../ledger/model/file.ts";
import { parseDocsPulls } from "../ledger/model/ledger.ts";
import { DAY } from "../runtime/clock.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import { pullRequestAt, safeLink } from "../text/link.ts";
import { sentence } from "../text/sentence.ts";
import type { Facts } from "./decide.ts";
import type { Entry, LandEdit, LandLedger, Preview } from "./ledger.ts";
import type { LandRun } from "./run.ts";

/** How far back a first run reads comments, in milliseconds. */
const FIRST_COMMENTS = 30 * DAY;
/** After how long the time of the last read of comments is recorded, even if nothing else is, in milliseconds. */
const COMMENTS_KEPT = DAY;
/** How much of a build's log is kept, in lines and characters: its end says why it failed. */
const LOG_LINES = 40;
const LOG_LENGTH = 4_000;

/** Finds the docs pull requests in other actions' ledgers that changed. @throws ActionError `github-unavailable` */
export async function findInLedgers(edit: LandEdit, run: LandRun): Promise<void> {
  const { store, project } = run;
  const refs = await store.git.listRefs("docs-agent/");
  for (const { ref: name, sha } of refs) {
    const isLands = name === store.options.ref || name.startsWith("refs/docs-agent/land/");
    if (isLands || edit.ledger.ledgers[name] === sha) continue;
    const text = await store.git.readFile(sha, "ledger.json");
    for (const { prLink: url, jobId, changes, codePull } of parseDocsPulls(text, project)) {
      const merged = changes.filter((change) => change.kind === "change");
      edit.add({ url, jobId, changes: merged, askedAt: "", codePull });
    }
    edit.change({ ledgers: { ...edit.ledger.ledgers, [name]: sha } });
  }
}

/** Finds those of the jobs in status comments since the last run. @throws the same, and the errors of polls */
export async function findByComments(edit: LandEdit, run: LandRun): Promise<void> {
  const { repository, connect } = run;
  const { keys, projectId } = run.inputs;
  const { commentsFrom, open } = edit.ledger;
  const since = Date.parse(commentsFrom) || edit.now - FIRST_COMMENTS;
  const asked = new Map(edit.ledger.jobs.map((job) => [job.id, job]));
  const markers = jobMarkers(keys, projectId);
  const { comments } = await recentJobs(connect, repository, markers, since);
  for (const { url, updatedAt, marker } of comments) {
    const job = { id: marker.job, askedAt: safeLink(url) ?? "", at: timeText(updatedAt) };
    // Jobs of version 1 accept no follow-ups.
    if (marker.api === "v2") asked.set(job.id, job);
  }
  for (const { jobId } of open) asked.delete(jobId);
  const jobs: LandLedger["jobs"] = [];
  for (const job of asked.values()) {
    const { id: jobId, askedAt, at } = job;
    const { state, prLink: url } = await readJob(jobId, run);
    const mayBeYoung = state === "unknown" && edit.now - Date.parse(at) < UNKNOWN_GRACE;
    if (url !== null) edit.add({ url, jobId, changes: [], askedAt, codePull: "" });
    else if (state === "active" || state === "unread" || mayBeYoung) jobs.push(job);
  }
  edit.change({ jobs });
  // This alone causes at most one write a day.
  const isDue = edit.isChanged || edit.now - since > COMMENTS_KEPT;
  if (isDue) edit.change({ commentsFrom: timeText(edit.now) });
}

/** Polls a docs pull request's job. @throws the errors of {@link SinglePolls} */
async function readJob(id: string, { polls, agent }: LandRun): Promise<Facts["job"]> {
  const job = await polls.poll(agent, id);
  if (job === null) return { state: "unread", prLink: null };
  if (job instanceof ServiceError) return { state: "unknown", prLink: null };
  return { state: isEnd(job.status) ? "ended" : "active", prLink: safeLink(job.prLink ?? "") };
}

/** @returns the facts, or why it cannot be read, as a sentence. @throws the errors of polls */
export async function readPull(entry: Entry, run: LandRun): Promise<Facts | string> {
  const { inputs, serverUrl, connect, historyOf } = run;
  const { codePull } = entry;
  const place = pullRequestAt(entry.url, serverUrl);
  if (place === null) return ELSEWHERE;
  const { repository, number } = place;
  const job = await readJob(entry.jobId, run);
  try {
    const pull = await readDocsPull(await connect(), repository, number);
    const facts: Facts = { pull, job, paths: null, codePull: null };
    if (pull.state !== "open") return facts;
    if (!inputs.allowedPaths.isEmpty) {
      const { files, isComplete } = await (await historyOf(repository)).pullFiles(number);
      const paths = files.flatMap(({ path, previousPath }) => [path, previousPath]);
      if (isComplete) facts.paths = paths;
    }
    if (codePull !== "") {
      facts.codePull = (await readPullRequest(codePull, serverUrl, connect)).state;
    }
    if (entry.preview?.state === "building") await readBuild(entry.preview, run);
    return facts;
  } catch (error) {
    return `It cannot be read: ${explainRefusal(error, PERMISSIONS).reason}.`;
  }
}

const ELSEWHERE = "It is not on the GitHub that this workflow runs on, so it is left as it is.";

/** Reads the build of a preview. */
async function readBuild(preview: Preview, { previews, dependencies }: LandRun): Promise<void> {
  try {
    const { status, summary, logs } = await previews.build(preview.statusId);
    if (status === "success") preview.state = "built";
    if (status !== "failure") return;
    const end = [summary, ...logs].filter((line) => line !== "").slice(-LOG_LINES);
    Object.assign(preview, { state: "failed", log: end.join("\n").slice(-LOG_LENGTH) });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    dependencies.log.info(`The build of a preview could not be read: ${sentence(error.message)}`);
    if (!isStatus(error.failure, 404, 410)) return;
    Object.assign(preview, { state: "refused", log: "The service has forgotten its build." });
  }
}

const PERMISSIONS: TokenPermissions = [
  "contents: write",
  "pull-requests: write",
  "checks: read",
  "statuses: read",
];
