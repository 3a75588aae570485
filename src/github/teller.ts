import type { Clock } from "../clock.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { type Ending, judge, type Verdict } from "../job/outcome.ts";
import { isEnd } from "../job/watch.ts";
import type { Log } from "../log.ts";
import type { Job } from "../service/agent.ts";
import { pullNumber, safeLink } from "../text/link.ts";
import { Audience, Reactor } from "./audience.ts";
import type { Connect } from "./connect.ts";
import { invite } from "./conversation.ts";
import { type Given, reactable } from "./given.ts";
import { jobMarkers, type Markers, type Memory, type Place } from "./marker.ts";
import { commentPlace, permissionFor } from "./place.ts";
import { type Report, renderReport } from "./report.ts";
import type { Request } from "./trigger.ts";

/** Where a run leaves what the next steps and the post step read. */
export interface Desk {
  setOutput(name: string, value: string): void;
  saveState(state: SavedState): void;
  /** @param markdown replaces nothing: it is added to the step's summary */
  writeSummary(markdown: string): void;
}

/** What the post step needs, should the main step be killed before it could tell. */
export interface SavedState {
  /** `starting`: a job may have been requested; `told`: nothing is left to do. */
  phase: "starting" | "running" | "told";
  id: string;
  /** Beginning of the run, and when its comment was written: milliseconds since 1970. */
  startedAt: number;
  markedAt: number;
  comment: { id: number; url: string } | null;
}

export interface TellerOptions {
  inputs: Inputs;
  given: Given;
  desk: Desk;
  log: Log;
  clock: Clock;
  connect: Connect;
  stop: AbortSignal;
  /** Version of the agent interface, which markers name. */
  api: string;
  /** What was asked for by phrase; null for a run that was not. */
  request: Request | null;
  /** Beginning of the run, in milliseconds since 1970. */
  startedAt: number;
}

/** Tells GitHub of a run: outputs, state, the comment, the summary, annotations and reactions. */
export class Teller {
  readonly #options: TellerOptions;
  readonly #audience: Audience<Memory> | null;
  readonly #markers: Markers;
  readonly #reactor: Reactor;
  readonly #told = new Map<string, string>();
  /** When the comment was written: the time that its marker bears. */
  #markedAt: number;
  readonly #place: Place | null;
  readonly #notes: string[] = [];
  #badLink: string | null = null;
  #phase: SavedState["phase"] = "starting";
  #id = "";

  constructor(options: TellerOptions) {
    const { inputs, given, log, clock, connect, stop, startedAt } = options;
    this.#options = options;
    this.#markedAt = startedAt;
    this.#markers = jobMarkers(inputs.apiKey, inputs.projectId);
    this.#place = commentPlace(inputs, given);
    const permission = permissionFor(inputs, given);
    this.#audience =
      this.#place === null
        ? null
        : new Audience({
            ...{ connect, log, clock, stop, permission },
            subject: "job",
            markers: this.#markers,
            place: this.#place,
          });
    // Whoever wants no comment wants no reactions either, except as the answer to a request.
    const target = inputs.comment || options.request !== null ? reactable(given) : null;
    const { repository } = given;
    this.#reactor = new Reactor({ subject: "job", connect, log, repository, target, permission });
  }

  /** The job's id; empty until it is known. */
  get jobId(): string {
    return this.#id;
  }

  /** Lets whoever asked see that the request has arrived. */
  acknowledge(): void {
    void this.#reactor.react("eyes");
  }

  /** The job that an earlier attempt of this workflow run left behind, whose comment is used again. */
  async findEarlierAttempt(): Promise<Memory | null> {
    const found = (await this.#audience?.find(this.#identity)) ?? null;
    if (found === null || found.memory.attempt >= this.#options.given.attempt) return null;
    this.#audience?.adopt(found.comment);
    this.#markedAt = found.memory.at;
    return found.memory;
  }

  /** Something to know about this run, said in its comment and summary from now on. */
  note(text: string): void {
    this.#notes.push(text);
    this.#options.log.info(text);
  }

  /** Goes on where a main step was killed. */
  resume(state: SavedState): void {
    this.#markedAt = state.markedAt;
    if (state.comment !== null) this.#audience?.adopt(state.comment);
    else if (state.phase === "running") this.#audience?.loseTrack();
  }

  /** A request that may make a job is about to be sent. */
  starting(id: string): void {
    this.#id = id;
    this.#save("starting");
  }

  /** The job exists: its id and what is known of it are told at once, and the comment is begun. */
  running(id: string, job: Job | null): void {
    this.#id = id;
    this.#output("jobId", id);
    if (job !== null) this.#outputJob(job);
    this.#save("running");
    void this.#show(this.#reportWorking(job));
  }

  /** A new look at the job. */
  seen(job: Job): void {
    this.#outputJob(job);
    void this.#show(this.#reportWorking(job));
  }

  /**
   * The end of the run.
   *
   * @returns whether the step fails
   */
  async conclude(ending: Ending): Promise<boolean> {
    const { inputs, log, clock, startedAt } = this.#options;
    const { job } = ending;
    const id = ending.type === "ended" ? ending.job.id : ending.id;
    if (id !== "") this.#output("jobId", id);
    if (job !== null) {
      this.#outputJob(job);
      this.#output("message", job.message ?? "");
      this.#output("todos", job.todos === null ? "" : JSON.stringify(job.todos));
    }
    const link = this.#link(job);
    const verdict = judge(ending, inputs, link !== null);
    if (verdict.kind !== "") {
      this.#output("errorKind", verdict.kind);
      this.#output("errorMessage", messageOf(verdict));
    }
    const report = this.#report(verdict, job, id);
    report.took = clock.timeOfDay() - startedAt;
    annotate(log, verdict, link, id);
    this.#writeSummary(renderReport(report));

    const reaction = verdict.level === "error" ? "confused" : "rocket";
    await Promise.all([
      this.#show(report),
      link === null ? undefined : invite(this.#options, this.#markers, this.#identity, link, id),
      ending.type === "not-waited" ? undefined : this.#reactor.react(reaction),
    ]);
    this.#outputCommentUrl();
    this.#save("told");
    return verdict.level === "error";
  }

  #writeSummary(markdown: string): void {
    try {
      this.#options.desk.writeSummary(markdown);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.log.warning(`The step summary could not be written: ${why}`);
    }
  }

  #reportWorking(job: Job | null): Report {
    const verdict: Verdict = {
      level: "ok",
      kind: "",
      headline: "the agent is at work",
      what: this.#options.inputs.wait ? "This comment is edited when the job ends." : "",
      quote: "",
      advice: "",
    };
    return { ...this.#report(verdict, job, this.#id), level: "working" };
  }

  #report(verdict: Verdict, job: Job | null, id: string): Report {
    const { level, headline, what, quote, advice } = verdict;
    const link = this.#link(job);
    return {
      ...{ level, headline, what, quote, advice },
      notes: this.#notes,
      message: quote === "" ? (job?.message ?? "") : "",
      todos: job?.todos ?? [],
      pullRequest: link === null ? null : { link, number: pullNumber(link) },
      jobId: id,
      status: job?.status ?? "",
      took: undefined,
      runUrl: this.#options.given.runUrl,
    };
  }

  async #show(report: Report): Promise<void> {
    if (this.#audience === null || this.#place === null) return;
    // A comment may come long after the run began, when the hourly limit had to be waited out.
    if (this.#audience.commentId === undefined) this.#markedAt = this.#options.clock.timeOfDay();
    const body = [renderReport(report)];
    if (report.jobId !== "") {
      const memory = {
        job: report.jobId,
        api: this.#options.api,
        ended: isEnd(report.status),
        at: this.#markedAt,
        ...this.#identity,
      };
      body.push(this.#markers.write(this.#place, memory));
    }
    const before = this.#audience.commentId;
    await this.#audience.show(body.join("\n\n"), this.#identity);
    if (this.#audience.commentId === before) return;
    this.#outputCommentUrl();
    this.#save(this.#phase);
  }

  get #identity(): Pick<Memory, "run" | "attempt" | "step"> {
    const { runId, attempt, step } = this.#options.given;
    return { run: runId, attempt, step };
  }

  #outputJob(job: Job): void {
    const link = this.#link(job);
    this.#output("status", job.status);
    this.#output("prLink", link ?? "");
    this.#output("prNumber", link === null ? "" : pullNumber(link));
    this.#output("model", job.model ?? "");
    this.#output("repository", job.repository ?? "");
    this.#output("ref", job.ref ?? "");
    this.#output("createdAt", job.createdAt ?? "");
    this.#output("archivedAt", job.archivedAt ?? "");
  }

  /** Outputs that were not told, or have changed; what has been empty all along stays unset. */
  #output(name: string, value: string): void {
    if ((this.#told.get(name) ?? "") === value) return;
    this.#told.set(name, value);
    this.#options.desk.setOutput(name, value);
  }

  #outputCommentUrl(): void {
    this.#output("commentUrl", this.#audience?.commentUrl ?? "");
  }

  /** The pull request's address, if it is one to follow; a warning, once, if it is not. */
  #link(job: Job | null): string | null {
    if (job === null || job.prLink === null || job.prLink === "") return null;
    const link = safeLink(job.prLink);
    if (link === null && this.#badLink !== job.prLink) {
      this.#badLink = job.prLink;
      this.#options.log.warning(
        "The service gave a pull request link that is not an https: address of at most 2,000 characters. It is not shown, and the output prLink is left empty.",
      );
    }
    return link;
  }

  #save(phase: SavedState["phase"]): void {
    this.#phase = phase;
    this.#options.desk.saveState(this.#state(phase));
  }

  #state(phase: SavedState["phase"]): SavedState {
    const id = this.#audience?.commentId;
    return {
      phase,
      id: this.#id,
      startedAt: this.#options.startedAt,
      markedAt: this.#markedAt,
      comment: id === undefined ? null : { id, url: this.#audience?.commentUrl ?? "" },
    };
  }
}

/** The verdict as one text, for the log and the output `errorMessage`. */
export function messageOf({ quote, what, advice }: Verdict): string {
  return [quote, what, advice].filter((part) => part !== "").join(" ");
}

function annotate(log: Log, verdict: Verdict, link: string | null, id: string): void {
  const job = id === "" ? "" : ` (job ${id})`;
  if (verdict.level === "error") log.error(`${messageOf(verdict)}${job}`);
  if (verdict.level === "warning") log.warning(`${messageOf(verdict)}${job}`);
  if (link !== null) log.notice(`Pull request: ${link}`);
  else if (verdict.level === "ok") log.info(`${sentence(verdict.headline)} ${messageOf(verdict)}`);
}

function sentence(headline: string): string {
  return `${headline.charAt(0).toUpperCase()}${headline.slice(1)}.`;
}
