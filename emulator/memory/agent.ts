import type { MemoryPull, MemoryRepository } from "../github/history/memory.ts";
import type { Outcome } from "../service/agent/steering.ts";

/** How a turn of a job ends. `unknown`: the service no longer knows the job. */
export type PlannedOutcome = Outcome | "unknown";

/** How the agent does its next turn. */
export interface Plan {
  outcome: PlannedOutcome;
  /** How long it works, in milliseconds. */
  takes: number;
}

/** A request that was accepted. */
export interface Turn {
  prompt: string;
  at: number;
  endsAt: number;
  outcome: PlannedOutcome;
}

export interface MemoryJob {
  id: string;
  turns: Turn[];
  pull: MemoryPull | null;
}

const BOT = "docs-agent[bot]";

/** The service in memory: jobs that end as planned, and open their pull requests in the repository. */
export class MemoryAgent {
  readonly jobs: MemoryJob[] = [];
  readonly #repository: MemoryRepository;
  readonly #plan: () => Plan;
  #pulls = 0;

  /** @param plan tells of each request that is accepted what comes of it */
  constructor(repository: MemoryRepository, plan: () => Plan) {
    this.#repository = repository;
    this.#plan = plan;
  }

  /** Every request that was accepted, in order. */
  get accepted(): Turn[] {
    return this.jobs.flatMap(({ turns }) => turns).sort((one, other) => one.at - other.at);
  }

  /** The pull requests that jobs opened. */
  get pulls(): MemoryPull[] {
    return this.#repository.pulls.filter(({ author }) => author === BOT);
  }

  answer(method: string, path: string, given: { prompt?: string }) {
    this.openDuePulls();
    const [, , , , , id, message] = path.split("/");
    if (id === undefined) {
      const job = { id: `job-${this.jobs.length + 1}`, turns: [], pull: null };
      this.jobs.push(job);
      return this.#take(job, given.prompt ?? "", 201);
    }
    const job = this.jobs.find((it) => it.id === id);
    const last = job?.turns.at(-1);
    const isOver = last !== undefined && last.endsAt <= this.#repository.now();
    if (job === undefined || (isOver && last.outcome === "unknown")) {
      return { status: 404, body: { error: "no such job" } };
    }
    if (message === undefined || method === "GET") return { status: 200, body: this.#told(job) };
    if (!isOver) return { status: 409, body: { error: "the job is at work" } };
    if (last?.outcome === "archived")
      return { status: 404, body: { error: "the job is archived" } };
    return this.#take(job, given.prompt ?? "", 200);
  }

  /** Opens the pull requests of the turns that have ended. */
  openDuePulls(): void {
    const now = this.#repository.now();
    const ended = this.jobs.filter(({ turns }) => (turns.at(-1)?.endsAt ?? now + 1) <= now);
    for (const job of ended) {
      const isOpen = job.pull?.state === "open";
      if (job.turns.at(-1)?.outcome !== "completed" || isOpen) continue;
      if (job.pull !== null && job.turns.length <= this.#opened(job)) continue;
      this.#pulls += 1;
      const branch = `docs-agent/${job.id}-${job.turns.length}`;
      job.pull = this.#repository.openPull({ author: BOT, branch, title: `Docs ${this.#pulls}` });
    }
  }

  /** After which of its turns a job opened its last pull request. */
  #opened({ pull }: MemoryJob): number {
    return Number(/-(\d+)$/.exec(pull?.branch ?? "")?.[1] ?? 0);
  }

  #take(job: MemoryJob, prompt: string, status: number) {
    const at = this.#repository.now();
    const { outcome, takes } = this.#plan();
    job.turns.push({ prompt, at, endsAt: at + takes, outcome });
    return { status, body: { ...this.#told(job), status: "active" } };
  }

  #told({ id, turns, pull }: MemoryJob) {
    const last = turns.at(-1);
    const isOver = last !== undefined && last.endsAt <= this.#repository.now();
    const end = last?.outcome === "no-changes" ? "completed" : last?.outcome;
    const status = isOver ? end : "active";
    const prLink =
      pull === null ? null : `https://github.com/${this.#repository.name}/pull/${pull.number}`;
    return { id, status, prLink };
  }
}
