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

/** How far an exchange got before it failed. This decides whether it can be repeated. */
export type Stage =
  /** There was no connection, so the server received nothing. */
  | "connect"
  /** There was no response yet. The server may have received the request. */
  | "sent"
  /** The response began, but is not complete. */
  | "answer";

/** `stopped` means the caller's signal. */
export type Cause = "network" | "time-limit" | "idle-limit" | "size-limit" | "stopped";

/** An exchange without a complete response. */
export class ExchangeError extends Error {
  override readonly name = "ExchangeError";
  readonly stage: Stage;
  readonly reason: Cause;

  constructor(stage: Stage, reason: Cause, message: string, options?: ErrorOptions) {
    super(message, options);
    this.stage = stage;
    this.reason = reason;
  }
}

/** Maximum delay of a timer in Node, in milliseconds. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** A time limit that can be restarted, combined with the caller's signal. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  /** Aborted when the time is over, or when the caller stops. */
  readonly signal: AbortSignal = this.#controller.signal;
  /** Why the signal was aborted, and the limit for messages, in milliseconds. */
  ended: { reason: Cause; limit: number } | undefined;
  #timer: NodeJS.Timeout | undefined;

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

  /** @param shown the limit for messages, if `milliseconds` is only the rest of it */
  restart(milliseconds: number, reason: Cause = "time-limit", shown = milliseconds): void {
    clearTimeout(this.#timer);
    if (this.ended !== undefined) return;
    const end = () => this.#end(reason, shown);
    this.#timer = setTimeout(end, Math.min(milliseconds, LONGEST_TIMER));
  }

  /** Ends the limit. The signal is no longer aborted. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#stop);
  }

  readonly #stop = () => this.#end("stopped", 0);

  #end(reason: Cause, limit: number): void {
    // Without this, a body that nobody reads to its end would leave its timer running.
    this.clear();
    this.ended = { reason, limit };
    this.#controller.abort();
  }
}

/** The facts about an interrupted exchange. */
export interface Break {
  stage: Stage;
  /** The time limit of the exchange, which may be the cause. */
  limit: Pick<TimeLimit, "ended">;
  /** Host and port of the URL. */
  host: string;
  /** The environment variable that names the proxy; undefined without a proxy. */
  proxyVariable?: string | undefined;
}

/** Converts an error during an exchange to an {@link ExchangeError}. */
export function asExchangeError(
  thrown: unknown,
  { stage, limit: { ended }, host, proxyVariable }: Break,
): ExchangeError {
  if (thrown instanceof ExchangeError) return thrown;
  const through = proxyVariable === undefined ? "" : ` through the proxy in ${proxyVariable}`;
  const unreached = `could not connect to ${host}${through}`;
  const [lost, late] = {
    connect: [unreached, unreached],
    sent: [
      `the connection to ${host} was lost before a response arrived`,
      `${host} did not respond`,
    ],
    answer: [
      `the response of ${host} is incomplete or damaged`,
      `${host} did not send the whole response`,
    ],
  }[stage] as [string, string];
  const { reason = "network", limit = 0 } = ended ?? {};
  const seconds = `${Math.round(limit / 100) / 10} s`;
  const messages: Partial<Record<Cause, string>> = {
    network: `${lost} (${reasonOf(thrown)})`,
    "time-limit": `${late} within ${seconds}`,
    "idle-limit": `${host} sent nothing for ${seconds} in the middle of the response`,
    stopped: "stopped by the run",
  };
  return new ExchangeError(stage, reason, messages[reason] ?? reason, { cause: thrown });
}

/** An error code or message, without parts of the request. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  const { code } = error as NodeJS.ErrnoException;
  const nested: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return code ?? (nested instanceof Error ? reasonOf(nested) : error.message);
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
