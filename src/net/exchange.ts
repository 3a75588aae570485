/** A request and its limits. */
export interface Outgoing {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Time limit for the status and the headers of the response, in milliseconds. */
  headerLimit: number;
  /** Time limit for the whole body, from the headers on, in milliseconds. Of an error, at most 30 s count. */
  bodyLimit: number;
  /** Maximum size of the body. Of an error, at most 1 MiB is read. */
  maxBytes: number;
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
type Cause = "network" | "time-limit" | "size-limit" | "stopped";

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

/**
 * Gets every response when its headers have arrived, and every failure, also of a response that is interrupted later.
 *
 * @param milliseconds since the request was made
 */
export type Observe = (
  outgoing: Outgoing,
  outcome: Pick<OpenAnswer, "status" | "headers"> | ExchangeError,
  milliseconds: number,
) => void;

/** An exchange under way: how far it got, its time limit, and why it failed. */
export class Exchange {
  readonly outgoing: Outgoing;
  stage: Stage = "connect";
  readonly #proxyVariable: string | undefined;
  readonly #observe: Observe | undefined;
  readonly #begun = Date.now();
  readonly #controller = new AbortController();
  /** Aborted with an {@link ExchangeError} at a limit, or when the caller stops. */
  readonly signal: AbortSignal = this.#controller.signal;
  #timer: NodeJS.Timeout | undefined;

  /** @param proxyVariable the environment variable that names the proxy; undefined without a proxy */
  constructor(outgoing: Outgoing, proxyVariable?: string, observe?: Observe) {
    this.outgoing = outgoing;
    this.#proxyVariable = proxyVariable;
    this.#observe = observe;
    this.restart(outgoing.headerLimit);
    if (outgoing.signal?.aborted) this.#stop();
    else outgoing.signal?.addEventListener("abort", this.#stop, { once: true });
  }

  /** Replaces the time limit, in milliseconds. */
  restart(limit: number): void {
    clearTimeout(this.#timer);
    if (this.signal.aborted) return;
    const seconds = Math.round(limit / 100) / 10;
    const end = () => this.abort("time-limit", `${this.#problem(false)} within ${seconds} s`);
    this.#timer = setTimeout(end, Math.min(limit, LONGEST_TIMER));
  }

  /** Ends the limits. The signal is no longer aborted. */
  clear(): void {
    clearTimeout(this.#timer);
    this.outgoing.signal?.removeEventListener("abort", this.#stop);
  }

  abort(reason: Cause, message: string, options?: ErrorOptions): void {
    // Without this, a body that nobody reads to its end would leave its timer running.
    this.clear();
    this.#controller.abort(new ExchangeError(this.stage, reason, message, options));
  }

  observe(outcome: Parameters<Observe>[1]): void {
    this.#observe?.(this.outgoing, outcome, Date.now() - this.#begun);
  }

  /** Ends the exchange. @returns why it failed */
  failed(cause: unknown): ExchangeError {
    if (this.signal.aborted) this.clear();
    else this.abort("network", `${this.#problem(true)} (${reasonOf(cause)})`, { cause });
    this.observe(this.signal.reason);
    return this.signal.reason;
  }

  readonly #stop = () => this.abort("stopped", "stopped by the run");

  #problem(isLost: boolean): string {
    const { host } = this.outgoing.url;
    const variable = this.#proxyVariable;
    const through = variable === undefined ? "" : ` through the proxy in ${variable}`;
    if (this.stage === "connect") return `could not connect to ${host}${through}`;
    const [lost, late] =
      this.stage === "sent"
        ? [`the connection to ${host} was lost before a response arrived`, "did not respond"]
        : [`the response of ${host} is incomplete or damaged`, "did not send the whole response"];
    return isLost ? lost : `${host} ${late}`;
  }
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
