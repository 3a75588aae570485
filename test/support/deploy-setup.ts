import type { DeploymentStatus } from "../../emulator/github/state.ts";
import { type LocalWorldOptions, startLocalWorld } from "../../emulator/local-world/index.ts";
import type { RunOptions, RunResult } from "../../emulator/runner/runner.ts";
import { type LocalRuns, runsIn } from "./local-runs.ts";

/** A deployment on the emulated GitHub, with its statuses, the oldest first. */
export interface SeenDeployment {
  id: number;
  sha: string;
  environment: string;
  transient: boolean;
  states: string[];
  last: DeploymentStatus | undefined;
}

/** The local world, and deploy in its repository. */
export interface DeploySetup extends LocalRuns {
  /** Runs deploy after a push to the default branch. */
  deploy(options?: RunOptions): Promise<RunResult>;
  /** The options of a run on an event of a pull request. The inputs ask for its preview. */
  onPull(number: number, inputs?: Record<string, string>): Promise<RunOptions>;
  /** The oldest first. */
  deployments(): SeenDeployment[];
  /** The bodies of the comments on a pull request. */
  comments(number: number): Promise<string[]>;
}

const FAST = { "poll-interval-seconds": "0.05", "poll-max-interval-seconds": "0.05" };

export async function setUpDeploy(options: LocalWorldOptions = {}): Promise<DeploySetup> {
  const { steering, ...others } = options;
  const world = await startLocalWorld({ steering: { buildMs: 300, ...steering }, ...others });
  const { github } = world;
  const runs = runsIn(world, 7000, () => ({
    action: "deploy",
    eventName: "push",
    event: { ref: "refs/heads/main" },
    sha: github.home.tip(),
    inputs: FAST,
  }));
  return {
    ...runs,
    deploy: runs.run,
    onPull: async (number, inputs = {}) => {
      const pull_request = await github.api<{ head: { ref: string } }>(`/pulls/${number}`);
      return {
        eventName: "pull_request",
        event: { action: "synchronize", number, pull_request },
        inputs: { branch: pull_request.head.ref, ...inputs },
      };
    },
    deployments: () =>
      github.home.deployments.map(({ id, sha, environment, statuses, ...deployment }) => ({
        id,
        sha,
        environment,
        transient: deployment.transient_environment,
        states: statuses.map(({ state }) => state),
        last: statuses.at(-1),
      })),
    comments: async (number) => {
      const all = await github.api<{ body: string }[]>(`/issues/${number}/comments?per_page=100`);
      return all.map(({ body }) => body);
    },
  };
}
