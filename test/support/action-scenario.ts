import {
  type RunningAction,
  type RunOptions,
  type RunResult,
  startAction,
} from "../../emulator/runner/runner.ts";
import { type FaultyServer, type FaultyServerOptions, startFaultyServer } from "./faulty-server.ts";
import { startGitHub, type TestGitHub, tokenOf, WORKFLOW } from "./github.ts";
import { runAction } from "./run-action.ts";

/** A service and a GitHub for one test, and an action, which uses both. */
export interface ActionScenario extends AsyncDisposable {
  readonly service: FaultyServer;
  readonly github: TestGitHub;
  /** Runs the action. The inputs are added to those that every run needs. */
  run(options?: RunOptions): Promise<RunResult>;
  start(options?: RunOptions): RunningAction;
}

/**
 * @param optionsOf the options of every run
 * @param runStep runs a step to its end
 * @param servers what is special about the servers
 */
export async function startActionScenario(
  optionsOf: (github: TestGitHub) => RunOptions,
  runStep = runAction,
  servers: { service?: FaultyServerOptions; github?: FaultyServerOptions } = {},
): Promise<ActionScenario> {
  const service = await startFaultyServer(servers.service);
  const github = await startGitHub("octo/docs", servers.github);
  const complete = (options: RunOptions): RunOptions => {
    const own = optionsOf(github);
    return {
      apiUrl: github.url,
      token: tokenOf(WORKFLOW),
      ...own,
      ...options,
      inputs: { "base-url": service.url, ...own.inputs, ...options.inputs },
    };
  };
  return {
    service,
    github,
    run: (options = {}) => runStep(complete(options)),
    start: (options = {}) => startAction(complete(options)),
    async [Symbol.asyncDispose]() {
      await Promise.all([service.close(), github.close()]);
    },
  };
}
