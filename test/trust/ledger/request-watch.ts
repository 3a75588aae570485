/** Watches what the runs of a history ask GitHub for. */

import type { FaultyServers } from "../../support/memory-world/faulty-servers.ts";

/** A request of a run, as the emulated GitHub takes it. */
export type GitHubRequest = Parameters<FaultyServers["github"]["handle"]>[0];
export type GitHubAnswer = ReturnType<FaultyServers["github"]["handle"]>;

/** What a run must never do, as seen in the emulated GitHub and service, and not in the action. */
export abstract class RequestWatch<Setting> {
  /** Requests that were made long ago are done now. */
  isLate = false;
  protected readonly setting: Setting;
  protected readonly servers: FaultyServers;
  /** Sentences: what was found wrong. */
  protected readonly wrong: string[];

  constructor(setting: Setting, servers: FaultyServers, wrong: string[]) {
    this.setting = setting;
    this.servers = servers;
    this.wrong = wrong;
    const { github } = servers;
    const handle = github.handle.bind(github);
    github.handle = (request, lag) => {
      const isRun = /ghs_test/.test(request.headers?.authorization ?? "");
      return this.onRequest(request, isRun, () => handle(request, lag));
    };
  }

  /** @param isRun whether a run makes the request, and not the world around it */
  protected abstract onRequest(
    request: GitHubRequest,
    isRun: boolean,
    perform: () => GitHubAnswer,
  ): GitHubAnswer;
}
