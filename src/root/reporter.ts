import type { Connect } from "../github/api/connect.ts";
import type { Patience } from "../github/api/patience.ts";
import { type Report, reactionTo, renderReport } from "../github/conversation/comment-text.ts";
import type { CommentRef } from "../github/conversation/comments.ts";
import { Feedback, type FeedbackPlan } from "../github/conversation/feedback.ts";
import { invite } from "../github/conversation/invitation.ts";
import {
  type FinishingFacts,
  type JobMarker,
  namesJob,
} from "../github/conversation/job-marker.ts";
import type { Markers, StepMarker } from "../github/conversation/markers.ts";
import { type RunContext, textIn } from "../github/trigger/run-context.ts";
import { hasEnded, type PollState } from "../job/poll.ts";
import type { UnacceptedState } from "../job/send.ts";
import {
  AT_WORK,
  endPolicyOf,
  linkOf,
  type Outcome,
  type Policy,
  resultMessage,
  type ShownResult,
  type StepResult,
  shownResultOf,
  stepResultOf,
  warnOfHiddenLink,
} from "../job/step-result.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Job } from "../service/agent.ts";
import { pullNumber } from "../text/link.ts";
import { capitalized } from "../text/sentence.ts";

/** What the main step saves for its post step. */
export interface SavedRun {
  /** The state of the run's request, and its job. The ID for a follow-up is always known. */
  readonly progress:
    | { readonly request: "accepted"; readonly jobId: string }
    | { readonly request: UnacceptedState; readonly jobId: string | null };
  readonly comment: CommentRef | null;
  /** When a follow-up was accepted whose job may still show its previous end; null if it does not. */
  readonly oldEndSince: number | null;
  /** What a report and a poll need, without the key and the token. */
  readonly settings: {
    readonly api: "v1" | "v2";
    readonly projectId: string;
    readonly policy: Policy;
    /** Address of the service. */
    readonly baseUrl: string;
    /** The phrase of a request by phrase; null for other runs. */
    readonly phrase: string | null;
    readonly feedback: FeedbackPlan;
    readonly step: StepMarker;
    /** Beginning of the run, in milliseconds since 1970. */
    readonly startedAt: number;
  };
}

export interface RunReporterOptions {
  settings: SavedRun["settings"];
  markers: Markers<JobMarker>;
  context: RunContext;
  connect: Connect;
  patience: Patience;
  dependencies: Dependencies;
}

/** What to do if the token ended before the run. */
const IF_EXPIRED =
  "The `collect` action finishes it. A token that lasts as long as the run avoids this.";

/** Reports a run: outputs, saved state, status comment, summary, annotations, reactions, invitation. */
export class RunReporter {
  readonly #options: RunReporterOptions;
  /** The status comment and the reactions. */
  readonly feedback: Feedback<JobMarker>;
  /** The outputs that are set. */
  readonly #outputs = new Map<string, string>();
  #notes: readonly string[] = [];
  #saved: SavedRun;

  /** @param saved the state of a killed main step, whose comment is used again */
  constructor(options: RunReporterOptions, saved?: SavedRun) {
    const { settings, markers, connect, dependencies } = options;
    this.#options = options;
    const { log } = dependencies;
    const plan = settings.feedback;
    this.feedback = new Feedback({
      plan,
      unaffected: "The job is not affected.",
      ifExpired: IF_EXPIRED,
      markers,
      connect,
      log,
    });
    // Nothing was sent yet, which has the same consequences as a refusal.
    const progress: SavedRun["progress"] = { request: "refused", jobId: null };
    this.#saved = saved ?? { progress, comment: null, oldEndSince: null, settings };
    if (saved) this.feedback.adopt(saved.comment);
  }

  /** What the post step needs if this step is killed. */
  get saved(): SavedRun {
    return this.#saved;
  }

  /** Adds a note to the comment, the summary and the log. */
  note(text: string): void {
    this.#notes = [...this.#notes, text];
    this.#options.dependencies.log.info(text);
  }

  /** Saves the state for the post step. */
  save(change: Partial<SavedRun>): void {
    this.#saved = { ...this.#saved, ...change, comment: this.feedback.ref };
    this.#options.dependencies.outputs.saveState(this.#saved);
  }

  /** The job exists: reports its ID and record at once, and starts the comment. */
  running(state: PollState): void {
    const { id: jobId, stale } = state;
    const { patience, dependencies } = this.#options;
    patience.withoutEnd();
    const oldEndSince = stale ? dependencies.clock.timeOfDay() : null;
    this.save({ progress: { request: "accepted", jobId }, oldEndSince });
    this.#setOutputs({ jobId });
    this.polled(state);
  }

  /** The job is still running. */
  polled({ job, stale }: PollState): void {
    const { wait, timeout } = this.#options.settings.policy;
    // The job was seen at work, so its next end is a new one.
    if (!stale && this.#saved.oldEndSince !== null) this.save({ oldEndSince: null });
    this.#setJobOutputs(job);
    const report = this.#report({ ...AT_WORK, severity: "working" }, job);
    void this.#comment(report, wait ? timeout : 0, false);
  }

  /** Reports the outcome of the run. @returns whether the step fails */
  async finish(outcome: Outcome): Promise<boolean> {
    const { settings, patience, dependencies } = this.#options;
    const { log, clock, outputs } = dependencies;
    const { job } = outcome;
    const { jobId } = this.#saved.progress;
    const result = stepResultOf(outcome, settings.policy);
    patience.forAMinute();
    if (outcome.type === "error" && outcome.request !== "accepted") {
      this.#saved = { ...this.#saved, progress: { request: outcome.request, jobId } };
    }
    this.#setJobOutputs(job);
    const { kind } = result;
    this.#setOutputs({
      jobId,
      message: job?.message,
      todos: job?.todos && JSON.stringify(job.todos),
      errorKind: kind,
      errorMessage: kind && resultMessage(result),
    });
    const isWaited =
      settings.policy.wait || (outcome.type !== "running" && outcome.type !== "unknown");
    const took = clock.timeOfDay() - settings.startedAt;
    const ended = this.#report(shownResultOf(result, outcome), job, took);
    const isAtWork = !isWaited && result.severity === "ok";
    const report: Report = isAtWork ? { ...ended, severity: "working", took: undefined } : ended;
    // Whoever asked need not know that the run has ended.
    const comment = isAtWork ? { ...report, ...AT_WORK } : report;
    warnOfHiddenLink(job, log);
    for (const { level, text, title } of annotationsOf(result, linkOf(job), jobId)) {
      log[level](text, title);
    }
    outputs.writeSummary(renderReport(report));

    const mayGetPull = outcome.type === "ended" && outcome.mayGetPull;
    const ends = await Promise.allSettled([
      this.#comment(comment, null, mayGetPull),
      this.#invite(linkOf(job)),
      isWaited ? this.feedback.react(reactionTo(result.severity)) : this.feedback.reacted(clock),
    ]);
    // Nothing is left for the post step, even after a mistake.
    outputs.saveState(null);
    this.feedback.throwMistake();
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    return result.severity === "error";
  }

  /** Invites to further requests on the job's pull request. */
  async #invite(link: string | null): Promise<void> {
    const { settings, context, connect, markers, dependencies } = this.#options;
    const { phrase, feedback } = settings;
    const marker = this.#marker("unknown");
    if (phrase === null || feedback.place === null || !namesJob(marker)) return;
    const requestedIn = feedback.place.issue;
    const draft = `${feedback.draft}-invitation`;
    const invitation = { phrase, requestedIn, link, draft, marker };
    await invite(invitation, context, { connect, log: dependencies.log, markers });
  }

  #report(result: ShownResult & Pick<Report, "severity">, job: Job | null, took?: number): Report {
    const { runUrl } = this.#options.context;
    return { ...result, id: this.#saved.progress.jobId, job, notes: this.#notes, runUrl, took };
  }

  /**
   * @param waits how long the run may still wait, in milliseconds; null if it has ended
   * @param mayGetPull whether the link to the job's pull request may come late, so that collect polls once more
   */
  async #comment(report: Report, waits: number | null, mayGetPull: boolean): Promise<void> {
    const { job } = report;
    const { settings, dependencies } = this.#options;
    const { feedback, phrase, policy } = settings;
    const at = new Date(dependencies.clock.timeOfDay()).toISOString();
    const later: FinishingFacts = {
      waits,
      isByPhrase: phrase !== null,
      mayBeOld: job === null || job.status === null,
      doubt: mayGetPull ? { found: "no-pull", at } : null,
      ...endPolicyOf(policy),
      notes: this.#notes,
      reaction: feedback.reactionTarget,
    };
    const isFinal = waits === null && job !== null && hasEnded(job) && !mayGetPull;
    const marker = this.#marker(isFinal ? job.status : null, later);
    const text = renderReport(report);
    const save = () => this.save({});
    await (waits === null
      ? this.feedback.finish(text, marker, dependencies, save)
      : this.feedback.write(text, marker, save));
    this.#setOutputs({ commentUrl: this.feedback.ref?.url });
  }

  #marker(ended: JobMarker["ended"], later?: JobMarker["later"]): JobMarker {
    const { api, step } = this.#options.settings;
    const { jobId: job, request } = this.#saved.progress;
    return { job, api, request, ended, later, ...step };
  }

  /** Sets outputs that are new or have changed. Outputs that were never set and are empty stay unset. */
  #setOutputs(outputs: Record<string, string | null | undefined>): void {
    for (const [name, value] of Object.entries(outputs)) {
      const text = textIn(value);
      if (textIn(this.#outputs.get(name)) === text) continue;
      this.#outputs.set(name, text);
      this.#options.dependencies.outputs.setOutput(name, text);
    }
  }

  #setJobOutputs(job: Job | null): void {
    if (job === null) return;
    const { status, model, repository, ref, createdAt, archivedAt } = job;
    const prLink = linkOf(job);
    const prNumber = prLink && pullNumber(prLink);
    this.#setOutputs({ status, prLink, prNumber, model, repository, ref, createdAt, archivedAt });
  }
}

/**
 * What the log and the annotations say about a result: all but `info` are annotations with a title.
 *
 * @param link the job's pull request; null if there is none
 * @param id the job's; null if there is none
 */
export function annotationsOf(result: StepResult, link: string | null, id: string | null) {
  const { severity, headline: title } = result;
  const message = resultMessage(result);
  const annotations: {
    level: "info" | "notice" | "warning" | "error";
    text: string;
    title: string;
  }[] = [];
  if (severity !== "ok") {
    annotations.push({
      level: severity,
      text: id === null ? message : `${message} Job: ${id}`,
      title,
    });
  }
  if (link !== null) annotations.push({ level: "notice", text: `Pull request: ${link}`, title });
  if (severity === "ok" && link === null) {
    const text = `${capitalized(title)}. ${message}`.trimEnd();
    annotations.push({ level: "info", text, title });
  }
  return annotations;
}
