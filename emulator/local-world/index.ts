/**
 * The local world: GitHub and the documentation service, on loopback, for tests and for people.
 * Local worlds are independent of each other; any number can be up at a time.
 */

import { createEmulator } from "emulate";
import type { RepositoryContents } from "../github/contents.ts";
import { gitHub } from "../github/index.ts";
import { AGENT, tokenOf } from "../github/people.ts";
import type { Steering } from "../service/agent/steering.ts";
import { docsService } from "../service/index.ts";
import { PROJECT_ID, type ServiceSeed, serviceState } from "../service/seed.ts";
import { type LocalGitHub, localGitHub } from "./local-github.ts";
import { type LocalService, localService } from "./local-service.ts";
import { loopback, portOf } from "./ports.ts";
import { startUpstreamGitHub } from "./upstream-github.ts";

export interface LocalWorldOptions {
  /** How jobs go, as far as their prompts do not say otherwise. */
  steering?: Partial<Steering>;
  /** The rest of the service's seed: keys, limit, quirks, faults, pages. */
  service?: Omit<ServiceSeed, "steering" | "github">;
  /** `owner/name` of the repository with the documentation. Default: `acme/docs`. */
  repository?: string;
  /** Files in it, besides the README. */
  files?: RepositoryContents["files"];
  /** Issues in it, numbered from 1. Default: one. */
  issues?: RepositoryContents["issues"];
  /** First of three ports in a row. Default: ports that the system chooses. */
  port?: number;
  /** Whether the inspector's pages are served; it delays answers a little. Default: false. */
  inspector?: boolean;
}

export interface LocalWorld extends AsyncDisposable {
  github: LocalGitHub;
  service: LocalService;
  close(): Promise<void>;
}

/** The issue of a local world, unless its options bring others. */
export const FIRST_ISSUE = {
  title: "Explain how to rotate a key",
  body: "The page about keys does not say how to rotate one.",
  author: "writer",
};

/** Starts a local world. It is up when this resolves; `close` or `await using` ends it. */
export async function startLocalWorld(options: LocalWorldOptions = {}): Promise<LocalWorld> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    // The service first: its jobs may still be opening pull requests.
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const repository = options.repository ?? "acme/docs";
    const github = await startGitHub(repository, options, closers);
    const service = await startService(repository, github.url, options, closers);
    return { github, service, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startGitHub(
  repository: string,
  options: LocalWorldOptions,
  closers: (() => Promise<void>)[],
): Promise<LocalGitHub> {
  let upstreamUrl = "";
  const site = await createEmulator({
    service: gitHub({
      upstream: () => upstreamUrl,
      contents: {
        repository,
        files: options.files ?? {},
        issues: options.issues ?? [FIRST_ISSUE],
      },
    }),
    port: portOf(options.port, 1),
    inspector: options.inspector ?? false,
  });
  closers.push(site.close);
  const url = loopback(site.url);

  const upstream = await startUpstreamGitHub(repository, url, portOf(options.port, 2));
  closers.push(upstream.close);
  upstreamUrl = upstream.url;
  return localGitHub(url, repository);
}

async function startService(
  repository: string,
  gitHubUrl: string,
  options: LocalWorldOptions,
  closers: (() => Promise<void>)[],
): Promise<LocalService> {
  const service = await createEmulator({
    service: docsService,
    port: portOf(options.port, 0),
    inspector: options.inspector ?? false,
    seed: serviceState({
      projects: [{ id: PROJECT_ID, repository }],
      ...options.service,
      steering: options.steering ?? {},
      github: { apiUrl: gitHubUrl, webUrl: gitHubUrl, token: tokenOf(AGENT) },
    }),
  });
  closers.push(service.close);
  return localService(loopback(service.url));
}
