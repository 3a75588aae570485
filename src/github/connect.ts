import type { Octokit } from "@octokit/core";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Patience } from "./patience.ts";

/** After a signal, in milliseconds: when requests to GitHub are given up. */
const GITHUB_GRACE = 2_200;

/**
 * Returns the client of GitHub's API, which is loaded and made when it is first needed. Rejects with
 * `ProxySettingsError` if GitHub is behind a proxy whose settings cannot be used.
 */
export type Connect = () => Promise<Octokit>;

/**
 * The run's client; it outlives a cancellation by a moment, so that the run can still report it.
 *
 * @param patience with GitHub's rate limits; null: the caller has its own
 */
export function connector(
  { githubToken: token, githubApiUrl: apiUrl }: { githubToken: string; githubApiUrl: URL },
  { http, secrets, clock, log, cancellation }: Dependencies,
  patience: Patience | null = null,
): Connect {
  const signal = cancellation.after(GITHUB_GRACE);
  let github: Promise<Octokit> | undefined;
  return async () => {
    http.checkProxy(apiUrl);
    github ??= import("./client.ts").then(({ createGitHub }) =>
      createGitHub({ http, secrets, clock, log, token, apiUrl, signal, patience }),
    );
    return await github;
  };
}

/** A client that counts the requests made with it. */
export interface CountingConnect {
  connect: Connect;
  count(): number;
}

export function countingRequests(connect: Connect): CountingConnect {
  let requests = 0;
  let counted: ReturnType<Connect> | undefined;
  return {
    connect: () => {
      counted ??= connect().then((github) => {
        github.hook.before("request", () => {
          requests += 1;
        });
        return github;
      });
      return counted;
    },
    count: () => requests,
  };
}
