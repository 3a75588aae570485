/**
 * The routes of pull requests. GitHub's emulator remembers a pull request's head as it was when it was
 * opened, makes up its files, and merges on top of what the base was then.
 */

import type { App, Call } from "../../http/app.ts";
import type { GitHubProxy } from "../proxy.ts";
import { mergePull } from "./merge.ts";
import { asListed, filesOf, inFull, type Pull, rangeOf } from "./pull-request.ts";
import type { RepositoryOf } from "./repository.ts";
import { asCaller, asSite, linked, paged, passing } from "./upstream.ts";

const PULLS = "/repos/:owner/:repo/pulls";

/** @param now GitHub's time, in milliseconds since 1970. */
export function pulls(
  app: App,
  proxy: GitHubProxy,
  repositoryOf: RepositoryOf,
  now: () => number,
): void {
  app.get(
    PULLS,
    passing(async (call) => {
      const answer = await proxy.forward(call);
      if (!answer.ok) return answer;
      const list = (await answer.json()) as Pull[];
      const upstream = asSite(proxy, call);
      const asked = list.map((pull) => asListed(repositoryOf(call), upstream, pull));
      return linked(call, answer, await Promise.all(asked));
    }),
  );

  app.get(
    `${PULLS}/:number`,
    passing(async (call) => {
      const pull = await read(proxy, call);
      return call.json(await inFull(repositoryOf(call), asSite(proxy, call), pull));
    }),
  );

  app.patch(
    `${PULLS}/:number`,
    passing(async (call) => {
      const answer = await proxy.forward(call);
      if (!answer.ok) return answer;
      const pull = (await answer.json()) as Pull;
      return call.json(await inFull(repositoryOf(call), asSite(proxy, call), pull));
    }),
  );

  app.put(
    `${PULLS}/:number/merge`,
    passing((call) => {
      const repository = repositoryOf(call);
      const merging = repository.lock.then(() => mergePull(proxy, repository, call, now));
      repository.lock = merging.catch(() => undefined);
      return merging;
    }),
  );

  parts(app, proxy, repositoryOf);
}

/** What a pull request holds. */
function parts(app: App, proxy: GitHubProxy, repositoryOf: RepositoryOf): void {
  const range = async (call: Call) => {
    const pull = await read(proxy, call);
    return rangeOf(repositoryOf(call), asSite(proxy, call), pull);
  };

  app.get(
    `${PULLS}/:number/commits`,
    passing(async (call) => {
      const { commits } = await range(call);
      return paged(
        call,
        commits.map(({ item }) => item),
      );
    }),
  );

  app.get(
    `${PULLS}/:number/files`,
    passing(async (call) => paged(call, await filesOf(asSite(proxy, call), await range(call)))),
  );
}

function read(proxy: GitHubProxy, call: Call): Promise<Pull> {
  return asCaller(proxy, call).get<Pull>(`/pulls/${call.req.param("number")}`);
}
