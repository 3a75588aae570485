/** Asks GitHub, a limited number of times. */

import { UnusableAnswer } from "../github/api/answer.ts";
import type { GitHub } from "../github/api/client.ts";
import { type ClientDependencies, type Connect, connector } from "../github/api/connect.ts";
import { OF_PERMISSION } from "../github/api/explain.ts";
import type { Http, HttpAnswer } from "../net/http.ts";
import { type Dependencies, once } from "../runtime/dependencies.ts";
import { cancelledRun } from "../runtime/errors.ts";
import { type Fact, known } from "../runtime/fact.ts";

/** The maximum number of requests to GitHub, with those that the client repeats. Two more go to the service. */
const MOST_REQUESTS = 38;

const TOO_MANY = "it would take too many requests";

/** After so many requests in a row without an answer, GitHub is not asked again: each takes up to 30 seconds. */
const MOST_UNANSWERED = 4;

const SILENT = "GitHub does not answer";

/** The advice of a cancelled run. */
export const NO_FINDINGS = "There are no findings. Run doctor again.";

export class GitHubAsker {
  readonly connect: Connect;
  readonly #dependencies: Dependencies;
  #traffic: GitHub["traffic"] | null = null;
  /** Whether the last answer was that the token lacks a right. */
  #isOfRight = false;

  /** @throws ProxySettingsError */
  constructor(access: { githubToken: string; githubApiUrl: URL }, dependencies: Dependencies) {
    this.#dependencies = dependencies;
    const http = limited(dependencies.http, (answer) => {
      this.#isOfRight = answer.status === 403 && OF_PERMISSION.test(answer.text);
    });
    const connect = connector(access, { ...dependencies, http });
    this.connect = once(async () => {
      const github = await connect();
      this.#traffic = github.traffic;
      return github;
    });
  }

  /** GitHub's time, in milliseconds since 1970; before its first answer, the runner's. */
  get now(): number {
    return this.#traffic?.now ?? this.#dependencies.clock.timeOfDay();
  }

  /** @throws ActionError `cancelled` after a signal */
  throwIfStopped(): void {
    if (this.#dependencies.cancellation.stop.aborted) throw cancelledRun(NO_FINDINGS);
  }

  /** @throws ActionError `cancelled` after a signal */
  async read<T>(request: (github: GitHub) => Promise<Fact<T>>): Promise<Fact<T>> {
    this.throwIfStopped();
    const fact = await request(await this.connect());
    // Requests that a signal interrupted say nothing about GitHub.
    if (fact.type === "unread") this.throwIfStopped();
    return fact;
  }

  /** What a read says about the right for it. @throws ActionError `cancelled` after a signal */
  async readWithRight<T>(
    request: (github: GitHub) => Promise<Fact<T>>,
  ): Promise<{ fact: Fact<T>; right: Fact<boolean> }> {
    const fact = await this.read(request);
    return { fact, right: rightOf(fact, this.#isOfRight) };
  }
}

/** @param isOfRight whether GitHub said that the token lacks a right */
function rightOf(fact: Fact<unknown>, isOfRight: boolean): Fact<boolean> {
  if (fact.type !== "unread") return known(fact.type === "known");
  const { status } = fact;
  // An empty repository has no commits, but GitHub says so only to those who may read them.
  if (status === 409 || status === 422) return known(true);
  // Any other 403 is about something else, such as single sign-on or the address.
  return status === 404 || (status === 403 && isOfRight) ? known(false) : fact;
}

/** HTTP that sends no more than the maximum, and nothing to a GitHub that does not answer. */
function limited(http: Http, onAnswer: (answer: HttpAnswer) => void): ClientDependencies["http"] {
  let requests = 0;
  let unanswered = 0;
  return {
    checkProxy: (url) => http.checkProxy(url),
    exchange: async (outgoing) => {
      if (requests >= MOST_REQUESTS) throw new UnusableAnswer(TOO_MANY);
      if (unanswered >= MOST_UNANSWERED) throw new UnusableAnswer(SILENT);
      requests += 1;
      unanswered += 1;
      const answer = await http.exchange(outgoing);
      unanswered = 0;
      onAnswer(answer);
      return answer;
    },
  };
}
