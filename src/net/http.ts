import { setFlagsFromString } from "node:v8";
import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";

/** Largest delay for a connection to be made, TLS included, in milliseconds. */
const CONNECT_LIMIT = 10_000;

/**
 * How long an idle connection is kept, in milliseconds, whatever the other side offers. Requests come in
 * bursts and then seconds apart: a request that must not be repeated is never lost on an old connection
 * that the other side was just about to close.
 */
const KEEP_ALIVE = 500;

/**
 * undici's parser is WebAssembly, which V8 begins to optimize in the background after a few answers, and
 * waits for at the end of the process: longer than all requests of a run take. Without, it is fast enough.
 */
const NO_TIER_UP = "--wasm-tiering-budget=100000000";

const AGENT_OPTIONS = {
  connect: { timeout: CONNECT_LIMIT },
  keepAliveTimeout: KEEP_ALIVE,
  keepAliveMaxTimeout: KEEP_ALIVE,
};

/** How far an exchange came before it broke off; what may be tried again follows from it. */
export type Stage =
  /** No connection was made: the other side has received nothing. */
  | "connect"
  /** The request went out, in part or whole, and no answer began. */
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

export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** An answer whose body is still to come. */
export interface OpenAnswer {
  status: number;
  headers: Record<string, string>;
  /** The body as it arrives. Throws {@link ExchangeError} with stage `answer` when it breaks off. */
  body: AsyncIterable<Uint8Array>;
}

/**
 * HTTP for both services: connect, header, body and size limits, proxies from the environment
 * (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`), redirects handed back and never followed, and failures
 * that tell whether anything can have been received.
 */
export class Http {
  readonly #direct = new Agent(AGENT_OPTIONS);
  readonly #proxies: Proxies;
  #proxied: Promise<Dispatcher> | undefined;

  /** @param env where proxies are configured, as `process.env` has it */
  constructor(env: Record<string, string | undefined>) {
    setFlagsFromString(NO_TIER_UP);
    this.#proxies = {
      "http:": env.http_proxy || env.HTTP_PROXY || "",
      "https:": env.https_proxy || env.HTTPS_PROXY || "",
      noProxy: env.no_proxy ?? env.NO_PROXY ?? "",
    };
  }

  /**
   * Sends a request and returns once the answer's headers are there.
   *
   * @throws ExchangeError
   */
  async open(outgoing: Outgoing): Promise<OpenAnswer> {
    const dispatcher = await this.#dispatcher(outgoing.url);
    const limit = new TimeLimit(outgoing.headerLimit, outgoing.signal);
    let stage: Stage = "connect";
    const watched = watchConnect(dispatcher, () => {
      stage = "sent";
    });
    try {
      const response = await request.call(watched, {
        origin: outgoing.url.origin,
        path: outgoing.url.pathname + outgoing.url.search,
        method: outgoing.method,
        headers: outgoing.headers,
        body: outgoing.body ?? null,
        signal: limit.signal,
        // undici's own timers are off: the limits above are exact, and cover a body that drips.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      stage = "answer";
      const isGood = response.statusCode >= 200 && response.statusCode < 300;
      const bodyLimit = (isGood ? outgoing.streamLimit : undefined) ?? outgoing.bodyLimit;
      return {
        status: response.statusCode,
        headers: flatten(response.headers),
        body: readBody(response.body, limit, { ...outgoing, bodyLimit }),
      };
    } catch (error) {
      limit.clear();
      throw broken(stage, limit, error, outgoing.url);
    }
  }

  /**
   * Sends a request and reads the whole answer.
   *
   * @param maxBytes a longer body ends with reason `size-limit`
   * @throws ExchangeError
   */
  async exchange(outgoing: Outgoing, maxBytes: number): Promise<Answer> {
    return await readWhole(await this.open(outgoing), maxBytes);
  }

  /** Drops every connection, so that none keeps the process alive. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#direct.destroy(), this.#proxied?.then((it) => it.destroy())]);
  }

  async #dispatcher(url: URL): Promise<Dispatcher> {
    if (this.#proxies[url.protocol as "http:" | "https:"] === "") return this.#direct;
    this.#proxied ??= createProxyDispatcher(this.#proxies);
    return this.#proxied;
  }
}

/**
 * Reads the whole body of an answer.
 *
 * @param maxBytes a longer body ends with reason `size-limit`
 * @throws ExchangeError
 */
export async function readWhole(
  { status, headers, body }: OpenAnswer,
  maxBytes: number,
): Promise<Answer> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of upTo(maxBytes, body)) chunks.push(chunk);
  } catch (error) {
    // Outside of success the status alone has told the outcome; what the body says can be missed.
    if (status >= 200 && status < 300) throw error;
    return { status, headers, text: "" };
  }
  return { status, headers, text: Buffer.concat(chunks).toString("utf8") };
}

/**
 * A body that ends with reason `size-limit` when it grows larger than so many bytes.
 *
 * @throws ExchangeError
 */
export async function* upTo(
  maxBytes: number,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      const message = `the answer is larger than ${maxBytes} bytes`;
      throw new ExchangeError("answer", "size-limit", message);
    }
    yield chunk;
  }
}

interface Proxies {
  "http:": string;
  "https:": string;
  noProxy: string;
}

async function createProxyDispatcher(proxies: Proxies): Promise<Dispatcher> {
  const [{ default: EnvHttpProxyAgent }, { default: connect }, { default: Dispatcher }] =
    await Promise.all([
      import("undici/lib/dispatcher/env-http-proxy-agent.js"),
      import("undici/lib/api/api-connect.js"),
      import("undici/lib/dispatcher/dispatcher.js"),
    ]);
  // What undici's entry module does with all of its methods; a proxy needs this one for its tunnels.
  Object.assign(Dispatcher.prototype, { connect });
  // undici 6 announces the class as experimental in every process that uses it; it is stable since 7.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const { connect: tls } = AGENT_OPTIONS;
    return new EnvHttpProxyAgent({
      ...AGENT_OPTIONS,
      ...{ requestTls: tls, proxyTls: tls },
      httpProxy: proxies["http:"],
      httpsProxy: proxies["https:"],
      noProxy: proxies.noProxy,
    });
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** undici calls `onConnect` right before it writes a request to a connection that stands. */
function watchConnect(dispatcher: Dispatcher, onConnect: () => void): Dispatcher {
  return {
    dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandlers) {
      const connected = handler.onConnect;
      handler.onConnect = function (...args) {
        onConnect();
        connected?.apply(this, args);
      };
      return dispatcher.dispatch(options, handler);
    },
  } as unknown as Dispatcher;
}

/** The limits run from here on, whether or not anybody has begun to read. */
function readBody(
  body: AsyncIterable<Uint8Array>,
  limit: TimeLimit,
  { url, bodyLimit, idleLimit = Number.POSITIVE_INFINITY }: Outgoing,
): AsyncGenerator<Uint8Array> {
  const end = performance.now() + bodyLimit;
  const restart = () => {
    const rest = Math.max(0, end - performance.now());
    if (idleLimit < rest) limit.restart(idleLimit, "idle-limit");
    else limit.restart(rest, "time-limit", bodyLimit);
  };
  restart();
  return (async function* () {
    try {
      for await (const chunk of body) {
        if (idleLimit < Number.POSITIVE_INFINITY) restart();
        yield chunk;
      }
    } catch (error) {
      throw broken("answer", limit, error, url);
    } finally {
      limit.clear();
    }
  })();
}

/** A time limit that can be set anew, joined with the caller's own signal. */
class TimeLimit {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #stop = () => {
    // A body that nobody reads to its end would leave its timer behind.
    clearTimeout(this.#timer);
    this.#controller.abort(new Error("stopped"));
  };
  #timer: NodeJS.Timeout | undefined;
  #milliseconds = 0;
  #reason: "time-limit" | "idle-limit" = "time-limit";
  /** Which kind of limit ran out, once one has. */
  expired: "time-limit" | "idle-limit" | undefined;

  constructor(milliseconds: number, caller?: AbortSignal) {
    this.#caller = caller;
    this.restart(milliseconds);
    if (caller?.aborted) this.#stop();
    else caller?.addEventListener("abort", this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get milliseconds(): number {
    return this.#milliseconds;
  }

  get stopped(): boolean {
    return this.#caller?.aborted ?? false;
  }

  /** @param told milliseconds that a message names, where these are but the rest of them */
  restart(
    milliseconds: number,
    reason: "time-limit" | "idle-limit" = "time-limit",
    told = milliseconds,
  ): void {
    clearTimeout(this.#timer);
    this.#milliseconds = told;
    this.#reason = reason;
    this.#timer = setTimeout(
      () => {
        this.expired = this.#reason;
        this.#controller.abort(new Error("time limit"));
      },
      Math.min(milliseconds, 2 ** 31 - 1),
    );
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#stop);
  }
}

function broken(stage: Stage, limit: TimeLimit, error: unknown, url: URL): ExchangeError {
  if (error instanceof ExchangeError) return error;
  const cause: ErrorOptions = { cause: error };
  if (limit.stopped) return new ExchangeError(stage, "stopped", "stopped by the run", cause);
  if (limit.expired !== undefined) {
    const seconds = Math.round(limit.milliseconds / 100) / 10;
    const awaited = stage === "answer" ? "the whole answer" : "an answer";
    const message =
      limit.expired === "idle-limit"
        ? `${url.host} fell silent in the middle of the answer, for ${seconds} s`
        : `${url.host} did not give ${awaited} within ${seconds} s`;
    return new ExchangeError(stage, limit.expired, message, cause);
  }
  const what = {
    connect: `no connection to ${url.host} could be made`,
    sent: `the connection to ${url.host} was lost before an answer came`,
    answer: `the connection to ${url.host} was lost in the middle of the answer`,
  }[stage];
  return new ExchangeError(stage, "network", `${what} (${reasonOf(error)})`, cause);
}

/** An error code or message, without anything of the request in it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  const nested =
    error instanceof AggregateError ? (error.errors[0] as unknown) : (error.cause as unknown);
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && !code.startsWith("UND_ERR_INFO")) return code;
  return nested instanceof Error ? reasonOf(nested) : error.message;
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}
