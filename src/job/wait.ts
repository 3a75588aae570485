import type { Clock } from "../runtime/clock.ts";
import type { ActionError } from "../runtime/errors.ts";
import type { Agent, Job } from "../service/agent.ts";
import { ServiceError } from "../service/errors.ts";
import {
  decideAfterPoll,
  firstDelay,
  type Known,
  knownOf,
  type PollNotice,
  type PollResult,
  type PollState,
} from "./poll.ts";
import type { PollPace } from "./schedule.ts";

/** How long the poll at the time limit may itself take, in milliseconds. */
const LAST_POLL_LIMIT = 5_000;

export interface Waiting {
  agent: Agent;
  id: string;
  state: PollState;
  /** Poll at once, before the first delay: for a job of which nothing is known yet. */
  pollFirst: boolean;
  pace: PollPace;
  /** Milliseconds on the clock when waiting ends. */
  deadline: number;
  clock: Clock;
  random: () => number;
  stop: AbortSignal;
  onNotice: (notice: PollNotice) => void;
  /** Called after each poll that does not end the wait. */
  onPending: (job: Job | null) => void;
}

/** How a wait came out; `job` is the newest record that a poll brought, if any. */
export type WaitResult =
  | { type: "ended"; job: Job }
  | { type: "timed-out"; job: Job | null; known: Known }
  | { type: "given-up"; job: Job | null; error: ActionError }
  | { type: "stopped"; job: Job | null };

/** Polls a job until it has ended, the time is up, polling on is pointless, or the run is stopped. */
export async function wait(waiting: Waiting): Promise<WaitResult> {
  const { pace, deadline, clock, random, stop } = waiting;
  let { state } = waiting;
  let delay = waiting.pollFirst ? 0 : firstDelay(pace, random());
  for (;;) {
    const left = deadline - clock.now();
    const isLast = delay >= left;
    await clock.sleep(Math.max(0, Math.min(delay, left)), stop);
    if (stop.aborted) return { type: "stopped", job: state.job };

    const limit = isLast ? LAST_POLL_LIMIT : Math.max(1, deadline - clock.now());
    const result = await poll(waiting, limit);
    if (stop.aborted && "error" in result) return { type: "stopped", job: state.job };

    // Cut off by the time limit, not by the service: what counts is the poll at the limit.
    if (!isLast && "error" in result && clock.now() >= deadline) {
      delay = 0;
      continue;
    }

    const decision = decideAfterPoll(state, result, pace, clock.now(), random());
    for (const notice of decision.notices) waiting.onNotice(notice);
    if (decision.type === "ended") return decision;
    if (decision.type === "given-up") return { ...decision, job: state.job };
    ({ state, delay } = decision);
    if (isLast) return { type: "timed-out", job: state.job, known: knownOf(state) };
    waiting.onPending(state.job);
  }
}

async function poll({ agent, id, stop }: Waiting, limit: number): Promise<PollResult> {
  try {
    return { reply: await agent.get(id, { limit, signal: stop }) };
  } catch (error) {
    if (error instanceof ServiceError) return { error };
    throw error;
  }
}
