import type { Connect } from "../github/connect.ts";
import { createFeedback, type Feedback } from "../github/feedback.ts";
import { invite } from "../github/invitation.ts";
import type { FinishingFacts, JobMarker, JobMarkers } from "../github/job-marker.ts";
import { jobReport, reactionTo } from "../github/job-report.ts";
import type { Patience } from "../github/patience.ts";
import { type Report, renderReport } from "../github/report.ts";
import type { RunContext } from "../github/run-context.ts";
import type { CommentRef } from "../github/status-comment.ts";
import { type Outcome, requestOf } from "../job/outcome.ts";
import { isEnd } from "../job/poll.ts";
import type { RequestState } from "../job/request-state.ts";
import { messageOf, pullRequestOf, resultAtWork, type StepResult } from "../job/step-result.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { tryWriteSummary } from "../runtime/step-outputs.ts";
import type { Job } from "../service/agent.ts";
import { annotate } from "./annotate.ts";
import { finalOutputs, jobOutputs } from "./job-outputs.ts";
import type { RunSettings, SavedRun } from "./saved-run.ts";

export interface RunReporterOptions {
  settings: RunSettings;
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
  /** The link that was warned of. */
  #badLink: string | null = null;
  #phase: SavedRun["phase"] = "started";
  #id = "";
  /** Nothing was sent yet, which comes to the same as a refusal. */
  #request: RequestState = "refused";
  #requestedAt: number;
  #oldEndSince: number | null = null;

  constructor(options: RunReporterOptions) {
    const { settings, markers, connect, dependencies } = options;
    this.#options = options;
    this.#requestedAt = settings.startedAt;
    this.#feedback = createFeedback(settings.feedback, "job", markers, connect, dependencies);
  }

  /** The job's id; empty until it is known. */
  get jobId(): string {
    return this.#id;
  }

  /** What became of the request so far. */
  get request(): RequestState {
    return this.#request;
  }

  /** Shows whoever asked that the request has arrived. */
  acknowledge(): void {
    void this.#feedback.reactions.add("eyes");
  }

  /** Goes on with the comment of an earlier attempt. */
  adoptComment(comment: CommentRef): void {
    this.#feedback.comment?.adopt(comment);
  }

  /** The request that this run reports on was made by an earlier attempt. */
  requestedEarlier({ later }: JobMarker): void {
    this.#requestedAt = later?.requestedAt ?? this.#requestedAt;
  }

  /** Something to know about this run, part of its comment and summary from now on. */
  note(text: string): void {
    this.#notes.push(text);
    this.#options.dependencies.log.info(text);
  }

  /** Goes on where a main step was killed. */
  resume(saved: SavedRun): void {
    this.#id = saved.jobId;
    this.#request = saved.request;
    const { comment } = this.#feedback;
    if (saved.comment === null) comment?.mayExist();
    else comment?.adopt(saved.comment);
  }

  /** A request that may start a job, or a turn of the job named, is about to be sent. */
  starting(id: string): void {
    this.#id = id;
    this.requested("refused");
  }

  /** What became of the request so far. */
  requested(state: RequestState): void {
    this.#request = state;
    this.#save("started");
  }

  /** The job exists: its id and what is known of it are told at once, and the comment is begun. */
  running(id: string, job: Job | null): void {
    this.#id = id;
    const { patience, dependencies } = this.#options;
    patience.withoutEnd();
    this.#oldEndSince = job?.status === "" ? dependencies.clock.timeOfDay() : null;
    this.requested("accepted");
    this.#setOutputs({ jobId: id });
    if (job !== null) this.#setJobOutputs(job);
    this.#commentWorking(job);
  }

  /** A poll brought this record, and the job goes on. */
  polled(job: Job): void {
    this.#setJobOutputs(job);
    this.#commentWorking(job);
  }

  /** Reports how the run came out. */
  async finish(outcome: Outcome, result: StepResult): Promise<void> {
    const { log, clock, outputs } = this.#options.dependencies;
    const { id, job } = outcome;
    this.#options.patience.forAMinute();
    this.#request = requestOf(outcome);
    if (id !== "") this.#setOutputs({ jobId: id });
    if (job !== null) {
      this.#setJobOutputs(job);
      this.#setOutputs(finalOutputs(job));
    }
    if (result.kind !== "") {
      this.#setOutputs({ errorKind: result.kind, errorMessage: messageOf(result) });
    }
    const link = this.#link(job);
    const took = clock.timeOfDay() - this.#options.settings.startedAt;
    const isAtWork = outcome.type === "not-waited" && result.severity === "ok";
    const told = this.#report(result, job, id, took);
    const report: Report = isAtWork ? { ...told, severity: "working" } : told;
    annotate(log, result, link, id);
    tryWriteSummary(outputs, log, renderReport(report));

    await Promise.all([
      this.#comment(report, null),
      this.#invite(id, link),
      outcome.type === "not-waited" ? undefined : this.#feedback.reactions.add(reactionTo(result)),
    ]);
    this.#setCommentUrl();
    this.#save("reported");
  }

  async #invite(job: string, link: string | null): Promise<void> {
    const { settings, context, connect, markers, dependencies } = this.#options;
    const { log } = dependencies;
    if (settings.invitation === null || link === null) return;
    const marker = this.#marker({ job, ended: true });
    const { draft } = settings.feedback;
    const invitation = { ...settings.invitation, link, marker, draft };
    await invite(invitation, context, { connect, log, markers });
  }

  #commentWorking(job: Job | null): void {
    const { wait, timeout } = this.#options.settings;
    const report = this.#report(resultAtWork(wait), job, this.#id, undefined);
    void this.#comment({ ...report, severity: "working" }, wait ? timeout : 0);
  }

  #report(result: StepResult, job: Job | null, id: string, took: number | undefined): Report {
    const { runUrl } = this.#options.context;
    return jobReport(result, { id, job, notes: this.#notes, runUrl, took });
  }

  /** @param waits milliseconds that the run may go on after this; null: it has come to its end */
  async #comment(report: Report, waits: number | null): Promise<void> {
    const { comment } = this.#feedback;
    if (comment === null) return;
    const { jobId: job, status } = report;
    const later = this.#later(waits, status);
    const marker = this.#marker({ job, ended: isEnd(status), later });
    await comment.write(renderReport(report), marker, () => this.#save(this.#phase));
    this.#setCommentUrl();
  }

  #marker(told: Pick<JobMarker, "job" | "ended" | "later">): JobMarker {
    const { api, step } = this.#options.settings;
    return { api, request: this.#request, ...told, ...step };
  }

  #later(waits: number | null, status: string): FinishingFacts {
    const { feedback, policy, isRequest, isByPhrase } = this.#options.settings;
    return {
      ...{ waits, requestedAt: this.#requestedAt, isRequest, isByPhrase },
      mayBeOld: status === "",
      ifNoChanges: policy.ifNoChanges,
      notes: [...this.#notes],
      reaction: feedback.reactionTarget,
    };
  }

  #setJobOutputs(job: Job): void {
    this.#setOutputs(jobOutputs(job, this.#link(job)));
  }

  /** Sets outputs that are new or have changed; what has been empty all along stays unset. */
  #setOutputs(outputs: Record<string, string>): void {
    for (const [name, value] of Object.entries(outputs)) {
      if ((this.#outputs.get(name) ?? "") === value) continue;
      this.#outputs.set(name, value);
      this.#options.dependencies.outputs.setOutput(name, value);
    }
  }

  #setCommentUrl(): void {
    this.#setOutputs({ commentUrl: this.#feedback.comment?.ref?.url ?? "" });
  }

  /** The pull request's address, if it can be followed; a warning, once, if it cannot. */
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

  #save(phase: SavedRun["phase"]): void {
    this.#phase = phase;
    const saved: SavedRun = {
      phase,
      jobId: this.#id,
      request: this.#request,
      comment: this.#feedback.comment?.ref ?? null,
      oldEndSince: this.#oldEndSince,
      settings: this.#options.settings,
    };
    this.#options.dependencies.outputs.saveState(saved);
  }
}
