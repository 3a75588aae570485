import type { LocalWorld } from "../../emulator/local-world/index.ts";
import {
  type RunningAction,
  type RunOptions,
  type RunResult,
  startAction,
} from "../../emulator/runner/runner.ts";
import { runAction } from "./run-action.ts";

/** The local world, and runs of an action in its repository. */
export interface LocalRuns extends AsyncDisposable {
  world: LocalWorld;
  /** The options of a run with the next ID. */
  complete(over?: RunOptions): RunOptions;
  run(over?: RunOptions): Promise<RunResult>;
  start(over?: RunOptions): RunningAction;
}

/** @param own options of each run, unless it overrides them @param firstId the runs' IDs follow it */
export function runsIn(world: LocalWorld, firstId: number, own: () => RunOptions): LocalRuns {
  const { github, service } = world;
  let id = firstId;
  const complete = (over: RunOptions = {}): RunOptions => {
    id += 1;
    const { inputs, ...usual } = own();
    return {
      repository: github.repository,
      apiUrl: github.url,
      serverUrl: github.url,
      token: github.token,
      runId: String(id),
      ...usual,
      ...over,
      inputs: {
        "api-key": service.adminKey,
        "project-id": service.projectId,
        "base-url": service.url,
        ...inputs,
        ...over.inputs,
      },
    };
  };
  return {
    world,
    complete,
    run: (over) => runAction(complete(over)),
    start: (over) => startAction(complete(over)),
    [Symbol.asyncDispose]: () => world.close(),
  };
}
