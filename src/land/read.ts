/** Finds docs pull requests, and reads the facts about them: from GitHub, the job, and the preview's build. */

import { explainRefusal, type TokenPermissions } from "../github/api/refusal.ts";
import { type DocsPull, readDocsPull } from "../github/changes/docs-pull.ts";
import { readPullFiles } from "../github/changes/pull-files.ts";
import { readPullState } from "../github/changes/pull-state.ts";
import { jobMarkers, recentJobs } from "../github/conversation/job-marker.ts";
import { isEnd } from "../job/poll.ts";
import { parseDocsPulls } from "../ledger/model/excerpts.ts";
import { timeText, unchanged } from "../ledger/model/file.ts";
import type { Head } from "../ledger/store.ts";
import { inParallel } from "../runtime/dependencies.ts";
import { cancelledRun } from "../runtime/errors.ts";
import { endOfBuild } from "../service/builds.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import { pullRequestAt, safeLink } from "../text/link.ts";
import { sentence } from "../text/sentence.ts";
import type {
  BuildFacts,
  JobFacts,
  LandFacts,
  OtherLedger,
  PolledJob,
  PullFacts,
  PullReading,
} from "./facts.ts";
import type { AskedJob, Entry, LandLedger } from "./ledger.ts";
import { withLogs } from "./logs.ts";
import { hasRails } from "./rails.ts";
import { addFromLedgers, addFromSources, commentsSince, jobsToPoll } from "./revision.ts";
import type { LandRun } from "./run.ts";

/** The number of docs pull requests that are read at the same time. */
const AT_ONCE = 8;

/** @throws ActionError `github-unavailable`, and the errors of polls */
export async function readFacts({ ledger }: Head<LandLedger>, run: LandRun): Promise<LandFacts> {
  const { now: readAt } = run.store;
  const ledgers = await readOtherLedgers(ledger, run);
  const jobs = await pollJobs(ledger, ledgers, readAt, run);
  const sources = { readAt, ledgers, jobs };
  // The plan adds the same ones.
  const { open } = addFromSources(unchanged(ledger), sources, readAt).ledger;
  const { stop } = run.dependencies.cancellation;
  const pulls = await inParallel(open, AT_ONCE, async (entry): Promise<[string, PullReading]> => {
    if (stop.aborted) throw cancelledRun();
    return [entry.url, await readPull(entry, run)];
  });
  return { sources, pulls: new Map(pulls) };
}

/** Reads the other actions' ledgers that have changed. */
async function readOtherLedgers(
  { ledgers }: LandLedger,
  { store, project }: LandRun,
): Promise<OtherLedger[]> {
  const changed: OtherLedger[] = [];
  for (const { ref, sha } of await store.git.listRefs("docs-agent/")) {
    const isLands = ref === store.options.ref || ref.startsWith("refs/docs-agent/land/");
    if (isLands || ledgers[ref] === sha) continue;
    const text = await store.git.readFile(sha, "ledger.json");
    const pulls = parseDocsPulls(text, project).map(({ prLink, jobId, changes, codePull }) => ({
      url: prLink,
      jobId,
      changes: changes.filter((change) => change.kind === "change"),
      askedAt: null,
      codePull,
    }));
    changed.push({ ref, sha, pulls });
  }
  return changed;
}

/** Polls the jobs of status comments, if no docs pull request of theirs is known. */
async function pollJobs(
  ledger: LandLedger,
  ledgers: readonly OtherLedger[],
  readAt: number,
  run: LandRun,
): Promise<PolledJob[]> {
  const { connect, inputs } = run;
  const markers = jobMarkers(inputs.keys, inputs.projectId);
  const since = commentsSince(ledger, readAt);
  const { comments } = await recentJobs(connect, run, markers, since);
  const commented = comments
    // Jobs of version 1 accept no follow-ups.
    .filter(({ marker }) => marker.api === "v2")
    .map(({ url, updatedAt, marker }): AskedJob => {
      return { id: marker.job, askedAt: safeLink(url), at: timeText(updatedAt) };
    });
  const known = addFromLedgers(unchanged(ledger), ledgers, readAt).ledger;
  const polled: PolledJob[] = [];
  for (const job of jobsToPoll(known, commented)) {
    polled.push({ job, poll: await readJob(job.id, run) });
  }
  return polled;
}

/** Polls a docs pull request's job. @throws the errors of {@link SinglePolls} */
async function readJob(id: string, { polls, agent }: LandRun): Promise<JobFacts> {
  const job = await polls.poll(agent, id);
  if (job === null) return { state: "unread", prLink: null };
  if (job instanceof ServiceError) return { state: "unknown", prLink: null };
  const prLink = job.prLink ? safeLink(job.prLink) : null;
  return { state: isEnd(job.status) ? "ended" : "active", prLink };
}

/** @throws the errors of polls */
async function readPull(entry: Entry, run: LandRun): Promise<PullReading> {
  const place = pullRequestAt(entry.url, run.serverUrl);
  if (place === null) return { type: "unread", reason: ELSEWHERE };
  const job = await readJob(entry.jobId, run);
  try {
    const { allowedCommitters } = run.inputs;
    const read = await readDocsPull(await run.connect(), { ...place, allowedCommitters });
    const isDecided = read.state !== "open" || job.state !== "ended";
    const pull = isDecided ? read : await withLogs(read, entry, run);
    if (pull.state !== "open") {
      return { type: "read", facts: { pull, job, files: null, codePull: null }, build: null };
    }
    if (pull.checksRead === "none" && entry.head === null) warnOfChecks(entry, run);
    const files = await readFiles(pull, run);
    const codePull = await readCodePull(entry, run);
    const { preview } = entry;
    const build = preview?.state === "building" ? await readBuild(preview.statusId, run) : null;
    return { type: "read", facts: { pull, job, files, codePull }, build };
  } catch (error) {
    const { reason } = explainRefusal(error, PERMISSIONS);
    return { type: "unread", reason: `It cannot be read: ${reason}.` };
  }
}

const ELSEWHERE = "It is not on the GitHub that this workflow runs on, so it is left as it is.";

/** Once for each docs pull request: when it is first read. */
function warnOfChecks({ url }: Entry, { dependencies }: LandRun): void {
  dependencies.log.warning(
    `${url}: The token cannot read its checks. Nothing of them is sent, and it is not merged. Check that the token has the permissions \`checks: read\` and \`statuses: read\`.`,
  );
}

/** A conflict may be one with its own commits, if they were pushed to the base. */
async function readFiles(
  pull: DocsPull,
  { inputs, connect }: LandRun,
): Promise<PullFacts["files"]> {
  if (!hasRails(inputs) && pull.isConflicting !== true) return null;
  return await readPullFiles(await connect(), pull);
}

async function readCodePull(
  { codePull }: Entry,
  { serverUrl, connect }: LandRun,
): Promise<PullFacts["codePull"]> {
  if (codePull === null) return null;
  const state = await readPullState(codePull, serverUrl, connect);
  return state === "unavailable" ? "unread" : state;
}

/** Reads the build of a preview. @returns null if it could not be read */
async function readBuild(
  statusId: string,
  { builds, dependencies }: LandRun,
): Promise<BuildFacts | null> {
  try {
    const build = await builds.get(statusId, { signal: dependencies.cancellation.stop });
    if (build.status === "success") return { type: "built" };
    if (build.status !== "failure") return { type: "building" };
    return { type: "failed", log: endOfBuild(build) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    dependencies.log.info(`The build of a preview could not be read: ${sentence(error.message)}`);
    return isStatus(error.failure, 404, 410) ? { type: "forgotten" } : null;
  }
}

const PERMISSIONS: TokenPermissions = [
  "contents: write",
  "pull-requests: write",
  "checks: read",
  "statuses: read",
];
