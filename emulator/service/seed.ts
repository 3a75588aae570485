/** What the emulated service starts with. */

import type { Job } from "./agent/job.ts";
import { DEFAULT_STEERING, type Steering } from "./agent/steering.ts";
import { PAGES } from "./assistant/pages.ts";
import { type AssistantSteering, DEFAULT_ASSISTANT_STEERING } from "./assistant/steering.ts";
import { type FaultSeed, fault } from "./faults.ts";
import type { Key } from "./keys.ts";
import { HOURLY, type UsageLimit } from "./limits.ts";
import type { Project } from "./project.ts";
import { NO_QUIRKS, type Quirks } from "./quirks.ts";
import type { Page, ServiceState } from "./state.ts";

/** A state with only what differs from the defaults, at every level that has defaults. */
export type ServiceSeed = Partial<Omit<ServiceState, keyof NestedSeed>> & NestedSeed;

interface NestedSeed {
  steering?: Partial<Steering>;
  limit?: Partial<UsageLimit>;
  quirks?: Partial<Quirks>;
  pages?: (Pick<Page, "title" | "url" | "text"> & Partial<Page>)[];
  assistant?: Partial<AssistantSteering>;
  assistantLimit?: Partial<UsageLimit>;
  previewLimit?: Partial<UsageLimit>;
  keys?: (Pick<Key, "secret"> & Partial<Key>)[];
  projects?: (Pick<Project, "id" | "repository"> & Partial<Project>)[];
  faults?: FaultSeed[];
}

/** The keys, the project and the assistant's domain, unless a seed brings others. */
export const ADMIN_KEY = "mint_local_admin_key";
export const ASSISTANT_KEY = "mint_dsc_local_assistant_key";
export const PROJECT_ID = "acme-docs";
export const DOMAIN = "acme";

/** A complete state from a seed. */
export function serviceState(seed: ServiceSeed = {}): ServiceState {
  const { keys, projects, steering, limit, quirks, faults, pages, assistant, ...rest } = seed;
  return {
    model: "sonnet",
    jobs: [],
    builds: [],
    plan: { previews: true },
    domains: [DOMAIN],
    threads: [],
    uses: {},
    requests: [],
    ...rest,
    keys: (keys ?? [{ secret: ADMIN_KEY }, { secret: ASSISTANT_KEY }]).map((key) => ({
      scopes: ["read", "write"],
      expiresAt: null,
      allowedIps: null,
      ...key,
    })),
    projects: (projects ?? [{ id: PROJECT_ID, repository: "acme/docs" }]).map((project) => ({
      baseBranch: "main",
      subdomain: project.repository.split("/")[0] ?? project.id,
      ...project,
    })),
    steering: { ...DEFAULT_STEERING, ...steering },
    limit: { uses: 100, ...HOURLY, ...limit },
    assistantLimit: { uses: 10_000, ...HOURLY, ...seed.assistantLimit },
    previewLimit: { uses: 5, ...HOURLY, windowMs: 60_000, ...seed.previewLimit },
    assistant: { ...DEFAULT_ASSISTANT_STEERING, ...assistant },
    pages: (pages ?? PAGES).map((page) => ({ version: null, language: null, groups: [], ...page })),
    quirks: { ...NO_QUIRKS, ...quirks },
    faults: (faults ?? []).map(fault),
  };
}

/** A job for a seed that ended before the emulator started; anything about it can be given. */
export function finishedJob(job: Partial<Job> & Pick<Job, "id">): Job {
  const createdAt = job.createdAt ?? Date.now() - 3_600_000;
  return {
    projectId: PROJECT_ID,
    version: 2,
    createdAt,
    model: "sonnet",
    branch: `docs-agent/${job.id}`,
    draft: false,
    prLink: null,
    archivedAt: null,
    outcomeRead: true,
    turns: [
      {
        prompt: "Update the documentation.",
        startedAt: createdAt,
        steering: { ...DEFAULT_STEERING, outcome: "no-changes" },
        outcome: { status: "completed", at: createdAt + 60_000, reason: null },
      },
    ],
    byHand: {},
    ...job,
  };
}
