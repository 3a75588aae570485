/** A request as it goes out, with its limits. */
export interface Outgoing {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Milliseconds until the answer's status and headers must be there. */
  headerLimit: number;
  /** Milliseconds from the headers until the body must be there as a whole. */
  bodyLimit: number;
  /** In place of `bodyLimit`, for the body of a successful answer: one that comes as things happen. */
  streamLimit?: number;
  /** Milliseconds that may pass between two pieces of the body. Default: as long as the whole may take. */
  idleLimit?: number;
  signal?: AbortSignal | undefined;
}

/** A whole answer. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** An answer whose body is still to come. */
export interface OpenAnswer {
  status: number;
  headers: Record<string, string>;
  /** The body as it arrives. Throws `ExchangeError` with stage `answer` when it breaks off. */
  body: AsyncIterable<Uint8Array>;
}

/** The longest time that Node's timers hold, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

type Expiry = "time-limit" | "idle-limit";

/** A time limit that can be set anew, joined with the caller's own signal. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #stop = () => {
    // A body that nobody reads to its end would leave its timer behind.
    clearTimeout(this.#timer);
    this.#controller.abort(new Error("stopped"));
  };
  #timer: NodeJS.Timeout | undefined;
  #milliseconds = 0;
  #expired: Expiry | undefined;

  /**
   * @param milliseconds until the signal is aborted
   * @param caller aborts it too
   */
  constructor(milliseconds: number, caller?: AbortSignal) {
    this.#caller = caller;
    this.restart(milliseconds);
    if (caller?.aborted) this.#stop();
    else caller?.addEventListener("abort", this.#stop, { once: true });
  }

  /** Aborted when the time is over, or the caller stops. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The limit as messages name it. */
  get milliseconds(): number {
    return this.#milliseconds;
  }

  /** Whether the caller has stopped. */
  get stopped(): boolean {
    return this.#caller?.aborted ?? false;
  }

  /** Which kind of limit ran out, once one has. */
  get expired(): Expiry | undefined {
    return this.#expired;
  }

  /** @param told milliseconds that a message names, where these are but the rest of them */
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

  /** Waits for something, but no longer than the limit lasts: then throws what the signal was aborted with. */
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

  /** Ends the limit: nothing is aborted from here on. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#stop);
  }
}

/** How far an exchange came before it broke off; what may be tried again follows from it. */
export type Stage =
  /** It is proven that no connection was made: the other side has received nothing. */
  | "connect"
  /** Everything else before an answer began: the other side may have received the request. */
  | "sent"
  /** An answer began and did not arrive whole. */
  | "answer";

export type Cause = "network" | "time-limit" | "idle-limit" | "size-limit" | "stopped";

/** An exchange that did not end in a whole answer. */
export class ExchangeError extends Error {
  override readonly name = "ExchangeError";
  /** How far it came. */
  readonly stage: Stage;
  /** What ended it; `stopped` is the caller's own signal. */
  readonly reason: Cause;

  constructor(stage: Stage, reason: Cause, message: string, options?: ErrorOptions) {
    super(message, options);
    this.stage = stage;
    this.reason = reason;
  }
}

/** What is told of an exchange that broke off. */
export interface Break {
  stage: Stage;
  /** The limit that the exchange was under: it may be what ended it. */
  limit: TimeLimit;
  /** Host and port that were asked. */
  host: string;
  /** The variable that names the proxy in between, if there is one. */
  proxyVariable?: string | undefined;
}

/** What was thrown during an exchange, as an {@link ExchangeError}. */
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

/** An error code or message, without anything of the request in it. */
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
 * @param value the header as it came, if it came
 * @param now the time of day, in milliseconds since 1970
 * @returns milliseconds to wait, never negative; undefined when there is no header or it says nothing
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // A date starts with the name of a day; Date.parse alone would also take "-5" for one.
  const date = /^[a-z]{3,9},? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
