import type { Octokit } from "@octokit/core";
import { loggedSleep } from "../../runtime/clock.ts";
import { type Dependencies, once } from "../../runtime/dependencies.ts";
import { duration } from "../../text/markdown.ts";

/** How long requests to GitHub may take after a signal, in milliseconds. */
const GITHUB_GRACE = 2_200;

/** The client of GitHub's API, loaded when it is first needed. */
export type Connect = () => Promise<Octokit>;

/**
 * The run's client. It still works shortly after a cancellation, so that the run can report it.
 *
 * @throws ProxySettingsError
 */
export function connector(
  { githubToken: token, githubApiUrl: apiUrl }: { githubToken: string; githubApiUrl: URL },
  { http, secrets, clock, cancellation }: Dependencies,
  patience: Patience | null = null,
): Connect {
  http.checkProxy(apiUrl);
  const signal = cancellation.after(GITHUB_GRACE);
  return once(async () => {
    const { createGitHub } = await import("./client.ts");
    return createGitHub({ http, secrets, clock, token, apiUrl, signal, patience });
  });
}

interface CountedClient {
  connect: Connect;
  /** How many requests were made. */
  count(): number;
}

/** A client that counts the requests made with it. */
export function countingRequests(connect: Connect): CountedClient {
  let requests = 0;
  const counted = once(async () => {
    const github = await connect();
    github.hook.before("request", () => {
      requests += 1;
    });
    return github;
  });
  return { connect: counted, count: () => requests };
}

/** How long a run waits for GitHub's rate limits unless it is told to wait longer, in milliseconds. */
const LIMIT = 60_000;
/** After how long a changed deadline is noticed, in milliseconds. */
const STEP = 1_000;
/** Minimum delay, even if GitHub names a shorter one, in milliseconds. */
const LEAST_DELAY = 1_000;

/** How long a run waits for GitHub's rate limits: a minute, or any time while it waits for something else anyway. */
export class Patience {
  readonly #dependencies: Dependencies;
  /** In milliseconds on the clock. */
  #deadline: number;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#deadline = dependencies.clock.now() + LIMIT;
  }

  /** From now on, the run waits as long as GitHub asks. */
  withoutEnd(): void {
    this.#deadline = Number.POSITIVE_INFINITY;
  }

  /** From now on, the run waits for a minute at most. */
  forAMinute(): void {
    this.#deadline = this.#dependencies.clock.now() + LIMIT;
  }

  /** Waits as long as GitHub asks, but not past the deadline. @returns whether the request is made again */
  async wait(milliseconds: number): Promise<boolean> {
    const { clock, log, cancellation } = this.#dependencies;
    const { stop } = cancellation;
    const due = clock.now() + Math.max(LEAST_DELAY, milliseconds);
    if (stop.aborted || this.#deadline <= clock.now()) return false;
    const timeLeft = () => Math.min(due, this.#deadline) - clock.now();
    const logDelay = () => {
      log.info(`GitHub's rate limit is reached. Trying again in ${duration(timeLeft())}.`);
    };
    const sleep = loggedSleep(clock, logDelay);
    logDelay();
    // The deadline may change meanwhile.
    while (timeLeft() > 0 && !stop.aborted) await sleep(Math.min(STEP, timeLeft()), stop);
    return true;
  }
}
