import { loggedSleep } from "../runtime/clock.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { CallOptions } from "../service/agent.ts";
import { ServiceError } from "../service/errors.ts";
import { duration } from "../text/markdown.ts";

/** Time limit of the last poll, in milliseconds. */
const LAST_POLL_LIMIT = 30_000;

/** What a run polls, and what each poll means. */
export interface Polling<Polled> {
  /** Delay before the first poll, in milliseconds. */
  firstDelay: number;
  /** On the monotonic clock, in milliseconds. */
  deadline: number;
  /** Polls once. The service's failures are results. */
  poll(options: CallOptions): Promise<Polled | ServiceError>;
  /** @returns the delay before the next poll, in milliseconds; null if there is none */
  decide(polled: Polled | ServiceError): number | null;
  /** Called after each poll that another one follows. */
  onPending?(): void;
  /** The line of the log once a minute, such as `Job 1 is still active`. */
  stateLine(): string;
}

/** Why a run polls no more: as decided, at the time limit, or because the run was cancelled. */
type PollingEnd = "decided" | "time-limit" | "cancelled";

/** Polls until there is an end, the time limit is reached, or the run is cancelled. */
export async function pollUntilEnd<Polled>(
  { firstDelay, deadline, poll, decide, onPending, stateLine }: Polling<Polled>,
  { clock, log, cancellation: { stop } }: Pick<Dependencies, "clock" | "log" | "cancellation">,
): Promise<PollingEnd> {
  const begun = clock.now();
  const sleep = loggedSleep(clock, (remaining) => {
    const waited = duration(clock.now() - begun);
    log.info(`${stateLine()} after ${waited}. Next poll in ${duration(remaining)}.`);
  });
  let delay = firstDelay;
  for (;;) {
    const remaining = deadline - clock.now();
    const isLast = delay >= remaining;
    await sleep(Math.max(0, Math.min(delay, remaining)), stop);
    const limit = isLast ? LAST_POLL_LIMIT : Math.max(1, deadline - clock.now());
    const polled = stop.aborted ? null : await poll({ limit, signal: stop });
    const isFailed = polled instanceof ServiceError;
    if (polled === null || (isFailed && stop.aborted)) return "cancelled";
    // The time limit cut this poll off, not the service. The poll at the limit decides.
    if (isFailed && !isLast && clock.now() >= deadline) {
      delay = 0;
      continue;
    }
    const next = decide(polled);
    if (next === null) return "decided";
    if (isLast) return "time-limit";
    delay = next;
    onPending?.();
  }
}
