import { type Agent, type IncomingMessage, request } from "node:http";
import { pipeline } from "node:stream";
import { connectionsTo } from "./connections.ts";
import {
  asExchangeError,
  ExchangeError,
  type HttpAnswer,
  type OpenAnswer,
  type Outgoing,
  type Stage,
  TimeLimit,
} from "./exchange.ts";
import { type Env, proxyFor } from "./proxy.ts";

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

export interface HttpOptions {
  /** Time limit for each step of a connection (connecting with TLS, tunnel), in milliseconds. */
  connectLimit?: number;
}

/**
 * HTTP for GitHub and the service, with limits for time and size, and with proxies from the environment (`HTTPS_PROXY`,
 * `HTTP_PROXY`, `NO_PROXY`). It returns redirects instead of following them, and never sends a request twice. Its
 * errors say whether the server may have received the request.
 */
export class Http {
  readonly #env: Env;
  readonly #connectLimit: number;
  readonly #closing = new AbortController();
  /** The connections by origin, so that the polls of a run share one. */
  readonly #agents = new Map<string, Promise<Agent>>();

  /** @param env the environment variables, as in `process.env` */
  constructor(env: Env, { connectLimit = CONNECT_LIMIT }: HttpOptions = {}) {
    this.#env = env;
    this.#connectLimit = connectLimit;
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
    const proxy = proxyFor(url, this.#env);
    const limit = new TimeLimit(outgoing.headerLimit, outgoing.signal);
    let stage: Stage = "connect";
    const failed = (error: unknown) => {
      limit.clear();
      const at = { stage, limit, host: url.host, proxyVariable: proxy?.variable };
      return asExchangeError(error, at);
    };
    try {
      const steps = { limit: this.#connectLimit, signal: this.#closing.signal };
      const agent = this.#agents.get(url.origin) ?? connectionsTo(url, proxy, steps);
      this.#agents.set(url.origin, agent);
      const response = await send(outgoing, await agent, limit.signal, () => {
        stage = "sent";
      });
      stage = "answer";
      const { statusCode: status = 0 } = response;
      const received = limitBody(limit, outgoing, status);
      const body = limited(await decoded(response), limit, received, failed);
      const headers = Object.entries(response.headers).map(([name, value]) => [name, `${value}`]);
      return { status, headers: Object.fromEntries(headers), body };
    } catch (error) {
      throw failed(error);
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
    for (const agent of this.#agents.values()) (await agent).destroy();
  }
}

/** @param onConnection called right before the request is written to a connection */
function send(
  { method, url, headers, body }: Outgoing,
  agent: Agent,
  signal: AbortSignal,
  onConnection: () => void,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  signal.throwIfAborted();
  const length = body === undefined ? {} : { "content-length": `${Buffer.byteLength(body)}` };
  const sent = request(url, {
    ...{ method, agent },
    headers: { "accept-encoding": "identity", ...length, ...headers },
  });
  sent.once("socket", onConnection).on("response", resolve).on("error", reject);
  signal.addEventListener("abort", () => {
    // Without a connection, the request itself reports nothing.
    reject(signal.reason);
    sent.destroy();
  });
  sent.end(body);
  return promise;
}

const DECODERS: Readonly<Record<string, "Gunzip" | "Inflate" | "BrotliDecompress">> = {
  ...{ gzip: "Gunzip", "x-gzip": "Gunzip", deflate: "Inflate", br: "BrotliDecompress" },
};

/** Decodes a body. Some servers encode it without being asked. A body with an unknown encoding is not changed. */
async function decoded(response: IncomingMessage): Promise<AsyncIterable<Uint8Array>> {
  const encodings = response.headers["content-encoding"]?.toLowerCase().split(",") ?? [];
  const decoders = encodings.reverse().map((name) => DECODERS[name.trim()]);
  if (decoders.length === 0 || decoders.includes(undefined)) return response;
  const zlib = await import("node:zlib");
  const streams = decoders.map((name) => zlib[`create${name as "Gunzip"}`]());
  // The reader gets the errors.
  pipeline([response, ...streams], () => {});
  return streams.at(-1) ?? response;
}

/**
 * Sets the limits for the body of a response. They start now, even if nobody reads the body yet.
 *
 * @returns restarts the limit for the next piece
 */
function limitBody(
  limit: TimeLimit,
  { bodyLimit, streamLimit, idleLimit }: Outgoing,
  status: number,
): () => void {
  const whole = (isGood(status) ? streamLimit : undefined) ?? bodyLimit;
  const end = performance.now() + whole;
  const restart = () => {
    const rest = Math.max(0, end - performance.now());
    if (idleLimit !== undefined && idleLimit < rest) limit.restart(idleLimit, "idle-limit");
    else limit.restart(rest, "time-limit", whole);
  };
  restart();
  return idleLimit === undefined ? () => {} : restart;
}

/** Passes on a body until a limit ends it. @param received called with each piece */
async function* limited(
  body: AsyncIterable<Uint8Array>,
  limit: TimeLimit,
  received: () => void,
  failed: (error: unknown) => ExchangeError,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      received();
      yield chunk;
    }
  } catch (error) {
    throw failed(error);
  } finally {
    limit.clear();
  }
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
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of upTo(maxBytes, body)) chunks.push(chunk);
    // Unlike a Buffer, this removes a byte order mark.
    return { status, headers, text: new TextDecoder().decode(Buffer.concat(chunks)) };
  } catch (error) {
    // The status of an error is enough, so its body may be missing.
    if (isGood(status)) throw error;
    return { status, headers, text: "" };
  }
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
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      const message = `the response is larger than ${maxBytes} bytes`;
      throw new ExchangeError("answer", "size-limit", message);
    }
    yield chunk;
  }
}
