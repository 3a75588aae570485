/** A request and its limits. */
export interface Outgoing {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Time limit for the status and the headers of the response, in milliseconds. */
  headerLimit: number;
  /** Time limit for the whole body, from the headers on, in milliseconds. */
  bodyLimit: number;
  /** Replaces `bodyLimit` for a successful response that is streamed. */
  streamLimit?: number;
  /** Time limit between two pieces of the body, in milliseconds. Default: only the limit of the whole body. */
  idleLimit?: number;
  signal?: AbortSignal | undefined;
}

/** A complete response. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** A response whose body has not been read yet. */
export interface OpenAnswer {
  status: number;
  headers: Record<string, string>;
  /** The body as it arrives. Throws `ExchangeError` with stage `answer` if it is interrupted. */
  body: AsyncIterable<Uint8Array>;
}

/** Maximum delay of a timer in Node, in milliseconds. */
export const LONGEST_TIMER = 2 ** 31 - 1;

type Expiry = "time-limit" | "idle-limit";

/** A time limit that can be restarted, combined with the caller's signal. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #stop = () => {
    // Without this, a body that nobody reads to its end would leave its timer running.
    clearTimeout(this.#timer);
    this.#controller.abort(new Error("stopped"));
  };
  #timer: NodeJS.Timeout | undefined;
  #milliseconds = 0;
  #expired: Expiry | undefined;

  /**
   * @param milliseconds until the signal is aborted
   * @param caller also aborts the signal
   */
  constructor(milliseconds: number, caller?: AbortSignal) {
    this.#caller = caller;
    this.restart(milliseconds);
    if (caller?.aborted) this.#stop();
    else caller?.addEventListener("abort", this.#stop, { once: true });
  }

  /** Aborted when the time is over, or when the caller stops. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The limit for messages. */
  get milliseconds(): number {
    return this.#milliseconds;
  }

  /** Whether the caller has stopped. */
  get stopped(): boolean {
    return this.#caller?.aborted ?? false;
  }

  /** The kind of limit that was exceeded; undefined for none. */
  get expired(): Expiry | undefined {
    return this.#expired;
  }

  /** @param told the limit for messages, if `milliseconds` is only the rest of it */
  restart(milliseconds: number, kind: Expiry = "time-limit", told = milliseconds): void {
    clearTimeout(this.#timer);
    this.#milliseconds = told;
    this.#timer = setTimeout(
      () => {
        this.#expired = kind;
        this.#controller.abort(new Error("time limit"));
      },
      Math.min(milliseconds, LONGEST_TIMER),
    );
  }

  /** Waits for a promise, but at most until the signal is aborted; then throws the reason of the abort. */
  async within<T>(awaited: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const end = () => reject(this.signal.reason as Error);
    if (this.signal.aborted) end();
    this.signal.addEventListener("abort", end, { once: true });
    try {
      return await Promise.race([awaited, promise]);
    } finally {
      this.signal.removeEventListener("abort", end);
    }
  }

  /** Ends the limit. The signal is no longer aborted. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#stop);
  }
}

/** How far an exchange got before it failed. This decides whether it can be repeated. */
export type Stage =
  /** It is proven that there was no connection, so the server received nothing. */
  | "connect"
  /** There was no response yet. The server may have received the request. */
  | "sent"
  /** The response began, but is not complete. */
  | "answer";

export type Cause = "network" | "time-limit" | "idle-limit" | "size-limit" | "stopped";

/** An exchange without a complete response. */
export class ExchangeError extends Error {
  override readonly name = "ExchangeError";
  readonly stage: Stage;
  /** The cause. `stopped` means the caller's signal. */
  readonly reason: Cause;

  constructor(stage: Stage, reason: Cause, message: string, options?: ErrorOptions) {
    super(message, options);
    this.stage = stage;
    this.reason = reason;
  }
}

/** The facts about an interrupted exchange. */
export interface Break {
  stage: Stage;
  /** The time limit of the exchange, which may be the cause. */
  limit: TimeLimit;
  /** Host and port of the URL. */
  host: string;
  /** The environment variable that names the proxy; undefined without a proxy. */
  proxyVariable?: string | undefined;
}

/** Converts an error during an exchange to an {@link ExchangeError}. */
export function asExchangeError(thrown: unknown, at: Break): ExchangeError {
  if (thrown instanceof ExchangeError) return thrown;
  const { stage, limit } = at;
  const cause: ErrorOptions = { cause: thrown };
  if (limit.stopped) return new ExchangeError(stage, "stopped", "stopped by the run", cause);
  if (limit.expired !== undefined) {
    return new ExchangeError(stage, limit.expired, outOfTime(limit, at), cause);
  }
  return new ExchangeError(stage, "network", `${lost(at)} (${reasonOf(thrown)})`, cause);
}

function outOfTime(limit: TimeLimit, { stage, host, proxyVariable }: Break): string {
  const seconds = Math.round(limit.milliseconds / 100) / 10;
  if (limit.expired === "idle-limit") {
    return `${host} sent nothing for ${seconds} s in the middle of the response`;
  }
  if (stage === "connect") {
    return `could not connect to ${host}${through(proxyVariable)} within ${seconds} s`;
  }
  const awaited = stage === "answer" ? "send the whole response" : "respond";
  return `${host} did not ${awaited} within ${seconds} s`;
}

function lost({ stage, host, proxyVariable }: Break): string {
  switch (stage) {
    case "connect":
      return `could not connect to ${host}${through(proxyVariable)}`;
    case "sent":
      return `the connection to ${host} was lost before a response arrived`;
    case "answer":
      return `the connection to ${host} was lost in the middle of the response`;
  }
}

function through(proxyVariable: string | undefined): string {
  return proxyVariable === undefined ? "" : ` through the proxy in ${proxyVariable}`;
}

/** An error code or message, without parts of the request. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && code !== "UND_ERR_INFO") return code;
  const nested: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return nested instanceof Error ? reasonOf(nested) : error.message;
}

/**
 * Reads a `Retry-After` header (RFC 9110, 10.2.3): seconds, or an HTTP date.
 *
 * @param value the header; undefined if it is missing
 * @param now the time of day, in milliseconds since 1970
 * @returns the delay in milliseconds, never negative; undefined if the header is missing or invalid
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // A date starts with the name of a day. Date.parse alone would also accept "-5".
  const date = /^[a-z]{3,9},? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
