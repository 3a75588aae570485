import { linkOf } from "../github/job-report.ts";
import type { PollResult } from "../job/poll.ts";
import { resultSuperseded } from "../job/step-result.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { ActionError } from "../runtime/errors.ts";
import { inParallel } from "../runtime/in-parallel.ts";
import type { Job, JobReader } from "../service/agent.ts";
import { isStatus, ServiceError } from "../service/errors.ts";
import { sentence } from "../text/sentence.ts";
import { assessPoll } from "./assess-poll.ts";
import { type FinishOptions, type FinishResult, finishComment, rewrite } from "./finish-comment.ts";
import type { JobComment, SweepPlan } from "./plan-sweep.ts";
import type { FinishedComment, SweepResult } from "./sweep-result.ts";

export interface SweepOptions {
  /** Reads a job by the version of the agent interface that its comment names. */
  readerOf: (api: string) => Promise<JobReader>;
  finishing: FinishOptions;
  /** The time by GitHub's clock, in milliseconds since 1970. */
  now: number;
  dependencies: Pick<Dependencies, "log" | "cancellation">;
}

/** Most polls at a time. */
const MAX_POLLS = 8;
/** After so many polls in a row that told nothing, the service is taken to be down. */
const MAX_FAILED_POLLS = 2 * MAX_POLLS;

const LIMITED =
  "The service's rate limit is reached, so no further job is polled. The next sweep does the rest.";

/** One sweep: polls each job once, and finishes the comments of those that have ended. */
export class Sweep {
  #checked = 0;
  #running = 0;
  readonly #finished: FinishedComment[] = [];
  #refused: ActionError | null = null;
  readonly #options: SweepOptions;
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
    this.#options = options;
    const { cancellation } = options.dependencies;
    this.#stop = AbortSignal.any([cancellation.stop, this.#over.signal]);
  }

  /** Does all of it, as far as nothing stops it. */
  async run({ jobs, superseded }: SweepPlan): Promise<SweepResult> {
    for (const { comment, by } of superseded) {
      if (this.#isOver) break;
      this.#checked += 1;
      const written = await rewrite(
        comment,
        resultSuperseded(by.url),
        null,
        this.#options.finishing,
      );
      this.#written(written, comment, null);
    }
    await inParallel([...jobs.values()], MAX_POLLS, async (comments) => {
      if (!this.#isOver && !this.#isLimited) await this.#check(comments);
    });
    return {
      ...{ checked: this.#checked, running: this.#running },
      ...{ finished: this.#finished, refused: this.#refused },
    };
  }

  get #isOver(): boolean {
    return this.#stop.aborted;
  }

  /** @param comments at least one, all about the same job */
  async #check(comments: readonly JobComment[]): Promise<void> {
    const [first] = comments;
    if (first === undefined) return;
    this.#checked += comments.length;
    const result = await this.#poll(first);
    // A poll that was stopped with the rest told nothing, and is not the service's failure.
    if ("error" in result && this.#isOver) return;
    for (const comment of comments) {
      const assessed = assessPoll(result, comment, this.#options.now);
      switch (assessed.type) {
        case "over":
          this.#failedPolls = 0;
          await this.#inTurn(async () => {
            const { outcome } = assessed;
            const written = await finishComment(comment, outcome, this.#options.finishing);
            this.#written(written, comment, outcome.job);
          });
          break;
        case "running":
          this.#failedPolls = 0;
          this.#running += 1;
          break;
        case "refused":
          this.#refused ??= assessed.error;
          this.#over.abort();
          return;
        case "poll-failed":
          this.#warnOfFailedPoll(comment, assessed.error);
          return;
      }
    }
  }

  async #poll({ marker: { job, api } }: JobComment): Promise<PollResult> {
    const reader = await this.#options.readerOf(api);
    try {
      return { reply: await reader.get(job, { signal: this.#stop }) };
    } catch (error) {
      if (error instanceof ServiceError) return { error };
      throw error;
    }
  }

  #inTurn(write: () => Promise<void>): Promise<void> {
    const turn = this.#writing.then(async () => {
      if (!this.#isOver) await write();
    });
    this.#writing = turn.catch(() => {});
    return turn;
  }

  #written(written: FinishResult, comment: JobComment, job: Job | null): void {
    if (written === "limited" && !this.#isOver) {
      this.#options.dependencies.log.warning(
        "GitHub's rate limit is reached. The next sweep does the rest.",
      );
      this.#over.abort();
    }
    if (written !== "finished") return;
    const status = job?.status ?? "";
    const prLink = linkOf(job) ?? "";
    const { url: commentUrl, marker } = comment;
    const how = status === "" ? "" : ` (job ${status})`;
    this.#options.dependencies.log.info(`Finished ${commentUrl}${how}.`);
    this.#finished.push({ jobId: marker.job, status, prLink, commentUrl });
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
