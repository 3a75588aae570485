import { TunnelError } from "./proxy.ts";

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
  /** Maximum size of the body, in bytes. Of an error, at most 1 MiB is read. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

/** A complete response. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A response whose body has not been read yet. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it arrives. Throws `ExchangeError` with stage `answer` if it is interrupted. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** How far an exchange got before it failed. This decides whether it can be repeated. */
export type Stage =
  /** There was no connection, so the server received nothing. */
  | "connect"
  /** There was no response yet. The server may have received the request. */
  | "sent"
  /** The response began, but is not complete. */
  | "answer";

/** An exchange without a complete response. */
export class ExchangeError extends Error {
  override readonly name = "ExchangeError";
  readonly stage: Stage;
  /** `stopped` means the caller's signal. */
  readonly reason: "network" | "time-limit" | "size-limit" | "stopped";

  constructor(
    stage: Stage,
    reason: ExchangeError["reason"],
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.stage = stage;
    this.reason = reason;
  }
}

/** Maximum delay of a timer in Node, in milliseconds. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** An exchange under way: how far it got, its time limit, and why it failed. */
export class Exchange {
  readonly outgoing: Outgoing;
  stage: Stage = "connect";
  readonly #proxyVariable: string | undefined;
  readonly #debug: (line: string) => void;
  readonly #begun = Date.now();
  readonly #controller = new AbortController();
  /** Aborted with an {@link ExchangeError} at a limit, or when the caller stops. */
  readonly signal: AbortSignal = this.#controller.signal;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param proxyVariable the environment variable that names the proxy; undefined without a proxy
   * @param debug gets the lines of the debug log
   */
  constructor(outgoing: Outgoing, proxyVariable?: string, debug = (_line: string) => {}) {
    this.outgoing = outgoing;
    this.#debug = debug;
    this.#proxyVariable = proxyVariable;
    this.restart(outgoing.headerLimit);
    if (outgoing.signal?.aborted) this.#stop();
    else outgoing.signal?.addEventListener("abort", this.#stop, { once: true });
  }

  /** Replaces the time limit, in milliseconds. */
  restart(limit: number): void {
    clearTimeout(this.#timer);
    if (this.signal.aborted) return;
    const end = () =>
      this.abort("time-limit", `${this.#problem()} within ${Math.round(limit / 100) / 10} s`);
    this.#timer = setTimeout(end, Math.min(limit, LONGEST_TIMER));
  }

  /** Ends the limits. The signal is no longer aborted. */
  clear(): void {
    clearTimeout(this.#timer);
    this.outgoing.signal?.removeEventListener("abort", this.#stop);
  }

  /** Ends the exchange. A second time does nothing: the first reason counts. */
  abort(reason: ExchangeError["reason"], message: string, options?: ErrorOptions): void {
    // Without this, a body that nobody reads to its end would leave its timer running.
    this.clear();
    this.#controller.abort(new ExchangeError(this.stage, reason, message, options));
  }

  /** Logs how far the exchange got. The query is left out, and so are user and password. */
  log(outcome: string, detail: string): void {
    const { method, url } = this.outgoing;
    const after = `after ${Date.now() - this.#begun} ms`;
    this.#debug(`${method} ${url.origin}${url.pathname}: ${outcome} ${after}, ${detail}`);
  }

  /**
   * Ends the exchange.
   *
   * @returns why it failed
   * @throws the cause itself if it is a mistake of the action, which is never the network's
   */
  failed(cause: unknown): ExchangeError {
    if (!isFromOutside(cause)) {
      this.clear();
      // Otherwise, its connection would stay open.
      this.#controller.abort(cause);
      throw cause;
    }
    this.abort("network", `${this.#problem()} (${codeOrMessage(cause)})`, { cause });
    const error: ExchangeError = this.signal.reason;
    this.log(`failed (${error.stage})`, error.message);
    return error;
  }

  readonly #stop = () => this.abort("stopped", "stopped by the run");

  #problem(): string {
    const { host } = this.outgoing.url;
    const variable = this.#proxyVariable;
    const through = variable === undefined ? "" : ` through the proxy in ${variable}`;
    if (this.stage === "connect") return `could not connect to ${host}${through}`;
    return `${host} did not ${this.stage === "sent" ? "respond" : "send a complete response"}`;
  }
}

/** The codes with which undici refuses a request that the action should not have made. */
const MISTAKES = [
  "UND_ERR_INVALID_ARG",
  "UND_ERR_NOT_SUPPORTED",
  "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
];

/**
 * Whether an exchange failed because of the network, the server, a proxy, a limit or the caller. What sockets, TLS,
 * name servers, decoders and undici throw for these has a code, except for undici's errors about bytes that are not
 * HTTP, and TLS alerts that OpenSSL has no words for. undici's own assertions count, too: a server can make them fail.
 */
function isFromOutside(cause: unknown): boolean {
  if (cause instanceof ExchangeError || cause instanceof TunnelError) return true;
  if (!(cause instanceof Error)) return false;
  if (cause.name === "HTTPParserError" || "library" in cause) return true;
  // Node's own errors about wrong arguments have codes, too.
  if (cause instanceof TypeError || cause instanceof RangeError) return false;
  const code = codeOf(cause);
  return code !== null && !MISTAKES.includes(code);
}

/** The code of a network error, or its message. Neither contains parts of the request. */
function codeOrMessage(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.message : String(error));
}

/** Null without one. The error of several addresses may have no more than theirs (nodejs/node#54359). */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : null;
}

/**
 * Reads a `Retry-After` header (RFC 9110, 10.2.3): seconds, or an HTTP date.
 *
 * @param value the header; undefined if it is missing
 * @param now the time of day, in milliseconds since 1970
 * @returns the delay in milliseconds, never negative; null if the header is missing or invalid
 */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // A date starts with the name of a day. Date.parse alone would also accept "-5".
  const date = /^[a-z]{3,9},? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
