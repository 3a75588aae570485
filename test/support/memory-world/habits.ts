/** Rare habits of the real GitHub, which a history turns on. */

import { GRAPHQL_LIMIT, GRAPHQL_SECONDARY_LIMIT } from "../../../emulator/github/faults.ts";
import type { GitHub } from "../../../emulator/github/github.ts";
import type { ReadKind } from "../../../emulator/github/lag.ts";
import type { Repository } from "../../../emulator/github/repository.ts";

const SECOND = 1000;

/** What GitHub does from now on: until it is relieved, or for ever. */
export type Habit =
  /** Only reads of this kind are answered from a copy that is behind. */
  { kind: "lag"; of: ReadKind; seconds: number } | { kind: "habit"; is: (typeof HABITS)[number] };

export const HABITS = [
  ...(["lists without a last page", "lists by date that stop at an older commit"] as const),
  ...(["GraphQL's hourly limit", "GraphQL's secondary limit"] as const),
  // For ever:
  ...([
    "a pull request that GraphQL cannot resolve",
    "a commit that is too large for a diff",
  ] as const),
  ...(["a locked conversation"] as const),
] as const;

/** Turns a habit on. @returns false if the event is no habit */
export function turnOn(github: GitHub, home: Repository, event: { kind: string }): boolean {
  const habit = event as Habit;
  if (habit.kind === "lag") {
    github.lag = { ...github.lag, [habit.of]: habit.seconds * SECOND };
    return true;
  }
  if (habit.kind !== "habit") return false;
  const merged = home.pulls.findLast(({ mergedAt }) => mergedAt !== null);
  switch (habit.is) {
    case "lists without a last page":
      github.site.switches.hasNoLastPage = true;
      break;
    case "lists by date that stop at an older commit":
      github.site.switches.isSinceLikeGit = true;
      break;
    case "GraphQL's hourly limit":
      github.addFault({ ...GRAPHQL_LIMIT, times: 3 });
      break;
    case "GraphQL's secondary limit":
      github.addFault({ ...GRAPHQL_SECONDARY_LIMIT, times: 3 });
      break;
    case "a pull request that GraphQL cannot resolve":
      if (merged !== undefined) home.switches.unresolvable.add(merged.number);
      break;
    case "a commit that is too large for a diff":
      home.switches.huge.add(home.tip());
      break;
    case "a locked conversation":
      if (merged !== undefined) home.change(merged, { isLocked: true });
      break;
  }
  return true;
}

/** Whether runs may fail by it until it is relieved. */
export function isTrouble(event: { kind: string }): boolean {
  const habit = event as Habit;
  return habit.kind === "lag" || (habit.kind === "habit" && habit.is.startsWith("GraphQL's"));
}

/** Ends what passes. */
export function relieve(github: GitHub): void {
  github.lag = {};
  github.clearFaults();
  github.site.switches.hasNoLastPage = false;
}
