/** What a run says in its outputs. */

import type { RunResult } from "../../../emulator/runner/runner.ts";
import type { Finding, FindingState } from "../../../src/doctor/findings.ts";

/** The titles of the changes that a run of upkeep handed over. */
export function titlesIn({ outputs }: RunResult): string[] {
  return JSON.parse(outputs.changes ?? "").map(({ title }: { title: string }) => title);
}

/** The tasks of a run of the queue, as `id: state`. */
export function statesIn({ outputs }: RunResult): string[] {
  const tasks = JSON.parse(outputs.tasks ?? "") as { id: string; state: string }[];
  return tasks.map(({ id, state }) => `${id}: ${state}`);
}

/** The number of a pull request. */
export function pullNumberOf(prLink: string): number {
  return Number(prLink.split("/").at(-1));
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
