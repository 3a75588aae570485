import type { Comment } from "../github/comments.ts";
import { jobMarkers, unverifiedJobMarker } from "../github/job-marker.ts";
import type { Place } from "../github/markers.ts";
import { tellsFailure } from "../github/report.ts";
import type { GateInputs } from "../inputs/gate.ts";
import { NOT_FOUND_GRACE } from "../job/poll.ts";
import { SinglePolls } from "../job/wait.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { createJobReader } from "../service/agent-v2.ts";
import { ServiceError } from "../service/errors.ts";
import { Transport } from "../service/transport.ts";
import { safeLink } from "../text/link.ts";
import type { DocsJob } from "./verdict.ts";

/** Jobs that failed are passed over, up to so many. */
const MOST_POLLS = 5;

/** A job to poll. */
type Asked = Pick<DocsJob, "jobId" | "prLink"> & { api: string; askedAt: number };

/** Polls docs jobs. */
export class DocsJobs {
  readonly #inputs: GateInputs;
  readonly #dependencies: Dependencies;
  readonly #polls: SinglePolls;

  constructor(inputs: GateInputs, dependencies: Dependencies) {
    this.#inputs = inputs;
    this.#dependencies = dependencies;
    this.#polls = new SinglePolls(dependencies);
  }

  /** The jobs that status comments tell of, up to one that has not failed. @param comments newest first */
  async ofComments(comments: readonly Comment[], place: Place): Promise<DocsJob[]> {
    const { apiKey, projectId } = this.#inputs;
    const markers = apiKey === "" ? null : jobMarkers([apiKey], projectId);
    const jobs: DocsJob[] = [];
    for (const { id, body, isByBot, updatedAt } of comments) {
      if (jobs.length === MOST_POLLS) break;
      // Without the key there is no telling who signed it: it gains a green check, and nothing else.
      const unsigned = isByBot ? unverifiedJobMarker(body, place, id) : null;
      const marker = markers === null ? unsigned : markers.read(body, place, id);
      // Invitations are on docs pull requests.
      if (marker?.request !== "accepted" || marker.job === "") continue;
      const { job: jobId, api, ended } = marker;
      if (jobs.some((it) => it.jobId === jobId)) continue;
      const hasFailed = ended && tellsFailure(body);
      const asked = { jobId, api, prLink: null, askedAt: updatedAt };
      const job = markers === null ? { jobId, prLink: null, hasFailed } : await this.poll(asked);
      jobs.push(job);
      if (!job.hasFailed) break;
    }
    return jobs;
  }

  /**
   * The state of a job. A job that cannot be polled counts as not failed.
   *
   * @throws ActionError for a key that is refused
   */
  async poll({ jobId, api, prLink, askedAt }: Asked): Promise<DocsJob> {
    const transport = new Transport(this.#inputs, this.#dependencies);
    const version = api === "v1" ? "v1" : "v2";
    const reader = await createJobReader(version, transport, this.#inputs.projectId);
    const job = await this.#polls.poll(reader, jobId);
    if (job === null) return { jobId, prLink, hasFailed: false };
    if (job instanceof ServiceError) {
      const age = this.#dependencies.clock.timeOfDay() - askedAt;
      return { jobId, prLink, hasFailed: age > NOT_FOUND_GRACE };
    }
    const link = safeLink(job.prLink ?? "") ?? prLink;
    return { jobId, prLink: link, hasFailed: job.status === "failed" };
  }
}
