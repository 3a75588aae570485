import type { RecordedRequest } from "../http/recorded-requests.ts";
import type { Job } from "../service/agent/job.ts";
import type { AgentJob } from "../service/agent/job-record.ts";
import type { Session } from "../service/agent/session.ts";
import type { FaultSeed } from "../service/faults.ts";
import { ADMIN_KEY, ASSISTANT_KEY, DOMAIN, PROJECT_ID } from "../service/seed.ts";
import { readJson } from "./read-json.ts";

/** A job, what the service shows of it, and what version 1 does, with the agent's todos. */
export type LocalJob = Job & { record: AgentJob; session: Session };

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
  /** Sets fields of a job's record by hand, until the next follow-up. */
  setJob(id: string, fields: Record<string, unknown>): Promise<AgentJob>;
  /** Answers the next requests to a route with an error. */
  addFault(fault: FaultSeed): Promise<void>;
  /** Forgets the faults that were not used up. */
  clearFaults(): Promise<void>;
}

/** The service that listens at an address. */
export function localService(url: string): LocalService {
  return {
    url,
    inspectorUrl: `${url}/_emulate`,
    adminKey: ADMIN_KEY,
    assistantKey: ASSISTANT_KEY,
    projectId: PROJECT_ID,
    domain: DOMAIN,
    requests: () => readJson(`${url}/_emulator/requests`),
    jobs: () => readJson(`${url}/_emulator/jobs`),
    setJob: (id, fields) => readJson(`${url}/_emulator/jobs/${id}`, fields),
    addFault: async (fault) => {
      await readJson(`${url}/_emulator/faults`, fault);
    },
    clearFaults: async () => {
      await fetch(`${url}/_emulator/faults`, { method: "DELETE" });
    },
  };
}
