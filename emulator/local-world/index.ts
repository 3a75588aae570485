/**
 * The local world: GitHub and the documentation service, on loopback, for tests and for people.
 * Local worlds are independent of each other; any number can run at a time.
 */

import { createEmulator } from "emulate";
import { GitHub } from "../github/github.ts";
import { gitHubSite } from "../github/index.ts";
import { workflowFiles } from "../github/routes/workflows.ts";
import { type GitHubSeed, seedGitHub } from "../github/seed.ts";
import type { Steering } from "../service/agent/steering.ts";
import { docsService } from "../service/index.ts";
import type { Service } from "../service/service.ts";
import { PROJECT_ID, type ServiceSeed, serviceState } from "../service/state.ts";
import { LocalGitHub } from "./local-github.ts";
import { LocalService } from "./local-service.ts";

export interface LocalWorldOptions {
  /** How jobs go, unless their prompts say otherwise. */
  steering?: Partial<Steering>;
  /** The rest of the service's seed, such as projects, jobs and faults. */
  service?: Omit<ServiceSeed, "steering">;
  /** GitHub's seed: its faults, and what becomes of repositories. */
  github?: GitHubSeed;
  /** `owner/name` of the repository with the documentation. Default: `acme/docs`. */
  repository?: string;
  /** Texts of files in it, besides the README, by path. */
  files?: Record<string, string>;
  /** How long ago it was made, in milliseconds. Default: just now, so that its first commit is a change of this hour. */
  ageMs?: number;
  /** Issues in it, numbered from 1. Default: one. */
  issues?: { title: string; body: string; author?: string }[];
  /** Whether the service has GitHub's clock, so that advancing that also ends jobs. Default: false. */
  hasOneClock?: boolean;
  /** Whether the inspector's pages are served; it delays answers a little. Default: false. */
  inspector?: boolean;
}

export interface LocalWorld extends AsyncDisposable {
  github: LocalGitHub;
  service: LocalService;
  close(): Promise<void>;
}

export const FIRST_ISSUE = {
  title: "Explain how to rotate a key",
  body: "The page about keys does not say how to rotate one.",
  author: "writer",
};

/** Starts a local world. It is ready when this resolves; `close` or `await using` ends it. */
export async function startLocalWorld(options: LocalWorldOptions = {}): Promise<LocalWorld> {
  const { repository: name = "acme/docs", files, issues = [FIRST_ISSUE], ageMs = 0 } = options;
  const inspector = options.inspector ?? false;
  const github = new GitHub();
  github.site.advance(-ageMs);
  const repository = github.create(name, files);
  github.site.advance(ageMs);
  // Schedules begin now.
  for (const { name: file } of workflowFiles(repository)) {
    repository.workflowsEnabledAt.set(`.github/workflows/${file}`, github.site.now);
  }
  for (const issue of issues) repository.openIssue(issue);
  seedGitHub(github, repository, options.github ?? {});
  const site = await createEmulator({
    service: gitHubSite(github),
    port: 0,
    inspector,
  });
  const gitHubUrl = loopback(site.url);
  github.site.apiUrl = gitHubUrl;
  github.site.webUrl = gitHubUrl;
  try {
    const clock = options.hasOneClock ? () => github.site.now : Date.now;
    const started = Promise.withResolvers<Service>();
    const service = await createEmulator({
      service: docsService(github, started.resolve, clock),
      port: 0,
      inspector,
      seed: serviceState({
        projects: [{ id: PROJECT_ID, repository: name }],
        ...options.service,
        steering: options.steering ?? {},
      }),
    });
    const close = async () => {
      await service.close();
      await site.close();
    };
    return {
      github: new LocalGitHub(github, repository),
      service: new LocalService(loopback(service.url), await started.promise),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await site.close();
    throw error;
  }
}

/** `localhost` may resolve to ::1 first, where nothing listens. */
function loopback(url: string): string {
  return url.replace("//localhost:", "//127.0.0.1:");
}
