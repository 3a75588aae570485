/**
 * The jobs of the emulated agent. What a job is at a moment follows from when its last turn started
 * and from its steering; only the outcome is written down, because it may open a pull request.
 */

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { HttpError } from "../../http/http-error.ts";
import type { Project } from "../project.ts";
import type { ServiceState } from "../state.ts";
import { endOf, isDue, isKnown, type Job, lastTurn, type Turn } from "./job.ts";
import { type AgentJob, isAtEnd, otherJobsRecord, recordOf, showsOtherJob } from "./job-record.ts";
import { steer } from "./steering.ts";
import { workOutOutcome } from "./turn-outcome.ts";

/** What starts a job. */
export interface JobRequest {
  project: Project;
  version: 1 | 2;
  prompt: string;
  branch?: string;
  model?: string;
  draft?: boolean;
}

/** How long to wait at a time for a turn that never ends by itself: a follow-up may end it. */
const RECHECK_MS = 60_000;

/** Starts, continues and finishes jobs. */
export class Jobs {
  readonly #state: ServiceState;
  readonly #now: () => number;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Outcomes that are being worked out, so that a timer and a request never publish the same twice. */
  readonly #finishing = new Map<Turn, Promise<void>>();

  constructor(state: ServiceState, now: () => number = Date.now) {
    this.#state = state;
    this.#now = now;
    // A restored state may hold jobs whose timers died with the process that set them.
    for (const job of state.jobs) this.#finishInTime(job);
  }

  /** Creates a job, which starts to work on its prompt at once. */
  start({ project, version, prompt, branch, model, draft }: JobRequest): Job {
    const now = this.#now();
    const id = randomUUID();
    const job: Job = {
      id,
      projectId: project.id,
      version,
      createdAt: now,
      model: model ?? this.#state.model,
      branch: branch ?? `docs-agent/${id.slice(0, 8)}`,
      draft: draft ?? false,
      prLink: null,
      archivedAt: null,
      outcomeRead: false,
      turns: [this.#newTurn(prompt, now)],
      byHand: {},
    };
    this.#state.jobs.push(job);
    this.#finishInTime(job);
    return job;
  }

  /** @throws HttpError 409 when the job is at work and was steered to be busy meanwhile. */
  async followUp(job: Job, prompt: string): Promise<void> {
    await this.update(job);
    const turn = lastTurn(job);
    if (turn.outcome === null && turn.steering.busy) {
      throw new HttpError(409, "The job is still processing an earlier message");
    }
    const now = this.#now();
    // A message to a working job replaces what it worked on.
    turn.outcome ??= { status: "superseded", at: now, reason: null };
    job.turns.push(this.#newTurn(prompt, now));
    job.byHand = {};
    job.outcomeRead = false;
    job.archivedAt = null;
    this.#finishInTime(job);
  }

  /**
   * The job of a project with this id.
   *
   * @throws HttpError 404 when there is none, not yet, or no longer.
   */
  find(projectId: string, id: string): Job {
    const job = this.#state.jobs.find((one) => one.id === id && one.projectId === projectId);
    if (job === undefined || !isKnown(job, this.#now())) throw new HttpError(404, "Job not found");
    return job;
  }

  /** The jobs of a project that the service would show, newest first. */
  list(projectId: string): Job[] {
    return this.#state.jobs
      .filter((job) => job.projectId === projectId && isKnown(job, this.#now()))
      .toSorted((one, other) => other.createdAt - one.createdAt);
  }

  /** The answer to a client's poll. A job may be steered to forget itself once its outcome was read. */
  async poll(job: Job): Promise<AgentJob> {
    const record = await this.update(job);
    if (showsOtherJob(job, this.#now())) return otherJobsRecord(record);
    if (lastTurn(job).outcome !== null && isAtEnd(record)) job.outcomeRead = true;
    return record;
  }

  /** Finishes the job's turn if it is due, and returns the record. */
  async update(job: Job): Promise<AgentJob> {
    const turn = lastTurn(job);
    if (isDue(turn, this.#now())) await this.#finish(job, turn);
    return this.record(job);
  }

  /** The record as it is, without finishing a turn that is due. */
  record(job: Job): AgentJob {
    return recordOf(job, {
      project: this.#project(job),
      webUrl: this.#state.github?.webUrl ?? "https://github.com",
      now: this.#now(),
    });
  }

  /** Resolves when the job's present turn has its outcome. Rejects when the signal is aborted. */
  async waitForOutcome(job: Job, signal: AbortSignal): Promise<void> {
    const turn = lastTurn(job);
    while (turn.outcome === null) {
      const leftMs = (endOf(turn) ?? this.#now() + RECHECK_MS) - this.#now();
      await delay(Math.max(1, leftMs), undefined, { signal, ref: false });
      await this.update(job);
    }
  }

  /** Stops all timers, and waits for outcomes that are being worked out. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await Promise.allSettled(this.#finishing.values());
  }

  #newTurn(prompt: string, startedAt: number): Turn {
    return { prompt, startedAt, steering: steer(prompt, this.#state.steering), outcome: null };
  }

  /** Finishes the last turn when its time has come, even if nobody polls at that moment. */
  #finishInTime(job: Job): void {
    const turn = lastTurn(job);
    const end = endOf(turn);
    if (turn.outcome !== null || end === null) return;
    const finish = () => {
      this.#timers.delete(timer);
      void this.#finish(job, turn);
    };
    const timer = setTimeout(finish, Math.max(0, end - this.#now()));
    timer.unref();
    this.#timers.add(timer);
  }

  /** Finishes a turn once, however many ask for it. */
  #finish(job: Job, turn: Turn): Promise<void> {
    if (turn.outcome !== null) return Promise.resolve();
    const finishing = this.#finishing.get(turn) ?? this.#setOutcome(job, turn);
    this.#finishing.set(turn, finishing);
    return finishing.finally(() => this.#finishing.delete(turn));
  }

  async #setOutcome(job: Job, turn: Turn): Promise<void> {
    const outcome = await workOutOutcome(job, turn, {
      github: this.#state.github,
      project: this.#project(job),
      number: this.#state.jobs.indexOf(job) + 1,
    });
    const at = this.#now();
    turn.outcome ??= { ...outcome, at };
    if (outcome.status === "archived") job.archivedAt = at;
  }

  #project(job: Job): Project {
    const project = this.#state.projects.find((candidate) => candidate.id === job.projectId);
    if (project === undefined) throw new Error(`Job ${job.id} belongs to no project`);
    return project;
  }
}
