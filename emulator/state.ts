import { PAGES } from "./assistant/pages.ts";
import { type AssistantSteering, DEFAULT_ASSISTANT_STEERING } from "./assistant/steering.ts";
import type { RecordedRequest } from "./record.ts";
import { DEFAULT_STEERING, type Steering } from "./steering.ts";

/** An API key of the organization. Its kind is told by its prefix, as at the real service. */
export interface Key {
  /** The key itself; the inspector shows no field of this name. */
  secret: string;
  scopes: Scope[];
  /** ISO date and time; null: never. */
  expiresAt: string | null;
  /** Addresses that may call with it; null: all. */
  allowedIps: string[] | null;
}

/** `GET` needs `read`, everything else `write`. */
export type Scope = "read" | "write";

/** A documentation project: what the agent works on. */
export interface Project {
  id: string;
  /** `owner/name` on the emulated GitHub. */
  repository: string;
  baseBranch: string;
  /** Version 1 calls it so in its sessions. */
  subdomain: string;
}

/** Where the agent opens its pull requests. */
export interface GitHubAccess {
  apiUrl: string;
  /** Where a person reads the repository. */
  webUrl: string;
  token: string;
}

/** A limit of uses in a window of time: an hour, unless a test cannot wait that long. */
export interface UsageLimit {
  uses: number;
  windowMs: number;
  /** What `Retry-After` holds: null, the time until the next use is free. */
  retryAfterSeconds: number | null;
  retryAfterForm: "seconds" | "date" | "none";
}

/** Ways of the service that its documents leave open or tell in two ways. All off by default. */
export interface Quirks {
  /** The answer to a follow-up has no `status`, as in the document's sample. */
  messageWithoutStatus: boolean;
  /** Version 1 streams `text/event-stream` instead of `text/plain`. */
  eventStream: boolean;
  /** Version 1 creates a job without telling its id in a header. */
  noSessionHeader: boolean;
  /** The list of jobs takes no notice of `skip` and `take`, and returns them all. */
  unpagedList: boolean;
  /** Sessions that are running carry no `haultReason`, instead of `processing`. */
  noReasonWhileRunning: boolean;
}

/** A page of the documentation, for the assistant to answer from. */
export interface Page {
  title: string;
  url: string;
  text: string;
  version: string | null;
  language: string | null;
  groups: string[];
}

/** A conversation with the assistant. */
export interface Thread {
  id: string;
  domain: string;
  /** In order; what the assistant said included. */
  messages: { role: string; text: string }[];
}

/** An answer given in place of the route's own, `times` times. */
export interface Fault {
  route: RouteName;
  status: number;
  times: number;
  headers: Record<string, string>;
  /** Sent as it is; null: `{error: …}`. */
  body: string | null;
}

export const ROUTE_NAMES = [
  "v2-create",
  "v2-message",
  "v2-get",
  "v1-create",
  "v1-get",
  "v1-list",
  "assistant-v1",
  "assistant-v2",
] as const;

export type RouteName = (typeof ROUTE_NAMES)[number];

/** One prompt and the agent's work on it: a job has one from its creation and one per follow-up. */
export interface Life {
  prompt: string;
  startedAt: number;
  steering: Steering;
  /** Null while the agent works. */
  end: LifeEnd | null;
}

export interface LifeEnd {
  /** `superseded`: a follow-up arrived before the agent was done. */
  status: "completed" | "failed" | "archived" | "superseded";
  at: number;
  /** Why it failed; for the inspector, since the service's record has no such field. */
  reason: string | null;
}

/** A job with all that the emulator knows of it; the record told to clients is made from it. */
export interface Job {
  id: string;
  projectId: string;
  createdAt: number;
  model: string;
  branch: string;
  /** Whether its pull request is a draft. */
  draft: boolean;
  /** The pull request that the job opened, or the link it was told to claim. */
  prLink: string | null;
  archivedAt: number | null;
  /** Whether a client has read the end of the last life. */
  told: boolean;
  lives: Life[];
  /** Fields set by hand through the control endpoint; they win until the next follow-up. */
  byHand: Record<string, unknown>;
}

/** Everything the emulated service knows. JSON, so that it can be inspected, kept and restored. */
export interface ServiceState {
  keys: Key[];
  projects: Project[];
  /** Null: pull requests are only claimed, with links to github.com. */
  github: GitHubAccess | null;
  model: string;
  steering: Steering;
  /** For each project; jobs of both versions and follow-ups count. */
  limit: UsageLimit;
  quirks: Quirks;
  /** Whose documentation the assistant knows. */
  domains: string[];
  pages: Page[];
  threads: Thread[];
  assistant: AssistantSteering;
  /** For the organization. */
  assistantLimit: UsageLimit;
  faults: Fault[];
  jobs: Job[];
  /** Times of the uses in the current window, by what is limited. */
  uses: Record<string, number[]>;
  requests: RecordedRequest[];
}

type Nested =
  | "steering"
  | "limit"
  | "quirks"
  | "keys"
  | "projects"
  | "faults"
  | "pages"
  | "assistant"
  | "assistantLimit";

/** What a seed may leave out, at every level that has defaults. */
export type ServiceSeed = Partial<Omit<ServiceState, Nested>> & {
  steering?: Partial<Steering>;
  limit?: Partial<UsageLimit>;
  quirks?: Partial<Quirks>;
  pages?: (Pick<Page, "title" | "url" | "text"> & Partial<Page>)[];
  assistant?: Partial<AssistantSteering>;
  assistantLimit?: Partial<UsageLimit>;
  keys?: (Pick<Key, "secret"> & Partial<Key>)[];
  projects?: (Pick<Project, "id" | "repository"> & Partial<Project>)[];
  faults?: (Pick<Fault, "route" | "status"> & Partial<Fault>)[];
};

/** The keys and the project of a world that was not told otherwise. */
export const ADMIN_KEY = "mint_local_admin_key";
export const ASSISTANT_KEY = "mint_dsc_local_assistant_key";
export const PROJECT_ID = "acme-docs";
export const DOMAIN = "acme";

/** An hour, and how long to wait told in seconds: the way of the service. */
const HOURLY = {
  windowMs: 3_600_000,
  retryAfterSeconds: null,
  retryAfterForm: "seconds",
} as const;

/** A complete state from a seed. */
export function serviceState(seed: ServiceSeed = {}): ServiceState {
  const { keys, projects, steering, limit, quirks, faults, pages, assistant, ...rest } = seed;
  return {
    github: null,
    model: "sonnet",
    jobs: [],
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
    assistant: { ...DEFAULT_ASSISTANT_STEERING, ...assistant },
    pages: (pages ?? PAGES).map((page) => ({ version: null, language: null, groups: [], ...page })),
    quirks: {
      messageWithoutStatus: false,
      eventStream: false,
      noSessionHeader: false,
      unpagedList: false,
      noReasonWhileRunning: false,
      ...quirks,
    },
    faults: (faults ?? []).map(fault),
  };
}

/** A complete fault from one that leaves out what it does not care about. */
export function fault(seed: Pick<Fault, "route" | "status"> & Partial<Fault>): Fault {
  return { times: 1, headers: {}, body: null, ...seed };
}

/** A job that was over before the world began, for a seed; what matters of it can be given. */
export function finishedJob(job: Partial<Job> & Pick<Job, "id">): Job {
  const createdAt = job.createdAt ?? Date.now() - 3_600_000;
  return {
    projectId: PROJECT_ID,
    createdAt,
    model: "sonnet",
    branch: `docs-agent/${job.id}`,
    draft: false,
    prLink: null,
    archivedAt: null,
    told: true,
    lives: [
      {
        prompt: "Update the documentation.",
        startedAt: createdAt,
        steering: { ...DEFAULT_STEERING, outcome: "no-changes" },
        end: { status: "completed", at: createdAt + 60_000, reason: null },
      },
    ],
    byHand: {},
    ...job,
  };
}
