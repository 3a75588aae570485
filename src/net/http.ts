import { limitBody, readWhole } from "./body.ts";
import { Connector } from "./connector.ts";
import {
  asExchangeError,
  ExchangeError,
  type HttpAnswer,
  type OpenAnswer,
  type Outgoing,
  TimeLimit,
} from "./exchange.ts";
import { type Env, proxyFor } from "./proxy.ts";
import { Agent, request } from "./undici.ts";

export { readWhole, upTo } from "./body.ts";
export type { HttpAnswer, OpenAnswer, Outgoing } from "./exchange.ts";
export { type Cause, ExchangeError, type Stage } from "./exchange.ts";
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
  readonly #connector: Connector;
  readonly #agent: Agent;

  /** @param env the environment variables, as in `process.env` */
  constructor(env: Env, { connectLimit = CONNECT_LIMIT }: HttpOptions = {}) {
    this.#env = env;
    this.#connector = new Connector({
      proxyFor: (url) => proxyFor(url, env),
      limit: connectLimit,
      signal: this.#closing.signal,
    });
    this.#agent = new Agent({
      connect: this.#connector.connect,
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
    if (outgoing.signal?.aborted) {
      throw new ExchangeError("connect", "stopped", "stopped by the run");
    }
    const limit = new TimeLimit(outgoing.headerLimit, outgoing.signal);
    const watch = this.#connector.watch(url.origin);
    try {
      // undici handles a signal only if there is a connection.
      const response = await limit.within(
        request.call(this.#agent, {
          origin: url.origin,
          path: url.pathname + url.search,
          method: outgoing.method,
          headers: { "accept-encoding": "identity", ...outgoing.headers },
          body: outgoing.body ?? null,
          signal: limit.signal,
          // undici's own timers are off. The limits above are exact, and also cover a slow body.
          headersTimeout: 0,
          bodyTimeout: 0,
        }),
      );
      const status = response.statusCode;
      const isGood = status >= 200 && status < 300;
      const bodyLimit = (isGood ? outgoing.streamLimit : undefined) ?? outgoing.bodyLimit;
      const sent = limitBody(response.body, limit, { ...outgoing, bodyLimit });
      const headers = flatten(response.headers);
      const body = await decoded(sent, headers["content-encoding"], url.host);
      return { status, headers, body };
    } catch (error) {
      limit.clear();
      const stage = watch.provesNoConnection(error) ? "connect" : "sent";
      throw asExchangeError(error, { stage, limit, host: url.host, proxyVariable });
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

/** Decodes the body. Some servers encode it without being asked. */
async function decoded(
  body: OpenAnswer["body"],
  encodings: string | undefined,
  host: string,
): Promise<OpenAnswer["body"]> {
  if (encodings === undefined || encodings === "identity") return body;
  const { decode } = await import("./decode.ts");
  return decode(body, encodings, host);
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}
