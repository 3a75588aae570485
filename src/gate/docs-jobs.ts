import { kindOfUnread } from "../github/api/explain.ts";
import { readPullState } from "../github/changes/pull-state.ts";
import type { Comment } from "../github/conversation/comments.ts";
import { JOB, jobMarkers } from "../github/conversation/job-marker.ts";
import { MarkerReader } from "../github/conversation/marker-reader.ts";
import { type Place, unverifiedMarker } from "../github/conversation/markers.ts";
import { isUnknownByAge } from "../job/doubt.ts";
import { SinglePolls } from "../job/wait.ts";
import { ActionError } from "../runtime/errors.ts";
import { ABSENT, type Fact, known } from "../runtime/fact.ts";
import { createAgent } from "../service/agent-v2.ts";
import { ServiceError } from "../service/errors.ts";
import { safeLink } from "../text/link.ts";
import type { GateParts, GateRun, KeyedRun } from "./gate-run.ts";
import { JUDGE_AGAIN } from "./unread.ts";
import type { DocsJob } from "./verdict.ts";

/** Maximum number of jobs to poll: after a failed one, the next older one is polled. */
const MOST_POLLS = 5;

/**
 * The jobs in status comments, up to one that has not failed.
 *
 * @param comments newest first
 * @throws ActionError for a key that is refused
 */
export async function docsJobsOf(
  comments: readonly Comment[],
  place: Place,
  run: GateRun,
): Promise<Fact<DocsJob[]>> {
  const { service } = run.inputs;
  const signed = service === null ? null : signedJobs({ ...run, service });
  const jobs: DocsJob[] = [];
  for (const comment of comments) {
    if (jobs.length === MOST_POLLS) break;
    const { id, body, isByBot, updatedAt: askedAt } = comment;
    // Without a key, a signature cannot be checked. A forged marker only makes the check green.
    const unsigned = isByBot ? unverifiedMarker(body, place, id, JOB) : null;
    const noneSigned = unsigned === null ? ABSENT : known(unsigned);
    const marker = signed === null ? noneSigned : await signed.reader.read(comment, place);
    if (marker.type === "unread") return marker;
    // Invitations are on docs pull requests.
    if (marker.type === "absent" || marker.value.request !== "accepted") continue;
    const { job: jobId, api, ended } = marker.value;
    if (jobId === null || jobs.some((job) => job.jobId === jobId)) continue;
    const isNoted = ended === "failed" || ended === "unknown";
    const noted = { jobId, prLink: null, ended: isNoted ? ended : null };
    const job = signed === null ? noted : await signed.poll({ ...noted, api, askedAt });
    jobs.push(job);
    if (job.ended === null) break;
  }
  return known(jobs);
}

/** Reads markers whose signatures are checked, and polls their jobs. */
function signedJobs(run: KeyedRun) {
  const { service, inputs, connect, dependencies } = run;
  const polls = new SinglePolls(dependencies);
  return {
    reader: new MarkerReader(jobMarkers(inputs.keys, service.projectId), connect),
    poll: (job: Parameters<typeof pollDocsJob>[0]) => pollDocsJob(job, run, polls),
  };
}

/**
 * The state of a job that accepted its request, and of its docs pull request. A job that cannot be polled, or that the
 * service does not know yet, counts as it did before.
 *
 * @throws ActionError for a key that is refused, and if the docs pull request cannot be read for now
 */
export async function pollDocsJob(
  {
    jobId,
    prLink,
    ended: noted,
    api,
    askedAt,
  }: DocsJob & {
    /** Version of the service's interface. */
    api: string;
    /** When it was asked for, in milliseconds since 1970; null if a ledger decides when it is unknown. */
    askedAt: number | null;
  },
  run: KeyedRun,
  polls = new SinglePolls(run.dependencies),
): Promise<DocsJob> {
  const { service, dependencies } = run;
  const agent = await createAgent(api, service, dependencies);
  const job = await polls.poll(agent, jobId);
  if (job === null || job instanceof ServiceError) {
    const isUnknown = job !== null && askedAt !== null && isUnknownByAge(askedAt, githubTime(run));
    return await withPullRequest({ jobId, prLink, ended: isUnknown ? "unknown" : noted }, run);
  }
  const ended = job.status === "failed" ? "failed" : null;
  return await withPullRequest({ jobId, prLink: safeLink(job.prLink) ?? prLink, ended }, run);
}

/** GitHub's time, in milliseconds since 1970: the runner's clock may be wrong. */
export function githubTime({ reader, dependencies }: GateRun): number {
  return reader.now ?? dependencies.clock.timeOfDay();
}

/**
 * Adds that the docs pull request was closed without merging. One that the token may not read counts as open.
 *
 * @throws ActionError if it cannot be read for now
 */
export async function withPullRequest(
  job: DocsJob,
  { context, connect }: GateParts,
): Promise<DocsJob> {
  if (job.ended !== null || job.prLink === null) return job;
  const read = await readPullState(job.prLink, context.serverUrl, connect);
  if (read.type === "unread" && read.isPassing) {
    const problem = `Whether ${job.prLink} was closed could not be read: ${read.reason}.`;
    throw new ActionError(kindOfUnread(read), problem, JUDGE_AGAIN);
  }
  const isClosed = read.type === "known" && read.value === "closed";
  return isClosed ? { ...job, ended: "closed" } : job;
}
