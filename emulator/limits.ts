import { ServiceError } from "./errors.ts";
import type { ServiceState } from "./state.ts";

/**
 * Counts one use of the agent on a project.
 *
 * @throws ServiceError 429 when the window is full; such a request is not counted.
 */
export function countUse(state: ServiceState, projectId: string, now: number): void {
  const { uses: allowed, windowMs } = state.limit;
  const recent = (state.uses[projectId] ?? []).filter((at) => at > now - windowMs);
  state.uses[projectId] = recent;
  if (recent.length >= allowed) {
    throw new ServiceError(
      429,
      `Rate limit exceeded: ${allowed} uses per project per hour`,
      retryAfter(state, (recent[0] ?? now) + windowMs - now, now),
    );
  }
  recent.push(now);
}

function retryAfter(state: ServiceState, untilFreeMs: number, now: number): Record<string, string> {
  const { retryAfterForm, retryAfterSeconds } = state.limit;
  if (retryAfterForm === "none") return {};
  const seconds = retryAfterSeconds ?? Math.ceil(untilFreeMs / 1000);
  const value =
    retryAfterForm === "seconds" ? String(seconds) : new Date(now + seconds * 1000).toUTCString();
  return { "retry-after": value };
}
