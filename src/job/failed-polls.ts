import { MINUTE } from "../runtime/clock.ts";
import { ActionError } from "../runtime/errors.ts";
import { isPassing, isStatus, isUnknown, type ServiceError } from "../service/errors.ts";
import { duration } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import { explainFailure, type Operation } from "./failures.ts";

/** How long polls may not find what they ask for until it counts as unknown to the service, in milliseconds. */
const MISSING_LIMIT = 2 * MINUTE;
/** Polling ends when polls have failed for this long, in milliseconds, and at least this many times. */
const FAILING_LIMIT = 5 * MINUTE;
const FAILING_POLLS = 3;

/** Polls that failed, one after the other. */
export interface FailingPolls {
  /** The time of the first failure. */
  readonly since: number;
  readonly polls: number;
}

/** What every poller knows between two polls. Times are milliseconds on the run's clock. */
export interface PolledState {
  /** The failures since the last answer; null if the last poll was answered. */
  readonly failing: FailingPolls | null;
  /** Since when no poll has found it; null if the last answer was its record. */
  readonly missingSince: number | null;
}

/** A line for the log. */
export type Notice = readonly [level: "info" | "warning", text: string];

/** What a poll means: there is an end, polling is given up, or it continues. */
export type PollDecision<State, End> =
  | { type: "ended"; end: End; notices: Notice[] }
  | { type: "given-up"; error: ActionError; notices: Notice[] }
  | { type: "pending"; state: State; delay: number; notices: Notice[] };

/**
 * Decides after a poll that failed: polling is given up, or it continues.
 *
 * @param operation what is polled
 * @param delay before the next poll, in milliseconds
 * @param now milliseconds on the run's clock
 */
export function decideAfterFailure<State extends PolledState>(
  state: State,
  error: ServiceError,
  operation: Operation,
  delay: number,
  now: number,
): PollDecision<State, never> {
  const { failing: earlier } = state;
  if (isStatus(error.failure, 404) && isUnknown(error.failure)) {
    const missingSince = state.missingSince ?? now;
    if (now - missingSince < MISSING_LIMIT) {
      const notices: Notice[] = state.missingSince === null ? [["info", MISSING]] : [];
      return { type: "pending", state: { ...state, missingSince }, delay, notices };
    }
  }
  if (!isPassing(error)) {
    return { type: "given-up", error: explainFailure(error, operation), notices: [] };
  }
  const { since, polls } = earlier ?? { since: now, polls: 0 };
  const failing = { since, polls: polls + 1 };
  if (now - since >= FAILING_LIMIT && failing.polls >= FAILING_POLLS) {
    const problem = `${sentence(error.message)} Polls have failed for ${duration(now - since)}.`;
    const cause = { cause: error };
    const givenUp = new ActionError("service-unavailable", problem, operation.lost, cause);
    return { type: "given-up", error: givenUp, notices: [] };
  }
  const warning = [
    sentence(error.message),
    "The action continues to poll while it waits,",
    "and gives up after polls have failed for 5 minutes.",
  ].join(" ");
  const notices: Notice[] = earlier === null ? [["warning", warning]] : [];
  return { type: "pending", state: { ...state, failing }, delay, notices };
}

const MISSING =
  "The service answers that it does not know it (404). A record may be late: this counts after 2 minutes.";

/** For the log, after the first poll that is answered again. */
export const ANSWERED_AGAIN: Notice = ["warning", "The service is responding normally again."];
