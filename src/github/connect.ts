import type { Octokit } from "@octokit/core";
import type { GitHubOptions } from "./client.ts";

/** Gives the client of GitHub's API; it is loaded and made when it is first asked for. */
export type Connect = () => Promise<Octokit>;

export function connector(options: GitHubOptions): Connect {
  let github: Promise<Octokit> | undefined;
  return () => {
    github ??= import("./client.ts").then(({ createGitHub }) => createGitHub(options));
    return github;
  };
}
