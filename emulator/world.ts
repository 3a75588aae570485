/**
 * The local world: GitHub and the documentation service, on loopback, for tests and for people.
 * Worlds know nothing of each other; any number can be up at a time, in one process or in many.
 */

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createEmulator, type Emulator } from "emulate";
import { callGitHub, type GitHubCall } from "./github/client.ts";
import type { Furniture } from "./github/furnish.ts";
import { gitHub } from "./github/index.ts";
import { AGENT, githubSeed, TOKENS, tokenOf, WORKFLOW } from "./github/people.ts";
import type { Reaction } from "./github/reactions.ts";
import { docsService } from "./index.ts";
import type { AgentJob } from "./job-life.ts";
import type { RecordedRequest } from "./record.ts";
import {
  ADMIN_KEY,
  ASSISTANT_KEY,
  DOMAIN,
  type Fault,
  type Job,
  PROJECT_ID,
  type ServiceSeed,
  serviceState,
} from "./state.ts";
import type { Steering } from "./steering.ts";

export interface WorldOptions {
  /** How jobs go that are not told otherwise. */
  steering?: Partial<Steering>;
  /** The rest of the service's seed: keys, limit, faults, pages. */
  service?: Omit<ServiceSeed, "steering" | "github">;
  /** `owner/name` of the repository with the documentation. Default: `acme/docs`. */
  repository?: string;
  /** Files in it, besides the README. */
  files?: Furniture["files"];
  /** Issues in it, numbered from 1. Default: one. */
  issues?: Furniture["issues"];
  /** First of three ports in a row. Default: ports that the system chooses. */
  port?: number;
  /** Whether the inspector's pages are served; it holds answers back a little. Default: false. */
  inspector?: boolean;
}

/** The emulated GitHub. */
export interface WorldGitHub {
  /** Address of both the API and the pages. */
  url: string;
  inspectorUrl: string;
  repository: string;
  /** The workflow's own token. */
  token: string;
  /** The token of a person: `octocat`, `maintainer`, `writer`, `triager`, `reader`, `outsider`. */
  tokenOf(login: string): string;
  /** Calls `/repos/OWNER/NAME` + path, by default with the owner's token. */
  api<Answer>(path: string, call?: GitHubCall): Promise<Answer>;
  requests(): Promise<RecordedRequest[]>;
  reactions(): Promise<Reaction[]>;
}

/** The emulated documentation service. */
export interface WorldService {
  url: string;
  inspectorUrl: string;
  /** A key with both scopes, unless the options brought keys of their own. */
  adminKey: string;
  assistantKey: string;
  projectId: string;
  /** Whose documentation the assistant knows. */
  domain: string;
  requests(): Promise<RecordedRequest[]>;
  jobs(): Promise<(Job & { record: AgentJob })[]>;
  /** Sets fields of a job's record by hand, until the next follow-up. */
  setJob(id: string, fields: Record<string, unknown>): Promise<AgentJob>;
  /** Answers the next calls of a route with an error. */
  addFault(fault: Pick<Fault, "route" | "status"> & Partial<Fault>): Promise<void>;
}

export interface World extends AsyncDisposable {
  github: WorldGitHub;
  service: WorldService;
  close(): Promise<void>;
}

/** What is on the issue tracker of a world that was not told otherwise. */
export const FIRST_ISSUE = {
  title: "Explain how to rotate a key",
  body: "The page about keys does not say how to rotate one.",
  author: "writer",
};

/** Starts a world. It is up when this resolves; `close` or `await using` ends it. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const repository = options.repository ?? "acme/docs";
  const inspector = options.inspector ?? false;
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    // The service first: its jobs may still be opening pull requests.
    for (const closer of closers.splice(0).reverse()) await closer();
  };

  try {
    let upstream = "";
    const front = await createEmulator({
      service: gitHub({
        upstream: () => upstream,
        furniture: {
          repository,
          files: options.files ?? {},
          issues: options.issues ?? [FIRST_ISSUE],
        },
      }),
      port: portOf(options, 1),
      inspector,
    });
    closers.push(front.close);
    const gitHubUrl = loopback(front.url);

    const core = await startGitHubCore(repository, gitHubUrl, portOf(options, 2));
    closers.push(core.emulator.close);
    upstream = core.url;

    const service = await createEmulator({
      service: docsService,
      port: portOf(options, 0),
      inspector,
      seed: serviceState({
        projects: [{ id: PROJECT_ID, repository }],
        ...options.service,
        steering: options.steering ?? {},
        github: { apiUrl: gitHubUrl, webUrl: gitHubUrl, token: tokenOf(AGENT) },
      }),
    });
    closers.push(service.close);

    return {
      github: gitHubOf(gitHubUrl, repository),
      service: serviceOf(loopback(service.url)),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function gitHubOf(url: string, repository: string): WorldGitHub {
  return {
    url,
    inspectorUrl: `${url}/_emulate`,
    repository,
    token: tokenOf(WORKFLOW),
    tokenOf,
    api: async <Answer>(path: string, call: GitHubCall = {}) =>
      (await callGitHub<Answer>(`${url}/repos/${repository}${path}`, {
        token: tokenOf("octocat"),
        ...call,
      })) as Answer,
    requests: () => readJson(`${url}/_emulator/requests`),
    reactions: () => readJson(`${url}/_emulator/reactions`),
  };
}

function serviceOf(url: string): WorldService {
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
  };
}

async function readJson<Answer>(url: string, body?: unknown): Promise<Answer> {
  const response = await fetch(
    url,
    body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
  );
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** `localhost` may be looked up as ::1 first, where nothing listens. */
function loopback(url: string): string {
  return url.replace("//localhost:", "//127.0.0.1:");
}

function portOf({ port }: WorldOptions, offset: number): number {
  return port === undefined ? 0 : port + offset;
}

/**
 * GitHub's own emulator. It tells only the address it was given to advertise, so a free port has
 * to be known before; another process may take that port in between, hence the attempts.
 */
async function startGitHubCore(
  repository: string,
  baseUrl: string,
  fixedPort: number,
): Promise<{ emulator: Emulator; url: string }> {
  const seed = { tokens: TOKENS, github: githubSeed(repository) };
  for (let attempt = 1; ; attempt += 1) {
    const port = fixedPort === 0 ? await freePort() : fixedPort;
    try {
      const emulator = await createEmulator({ service: "github", port, baseUrl, seed });
      return { emulator, url: `http://127.0.0.1:${port}` };
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!isTaken || fixedPort !== 0 || attempt === 10) throw error;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
