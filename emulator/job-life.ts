/**
 * The life of a job in time. What a job is at a moment follows from when its last life began and
 * from its steering; only an end is written down, because a pull request is opened with it.
 */

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ServiceError } from "./errors.ts";
import { claimPullRequest, publishChanges } from "./pull-request.ts";
import type { Job, Life, LifeEnd, Project, ServiceState } from "./state.ts";
import { steer } from "./steering.ts";

/** A job as a client is told of it: the interface's AgentJob. */
export interface AgentJob {
  id: string;
  status: string;
  source: { repository: string; ref: string | null };
  model: string;
  prLink: string | null;
  createdAt: string;
  archivedAt: string | null;
}

/** What begins a job. */
export interface JobRequest {
  project: Project;
  prompt: string;
  branch?: string;
  model?: string;
  draft?: boolean;
}

/** Keeps jobs alive: begins, continues and ends their lives. */
export class JobLives {
  readonly #state: ServiceState;
  readonly #now: () => number;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Ends that are being worked out, so that a timer and a request never publish the same twice. */
  readonly #ending = new Map<Life, Promise<void>>();

  constructor(state: ServiceState, now: () => number = Date.now) {
    this.#state = state;
    this.#now = now;
    // A restored state may hold jobs whose timers died with the process that set them.
    for (const job of state.jobs) this.#endInTime(job);
  }

  begin({ project, prompt, branch, model, draft }: JobRequest): Job {
    const now = this.#now();
    const id = randomUUID();
    const job: Job = {
      id,
      projectId: project.id,
      createdAt: now,
      model: model ?? this.#state.model,
      branch: branch ?? `docs-agent/${id.slice(0, 8)}`,
      draft: draft ?? false,
      prLink: null,
      archivedAt: null,
      told: false,
      lives: [this.#life(prompt, now)],
      byHand: {},
    };
    this.#state.jobs.push(job);
    this.#endInTime(job);
    return job;
  }

  /** @throws ServiceError 409 when the job works and was told to be busy meanwhile. */
  async followUp(job: Job, prompt: string): Promise<void> {
    await this.look(job);
    const life = lastLife(job);
    if (life.end === null && life.steering.busy) {
      throw new ServiceError(409, "The job is still processing an earlier message");
    }
    const now = this.#now();
    // A message to a working job takes the place of what it worked on.
    life.end ??= { status: "superseded", at: now, reason: null };
    job.lives.push(this.#life(prompt, now));
    job.byHand = {};
    job.told = false;
    job.archivedAt = null;
    this.#endInTime(job);
  }

  /**
   * The job of a project with this id.
   *
   * @throws ServiceError 404 when there is none, not yet, or no longer.
   */
  find(projectId: string, id: string): Job {
    const job = this.#state.jobs.find((one) => one.id === id && one.projectId === projectId);
    if (job === undefined || !this.isKnown(job)) throw new ServiceError(404, "Job not found");
    return job;
  }

  /** Brings a job's end about if it is due, and tells what the job is now. */
  async look(job: Job): Promise<AgentJob> {
    const life = lastLife(job);
    if (this.#isDue(life)) await this.#end(job, life);
    return this.record(job);
  }

  /** Resolves when the job's present life has ended. Rejects when the signal says to stop waiting. */
  async waitForEnd(job: Job, signal: AbortSignal): Promise<void> {
    const life = lastLife(job);
    while (life.end === null) {
      const { durationMs } = life.steering;
      const leftMs = durationMs === null ? 60_000 : life.startedAt + durationMs - this.#now();
      await delay(Math.max(1, leftMs), undefined, { signal, ref: false });
      await this.look(job);
    }
  }

  /** What the job is now, without ending anything that is due. */
  record(job: Job): AgentJob {
    const life = this.#shownLife(job);
    const { steering } = life;
    const end = life.end?.status === "superseded" ? null : life.end;
    const repository = this.#project(job).repository;
    const record: AgentJob = {
      id: job.id,
      status: end?.status ?? steering.workingStatus ?? "active",
      source: {
        repository: `${this.#state.github?.webUrl ?? "https://github.com"}/${repository}`,
        ref: steering.tellsBranch ? job.branch : null,
      },
      model: job.model,
      prLink: end === null ? null : job.prLink,
      createdAt: new Date(job.createdAt).toISOString(),
      archivedAt: job.archivedAt === null ? null : new Date(job.archivedAt).toISOString(),
    };
    return { ...record, ...job.byHand };
  }

  /** Notes that a client has read the end; a forgetful job is unknown from then on. */
  markTold(job: Job, record: AgentJob): void {
    if (lastLife(job).end !== null && ENDS.has(record.status)) job.told = true;
  }

  /** Stops the clocks; ends that are being worked out are waited for. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await Promise.allSettled(this.#ending.values());
  }

  #life(prompt: string, startedAt: number): Life {
    return { prompt, startedAt, steering: steer(prompt, this.#state.steering), end: null };
  }

  /** Whether the service would tell of the job now. */
  isKnown(job: Job): boolean {
    const age = this.#now() - job.createdAt;
    const { lagMs } = job.lives[0]?.steering ?? this.#state.steering;
    const { forget } = lastLife(job).steering;
    if (age < lagMs) return false;
    if (forget === "once-told") return !job.told;
    return forget === "never" || age < forget;
  }

  /** The last life, or the one before it while the record is stale. */
  #shownLife(job: Job): Life {
    const life = lastLife(job);
    const before = job.lives.at(-2);
    const isStale = this.#now() - life.startedAt < life.steering.staleMs;
    return before !== undefined && isStale ? before : life;
  }

  #isDue(life: Life): boolean {
    const { durationMs } = life.steering;
    return life.end === null && durationMs !== null && this.#now() - life.startedAt >= durationMs;
  }

  /** Ends the last life when its time has come, even if nobody looks at that moment. */
  #endInTime(job: Job): void {
    const life = lastLife(job);
    const { durationMs } = life.steering;
    if (life.end !== null || durationMs === null) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        void this.#end(job, life);
      },
      Math.max(0, life.startedAt + durationMs - this.#now()),
    );
    timer.unref();
    this.#timers.add(timer);
  }

  /** Ends a life once, however many ask for it. */
  #end(job: Job, life: Life): Promise<void> {
    if (life.end !== null) return Promise.resolve();
    const ending = this.#ending.get(life) ?? this.#workOutEnd(job, life);
    this.#ending.set(life, ending);
    return ending.finally(() => this.#ending.delete(life));
  }

  async #workOutEnd(job: Job, life: Life): Promise<void> {
    let end: Omit<LifeEnd, "at">;
    try {
      end = await this.#outcome(job, life);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      end = { status: "failed", reason: `The pull request could not be opened: ${reason}` };
    }
    const at = this.#now();
    life.end ??= { ...end, at };
    if (end.status === "archived") job.archivedAt = at;
  }

  async #outcome(job: Job, life: Life): Promise<Omit<LifeEnd, "at">> {
    const { outcome, pr } = life.steering;
    switch (outcome) {
      case "failed":
        return { status: "failed", reason: "steered to fail" };
      case "archived":
        return { status: "archived", reason: null };
      case "no-changes":
        return { status: "completed", reason: null };
      case "completed":
        if (pr === "open") await this.#openPullRequest(job);
        else if (pr !== "none") job.prLink = pr;
        return { status: "completed", reason: null };
    }
  }

  async #openPullRequest(job: Job): Promise<void> {
    const { github } = this.#state;
    const project = this.#project(job);
    job.prLink =
      github === null
        ? (job.prLink ?? claimPullRequest(project, this.#state.jobs.indexOf(job) + 1))
        : await publishChanges(github, project, job);
  }

  #project(job: Job): Project {
    const project = this.#state.projects.find((candidate) => candidate.id === job.projectId);
    if (project === undefined) throw new Error(`Job ${job.id} belongs to no project`);
    return project;
  }
}

const ENDS: ReadonlySet<string> = new Set(["completed", "failed", "archived"]);

/** The life that counts: the one of the latest prompt. */
export function lastLife(job: Job): Life {
  const life = job.lives.at(-1);
  if (life === undefined) throw new Error(`Job ${job.id} has no life`);
  return life;
}
