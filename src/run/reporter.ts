import type { Connect } from "../github/connect.ts";
import { createFeedback, type Feedback } from "../github/feedback.ts";
import { invite } from "../github/invitation.ts";
import type { JobMarker, JobMarkers } from "../github/job-marker.ts";
import { type Report, renderReport } from "../github/report.ts";
import type { RunContext } from "../github/run-context.ts";
import type { CommentRef } from "../github/status-comment.ts";
import { type Outcome, requestOf } from "../job/outcome.ts";
import { isEnd } from "../job/poll.ts";
import type { RequestState } from "../job/request-state.ts";
import { messageOf, pullRequestOf, type StepResult } from "../job/step-result.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Log } from "../runtime/log.ts";
import { tryWriteSummary } from "../runtime/step-outputs.ts";
import type { Job } from "../service/agent.ts";
import { pullNumber } from "../text/link.ts";
import { finalOutputs, jobOutputs } from "./job-outputs.ts";
import type { RunSettings, SavedRun } from "./saved-run.ts";

export interface RunReporterOptions {
  settings: RunSettings;
  markers: JobMarkers;
  context: RunContext;
  connect: Connect;
  dependencies: Dependencies;
}

const WORKING: StepResult = {
  severity: "ok",
  kind: "",
  headline: "the agent is at work",
  what: "",
  quote: "",
  advice: "",
};

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

  constructor(options: RunReporterOptions) {
    const { settings, markers, connect, dependencies } = options;
    this.#options = options;
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
    this.requested("accepted");
    this.#setOutputs({ jobId: id });
    if (job !== null) this.#setJobOutputs(job);
    void this.#comment(this.#workingReport(job));
  }

  /** A poll brought this record, and the job goes on. */
  polled(job: Job): void {
    this.#setJobOutputs(job);
    void this.#comment(this.#workingReport(job));
  }

  /** Reports how the run came out. */
  async finish(outcome: Outcome, result: StepResult): Promise<void> {
    const { log, clock, outputs } = this.#options.dependencies;
    const { id, job } = outcome;
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
    const report = { ...this.#report(result, job, id), took };
    annotate(log, result, link, id);
    tryWriteSummary(outputs, log, renderReport(report));

    await Promise.all([
      this.#comment(report),
      this.#invite(id, link),
      outcome.type === "not-waited"
        ? undefined
        : this.#feedback.reactions.add(result.severity === "error" ? "confused" : "rocket"),
    ]);
    this.#setCommentUrl();
    this.#save("reported");
  }

  async #invite(job: string, link: string | null): Promise<void> {
    const { settings, context, connect, markers, dependencies } = this.#options;
    const { log } = dependencies;
    if (settings.invitation === null || link === null) return;
    const marker = this.#marker(job, true);
    const { draft } = settings.feedback;
    const invitation = { ...settings.invitation, link, marker, draft };
    await invite(invitation, context, { connect, log, markers });
  }

  #workingReport(job: Job | null): Report {
    const { wait } = this.#options.settings;
    const what = wait ? "This comment is edited when the job ends." : "";
    return { ...this.#report({ ...WORKING, what }, job, this.#id), severity: "working" };
  }

  #report(result: StepResult, job: Job | null, id: string): Report {
    const { severity, headline, what, quote, advice } = result;
    const link = this.#link(job);
    return {
      ...{ severity, headline, what, quote, advice },
      notes: this.#notes,
      message: quote === "" ? (job?.message ?? "") : "",
      todos: job?.todos ?? [],
      pullRequest: link === null ? null : { link, number: pullNumber(link) },
      jobId: id,
      status: job?.status ?? "",
      took: undefined,
      runUrl: this.#options.context.runUrl,
    };
  }

  async #comment(report: Report): Promise<void> {
    const { comment } = this.#feedback;
    if (comment === null) return;
    const { jobId, status } = report;
    const marker = this.#marker(jobId, isEnd(status));
    await comment.write(renderReport(report), marker, () => this.#save(this.#phase));
    this.#setCommentUrl();
  }

  #marker(job: string, ended: boolean): JobMarker {
    const { api, step } = this.#options.settings;
    return { job, api, request: this.#request, ended, ...step };
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
    if (pullRequest.type === "hidden" && this.#badLink !== job?.prLink) {
      this.#badLink = job?.prLink ?? null;
      this.#options.dependencies.log.warning(
        "The service gave a pull request link that is not an https: address of at most 2,000 characters. It is not shown, and the output prLink is left empty.",
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
      settings: this.#options.settings,
    };
    this.#options.dependencies.outputs.saveState(saved);
  }
}

function annotate(log: Log, result: StepResult, link: string | null, id: string): void {
  const job = id === "" ? "" : ` (job ${id})`;
  const { severity, headline } = result;
  if (severity === "error") log.error(`${messageOf(result)}${job}`);
  if (severity === "warning") log.warning(`${messageOf(result)}${job}`);
  if (link !== null) log.notice(`Pull request: ${link}`);
  else if (severity === "ok") log.info(`${sentence(headline)} ${messageOf(result)}`);
}

function sentence(headline: string): string {
  return `${headline.charAt(0).toUpperCase()}${headline.slice(1)}.`;
}
