import type { Repository } from "../../emulator/github/repository.ts";
import {
  type LocalWorld,
  type LocalWorldOptions,
  startLocalWorld,
} from "../../emulator/local-world/index.ts";
import {
  type RunningAction,
  type RunOptions,
  type RunResult,
  startAction,
} from "../../emulator/runner/runner.ts";
import type { Finding, FindingState } from "../../src/doctor/findings.ts";
import { optionsIn } from "./options-in.ts";
import { runAction } from "./run-action.ts";

/** The file of the workflow that the emulated runner names. */
export const WORKFLOW_FILE = ".github/workflows/docs.yml";

/** Upkeep on a schedule, and doctor by hand. */
export const WORKFLOW_TEXT = `name: Docs
on:
  schedule:
    - cron: "17 * * * *"
  workflow_dispatch:
jobs:
  upkeep:
    runs-on: ubuntu-latest
    steps:
      - uses: OWNER/docs-agent-action/upkeep@v1
`;

/** The local world, and doctor in its repository. */
export interface DoctorSetup extends AsyncDisposable {
  world: LocalWorld;
  home: Repository;
  /** Runs doctor by hand. */
  doctor(options?: RunOptions): Promise<RunResult>;
  start(options?: RunOptions): RunningAction;
  complete(options?: RunOptions): RunOptions;
}

/** The findings in a run's output. */
export function findingsOf({ outputs }: RunResult): Finding[] {
  return JSON.parse(outputs.findings ?? "[]") as Finding[];
}

/** The findings of a check. */
export function found(result: RunResult, check: string): Finding[] {
  return findingsOf(result).filter((finding) => finding.check === check);
}

/** The names of the checks with a state. */
export function checksThatAre(result: RunResult, state: FindingState): string[] {
  return findingsOf(result)
    .filter((finding) => finding.state === state)
    .map(({ check }) => check);
}

export async function setUpDoctor({
  files,
  steering,
  ...options
}: LocalWorldOptions = {}): Promise<DoctorSetup> {
  const world = await startLocalWorld({
    steering: { durationMs: 0, ...steering },
    files: { [WORKFLOW_FILE]: WORKFLOW_TEXT, ...files },
    ...options,
  });
  const { github } = world;
  let runs = 9000;
  const complete = (over: RunOptions = {}): RunOptions => {
    runs += 1;
    return optionsIn(world, {
      action: "doctor",
      eventName: "workflow_dispatch",
      event: {},
      runId: String(runs),
      ...over,
    });
  };
  return {
    world,
    home: github.home,
    doctor: (over) => runAction(complete(over)),
    start: (over) => startAction(complete(over)),
    complete,
    [Symbol.asyncDispose]: () => world.close(),
  };
}
