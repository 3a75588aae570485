/** How a step is run. Everything has a default. */
export interface RunOptions {
  /** Folder of the `action.yml`, relative to the repository's root. Default: the root itself. */
  action?: string;
  entry?: "main" | "post";
  /** A script for bash, in place of an action, as under `run:`. */
  script?: string;
  /** What the workflow writes under `with:`. The runner only warns of a name that the action does not declare. */
  inputs?: Record<string, string>;
  eventName?: string;
  event?: unknown;
  /** Variables on top of the runner's own, for example a proxy. `undefined` removes one. */
  env?: Record<string, string | undefined>;
  repository?: string;
  /** `github.sha`. Default: a commit of no repository. */
  sha?: string;
  runId?: string;
  attempt?: number;
  /** The leg of a matrix, as `matrix` has it in expressions. Default: none. */
  matrix?: Record<string, unknown>;
  /** `github.token`. Default: a token that no server here checks. */
  token?: string;
  /** `github.api_url`. Default: a port where nothing listens, so that no test reaches the real one. */
  apiUrl?: string;
  serverUrl?: string;
  /** Files in the workspace before the step runs, by relative path. */
  workspaceFiles?: Record<string, string | Uint8Array>;
  /** Symbolic links in the workspace, with what they lead to. */
  workspaceLinks?: Record<string, string>;
  /** State saved by an earlier entry, which the post entry gets as STATE_*. */
  state?: Record<string, string>;
  /** Makes time run this many times faster for the step. Default: 1. */
  fastClock?: number;
  /** After this much real time the step is killed and the run rejects. Default: 90 s. */
  limitMs?: number;
  debug?: boolean;
  onLine?: (line: string, stream: "stdout" | "stderr") => void;
}
