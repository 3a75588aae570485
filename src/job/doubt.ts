/**
 * What one poll alone does not prove: that the service does not know a job, and that a job has no pull request. One
 * rule for all actions that poll jobs of earlier runs. Times are milliseconds since 1970.
 */

import { DAY, MINUTE } from "../runtime/clock.ts";

/** How long after its request was accepted a job may be missing, in milliseconds. */
const YOUNG = 10 * MINUTE;
/** How far apart two polls have to be that do not find a job, in milliseconds. */
const APART = 30 * MINUTE;
/** How long a record may lack its pull request after the job's end, in milliseconds. */
export const LINK_DELAY = MINUTE;
/** How long a job is followed after a decision that no longer waits for it, in milliseconds. */
export const FOLLOWED = 7 * DAY;
/** How long a job may take where no input says so, in milliseconds. */
export const USUAL_DEADLINE = DAY;

/**
 * What it means that a poll does not find a job (404): it is unknown once two polls, at least 30 minutes apart, say so,
 * the first one at least 10 minutes after its request was accepted. If no job that the run polled was found, project,
 * key or address may be wrong, and none is unknown before its deadline.
 *
 * @returns `missingSince`: to be remembered for the next poll
 */
export function afterMissing(
  {
    acceptedAt,
    missingSince,
  }: {
    /** When its request was accepted. */
    acceptedAt: number;
    /** When a poll first did not find it, since one that did; null for never. */
    missingSince: number | null;
  },
  now: number,
  { isAnyFound, deadline }: { isAnyFound: boolean; deadline: number },
): { missingSince: number | null; isUnknown: boolean } {
  const age = now - acceptedAt;
  if (missingSince === null) {
    return { missingSince: age < YOUNG ? null : now, isUnknown: false };
  }
  const isLasting = now - missingSince >= APART;
  return { missingSince, isUnknown: isLasting && (isAnyFound || age > deadline) };
}

/**
 * The same for a run that remembers no earlier poll: a job is unknown once its request is so old that two such polls
 * were possible.
 */
export function isUnknownByAge(acceptedAt: number, now: number): boolean {
  return now - acceptedAt >= YOUNG + APART;
}

/** Whether a job that has ended has no pull request. @param since when a poll first found it so; null for never */
export function isWithoutPull(since: number | null, now: number): boolean {
  return since !== null && now - since >= LINK_DELAY;
}

/** What a run says if no job that it polled was found. */
export const NONE_FOUND =
  "The service knows none of the jobs that were polled. Check `project-id`, `api-key` and " +
  "`base-url`. The jobs are polled again.";
