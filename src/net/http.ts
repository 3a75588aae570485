import { pipeline, type Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { proxyConnector } from "./connections.ts";
import {
  Exchange,
  ExchangeError,
  type HttpAnswer,
  type OpenAnswer,
  type Outgoing,
} from "./exchange.ts";
import { type Env, proxyFor } from "./proxy.ts";
import { Agent, request } from "./undici.ts";

export * from "./exchange.ts";
export { ProxySettingsError } from "./proxy.ts";

/**
 * Maximum age of an idle connection, in milliseconds, even if the server offers more. Requests come in bursts, and then
 * seconds apart. A request that must not be repeated should not get lost on an old connection that the server is about
 * to close.
 */
const KEEP_ALIVE = 500;

/** Limits of the body of an error: time, in milliseconds, and size, in bytes. */
const ERROR_LIMIT = 30_000;
const MAX_ERROR_BODY = 1024 * 1024;
/** Maximum length of a request ID in the log, in characters. */
const MAX_REQUEST_ID = 100;

/**
 * HTTP for GitHub and the service, with limits for time and size, and with proxies from the environment (`HTTPS_PROXY`,
 * `NO_PROXY`). It returns redirects instead of following them, and never sends a request twice. Its
 * errors say whether the server may have received the request.
 */
export class Http {
  readonly #env: Env;
  readonly #agent: Agent;
  readonly #debug: ((line: string) => void) | undefined;

  /**
   * @param env the environment variables, as in `process.env`
   * @param debug gets a line about every response and every failure. It may contain secrets
   */
  constructor(env: Env, debug?: (line: string) => void) {
    this.#env = env;
    this.#debug = debug;
    this.#agent = new Agent({
      connect: proxyConnector((url) => proxyFor(url, env)),
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
    const variable = proxyFor(outgoing.url, this.#env)?.variable;
    const exchange = new Exchange(outgoing, variable, this.#debug);
    try {
      const response = await this.#send(exchange);
      exchange.stage = "answer";
      const { statusCode: status } = response;
      const headers = joined(response.headers);
      const decoded = await decode(response.body, headers["content-encoding"]);
      const id = requestIdOf(headers);
      exchange.log(`${status}`, id === null ? "no request ID" : `request ID ${id}`);
      return { status, headers, body: limitBody(decoded, exchange, isGood(status)) };
    } catch (error) {
      throw exchange.failed(error);
    }
  }

  async #send(exchange: Exchange): Promise<Dispatcher.ResponseData> {
    const { signal } = exchange;
    const { url, method, headers, body } = exchange.outgoing;
    signal.throwIfAborted();
    const sending = request.call(watched(this.#agent, exchange), {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { "accept-encoding": "identity", ...headers },
      body: body ?? null,
      signal,
      // undici's timers are off: they would begin only with a connection.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // undici handles a signal only if there is a connection.
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    return await Promise.race([sending, aborted]);
  }

  /**
   * Sends a request, and reads the whole response.
   *
   * @throws ExchangeError, and ProxySettingsError before anything is sent
   */
  async exchange(outgoing: Outgoing): Promise<HttpAnswer> {
    return await readWhole(await this.open(outgoing));
  }
}

/** Headers by name; those that occur several times as one, with commas. */
function joined(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}`]));
}

/** Null if the server sent none, or one that is too long to show. */
function requestIdOf(headers: Record<string, string>): string | null {
  const id = headers["x-github-request-id"] ?? headers["x-request-id"];
  return id === undefined || id === "" || id.length > MAX_REQUEST_ID ? null : id;
}

/** Notes the stage when the request is written to a connection. */
function watched(agent: Agent, exchange: Exchange): ThisParameterType<typeof request> {
  return {
    dispatch: (options, handler) =>
      agent.dispatch(options, Object.assign(handler, { exchange, onConnect })),
  };
}

/** One function for all requests: a closure for each keeps more memory (docs/performance.md). */
function onConnect(this: { exchange: Exchange }, ...args: unknown[]): void {
  this.exchange.stage = "sent";
  Object.getPrototypeOf(this).onConnect.apply(this, args);
}

/** Decodes a body. Some servers encode it without being asked. A body with an unknown encoding is not changed. */
async function decode(body: Readable, encoding = ""): Promise<AsyncIterable<Uint8Array>> {
  const name = encoding.trim().toLowerCase();
  if (!["gzip", "x-gzip", "deflate", "br"].includes(name)) return body;
  const { createBrotliDecompress, createUnzip } = await import("node:zlib");
  const decoder = name === "br" ? createBrotliDecompress() : createUnzip();
  // The reader gets the errors.
  return pipeline(body, decoder, () => {});
}

/**
 * Applies the limits to the body of a response. They start now, even if nobody reads the body yet. The body can be
 * read once. This is not an async generator: a generator would keep its whole exchange in memory until V8 collects the
 * old generation, and with a thousand exchanges the young generation grows (docs/performance.md).
 */
function limitBody(
  body: AsyncIterable<Uint8Array>,
  exchange: Exchange,
  isGood: boolean,
): AsyncIterable<Uint8Array> {
  const { bodyLimit, maxBytes } = exchange.outgoing;
  const limit = isGood ? maxBytes : Math.min(maxBytes, MAX_ERROR_BODY);
  exchange.restart(isGood ? bodyLimit : Math.min(bodyLimit, ERROR_LIMIT));
  const chunks = body[Symbol.asyncIterator]();
  let bytes = 0;
  const take = async (method: "next" | "return"): Promise<IteratorResult<Uint8Array>> => {
    try {
      const taken = (await chunks[method]?.()) ?? { done: true, value: undefined };
      bytes += taken.value?.byteLength ?? 0;
      if (method === "return" || taken.done) exchange.clear();
      else if (bytes > limit) {
        exchange.abort("size-limit", `the response is larger than ${limit} bytes`);
      }
      exchange.signal.throwIfAborted();
      return taken;
    } catch (error) {
      throw exchange.failed(error);
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
 * @throws ExchangeError with reason `size-limit` if the body is larger than its limit
 */
export async function readWhole({ status, headers, body }: OpenAnswer): Promise<HttpAnswer> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    // The status of an error is enough, so its body may be missing.
    if (isGood(status) || !(error instanceof ExchangeError)) throw error;
    return { status, headers, text: "" };
  }
  // Unlike a Buffer, this removes a byte order mark.
  return { status, headers, text: new TextDecoder().decode(Buffer.concat(chunks)) };
}
