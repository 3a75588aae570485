import type { Dependencies } from "../runtime/dependencies.ts";
import type { ActionError } from "../runtime/errors.ts";
import type { Build, BuildReply, Builds } from "../service/builds.ts";
import { orServiceError, ServiceError } from "../service/errors.ts";
import { POLL_BUILD } from "./build.ts";
import {
  ANSWERED_AGAIN,
  decideAfterFailure,
  type FailingPolls,
  type Notice,
  type PollDecision,
} from "./failed-polls.ts";
import { delayAfter, delayBefore, type PollPace } from "./poll.ts";
import { type Polling, pollUntilEnd } from "./poll-loop.ts";

/** How the wait for a build ended. */
export type BuildOutcome =
  /** Its status is `success` or `failure`. */
  | { type: "ended"; build: Build }
  /** It had not ended at the time limit, or the run does not wait. */
  | { type: "running"; build: Build | null }
  /** The same, but it may have ended: the last poll failed. */
  | { type: "unknown"; build: Build | null }
  /** The run failed, or was cancelled. */
  | { type: "error"; build: Build | null; error: ActionError };

/** The state between two polls. */
export interface BuildState {
  readonly polls: number;
  /** The newest record; null if there is none. */
  readonly build: Build | null;
  /** Whether the log warns of an unknown status. */
  readonly isWarned: boolean;
  /** The failures since the last answer; null if the last poll was answered. */
  readonly failing: FailingPolls | null;
  /** Since when no poll has found the build; null if the last answer was its record. */
  readonly missingSince: number | null;
}

/** The state of a build that was started just now. */
export const BUILD_STARTED: BuildState = {
  polls: 0,
  build: null,
  isWarned: false,
  failing: null,
  missingSince: null,
};

/**
 * Decides after a poll: the build has ended, polling is given up, or it continues.
 *
 * @param now milliseconds on the run's clock
 * @param random a number from 0 to 1, for the next delay
 */
export function decideAfterBuildPoll(
  previous: BuildState,
  polled: BuildReply | ServiceError,
  pace: PollPace,
  now: number,
  random: number,
): PollDecision<BuildState, Build> {
  const state = { ...previous, polls: previous.polls + 1 };
  const delay = delayAfter(polled, state.polls, pace, random);
  if (polled instanceof ServiceError) {
    return decideAfterFailure(state, polled, POLL_BUILD, delay, now);
  }
  const { build } = polled;
  const { status } = build;
  const notices: Notice[] = state.failing === null ? [] : [ANSWERED_AGAIN];
  const isEnd = status === "success" || status === "failure";
  const isKnown = isEnd || status === "queued" || status === "in_progress";
  if (isKnown && status !== state.build?.status) {
    notices.push(["info", `The build's status is ${status}.`]);
  } else if (!isKnown && !state.isWarned) {
    notices.push(["warning", unknownStatusText(status)]);
  }
  if (isEnd) return { type: "ended", end: build, notices };
  const isWarned = state.isWarned || !isKnown;
  const next = { ...state, build, failing: null, missingSince: null, isWarned };
  return { type: "pending", state: next, delay, notices };
}

function unknownStatusText(status: string): string {
  return [
    `The build has the status ${JSON.stringify(status)},`,
    "which this version of the action does not know. The action continues to poll.",
  ].join(" ");
}

/**
 * Polls a build until it ends, the time limit is reached, polling is given up, or the run is cancelled.
 *
 * @param deadline on the monotonic clock, in milliseconds
 * @param onPending called after each poll while the build continues
 */
export async function waitForBuild(
  statusId: string,
  builds: Builds,
  dependencies: Dependencies,
  {
    pace,
    deadline,
    onPending,
  }: { pace: PollPace; deadline: number; onPending(state: BuildState): void },
): Promise<BuildOutcome> {
  const { random } = dependencies;
  const polling: Polling<BuildState, BuildReply, Build> = {
    subject: `the build ${statusId}`,
    firstDelay: delayBefore(1, pace, random()),
    deadline,
    poll: (options) => orServiceError(builds.get(statusId, options)),
    decide: (state, polled, now, random) => decideAfterBuildPoll(state, polled, pace, now, random),
    statusOf: ({ build }) => build?.status ?? null,
    onPending,
  };
  const polled = await pollUntilEnd(BUILD_STARTED, polling, dependencies);
  if (polled.type === "ended") return { type: "ended", build: polled.end };
  const { build, failing, missingSince } = polled.state;
  if (polled.type === "stopped") return { type: "error", build, error: polled.error };
  return {
    type: build !== null && failing === null && missingSince === null ? "running" : "unknown",
    build,
  };
}
