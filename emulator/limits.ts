import { ServiceError } from "./errors.ts";
import type { ServiceState, UsageLimit } from "./state.ts";

/**
 * Counts one use of the agent on a project.
 *
 * @throws ServiceError 429 when the hour is full; such a request is not counted.
 */
export function countUse(state: ServiceState, projectId: string, now: number): void {
  count(state, state.limit, `agent ${projectId}`, "per project", now);
}

/**
 * Counts one question to the organization's assistants.
 *
 * @throws ServiceError 429 when the hour is full; such a request is not counted.
 */
export function countQuestion(state: ServiceState, now: number): void {
  count(state, state.assistantLimit, "assistant", "per organization", now);
}

function count(
  state: ServiceState,
  limit: UsageLimit,
  what: string,
  per: string,
  now: number,
): void {
  const recent = (state.uses[what] ?? []).filter((at) => at > now - limit.windowMs);
  state.uses[what] = recent;
  if (recent.length >= limit.uses) {
    const untilFreeMs = (recent[0] ?? now) + limit.windowMs - now;
    const message = `Rate limit exceeded: ${limit.uses} uses ${per} per hour`;
    throw new ServiceError(429, message, retryAfter(limit, untilFreeMs, now));
  }
  recent.push(now);
}

function retryAfter(
  { retryAfterForm, retryAfterSeconds }: UsageLimit,
  untilFreeMs: number,
  now: number,
): Record<string, string> {
  if (retryAfterForm === "none") return {};
  const seconds = retryAfterSeconds ?? Math.ceil(untilFreeMs / 1000);
  const value =
    retryAfterForm === "seconds" ? String(seconds) : new Date(now + seconds * 1000).toUTCString();
  return { "retry-after": value };
}
