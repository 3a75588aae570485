/** A step of a workflow: what it is run with, and what it leaves behind. */

import type { LogEntry } from "./workflow-commands.ts";

/** How a step is run; everything has a default. */
export interface RunOptions {
  /** Folder of the `action.yml`, relative to the repository's root. Default: the root itself. */
  action?: string;
  /** Which entry of the action. Default: `main`. */
  entry?: "main" | "post";
  /** What the workflow writes under `with:`. A name that the action does not declare is an error. */
  inputs?: Record<string, string>;
  /** Default: `workflow_dispatch`. */
  eventName?: string;
  /** The webhook payload. Default: an empty object. */
  event?: unknown;
  /** Variables on top of the runner's own, for example a proxy. `undefined` removes one. */
  env?: Record<string, string | undefined>;
  /** Default: `octo/docs`. */
  repository?: string;
  /** Default: `1001`. */
  runId?: string;
  /** Default: `1`. */
  attempt?: number;
  /** The leg of a matrix, as `matrix` has it in expressions. Default: none. */
  matrix?: Record<string, unknown>;
  /** `github.token`. Default: a token that no server here checks. */
  token?: string;
  /** `github.api_url`. Default: a port where nothing listens, so that no test reaches the real one. */
  apiUrl?: string;
  /** `github.server_url`. Default: `https://github.com`. */
  serverUrl?: string;
  /** Files in the workspace before the step runs, by relative path. */
  workspaceFiles?: Record<string, string | Uint8Array>;
  /** Prepares what file contents cannot express: folders, symbolic links. */
  prepareWorkspace?: (workspace: string) => void;
  /** What an earlier entry saved; the post entry finds it as STATE_*. */
  state?: Record<string, string>;
  /** Makes time run this many times faster for the step. Default: 1. */
  fastClock?: number;
  /** After this much real time the step is killed and the run rejects. Default: 25 s. */
  limitMs?: number;
  /** As if the workflow were run with debug logging. */
  debug?: boolean;
  /** Called with each line of output as it arrives. */
  onLine?: (line: string, stream: "stdout" | "stderr") => void;
}

/** What the runner reads back from the files that it gave to a step. */
export interface StepFiles {
  outputs: Record<string, string>;
  state: Record<string, string>;
  environment: Record<string, string>;
  summary: string;
  /** Every file in the workspace and in RUNNER_TEMP at the end, except for the runner's own. */
  files: Record<string, string>;
}

/** What the runner reads from the log of a step. */
export interface StepLog {
  /** Standard output and standard error, line by line. */
  log: LogEntry[];
  /** The messages of `::error::`, and so on, in order. */
  errors: string[];
  warnings: string[];
  notices: string[];
  debug: string[];
  /** Values given to `::add-mask::`. */
  masks: string[];
  /** What a person reads in the log: plain lines, and the texts of annotations and groups. */
  visible: string[];
}

/** What a step left behind. */
export interface RunResult extends StepLog, StepFiles {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  durationMs: number;
}

/** A step that is running. */
export interface RunningAction {
  readonly pid: number;
  /** The lines so far. */
  readonly lines: readonly string[];
  /** Resolves when the step has ended, whatever its exit code. */
  readonly result: Promise<RunResult>;
  /** Resolves with the first line, past or to come, that matches. */
  waitForLine(pattern: string | RegExp, limitMs?: number): Promise<string>;
  /** Resolves with the outputs once the file holds a value for this name. */
  waitForOutput(name: string, limitMs?: number): Promise<Record<string, string>>;
  signal(signal: NodeJS.Signals): void;
  /** Cancels as the runner does: SIGINT, 7.5 s later SIGTERM, 2.5 s later SIGKILL. */
  cancel(): void;
}
