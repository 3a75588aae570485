/** The number of requests that an account may make in an hour. */

import { HttpError } from "../http/http-error.ts";

const HOUR = 60 * 60 * 1000;

/** What GitHub says to an account that may make any number of requests here. */
const MOST = 15_000;

/** The requests of an account in an hour. */
interface Count {
  startedAt: number;
  used: number;
}

export class HourlyLimit {
  readonly #counts = new Map<string, Count>();

  /** Counts a request. @param now in milliseconds since 1970 @returns what remains, as headers @throws HttpError 403 */
  count(login: string, now: number, limit: number): Record<string, string> {
    const before = this.#counts.get(login);
    const isOver = before === undefined || now - before.startedAt >= HOUR;
    const { startedAt, used } = isOver ? { startedAt: now, used: 0 } : before;
    this.#counts.set(login, { startedAt, used: used + 1 });
    const headers = {
      "x-ratelimit-limit": String(Math.min(limit, MOST)),
      "x-ratelimit-remaining": String(Math.max(0, Math.min(limit - used, MOST) - 1)),
      "x-ratelimit-reset": String(Math.ceil((startedAt + HOUR) / 1000)),
    };
    if (used < limit) return headers;
    throw new HttpError(403, `API rate limit exceeded for ${login}.`, headers);
  }
}
