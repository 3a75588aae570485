import type { Repository } from "../../emulator/github/repository.ts";
import { type LocalWorldOptions, startLocalWorld } from "../../emulator/local-world/index.ts";
import type { RunOptions, RunResult } from "../../emulator/runner/runner.ts";
import type { Finding, FindingState } from "../../src/doctor/findings.ts";
import { type LocalRuns, runsIn } from "./local-runs.ts";

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
export interface DoctorSetup extends LocalRuns {
  home: Repository;
  /** Runs doctor by hand. */
  doctor(options?: RunOptions): Promise<RunResult>;
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
  const runs = runsIn(world, 9000, () => ({
    action: "doctor",
    eventName: "workflow_dispatch",
    event: {},
  }));
  return { ...runs, home: world.github.home, doctor: runs.run };
}
