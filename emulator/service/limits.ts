/** The service's rate limits. */

import { HttpError } from "../http/http-error.ts";

/** A limit of uses in a window of time: an hour, unless a test cannot wait that long. */
export interface UsageLimit {
  uses: number;
  windowMs: number;
  /** What `Retry-After` holds: null, the time until the next use is free. */
  retryAfterSeconds: number | null;
  retryAfterForm: "seconds" | "date" | "none";
}

/** The limits, and what was used of them. */
export interface Usage {
  /** For each project; jobs of both versions and follow-ups count. */
  limit: UsageLimit;
  /** For the organization. */
  assistantLimit: UsageLimit;
  /** For the organization. */
  previewLimit: UsageLimit;
  /** Times of the uses in the current window, by what is limited. */
  uses: Record<string, number[]>;
}

/** An hour, with the waiting time in seconds: what the real service does. */
export const HOURLY = {
  windowMs: 3_600_000,
  retryAfterSeconds: null,
  retryAfterForm: "seconds",
} as const;

/**
 * Counts one use of the agent on a project.
 *
 * @throws HttpError 429 when the limit is reached; such a request is not counted.
 */
export function countUse(usage: Usage, projectId: string, now: number): void {
  count(usage, usage.limit, `agent ${projectId}`, "per project", now);
}

/**
 * Counts one question to the organization's assistants.
 *
 * @throws HttpError 429 when the limit is reached; such a request is not counted.
 */
export function countQuestion(usage: Usage, now: number): void {
  count(usage, usage.assistantLimit, "assistant", "per organization", now);
}

/**
 * Counts one preview of the organization.
 *
 * @throws HttpError 429 when the limit is reached; such a request is not counted.
 */
export function countPreview(usage: Usage, now: number): void {
  count(usage, usage.previewLimit, "previews", "per organization", now);
}

function count(usage: Usage, limit: UsageLimit, what: string, per: string, now: number): void {
  const recent = (usage.uses[what] ?? []).filter((at) => at > now - limit.windowMs);
  usage.uses[what] = recent;
  if (recent.length >= limit.uses) {
    const untilFreeMs = (recent[0] ?? now) + limit.windowMs - now;
    const message = `Rate limit exceeded: ${limit.uses} uses ${per} ${windowOf(limit)}`;
    throw new HttpError(429, message, retryAfter(limit, untilFreeMs, now));
  }
  recent.push(now);
}

function windowOf({ windowMs }: UsageLimit): string {
  return windowMs === 60_000 ? "per minute" : "per hour";
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
