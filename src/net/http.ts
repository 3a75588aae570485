import { pipeline, type Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { connector } from "./connections.ts";
import {
  asExchangeError,
  type Break,
  ExchangeError,
  type HttpAnswer,
  type OpenAnswer,
  type Outgoing,
  TimeLimit,
} from "./exchange.ts";
import { type Env, proxyFor } from "./proxy.ts";
import { Agent, request } from "./undici.ts";

export {
  type Cause,
  ExchangeError,
  type HttpAnswer,
  type OpenAnswer,
  type Outgoing,
  type Stage,
} from "./exchange.ts";
export { ProxySettingsError } from "./proxy.ts";

/** Time limit for each step of a connection, in milliseconds. */
const CONNECT_LIMIT = 10_000;

/**
 * Maximum age of an idle connection, in milliseconds, even if the server offers more. Requests come in bursts, and then
 * seconds apart. A request that must not be repeated should not get lost on an old connection that the server is about
 * to close.
 */
const KEEP_ALIVE = 500;

export interface HttpOptions {
  /** Time limit for each step of a connection (connecting, tunnel, TLS), in milliseconds. */
  connectLimit?: number;
}

/**
 * HTTP for GitHub and the service, with limits for time and size, and with proxies from the environment (`HTTPS_PROXY`,
 * `HTTP_PROXY`, `NO_PROXY`). It returns redirects instead of following them, and never sends a request twice. Its
 * errors say whether the server may have received the request.
 */
export class Http {
  readonly #env: Env;
  readonly #closing = new AbortController();
  readonly #agent: Agent;

  /** @param env the environment variables, as in `process.env` */
  constructor(env: Env, { connectLimit = CONNECT_LIMIT }: HttpOptions = {}) {
    this.#env = env;
    const limits = { limit: connectLimit, signal: this.#closing.signal };
    this.#agent = new Agent({
      connect: connector((url) => proxyFor(url, env), limits),
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE,
      keepAliveMaxTimeout: KEEP_ALIVE,
    });
  }

  /**
   * Checks that the proxy settings for a URL are valid.
   *
   * @throws ProxySettingsError
   */
  checkProxy(url: URL): void {
    proxyFor(url, this.#env);
  }

  /**
   * Sends a request, and returns when the headers of the response have arrived.
   *
   * @throws ExchangeError, and ProxySettingsError before anything is sent
   */
  async open(outgoing: Outgoing): Promise<OpenAnswer> {
    const { url } = outgoing;
    const proxyVariable = proxyFor(url, this.#env)?.variable;
    const limit = new TimeLimit(outgoing.headerLimit, outgoing.signal);
    const at: Exchange = { stage: "connect", limit, host: url.host, proxyVariable };
    const failed = (error: unknown) => {
      limit.clear();
      return asExchangeError(error, at);
    };
    try {
      const { statusCode: status, headers, body } = await this.#send(outgoing, at);
      at.stage = "answer";
      const whole = (isGood(status) ? outgoing.streamLimit : undefined) ?? outgoing.bodyLimit;
      const flat = Object.entries(headers).map(([name, value]) => [
        name,
        [value].flat().join(", "),
      ]);
      const decoded = await decode(body, `${headers["content-encoding"] ?? ""}`);
      return {
        status,
        headers: Object.fromEntries(flat),
        body: limitBody(decoded, limit, whole, outgoing.idleLimit, failed),
      };
    } catch (error) {
      throw failed(error);
    }
  }

  async #send(
    { url, method, headers, body }: Outgoing,
    at: Exchange,
  ): Promise<Dispatcher.ResponseData> {
    const { signal } = at.limit;
    signal.throwIfAborted();
    const sent = request.call(watched(this.#agent, at), {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { "accept-encoding": "identity", ...headers },
      body: body ?? null,
      signal,
      // undici's own timers are off. The action's limits are exact, and also cover a slow body.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // undici handles a signal only if there is a connection.
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([sent, stopped]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /**
   * Sends a request, and reads the whole response.
   *
   * @param maxBytes maximum size of the body; a larger one is an error with reason `size-limit`
   * @throws ExchangeError, and ProxySettingsError before anything is sent
   */
  async exchange(outgoing: Outgoing, maxBytes: number): Promise<HttpAnswer> {
    return await readWhole(await this.open(outgoing), maxBytes);
  }

  /** Closes all connections, and cancels attempts, so that none keeps the process alive. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#agent.destroy();
  }
}

/** An exchange, as far as it has come. */
interface Exchange extends Break {
  limit: TimeLimit;
}

type Handler = Parameters<ThisParameterType<typeof request>["dispatch"]>[1];

/** Notes in `at` when the request is written to a connection. */
function watched(agent: Agent, at: Exchange): ThisParameterType<typeof request> {
  return {
    dispatch: (options, handler) =>
      agent.dispatch(options, Object.assign(handler, { at, onConnect })),
  };
}

/** One function for all requests: a closure for each keeps more memory (docs/performance.md). */
function onConnect(
  this: Handler & { at: Exchange },
  ...args: Parameters<Handler["onConnect"]>
): void {
  this.at.stage = "sent";
  Object.getPrototypeOf(this).onConnect.apply(this, args);
}

const DECODERS = new Map<string, "Gunzip" | "Inflate" | "BrotliDecompress">([
  ["gzip", "Gunzip"],
  ["x-gzip", "Gunzip"],
  ["deflate", "Inflate"],
  ["br", "BrotliDecompress"],
]);

/** Decodes a body. Some servers encode it without being asked. A body with an unknown encoding is not changed. */
async function decode(body: Readable, encodings: string): Promise<AsyncIterable<Uint8Array>> {
  const names = encodings.toLowerCase().split(",").reverse();
  const decoders = names.map((name) => DECODERS.get(name.trim())).filter((it) => it !== undefined);
  if (decoders.length < names.length) return body;
  const zlib = await import("node:zlib");
  const streams = decoders.map((name) => zlib[`create${name}`]());
  // The reader gets the errors.
  pipeline([body, ...streams], () => {});
  return streams.at(-1) ?? body;
}

/**
 * Applies time limits to the body of a response. They start now, even if nobody reads the body yet. The body can be
 * read once. This is not an async generator: a generator would keep its whole exchange in memory until V8 collects the
 * old generation, and with a thousand exchanges the young generation grows (docs/performance.md).
 *
 * @param limit the limit of the exchange, which is restarted for the body
 * @param whole for the whole body, in milliseconds
 * @param idle between two pieces
 */
function limitBody(
  body: AsyncIterable<Uint8Array>,
  limit: TimeLimit,
  whole: number,
  idle: number | undefined,
  failed: (error: unknown) => ExchangeError,
): AsyncIterable<Uint8Array> {
  const end = performance.now() + whole;
  const restart = () => {
    const rest = Math.max(0, end - performance.now());
    if (idle !== undefined && idle < rest) limit.restart(idle, "idle-limit");
    else limit.restart(rest, "time-limit", whole);
  };
  restart();
  const chunks = body[Symbol.asyncIterator]();
  const take = async (what: "next" | "return"): Promise<IteratorResult<Uint8Array>> => {
    try {
      const taken = (await chunks[what]?.()) ?? { done: true, value: undefined };
      if (what === "return" || taken.done) limit.clear();
      else if (idle !== undefined) restart();
      return taken;
    } catch (error) {
      throw failed(error);
    }
  };
  const iterator = { next: () => take("next"), return: () => take("return") };
  return { [Symbol.asyncIterator]: () => iterator };
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Reads the whole body of a response.
 *
 * @throws ExchangeError with reason `size-limit` if the body is larger than `maxBytes`
 */
export async function readWhole(
  { status, headers, body }: OpenAnswer,
  maxBytes: number,
): Promise<HttpAnswer> {
  const chunks: Uint8Array[] = [];
  const count = atMost(maxBytes);
  try {
    for await (const chunk of body) {
      count(chunk);
      chunks.push(chunk);
    }
  } catch (error) {
    // The status of an error is enough, so its body may be missing.
    if (isGood(status)) throw error;
    return { status, headers, text: "" };
  }
  // Unlike a Buffer, this removes a byte order mark.
  return { status, headers, text: new TextDecoder().decode(Buffer.concat(chunks)) };
}

/**
 * Passes on a body.
 *
 * @throws ExchangeError with reason `size-limit` if the body is larger than `maxBytes`
 */
export async function* upTo(
  maxBytes: number,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const count = atMost(maxBytes);
  for await (const chunk of body) {
    count(chunk);
    yield chunk;
  }
}

/** Counts the bytes of a body, and throws if there are too many. */
function atMost(maxBytes: number): (chunk: Uint8Array) => void {
  let bytes = 0;
  return ({ byteLength }) => {
    bytes += byteLength;
    if (bytes <= maxBytes) return;
    const message = `the response is larger than ${maxBytes} bytes`;
    throw new ExchangeError("answer", "size-limit", message);
  };
}
