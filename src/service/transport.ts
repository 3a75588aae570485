import { parseRetryAfter } from "../net/exchange.ts";
import { ExchangeError, type Http, type Outgoing, readWhole, upTo } from "../net/http.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { withoutTrailingSlash } from "../text/link.ts";
import type { Secrets } from "../text/secrets.ts";
import type { CallOptions } from "./agent.ts";
import {
  describe,
  failureOf,
  refused,
  type SafeAnswer,
  safeAnswer,
  safeHeaders,
} from "./answers.ts";
import { ServiceError } from "./errors.ts";
import { keyKindOf } from "./keys.ts";

/** Largest JSON answer that is read unless the caller says otherwise, in bytes. */
const MAX_JSON = 1024 * 1024;
/** Milliseconds until an answer's headers must be there. */
const HEADER_LIMIT = 30_000;
/** Milliseconds from the headers until the whole body must be there. */
const BODY_LIMIT = 30_000;

/** The service's URL and the key. */
interface ServiceAccess {
  /** Address of the service, checked: `https:` unless the host is loopback. */
  baseUrl: URL;
  /** Sent as a bearer token, and removed from everything that the service returns. */
  apiKey: string;
}

/** Options of a request for JSON. */
interface JsonOptions extends CallOptions {
  query?: Record<string, string>;
  /** Largest answer that is read, in bytes. Default: 1 MiB. */
  maxBytes?: number;
}

/** Time limits of a streamed response. */
interface StreamOptions extends CallOptions {
  /** Milliseconds until the answer must begin. Default: 30 s. */
  headerLimit?: number;
  /** Milliseconds that it may be silent. Default: as long as it may take as a whole. */
  idleLimit?: number;
  /** Maximum size of the response, in bytes. */
  maxBytes: number;
}

/** A successful response whose body is still arriving. */
export interface StreamReply {
  /** By lower-case name, without secrets. */
  headers: Record<string, string>;
  /**
   * As it comes. Secrets are still in it: they may be divided by what its reader takes away, who takes them out.
   * Throws `ServiceError`.
   */
  text: AsyncIterable<string>;
}

/** The JSON of a successful response, and its `Retry-After` in milliseconds. */
export interface JsonReply {
  value: unknown;
  retryAfter: number | undefined;
}

/**
 * Carries the key to the service, and nowhere else. Of what the service says, it hands on nothing but
 * streams from which the secrets have not been taken out.
 */
export class Transport {
  readonly #access: ServiceAccess;
  readonly #http: Http;
  readonly #clock: Dependencies["clock"];
  /** For readers of streams. */
  readonly secrets: Secrets;

  /** @throws ProxySettingsError if the service is behind a proxy whose settings cannot be used */
  constructor(
    access: ServiceAccess,
    { http, clock, secrets }: Pick<Dependencies, "http" | "clock" | "secrets">,
  ) {
    http.checkProxy(access.baseUrl);
    this.#access = access;
    this.#http = http;
    this.#clock = clock;
    this.secrets = secrets.and(access.apiKey);
  }

  /**
   * One request, one JSON answer. Nothing is tried again, and no redirect followed.
   *
   * @param path segments below the base address, encoded here; `.` and `..` were refused as inputs
   * @throws ServiceError
   */
  async json(
    method: "GET" | "POST",
    path: readonly string[],
    body: unknown,
    { limit = Number.POSITIVE_INFINITY, signal, query = {}, maxBytes = MAX_JSON }: JsonOptions = {},
  ): Promise<JsonReply> {
    const url = this.#url(path, query);
    const whole = await this.#send(method, url, body, limit, signal, (outgoing) =>
      this.#http.exchange(outgoing, maxBytes),
    );
    const answer = safeAnswer(whole, this.secrets);
    const retryAfter = parseRetryAfter(answer.headers["retry-after"], this.#clock.timeOfDay());
    const at = `${method} ${url.pathname}`;
    if (answer.status >= 300) throw this.#refused(at, answer, retryAfter);
    if (answer.value !== undefined) return { value: answer.value, retryAfter };
    throw new ServiceError(
      { type: "unreadable" },
      `${at} returned ${answer.status} with ${describe(answer)} instead of JSON`,
      retryAfter,
    );
  }

  /**
   * One request, answered by a stream of which only the headers are waited for. Nothing is tried again,
   * and no redirect followed.
   *
   * @param limit milliseconds that the whole stream may take
   * @param signal stops the request, and the stream for as long as it lasts
   * @throws ServiceError
   */
  async stream(
    path: readonly string[],
    body: unknown,
    {
      limit = Number.POSITIVE_INFINITY,
      signal,
      headerLimit = HEADER_LIMIT,
      idleLimit,
      maxBytes,
    }: StreamOptions,
  ): Promise<StreamReply> {
    const url = this.#url(path);
    return await this.#send("POST", url, body, limit, signal, async (outgoing) => {
      const headers = { ...outgoing.headers, accept: "text/plain, text/event-stream, */*;q=0.1" };
      const answer = await this.#http.open({
        ...outgoing,
        ...{ headers, streamLimit: limit, headerLimit: Math.min(headerLimit, limit) },
        ...(idleLimit === undefined ? {} : { idleLimit }),
      });
      if (answer.status < 300) {
        const text = this.#read(`POST ${url.pathname}`, upTo(maxBytes, answer.body));
        return { headers: safeHeaders(answer.headers, this.secrets), text };
      }
      const whole = safeAnswer(await readWhole(answer, MAX_JSON), this.secrets);
      const retryAfter = parseRetryAfter(whole.headers["retry-after"], this.#clock.timeOfDay());
      throw this.#refused(`POST ${url.pathname}`, whole, retryAfter);
    });
  }

  #refused(...answer: [at: string, answer: SafeAnswer, retryAfter: number | undefined]) {
    return refused(...answer, keyKindOf(this.#access.apiKey));
  }

  async *#read(at: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    try {
      for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
    } catch (error) {
      throw this.#failed(at, error);
    }
    yield decoder.decode();
  }

  /** @param exchange sends what is made ready here */
  async #send<T>(
    method: "GET" | "POST",
    url: URL,
    body: unknown,
    limit: number,
    signal: AbortSignal | undefined,
    exchange: (outgoing: Outgoing) => Promise<T>,
  ): Promise<T> {
    const sentBody = body === undefined ? undefined : JSON.stringify(body);
    try {
      return await exchange({
        method,
        url,
        headers: {
          authorization: `Bearer ${this.#access.apiKey}`,
          accept: "application/json",
          "user-agent": "docs-agent-action",
          ...(sentBody === undefined ? {} : { "content-type": "application/json" }),
        },
        body: sentBody,
        headerLimit: Math.min(HEADER_LIMIT, limit),
        bodyLimit: Math.min(BODY_LIMIT, limit),
        signal,
      });
    } catch (error) {
      throw this.#failed(`${method} ${url.pathname}`, error);
    }
  }

  /** What an exchange that broke off means; whatever else was thrown stays what it is. */
  #failed(at: string, error: unknown): unknown {
    if (!(error instanceof ExchangeError)) return error;
    const said = `${at}: ${this.secrets.redact(error.message)}`;
    return new ServiceError(failureOf(error), said, undefined, { cause: error });
  }

  #url(path: readonly string[], query: Record<string, string> = {}): URL {
    const { baseUrl } = this.#access;
    const below = path.map((segment) => encodeURIComponent(segment.toWellFormed())).join("/");
    const url = new URL(`${withoutTrailingSlash(baseUrl)}/${below}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }
}
