import type { Connect } from "../github/connect.ts";
import { createFeedback, type Feedback } from "../github/feedback.ts";
import { invite } from "../github/invitation.ts";
import type { JobMarker, Markers } from "../github/markers.ts";
import { type Report, renderReport } from "../github/report.ts";
import type { RunContext } from "../github/run-context.ts";
import type { RunIdentity } from "../github/status-comment.ts";
import type { Outcome } from "../job/outcome.ts";
import { isEnd } from "../job/poll.ts";
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
  markers: Markers;
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
  readonly #identity: RunIdentity;
  #markedAt: number;
  /** The link that was warned of. */
  #badLink: string | null = null;
  #phase: SavedRun["phase"] = "starting";
  #id = "";

  constructor(options: RunReporterOptions) {
    const { settings, markers, context, connect, dependencies } = options;
    this.#options = options;
    this.#markedAt = settings.startedAt;
    this.#feedback = createFeedback(settings.feedback, "job", markers, connect, dependencies);
    const { runId: run, attempt, step } = context;
    this.#identity = { run, attempt, step };
  }

  /** The job's id; empty until it is known. */
  get jobId(): string {
    return this.#id;
  }

  /** Shows whoever asked that the request has arrived. */
  acknowledge(): void {
    void this.#feedback.reactions.add("eyes");
  }

  /** What the comment of an earlier attempt of this step remembers; that comment is used again. */
  async findEarlierAttempt(): Promise<JobMarker | null> {
    const { comment } = this.#feedback;
    const found = (await comment?.find(this.#identity)) ?? null;
    if (found === null || found.marker.attempt >= this.#identity.attempt) return null;
    comment?.adopt(found.comment);
    this.#markedAt = found.marker.at;
    return found.marker;
  }

  /** Something to know about this run, part of its comment and summary from now on. */
  note(text: string): void {
    this.#notes.push(text);
    this.#options.dependencies.log.info(text);
  }

  /** Goes on where a main step was killed. */
  resume(saved: SavedRun): void {
    this.#id = saved.jobId;
    this.#markedAt = saved.markedAt;
    const { comment } = this.#feedback;
    if (saved.comment !== null) comment?.adopt(saved.comment);
    else if (saved.phase === "running") comment?.mayExist();
  }

  /** A request that may start a job, or a turn of the job named, is about to be sent. */
  starting(id: string): void {
    this.#id = id;
    this.#save("starting");
  }

  /** The job exists: its id and what is known of it are told at once, and the comment is begun. */
  running(id: string, job: Job | null): void {
    this.#id = id;
    this.#setOutputs({ jobId: id });
    if (job !== null) this.#setJobOutputs(job);
    this.#save("running");
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
    const { log, clock } = dependencies;
    if (settings.invitation === null || link === null) return;
    const marker = this.#marker(job, true, clock.timeOfDay());
    await invite({ ...settings.invitation, link, marker }, context, { connect, log, markers });
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
    // A comment may come long after the run began, when the hourly limit had to be waited out.
    if (comment.ref === null) this.#markedAt = this.#options.dependencies.clock.timeOfDay();
    const { jobId, status } = report;
    const marker = jobId === "" ? null : this.#marker(jobId, isEnd(status), this.#markedAt);
    const before = comment.ref?.id;
    await comment.write(renderReport(report), marker, this.#identity);
    if (comment.ref?.id === before) return;
    this.#setCommentUrl();
    this.#save(this.#phase);
  }

  #marker(job: string, ended: boolean, at: number): JobMarker {
    return { job, api: this.#options.settings.api, ended, at, ...this.#identity };
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
      markedAt: this.#markedAt,
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
