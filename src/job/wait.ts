import type { Clock } from "../clock.ts";
import type { ActionError } from "../errors.ts";
import type { Agent, Job } from "../service/agent.ts";
import { ServiceError } from "../service/errors.ts";
import type { Pace } from "./schedule.ts";
import { decide, firstDelay, type Remark, type Sight, type Watch } from "./watch.ts";

/** How long the look at the time limit may itself take, in milliseconds. */
const LAST_LOOK_LIMIT = 5_000;

export interface Waiting {
  agent: Agent;
  id: string;
  watch: Watch;
  /** Look at once, before the first delay: for a job of which nothing is known yet. */
  lookFirst: boolean;
  pace: Pace;
  /** Milliseconds on the clock when waiting ends. */
  deadline: number;
  clock: Clock;
  random: () => number;
  stop: AbortSignal;
  onRemark: (remark: Remark) => void;
  /** Called after each look that does not end the wait. */
  onPending: (job: Job | null) => void;
}

/** How a wait came out; `job` is the newest record that was seen, if any. */
export type Waited =
  | { type: "ended"; job: Job }
  | { type: "timed-out"; job: Job | null }
  | { type: "given-up"; job: Job | null; error: ActionError }
  | { type: "stopped"; job: Job | null };

/** Looks at a job until it has ended, the time is up, looking on is pointless, or the run is stopped. */
export async function wait(waiting: Waiting): Promise<Waited> {
  const { pace, deadline, clock, random, stop } = waiting;
  let { watch } = waiting;
  let delay = waiting.lookFirst ? 0 : firstDelay(pace, random());
  for (;;) {
    const left = deadline - clock.now();
    const isLast = delay >= left;
    await clock.sleep(Math.max(0, Math.min(delay, left)), stop);
    if (stop.aborted) return { type: "stopped", job: watch.job };

    const limit = isLast ? LAST_LOOK_LIMIT : Math.max(1, deadline - clock.now());
    const sight = await look(waiting, limit);
    if (stop.aborted && "error" in sight) return { type: "stopped", job: watch.job };

    // Cut off by the time limit, not by the service: what counts is the look at the limit.
    if (!isLast && "error" in sight && clock.now() >= deadline) {
      delay = 0;
      continue;
    }

    const decision = decide(watch, sight, pace, clock.now(), random());
    for (const remark of decision.remarks) waiting.onRemark(remark);
    if (decision.type === "ended") return decision;
    if (decision.type === "given-up") return { ...decision, job: watch.job };
    ({ watch, delay } = decision);
    if (isLast) return { type: "timed-out", job: watch.job };
    waiting.onPending(watch.job);
  }
}

async function look({ agent, id, stop }: Waiting, limit: number): Promise<Sight> {
  try {
    return { reply: await agent.get(id, { limit, signal: stop }) };
  } catch (error) {
    if (error instanceof ServiceError) return { error };
    throw error;
  }
}
