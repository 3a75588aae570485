/** Sends requests to GitHub's API: with the token, within limits, repeated and redirected where that is safe. */

import { ExchangeError, type Http, type HttpAnswer, type Outgoing } from "../../net/http.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import { withoutTrailingSlash } from "../../text/link.ts";
import type { Secrets } from "../../text/secrets.ts";
import { LIMIT_DELAY, limitDelay, timeIn } from "./limits.ts";
import type { LimitWaiter } from "./patience.ts";

/** Time limit for the beginning of a response, and for the rest of it, in milliseconds. */
const LIMIT = 30_000;
/** Maximum size of a response, in bytes. A page of 100 long comments is smaller. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The version of the API that the action is written for. GitHub would choose another one some day. */
const VERSION = { "x-github-api-version": "2022-11-28" };
/** Delay after a limit that names a shorter one, in milliseconds. It doubles while the limit stays. */
const LEAST_DELAY = 1_000;
/** Delay before a failed request is repeated, in milliseconds. */
const REPEAT_DELAY = 1_000;

const MAX_REDIRECTS = 3;

export interface GitHubOptions extends Pick<Dependencies, "secrets" | "clock"> {
  http: Pick<Http, "exchange">;
  /** An empty one is none. */
  token: string;
  apiUrl: URL;
  /** Stops every request. */
  signal: AbortSignal;
  /** Waits for rate limits to end; if it is null, they are errors at once. */
  patience: LimitWaiter | null;
}

/** A request to GitHub's API. */
export interface Asked {
  readonly method: Outgoing["method"];
  /** Below the API, encoded, with its query. */
  readonly path: string;
  /** Sent as JSON; null for none. */
  readonly body: object | null;
  readonly accept: string;
  /**
   * Whether it is repeated once after a failure. The first reads of a run decide what it does, and the last edit of a
   * comment shows its result. A repeated creation could leave two comments.
   */
  readonly isRepeatable: boolean;
  /** Whether a limit is waited out. */
  readonly isPatient: boolean;
}

/** GitHub keeps the logs of jobs on another host, and refuses the token there. */
const LOG = /\/actions\/jobs\/\d+\/logs$/;

/** The secrets and the token are removed from everything that GitHub returns or is sent. */
export class Requests {
  readonly #options: GitHubOptions;
  readonly #secrets: Secrets;
  readonly #baseUrl: string;
  #now: number | null = null;
  #count = 0;
  #retryAfter = 0;

  constructor(options: GitHubOptions) {
    this.#options = options;
    this.#secrets = options.secrets.and(options.token);
    this.#baseUrl = withoutTrailingSlash(options.apiUrl);
  }

  /** GitHub's time in its newest answer, in milliseconds since 1970; null before the first. */
  get now(): number | null {
    return this.#now;
  }

  /** How many requests were made. One that is repeated counts once. */
  get count(): number {
    return this.#count;
  }

  /** The delay that GitHub's newest answer asks for, in milliseconds; 0 if it is no limit. */
  get retryAfter(): number {
    return this.#retryAfter;
  }

  /** The address of GraphQL, which a server does not have below its REST API. */
  get graphqlPath(): string {
    return this.#baseUrl.endsWith("/api/v3") ? "/../graphql" : "/graphql";
  }

  /** @throws ExchangeError, or a mistake of the action */
  async send({ method, path, body, accept, isRepeatable, isPatient }: Asked): Promise<HttpAnswer> {
    const { token, signal } = this.#options;
    // Three parts are a JSON Web Token.
    const scheme = token.split(".").length === 3 ? "bearer" : "token";
    const headers = {
      accept,
      "user-agent": "docs-agent-action",
      ...VERSION,
      ...(token === "" ? {} : { authorization: `${scheme} ${token}` }),
      ...(body === null ? {} : { "content-type": "application/json; charset=utf-8" }),
    };
    const outgoing: Outgoing = {
      method,
      url: new URL(this.#baseUrl + path),
      headers,
      body: body === null ? undefined : withoutSecrets(JSON.stringify(body), this.#secrets),
      headerLimit: LIMIT,
      bodyLimit: LIMIT,
      maxBytes: MAX_BYTES,
      signal,
    };
    this.#count += 1;
    const answer = await (method === "GET"
      ? this.#read(outgoing)
      : this.#write(outgoing, isRepeatable, isPatient));
    this.#now = timeIn(answer.headers.date) ?? this.#now;
    // GraphQL returns limits with status 200, which the rest of the action knows by those of REST.
    const delay = limitDelay(answer.status, answer.headers, answer.text);
    this.#retryAfter = delay ?? 0;
    const shown = Object.entries(answer.headers).map(([name, value]): [string, string] => [
      this.#secrets.redact(name),
      this.#secrets.redact(value),
    ]);
    return {
      status: answer.status === 200 && delay !== null ? 429 : answer.status,
      headers: Object.fromEntries(shown),
      text: withoutSecrets(answer.text, this.#secrets),
    };
  }

  /**
   * Follows redirects of renamed or transferred repositories, but only within the same API: the token goes along. Logs
   * are read elsewhere, without the token.
   */
  async #read(outgoing: Outgoing, redirects = 0): Promise<HttpAnswer> {
    const answer = await this.#once(outgoing, true);
    const isRedirect = [301, 302, 307, 308].includes(answer.status) && redirects < MAX_REDIRECTS;
    const url = isRedirect ? addressIn(answer, outgoing) : null;
    if (url === null) return answer;
    if (url.origin === outgoing.url.origin) {
      return await this.#read({ ...outgoing, url }, redirects + 1);
    }
    const isLog = LOG.test(outgoing.url.pathname) && url.protocol === outgoing.url.protocol;
    return isLog ? await this.#once({ ...outgoing, url, headers: {} }, true) : answer;
  }

  /** A repository that was renamed has received nothing: its new address, within the same API, gets the request. */
  async #write(outgoing: Outgoing, isRepeatable: boolean, isPatient: boolean): Promise<HttpAnswer> {
    const answer = await this.#once(outgoing, isRepeatable, isPatient);
    const url = [307, 308].includes(answer.status) ? addressIn(answer, outgoing) : null;
    if (url === null || url.origin !== outgoing.url.origin) return answer;
    return await this.#once({ ...outgoing, url }, isRepeatable, isPatient);
  }

  /** A rate limit means that nothing was done. So every kind of request can be repeated after it. */
  async #once(outgoing: Outgoing, isRepeatable: boolean, isPatient = true): Promise<HttpAnswer> {
    const { http, patience, clock, signal } = this.#options;
    let least = LEAST_DELAY;
    for (let isLast = !isRepeatable; ; ) {
      const answer = await http.exchange(outgoing).catch((error: unknown) => {
        if (isLast || signal.aborted || !(error instanceof ExchangeError)) throw error;
        return null;
      });
      const delay = answer && limitDelay(answer.status, answer.headers, answer.text);
      const waits = delay === null || !isPatient ? null : Math.max(delay, least);
      if (waits !== null && (await patience?.wait(waits))) {
        least = Math.min(2 * least, LIMIT_DELAY);
        continue;
      }
      if (answer !== null && (isLast || answer.status < 500)) return answer;
      isLast = true;
      await clock.sleep(REPEAT_DELAY, signal);
    }
  }

  /** Waits before a question of GraphQL is repeated. */
  async pause(): Promise<void> {
    await this.#options.clock.sleep(REPEAT_DELAY, this.#options.signal);
  }
}

/** Where a redirect leads to; null if it does not say so. */
function addressIn({ headers }: HttpAnswer, { url }: Outgoing): URL | null {
  return headers.location === undefined ? null : URL.parse(headers.location, url.href);
}

/** A body without secrets. A body that has none is not changed. */
function withoutSecrets(body: string, secrets: Secrets): string {
  const redacted = secrets.redact(body);
  if (redacted === body) return body;
  try {
    return JSON.stringify(secrets.redactValue(JSON.parse(body)));
  } catch {
    return redacted;
  }
}
