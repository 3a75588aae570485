/** Processes that a run has started: act gives each step a group of its own, so that no signal reaches all of them. */

import { spawnSync } from "node:child_process";

/**
 * The descendants of a process.
 *
 * @param list lines of `PID PARENT`, as `ps -A -o pid=,ppid=` prints them
 */
export function descendantsOf(pid: number, list: string): number[] {
  const pairs = list
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found: number[] = [];
  for (let parents = [pid]; parents.length > 0; ) {
    parents = pairs.flatMap(([child = 0, parent = 0]) =>
      parents.includes(parent) && child !== pid && !found.includes(child) ? [child] : [],
    );
    found.push(...parents);
  }
  return found;
}

/** Ends a process and its descendants at once. */
export function killTree(pid: number): void {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  for (const one of [pid, ...descendantsOf(pid, stdout ?? "")]) {
    try {
      process.kill(one, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}
