/** The state of the emulated service, and its seed. JSON, so that it can be inspected, stored and restored. */

import type { RecordedRequest } from "../http/app.ts";
import type { Job, TurnOutcome } from "./agent/job.ts";
import { DEFAULT_STEERING, type Quality, type Steering } from "./agent/steering.ts";
import type { Fault } from "./faults.ts";
import type { Project } from "./project.ts";

/** The service's keys, its project unless the seed has others, and the domain that the assistant knows. */
export const ADMIN_KEY = "mint_local_admin_key";
export const ASSISTANT_KEY = "mint_dsc_local_assistant_key";
export const PROJECT_ID = "acme-docs";
export const DOMAIN = "acme";

export interface ServiceState {
  projects: Project[];
  /** How a job goes, unless its prompt says otherwise. */
  steering: Steering;
  /** How it goes otherwise where a prompt has these words. */
  steeredByWords: { words: string; steering: Partial<Steering> }[];
  /** An archived job accepts no follow-up. The service's documents leave that open. */
  archivedIsClosed: boolean;
  /** The list of jobs has only those that version 1 started. The documents leave that open. */
  listWithoutVersion2: boolean;
  /** What the admin key may do; null if it has expired. */
  scopes: readonly ("read" | "write")[] | null;
  /** Whether the plan has previews. */
  hasPreviews: boolean;
  /** Whether the answer to a new preview names its address. */
  namesPreviews: boolean;
  /** Jobs and follow-ups of a project in an hour, previews in a minute, and deployments in 10 seconds. */
  limits: { agent: number; previews: number; deployments: number };
  /** Times of the uses in the current window, by limit and project. */
  uses: Record<string, number[]>;
  jobs: Job[];
  builds: Build[];
  /** Conversations with the assistant, and what was asked in each. */
  threads: { id: string; asked: string[] }[];
  faults: Fault[];
  requests: RecordedRequest[];
}

/** A build of a branch. What the service shows of it follows from when it began, and how it was steered. */
export interface Build {
  id: string;
  projectId: string;
  branch: string;
  /** The branch's commit when it began. */
  sha: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  takesMs: number;
  quality: Quality;
  /** Of the pages that are built. */
  paths: string[];
}

/** A state with only what differs from the defaults. */
export type ServiceSeed = Partial<Omit<ServiceState, "projects" | "steering">> & {
  projects?: (Pick<Project, "id" | "repository"> & Partial<Project>)[];
  steering?: Partial<Steering>;
};

/** The state that a seed makes. @throws an error that says which names it does not know */
export function serviceState(seed: ServiceSeed = {}): ServiceState {
  const { projects = [{ id: PROJECT_ID, repository: "acme/docs" }], steering, ...rest } = seed;
  const defaults: Omit<ServiceState, "projects" | "steering"> = {
    steeredByWords: [],
    archivedIsClosed: false,
    listWithoutVersion2: false,
    scopes: ["read", "write"],
    hasPreviews: true,
    namesPreviews: true,
    limits: { agent: 100, previews: 5, deployments: 10 },
    uses: {},
    jobs: [],
    builds: [],
    threads: [],
    faults: [],
    requests: [],
  };
  const unknown = [
    ...namesNotIn(rest, defaults),
    ...namesNotIn(steering ?? {}, DEFAULT_STEERING).map((name) => `steering.${name}`),
  ];
  if (unknown.length > 0) {
    throw new Error(`The seed of the service is wrong. It has no ${unknown.join(", ")}.`);
  }
  return {
    ...defaults,
    ...rest,
    projects: projects.map((project) => ({ baseBranch: "main", ...project })),
    steering: { ...DEFAULT_STEERING, ...steering },
  };
}

function namesNotIn(given: object, known: object): string[] {
  return Object.keys(given).filter((name) => !Object.hasOwn(known, name));
}

/** A job for a seed, which ended before the emulator started. @param job fields that differ from the defaults */
export function finishedJob(job: Partial<Job> & Pick<Job, "id">): Job {
  const { createdAt = Date.now() - 3_600_000 } = job;
  const steering: Steering = { ...DEFAULT_STEERING, outcome: "no-changes" };
  const outcome: TurnOutcome = { status: "completed", at: createdAt + 60_000, reason: null };
  const prompt = "Update the documentation.";
  return {
    projectId: PROJECT_ID,
    version: 2,
    createdAt,
    model: "sonnet",
    branch: `docs-agent/${job.id}`,
    draft: false,
    prLink: null,
    archivedAt: null,
    turns: [{ prompt, startedAt: createdAt, steering, outcome }],
    byHand: {},
    ...job,
  };
}
