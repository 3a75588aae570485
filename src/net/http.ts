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

/** How long each step on the way to a connection may take, in milliseconds. */
const CONNECT_LIMIT = 10_000;

/**
 * How long an idle connection is kept, in milliseconds, whatever the other side offers. Requests come in
 * bursts and then seconds apart: one that must not be repeated should not be lost on an old connection that
 * the other side is about to close.
 */
const KEEP_ALIVE = 500;

export interface HttpOptions {
  /** Milliseconds for each step on the way to a connection: to connect, to open a tunnel, to agree on TLS. */
  connectLimit?: number;
}

/**
 * HTTP for both services: connect, header, body and size limits, proxies from the environment
 * (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`), redirects handed back and never followed, and failures
 * that tell whether anything can have been received. Nothing is ever sent twice.
 */
export class Http {
  readonly #env: Env;
  readonly #closing = new AbortController();
  readonly #connector: Connector;
  readonly #agent: Agent;

  /** @param env where proxies are configured, as `process.env` has it */
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
   * Checks, before anything is sent to an address, that the environment's settings for it can be used.
   *
   * @throws ProxySettingsError
   */
  checkProxy(url: URL): void {
    proxyFor(url, this.#env);
  }

  /**
   * Sends a request and returns once the answer's headers are there.
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
      // undici notices a signal only once there is a connection.
      const response = await limit.within(
        request.call(this.#agent, {
          origin: url.origin,
          path: url.pathname + url.search,
          method: outgoing.method,
          headers: { "accept-encoding": "identity", ...outgoing.headers },
          body: outgoing.body ?? null,
          signal: limit.signal,
          // undici's own timers are off: the limits above are exact, and cover a body that drips.
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
   * Sends a request and reads the whole answer.
   *
   * @param maxBytes a longer body ends with reason `size-limit`
   * @throws ExchangeError, and ProxySettingsError before anything is sent
   */
  async exchange(outgoing: Outgoing, maxBytes: number): Promise<HttpAnswer> {
    return await readWhole(await this.open(outgoing), maxBytes);
  }

  /** Drops every connection, made or in the making, so that none keeps the process alive. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#agent.destroy();
  }
}

/** The body as it was before it was encoded, which some do unasked. */
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
