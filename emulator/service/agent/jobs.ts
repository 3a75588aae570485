/**
 * The jobs of the emulated agent. The state of a job follows from the start of its last turn and its steering.
 * Only the outcome is stored, because it may open a pull request.
 */

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { GitHub } from "../../github/github.ts";
import { HttpError } from "../../http/http-error.ts";
import { findProject, type Project } from "../project.ts";
import type { ServiceState } from "../state.ts";
import { type AgentJob, endOf, isOver, type Job, lastTurn, recordOf, type Turn } from "./job.ts";
import { publishChanges } from "./pull-request.ts";
import { mended, type Steering, steer } from "./steering.ts";

type JobRequest = { project: Project; prompt: string } & Pick<Job, "version"> &
  Partial<Pick<Job, "branch" | "model" | "draft">>;

interface JobsOptions {
  github: GitHub;
  /** Milliseconds since 1970. */
  now: () => number;
  /** How a turn goes, unless its prompt says otherwise. Default: the steering of the state. */
  steering?: () => Steering;
  newId?: () => string;
}

/** How long a poll hangs: longer than any client waits. */
const MOST_HELD_MS = 3_600_000;
/** How long to wait at a time for a turn that never ends by itself: a follow-up may end it. */
const RECHECK_MS = 60_000;

export class Jobs {
  readonly #state: ServiceState;
  readonly #options: JobsOptions;

  constructor(state: ServiceState, options: JobsOptions) {
    this.#state = state;
    this.#options = options;
  }

  /** Creates a job, which starts to work on its prompt at once. */
  start({ project, prompt, ...fields }: JobRequest): Job {
    const createdAt = this.#options.now();
    const id = this.#options.newId?.() ?? randomUUID();
    const job: Job = {
      id,
      projectId: project.id,
      createdAt,
      model: "sonnet",
      branch: `docs-agent/${id.slice(0, 8)}`,
      draft: false,
      prLink: null,
      archivedAt: null,
      turns: [this.#newTurn(prompt)],
      byHand: {},
      ...fields,
    };
    this.#state.jobs.push(job);
    return job;
  }

  /** @throws HttpError 409 if the job is busy; 404 if it is archived and that closes it */
  followUp(job: Job, prompt: string): void {
    this.update(job);
    if (job.archivedAt !== null && this.#state.archivedIsClosed) {
      throw new HttpError(404, "The job is archived");
    }
    const turn = lastTurn(job);
    if (turn.outcome === null && turn.steering.busy) {
      throw new HttpError(409, "The job is still processing an earlier message");
    }
    // A message to a working job replaces its work.
    turn.outcome ??= { status: "superseded", at: this.#options.now(), reason: null };
    job.turns.push(this.#newTurn(prompt, turn));
    job.byHand = {};
    job.archivedAt = null;
  }

  /** The job of a project with this ID. @throws HttpError 404 if there is none, or no longer */
  find(projectId: string, id: string): Job {
    const job = this.#state.jobs.find(
      (candidate) => candidate.id === id && candidate.projectId === projectId,
    );
    if (job === undefined || this.#isForgotten(job)) throw new HttpError(404, "Job not found");
    return job;
  }

  /** The jobs of a project that the service lists, newest first. */
  list(projectId: string): Job[] {
    return this.#state.jobs
      .filter((job) => job.projectId === projectId && !this.#isForgotten(job))
      .sort((first, second) => second.createdAt - first.createdAt);
  }

  /** Resolves only when the service ends, if the job is steered so that polls of it hang. */
  async hold(projectId: string, id: string, signal: AbortSignal): Promise<void> {
    const job = this.#state.jobs.find((it) => it.id === id && it.projectId === projectId);
    if (job === undefined || !lastTurn(job).steering.hangs) return;
    await delay(MOST_HELD_MS, undefined, { signal, ref: false }).catch(() => {});
  }

  #isForgotten(job: Job): boolean {
    const turn = lastTurn(job);
    const now = this.#options.now();
    if (now - turn.startedAt < turn.steering.missingMs) return true;
    return turn.steering.isForgotten && isOver(turn, now);
  }

  /** Finishes the job's turn if it is due, and returns the record. */
  update(job: Job): AgentJob {
    this.#finishIfDue(job);
    return this.record(job);
  }

  /** Finishes every turn that is due, even of jobs that nobody polls. */
  finishDue(): void {
    for (const job of this.#state.jobs) this.#finishIfDue(job);
  }

  #finishIfDue(job: Job): void {
    const turn = lastTurn(job);
    if (turn.outcome === null && isOver(turn, this.#options.now())) this.#finish(job, turn);
  }

  /** The record as it is, without finishing a turn that is due. */
  record(job: Job): AgentJob {
    const project = findProject(this.#state, job.projectId);
    return recordOf(job, project, this.#options.github.site.webUrl, this.#options.now());
  }

  /** Resolves when the job's present turn has its outcome. Rejects when the signal is aborted. */
  async waitForOutcome(job: Job, signal: AbortSignal): Promise<void> {
    const turn = lastTurn(job);
    while (turn.outcome === null) {
      const leftMs = (endOf(turn) ?? this.#options.now() + RECHECK_MS) - this.#options.now();
      await delay(Math.max(1, leftMs), undefined, { signal, ref: false });
      this.update(job);
    }
  }

  #newTurn(prompt: string, before?: Turn): Turn {
    const byWords = this.#state.steeredByWords.filter(({ words }) => prompt.includes(words));
    const usual = this.#options.steering?.() ?? this.#state.steering;
    const own: Steering = Object.assign({}, usual, ...byWords.map(({ steering }) => steering));
    const defaults = before === undefined ? own : mended(own, before.steering);
    return {
      prompt,
      startedAt: this.#options.now(),
      steering: steer(prompt, defaults),
      outcome: null,
    };
  }

  /** Ends a turn by its steering. If the pull request cannot be opened, the turn fails with the reason. */
  #finish(job: Job, turn: Turn): void {
    const { outcome, pr } = turn.steering;
    const at = this.#options.now();
    const status = outcome === "no-changes" ? "completed" : outcome;
    turn.outcome = { status, at, reason: outcome === "failed" ? "steered to fail" : null };
    if (status === "archived") job.archivedAt = at;
    if (outcome !== "completed") return;
    try {
      const project = findProject(this.#state, job.projectId);
      job.prLink = pr === "open" ? publishChanges(this.#options.github, project, job) : pr;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const reason = `The pull request could not be opened: ${message}`;
      turn.outcome = { status: "failed", at, reason };
    }
  }
}
