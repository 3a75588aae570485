import type { CollectInputs } from "../inputs/collect.ts";
import { explain } from "../job/failures.ts";
import { isEnd, NOT_FOUND_GRACE, type PollResult, STALE_LIMIT } from "../job/poll.ts";
import { linkOf, type Outcome } from "../job/step-result.ts";
import { poll } from "../job/wait.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { ActionError } from "../runtime/errors.ts";
import { inParallel } from "../runtime/in-parallel.ts";
import type { Agent, Job, JobReader } from "../service/agent.ts";
import { createJobReader } from "../service/agent-v2.ts";
import { isStatus, type ServiceError } from "../service/errors.ts";
import { Transport } from "../service/transport.ts";
import { sentence } from "../text/sentence.ts";
import type { JobComment, SweepPlan } from "./comments.ts";
import { type FinishOptions, type FinishResult, finishComment } from "./finish-comment.ts";

/** A comment that was brought to its end, as the output `finished` has it. */
export interface FinishedComment {
  jobId: string;
  /** Empty when it is not known. */
  status: string;
  prLink: string;
  commentUrl: string;
}

/** What a sweep has done, counted in comments. */
export interface SweepResult {
  checked: number;
  running: number;
  finished: FinishedComment[];
  /** No job can be polled with these inputs: the service refuses the key, or is not at this address. */
  refused: ActionError | null;
}

export interface SweepOptions {
  inputs: CollectInputs;
  finishing: FinishOptions;
  /** The time by GitHub's clock, in milliseconds since 1970. */
  now: number;
  dependencies: Dependencies;
}

/** Most polls at a time. */
const MAX_POLLS = 8;
/** After so many polls in a row that told nothing, the service is taken to be down. */
const MAX_FAILED_POLLS = 2 * MAX_POLLS;

const LIMITED =
  "The service's rate limit is reached, so no further job is polled. The next sweep does the rest.";

/** One sweep: polls each job once, and finishes the comments of those that have ended. */
export class Sweep {
  readonly #options: SweepOptions;
  readonly #result: SweepResult = { checked: 0, running: 0, finished: [], refused: null };
  readonly #transport: Transport;
  readonly #readers = new Map<string, Promise<JobReader>>();
  /** Aborted when it is no use to go on. */
  readonly #over = new AbortController();
  /** Aborted then, and when the run is cancelled. */
  readonly #stop: AbortSignal;
  /** GitHub asks for one write after the other. */
  #writing: Promise<void> = Promise.resolve();
  #failedPolls = 0;
  /** The service takes no more polls for now. */
  #isLimited = false;

  constructor(options: SweepOptions) {
    const { inputs, dependencies } = options;
    this.#options = options;
    this.#transport = new Transport(inputs, dependencies);
    this.#stop = AbortSignal.any([dependencies.cancellation.stop, this.#over.signal]);
  }

  /** Does all of it, as far as nothing stops it. */
  async run({ jobs }: SweepPlan): Promise<SweepResult> {
    await inParallel([...jobs.values()], MAX_POLLS, async (comments) => {
      if (!this.#isOver && !this.#isLimited) await this.#check(comments);
    });
    return this.#result;
  }

  get #isOver(): boolean {
    return this.#stop.aborted;
  }

  /** @param comments at least one, all about the same job */
  async #check(comments: readonly JobComment[]): Promise<void> {
    const [first] = comments;
    if (first === undefined) return;
    this.#result.checked += comments.length;
    const { job, api } = first.marker;
    const result = await poll(await this.#readerOf(api), job, { signal: this.#stop });
    // A poll that was stopped with the rest told nothing, and is not the service's failure.
    if ("error" in result && this.#isOver) return;
    for (const comment of comments) {
      const assessed = assessPoll(result, comment, this.#options.now);
      switch (assessed.type) {
        case "over":
          this.#failedPolls = 0;
          await this.#finish(comment, assessed.outcome);
          break;
        case "running":
          this.#failedPolls = 0;
          this.#result.running += 1;
          break;
        case "refused":
          this.#result.refused ??= assessed.error;
          this.#over.abort();
          return;
        case "poll-failed":
          this.#warnOfFailedPoll(comment, assessed.error);
          return;
      }
    }
  }

  #readerOf(api: string): Promise<JobReader> {
    const version: Agent["version"] = api === "v1" ? "v1" : "v2";
    const { projectId } = this.#options.inputs;
    const reader =
      this.#readers.get(version) ?? createJobReader(version, this.#transport, projectId);
    this.#readers.set(version, reader);
    return reader;
  }

  #finish(comment: JobComment, outcome: Outcome): Promise<void> {
    const turn = this.#writing.then(async () => {
      if (this.#isOver) return;
      const written = await finishComment(comment, outcome, this.#options.finishing);
      this.#written(written, comment, outcome.job);
    });
    this.#writing = turn.catch(() => {});
    return turn;
  }

  #written(written: FinishResult, comment: JobComment, job: Job | null): void {
    const { log } = this.#options.dependencies;
    if (written === "limited" && !this.#isOver) {
      log.warning("GitHub's rate limit is reached. The next sweep does the rest.");
      this.#over.abort();
    }
    if (written !== "finished") return;
    const status = job?.status ?? "";
    const prLink = linkOf(job) ?? "";
    const { url: commentUrl, marker } = comment;
    log.info(`Finished ${commentUrl}${status === "" ? "" : ` (job ${status})`}.`);
    this.#result.finished.push({ jobId: marker.job, status, prLink, commentUrl });
  }

  #warnOfFailedPoll({ url, marker }: JobComment, error: ServiceError): void {
    const { log } = this.#options.dependencies;
    const isLimited = isStatus(error.failure, 429);
    if (isLimited && this.#isLimited) return;
    const what = `Job ${marker.job} (${url}) could not be polled`;
    const next = isLimited ? LIMITED : "The next sweep polls it again.";
    log.warning(`${what}: ${sentence(error.message)} ${next}`);
    this.#isLimited ||= isLimited;
    this.#failedPolls += 1;
    if (this.#failedPolls < MAX_FAILED_POLLS || this.#isOver) return;
    log.warning(
      `The last ${MAX_FAILED_POLLS} polls failed, so the rest is left to the next sweep.`,
    );
    this.#over.abort();
  }
}

/** What a poll means for a comment about the job. */
export type Assessment =
  /** The comment is finished with this outcome. */
  | { type: "over"; outcome: Outcome }
  | { type: "running" }
  /** The poll told nothing: the next sweep polls again. */
  | { type: "poll-failed"; error: ServiceError }
  /** The key or the address is of no use, whatever is polled. */
  | { type: "refused"; error: ActionError };

/**
 * What follows from the one poll of a job, for a comment about it.
 *
 * @param now milliseconds since 1970 by GitHub's clock
 */
export function assessPoll(result: PollResult, comment: JobComment, now: number): Assessment {
  const { marker, updatedAt } = comment;
  const id = marker.job;
  // What the comment tells was written after the request was accepted.
  const since = now - updatedAt;
  if ("reply" in result) {
    const { job } = result.reply;
    const mayBeOld = (marker.later?.mayBeOld ?? false) && since < STALE_LIMIT;
    if (!isEnd(job.status) || mayBeOld) return { type: "running" };
    return { type: "over", outcome: { type: "ended", id, job } };
  }
  const { error } = result;
  const explained = explain(error, "poll");
  if (isStatus(error.failure, 401, 403) || error.failure.type === "redirect") {
    return { type: "refused", error: explained };
  }
  if (!isStatus(error.failure, 404, 410)) return { type: "poll-failed", error };
  if (since < NOT_FOUND_GRACE) return { type: "running" };
  const request = "accepted";
  return { type: "over", outcome: { type: "error", id, job: null, request, error: explained } };
}
