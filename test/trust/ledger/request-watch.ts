/** Watches what the runs of a history ask GitHub for. */

import { AGENT } from "../../../emulator/github/people.ts";
import type { Pull, Review } from "../../../emulator/github/state.ts";
import type { FaultyServers } from "../../support/memory-world/faulty-servers.ts";
import type { World } from "../../support/memory-world/world.ts";

/** A request of a run, as the emulated GitHub takes it. */
export type GitHubRequest = Parameters<FaultyServers["github"]["handle"]>[0];
export type GitHubAnswer = ReturnType<FaultyServers["github"]["handle"]>;

/** What a run must never do, as seen in the emulated GitHub and service, and not in the action. */
export abstract class RequestWatch<Setting> {
  protected readonly setting: Setting;
  protected readonly world: World;

  constructor(setting: Setting, world: World) {
    this.setting = setting;
    this.world = world;
    const { github } = world.servers;
    const handle = github.handle.bind(github);
    github.handle = (request, lag) => {
      const isRun = /ghs_test/.test(request.headers?.authorization ?? "");
      return this.onRequest(request, isRun, () => handle(request, lag));
    };
  }

  protected get servers(): FaultyServers {
    return this.world.servers;
  }

  /** Sentences: what was found wrong. */
  protected get wrong(): string[] {
    return this.world.wrong;
  }

  /** Whether a request that was made long ago is done now. */
  protected get isLate(): boolean {
    return this.servers.isCatchingUp;
  }

  /** @param isRun whether a run makes the request, and not the world around it */
  protected abstract onRequest(
    request: GitHubRequest,
    isRun: boolean,
    perform: () => GitHubAnswer,
  ): GitHubAnswer;

  /** What each person with write permission last said of a pull request, other than comments. */
  protected reviewsOf({ number }: Pull): Review[] {
    const { repository: home } = this.servers;
    const said = home.reviews.filter(
      ({ pull, user, state }) =>
        pull === number && state !== "COMMENTED" && user !== AGENT && home.may(user, "write"),
    );
    return [...new Map(said.map((review) => [review.user, review])).values()];
  }
}
