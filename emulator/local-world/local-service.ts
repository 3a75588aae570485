import { found } from "../github/call.ts";
import type { RecordedRequest } from "../http/app.ts";
import type { AgentJob, Job } from "../service/agent/job.ts";
import { type Session, sessionOf } from "../service/agent/routes.ts";
import type { Steering } from "../service/agent/steering.ts";
import type { Fault } from "../service/faults.ts";
import type { Service } from "../service/service.ts";
import {
  ADMIN_KEY,
  ASSISTANT_KEY,
  DOMAIN,
  PROJECT_ID,
  type ServiceState,
} from "../service/state.ts";

/** A job, its record, and its session in version 1, with the agent's todos. */
export type LocalJob = Job & { record: AgentJob; session: Session };

const JOB_LIMIT_MS = 20_000;

export class LocalService {
  readonly url: string;
  readonly adminKey = ADMIN_KEY;
  readonly assistantKey = ASSISTANT_KEY;
  readonly projectId = PROJECT_ID;
  /** Whose documentation the assistant knows. */
  readonly domain = DOMAIN;
  readonly #service: Service;

  constructor(url: string, service: Service) {
    this.url = url;
    this.#service = service;
  }

  get inspectorUrl(): string {
    return `${this.url}/_emulate`;
  }

  async requests(): Promise<RecordedRequest[]> {
    return [...this.#service.state.requests];
  }

  async jobs(): Promise<LocalJob[]> {
    const { state, jobs, now } = this.#service;
    const shown = state.jobs.map((job) => {
      const record = jobs.update(job);
      return { ...job, record, session: sessionOf(job, record, now()) };
    });
    return structuredClone(shown);
  }

  /** Resolves when every job has ended. @throws if one has not after 20 s */
  async untilJobsEnd(): Promise<void> {
    const { state, jobs } = this.#service;
    const signal = AbortSignal.timeout(JOB_LIMIT_MS);
    const ends = state.jobs.map((job) => jobs.waitForOutcome(job, signal));
    await Promise.all(ends).catch((cause) => {
      throw new Error("A job did not end.", { cause });
    });
  }

  /** Sets fields of a job's record by hand, until the next follow-up. */
  async setJob(id: string, fields: Record<string, unknown>): Promise<void> {
    const { state } = this.#service;
    const job = found(state.jobs.find((candidate) => candidate.id === id));
    job.byHand = { ...job.byHand, ...fields };
  }

  /** How turns go from now on, unless their prompts say otherwise. */
  steer(over: Partial<Steering>): void {
    const { state } = this.#service;
    state.steering = { ...state.steering, ...over };
  }

  /** Sets what the admin key may do; null: it has expired. */
  setScopes(scopes: ServiceState["scopes"]): void {
    this.#service.state.scopes = scopes;
  }

  async addFault(fault: Fault): Promise<void> {
    this.#service.state.faults.push({ ...fault });
  }

  /** Forgets the faults that were not used up. */
  async clearFaults(): Promise<void> {
    this.#service.state.faults.splice(0);
  }
}
