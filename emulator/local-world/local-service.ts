import { found } from "../github/call.ts";
import type { RecordedRequest } from "../http/recorded-requests.ts";
import type { AgentJob } from "../service/agent/job-record.ts";
import { type ShownJob, shownJobs } from "../service/control.ts";
import { type FaultSeed, fault } from "../service/faults.ts";
import { ADMIN_KEY, ASSISTANT_KEY, DOMAIN, PROJECT_ID } from "../service/seed.ts";
import type { Service } from "../service/service.ts";

export type LocalJob = ShownJob;

const JOB_LIMIT_MS = 20_000;

/** The emulated documentation service. */
export interface LocalService {
  url: string;
  inspectorUrl: string;
  /** A key with both scopes, unless the options brought keys of their own. */
  adminKey: string;
  assistantKey: string;
  projectId: string;
  /** Whose documentation the assistant knows. */
  domain: string;
  requests(): Promise<RecordedRequest[]>;
  jobs(): Promise<LocalJob[]>;
  /** Resolves when no job is at work any more. @throws when one still is after 20 s */
  untilJobsEnd(): Promise<void>;
  /** Sets fields of a job's record by hand, until the next follow-up. */
  setJob(id: string, fields: Record<string, unknown>): Promise<AgentJob>;
  /** Answers the next requests to a route with an error. */
  addFault(fault: FaultSeed): Promise<void>;
  /** Forgets the faults that were not used up. */
  clearFaults(): Promise<void>;
}

/** The service that listens at an address. */
export function localService(url: string, service: Service): LocalService {
  const { state, jobs } = service;
  return {
    url,
    inspectorUrl: `${url}/_emulate`,
    adminKey: ADMIN_KEY,
    assistantKey: ASSISTANT_KEY,
    projectId: PROJECT_ID,
    domain: DOMAIN,
    requests: async () => [...state.requests],
    // As they are now.
    jobs: async () => JSON.parse(JSON.stringify(shownJobs(service))),
    untilJobsEnd: async () => {
      const signal = AbortSignal.timeout(JOB_LIMIT_MS);
      const ends = state.jobs.map((job) => jobs.waitForOutcome(job, signal));
      await Promise.all(ends).catch((cause) => {
        throw new Error("A job did not end.", { cause });
      });
    },
    setJob: async (id, fields) => {
      const job = found(state.jobs.find((it) => it.id === id));
      Object.assign(job.byHand, fields);
      return jobs.update(job);
    },
    addFault: async (seed) => void state.faults.push(fault(seed)),
    clearFaults: async () => void state.faults.splice(0),
  };
}
