/** What became of each change of the simulated days. */

import type { Turn } from "../../../emulator/service/agent/job.ts";
import type { Merged, Organization } from "./organization.ts";
import type { DaysSimulation } from "./simulation.ts";

export interface Tally {
  /** A sentence for each change whose fate is wrong. */
  wrong: string[];
  /** How many changes were handed over, and how many of them again: the first follow-up came too late. */
  handed: number;
  again: number;
  /** How many were passed over, because their repository had become private. */
  passedOver: number;
  /** How many were left, because the service refuses their text. */
  left: number;
  /** From each merge to its first hand-over, in milliseconds. */
  waits: number[];
}

export function tallyOf(simulation: DaysSimulation): Tally {
  const { organization, refused } = simulation;
  const handed = simulation.handedOver();
  const tally: Tally = { wrong: [], handed: 0, again: 0, passedOver: 0, left: 0, waits: [] };
  for (const change of organization.merged) {
    const turns = handed.get(change.key) ?? [];
    const [first] = turns;
    if (first !== undefined) {
      tally.handed += 1;
      tally.again += turns.length > 1 ? 1 : 0;
      tally.waits.push(first.startedAt - change.at);
    } else if (refused.has(change.key)) tally.left += 1;
    else if (organization.privateSince.has(change.repository.id)) tally.passedOver += 1;
    else tally.wrong.push(`${change.key} was not handed over`);
    tally.wrong.push(...wrongWith(change, turns, organization));
  }
  for (const key of refused) {
    const change = organization.merged.find((it) => it.key === key);
    if (change?.isRefused !== true) tally.wrong.push(`${key} was said to be refused`);
  }
  return tally;
}

function wrongWith(
  { key, repository, isRefused }: Merged,
  turns: readonly Turn[],
  { privateSince, servers }: Organization,
): string[] {
  const jobOf = (turn: Turn) => servers.agent.jobs.find((job) => job.turns.includes(turn));
  // People merged the docs pull request before the agent was done with a follow-up to it.
  const isTooLate = (turn: Turn) => {
    const job = jobOf(turn);
    const pull = servers.agent.pulls.find(({ branch }) => branch === job?.branch);
    const mergedAt = pull?.mergedAt ?? Number.POSITIVE_INFINITY;
    return turn !== job?.turns[0] && mergedAt <= (turn.outcome?.at ?? 0);
  };
  const where = turns.map((turn) => `${jobOf(turn)?.id}.${jobOf(turn)?.turns.indexOf(turn)}`);
  const wrong: string[] = [];
  if (!turns.slice(0, -1).every(isTooLate)) {
    wrong.push(`${key} was handed over ${turns.length} times: ${where.join(", ")}`);
  }
  if (isRefused && turns.length > 0) wrong.push(`${key} was accepted`);
  const since = privateSince.get(repository.id) ?? Number.POSITIVE_INFINITY;
  if (turns.some(({ startedAt }) => startedAt > since)) wrong.push(`${key} is private`);
  return wrong;
}
