import type { Connect, Patience } from "../github/connect.ts";
import { createFeedback, type Feedback, invite } from "../github/feedback.ts";
import type { FinishingFacts, JobMarker, JobMarkers } from "../github/job-marker.ts";
import { type Report, reactionTo, renderReport } from "../github/report.ts";
import type { RunContext } from "../github/run-context.ts";
import type { CommentRef } from "../github/status-comment.ts";
import { isEnd } from "../job/poll.ts";
import {
  messageOf,
  type Outcome,
  pullRequestOf,
  requestOf,
  resultAtWork,
  type StepResult,
} from "../job/step-result.ts";
import type { RequestState } from "../job/task.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Log } from "../runtime/log.ts";
import type { Job } from "../service/agent.ts";
import { pullNumber } from "../text/link.ts";
import type { ReportSettings, SavedRun } from "./saved-run.ts";

export interface RunReporterOptions {
  settings: ReportSettings;
  markers: JobMarkers;
  context: RunContext;
  connect: Connect;
  patience: Patience;
  dependencies: Dependencies;
}

/**
 * Reports a run: outputs, saved state, status comment, summary, annotations, reactions, invitation. What
 * an outcome means is decided elsewhere.
 */
export class RunReporter {
  readonly #options: RunReporterOptions;
  readonly #feedback: Feedback<JobMarker>;
  /** The outputs that are set. */
  readonly #outputs = new Map<string, string>();
  readonly #notes: string[] = [];
  /** The invalid link that a warning was logged for. */
  #badLink: string | null = null;
  /** What the post step needs if this step is killed. */
  #saved: SavedRun;

  constructor(options: RunReporterOptions) {
    const { settings, markers, connect, dependencies } = options;
    this.#options = options;
    // Nothing was sent yet, which has the same consequences as a refusal.
    const nothing = { jobId: "", request: "refused", comment: null, oldEndSince: null } as const;
    this.#saved = { ...nothing, settings };
    this.#feedback = createFeedback(settings.feedback, "job", markers, connect, dependencies);
  }

  /** The job's ID, empty until it is known, and the state of the request. */
  get known(): Pick<SavedRun, "jobId" | "request"> {
    return this.#saved;
  }

  /** Shows the requester that the request has arrived. */
  acknowledge(): void {
    void this.#feedback.reactions.add("eyes");
  }

  /** Uses the comment of an earlier attempt. */
  adoptComment(comment: CommentRef): void {
    this.#feedback.comment?.adopt(comment);
  }

  /** Adds a note to the comment, the summary and the log. */
  note(text: string): void {
    this.#notes.push(text);
    this.#options.dependencies.log.info(text);
  }

  /** Continues where a main step was killed. */
  resume(saved: SavedRun): void {
    this.#saved = saved;
    const { comment } = this.#feedback;
    if (saved.comment === null) comment?.mayExist();
    else comment?.adopt(saved.comment);
  }

  /** A request that may start a job, or a turn of the job named, is about to be sent. */
  starting(jobId: string): void {
    this.#save({ jobId, request: "refused" });
  }

  /** The state of the request. */
  requested(request: RequestState): void {
    this.#save({ request });
  }

  /** The job exists: reports its ID and record at once, and starts the comment. */
  running(jobId: string, job: Job | null): void {
    const { patience, dependencies } = this.#options;
    patience.withoutEnd();
    const oldEndSince = job?.status === "" ? dependencies.clock.timeOfDay() : null;
    this.#save({ jobId, request: "accepted", oldEndSince });
    this.#setOutputs({ jobId });
    if (job !== null) this.#setOutputs(jobOutputs(job, this.#link(job)));
    this.#commentWorking(job);
  }

  /** A poll returned this record, and the job is still running. */
  polled(job: Job): void {
    this.#setOutputs(jobOutputs(job, this.#link(job)));
    this.#commentWorking(job);
  }

  /** Reports how the run came out. */
  async finish(outcome: Outcome, result: StepResult): Promise<void> {
    const { log, clock, outputs } = this.#options.dependencies;
    const { id, job } = outcome;
    this.#options.patience.forAMinute();
    this.#saved.request = requestOf(outcome);
    const link = this.#link(job);
    this.#setOutputs({ jobId: id });
    if (job !== null) this.#setOutputs({ ...jobOutputs(job, link), ...finalOutputs(job) });
    if (result.kind !== "") {
      this.#setOutputs({ errorKind: result.kind, errorMessage: messageOf(result) });
    }
    const took = clock.timeOfDay() - this.#options.settings.startedAt;
    const isAtWork = outcome.type === "not-waited" && result.severity === "ok";
    const told = this.#report(result, job, id, took);
    const report: Report = isAtWork ? { ...told, severity: "working" } : told;
    annotate(log, result, link, id);
    outputs.writeSummary(renderReport(report));

    await Promise.all([
      this.#comment(report, null),
      this.#invite(id, link),
      outcome.type === "not-waited" ? undefined : this.#feedback.reactions.add(reactionTo(result)),
    ]);
    this.#setCommentUrl();
    // Nothing is left for the post step.
    outputs.saveState(null);
  }

  async #invite(job: string, link: string | null): Promise<void> {
    const { settings, context, connect, markers, dependencies } = this.#options;
    const { log } = dependencies;
    if (settings.invitation === null || link === null) return;
    const marker = this.#marker({ job, ended: true });
    const invitation = { ...settings.invitation, link, marker };
    await invite(invitation, context, { connect, log, markers });
  }

  #commentWorking(job: Job | null): void {
    const { wait, timeout } = this.#options.settings;
    const report = this.#report(resultAtWork(wait), job, this.#saved.jobId, undefined);
    void this.#comment({ ...report, severity: "working" }, wait ? timeout : 0);
  }

  #report(result: StepResult, job: Job | null, id: string, took: number | undefined): Report {
    const { runUrl } = this.#options.context;
    return { ...result, id, job, notes: this.#notes, runUrl, took };
  }

  /** @param waits milliseconds that the run may still wait; null: it has ended */
  async #comment(report: Report, waits: number | null): Promise<void> {
    const { comment } = this.#feedback;
    if (comment === null) return;
    const status = report.job?.status ?? "";
    const later = this.#later(waits, status);
    const marker = this.#marker({ job: report.id, ended: isEnd(status), later });
    await comment.write(renderReport(report), marker, () => this.#save({}));
    this.#setCommentUrl();
  }

  #marker(told: Pick<JobMarker, "job" | "ended" | "later">): JobMarker {
    const { api, step } = this.#options.settings;
    return { api, request: this.#saved.request, ...told, ...step };
  }

  #later(waits: number | null, status: string): FinishingFacts {
    const { feedback, policy, isByPhrase } = this.#options.settings;
    return {
      ...{ waits, isByPhrase },
      mayBeOld: status === "",
      ifNoChanges: policy.ifNoChanges,
      notes: [...this.#notes],
      reaction: feedback.reactionTarget,
    };
  }

  /** Sets outputs that are new or have changed. Outputs that were never set and are empty stay unset. */
  #setOutputs(outputs: Record<string, string | null>): void {
    for (const [name, told] of Object.entries(outputs)) {
      const value = told ?? "";
      if ((this.#outputs.get(name) ?? "") === value) continue;
      this.#outputs.set(name, value);
      this.#options.dependencies.outputs.setOutput(name, value);
    }
  }

  #setCommentUrl(): void {
    this.#setOutputs({ commentUrl: this.#feedback.comment?.ref?.url ?? "" });
  }

  /** The pull request's URL if it is safe. Otherwise, logs a warning once. */
  #link(job: Job | null): string | null {
    const pullRequest = pullRequestOf(job);
    if (pullRequest.type === "hidden" && this.#badLink !== pullRequest.given) {
      this.#badLink = pullRequest.given;
      this.#options.dependencies.log.warning(
        "The service returned a pull request link that is not an https: URL of at most 2,000 characters. The link is not shown, and the output prLink is empty.",
      );
    }
    return pullRequest.type === "shown" ? pullRequest.link : null;
  }

  #save(change: Partial<SavedRun>): void {
    const comment = this.#feedback.comment?.ref ?? null;
    this.#saved = { ...this.#saved, ...change, comment };
    this.#options.dependencies.outputs.saveState(this.#saved);
  }
}

/** Shows a result in the log and as an annotation. @param link its pull request */
function annotate(log: Log, result: StepResult, link: string | null, id: string): void {
  const job = id === "" ? "" : ` Job: ${id}`;
  const { severity, headline } = result;
  if (severity === "error") log.error(`${messageOf(result)}${job}`, headline);
  if (severity === "warning") log.warning(`${messageOf(result)}${job}`, headline);
  if (link !== null) log.notice(`Pull request: ${link}`, headline);
  const first = headline.charAt(0).toUpperCase();
  if (link === null && severity === "ok")
    log.info(`${first}${headline.slice(1)}. ${messageOf(result)}`.trimEnd());
}

/** Outputs from a job's record. @param link its pull request's URL, checked */
function jobOutputs(job: Job, link: string | null): Record<string, string | null> {
  const { status, model, repository, ref, createdAt, archivedAt } = job;
  const prNumber = link === null ? null : pullNumber(link);
  return { status, prLink: link, prNumber, model, repository, ref, createdAt, archivedAt };
}

/** Outputs that are set once the run is over. */
function finalOutputs({ message, todos }: Job): Record<string, string | null> {
  return { message, todos: todos === null ? null : JSON.stringify(todos) };
}
