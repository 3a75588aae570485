import { parseRetryAfter } from "../net/exchange.ts";
import { ExchangeError, type OpenAnswer, readWhole } from "../net/http.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { withoutTrailingSlash } from "../text/link.ts";
import { cut } from "../text/markdown.ts";
import type { Secrets } from "../text/secrets.ts";
import { capitalized } from "../text/sentence.ts";
import { type CallOptions, MAX_MESSAGE } from "./agent.ts";
import { type Failure, ServiceError, stoppedRequest, unreadable } from "./errors.ts";
import { field, parseJson } from "./json.ts";

/** Default maximum size of a response, and that of a stream, in bytes. */
export const MAX_JSON_BYTES = 1024 * 1024;
const MAX_STREAM_BYTES = 8 * 1024 * 1024;
/** Time limit for the headers of a response, and after them for its body, in milliseconds. */
const RESPONSE_LIMIT = 30_000;
/** The same for the headers of a stream: a proxy that buffers it sends nothing until it is complete. */
const STREAM_HEADER_LIMIT = 120_000;

export interface ServiceAccess {
  /** The service's URL, already checked: `https:` unless the host is loopback. */
  baseUrl: URL;
  /** Sent as a bearer token, and removed from everything that the service returns. */
  apiKey: string;
}

interface RequestOptions extends CallOptions {
  query?: Record<string, string>;
  /** Default: `POST`, and `GET` without a body. */
  method?: "GET" | "POST";
  /** Maximum size of JSON, in bytes. Default: 1 MiB. */
  maxBytes?: number;
}

/** A successful response with JSON. */
export interface JsonReply {
  value: unknown;
  /** `Retry-After` in milliseconds; null if the response had none. */
  retryAfter: number | null;
}

/** A transport, as far as most of the service's interfaces need it. */
export interface JsonTransport {
  /** Sends a POST; without a body, a GET unless the options say otherwise. Throws `ServiceError`. */
  json(path: readonly string[], body: object | null, options?: RequestOptions): Promise<JsonReply>;
}

export interface StreamTransport extends JsonTransport {
  /** For readers of streams. */
  readonly secrets: Secrets;
  /**
   * Sends a POST, and returns when the headers of the response have arrived. The limit and the signal apply until the
   * stream ends.
   *
   * @returns the headers by lower-case name, without secrets, and the body as it arrives. Its reader removes the
   * secrets, because the format may divide them. Both throw `ServiceError`
   */
  stream(
    path: readonly string[],
    body: object,
    options?: RequestOptions,
  ): Promise<{ headers: OpenAnswer["headers"]; text: AsyncIterable<string> }>;
}

/**
 * Sends requests with the key, only to the service. It removes the secrets from all that it returns, except from
 * streams. It never repeats a request, and follows no redirects.
 */
export class Transport implements StreamTransport {
  readonly #access: ServiceAccess;
  readonly #dependencies: Dependencies;
  readonly secrets: Secrets;

  /** @throws ProxySettingsError if the service is behind a proxy whose settings cannot be used */
  constructor(access: ServiceAccess, dependencies: Dependencies) {
    dependencies.http.checkProxy(access.baseUrl);
    this.#access = access;
    this.#dependencies = dependencies;
    this.secrets = dependencies.secrets.and(access.apiKey);
  }

  async json(
    path: readonly string[],
    body: object | null,
    options: RequestOptions = {},
  ): Promise<JsonReply> {
    return await this.#send(path, body, options, false, async (answer) => {
      const { text } = await readWhole(answer);
      const value = this.secrets.redactValue(parseJson(text));
      const retryAfter = this.#retryAfter(answer);
      if (value === undefined) throw unreadable("is not JSON that can be read", retryAfter);
      return { value, retryAfter };
    });
  }

  async stream(path: readonly string[], body: object, options: RequestOptions = {}) {
    return await this.#send(path, body, options, true, (answer, at) => ({
      headers: answer.headers,
      text: this.#read(at, answer.body),
    }));
  }

  /** @param use gets a successful response, its headers without secrets, and its name in messages */
  async #send<T>(
    path: readonly string[],
    body: object | null,
    options: RequestOptions,
    isStream: boolean,
    use: (answer: OpenAnswer, at: string) => T | Promise<T>,
  ): Promise<T> {
    const { limit = Number.POSITIVE_INFINITY } = options;
    const url = this.#url(path, options.query);
    const { method = body === null ? "GET" : "POST" } = options;
    const at = `${method} ${url.pathname}`;
    try {
      const received = await this.#dependencies.http.open({
        method,
        url,
        signal: options.signal,
        headers: {
          authorization: `Bearer ${this.#access.apiKey}`,
          accept: isStream ? "text/plain, text/event-stream, */*;q=0.1" : "application/json",
          "user-agent": "docs-agent-action",
          ...(body && { "content-type": "application/json" }),
        },
        body: body === null ? undefined : JSON.stringify(body),
        headerLimit: Math.min(isStream ? STREAM_HEADER_LIMIT : RESPONSE_LIMIT, limit),
        bodyLimit: isStream ? limit : Math.min(RESPONSE_LIMIT, limit),
        maxBytes: isStream ? MAX_STREAM_BYTES : (options.maxBytes ?? MAX_JSON_BYTES),
      });
      const answer = { ...received, headers: this.secrets.redactFields(received.headers) };
      if (answer.status < 300) return await use(answer, at);
      throw await this.#refused(answer, at);
    } catch (error) {
      throw this.#failed(at, error);
    }
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

  /** The error for a redirect or an error status. */
  async #refused(answer: OpenAnswer, at: string): Promise<ServiceError> {
    const { status, headers } = answer;
    const retryAfter = this.#retryAfter(answer);
    // A body that nobody reads would keep its connection.
    const { text } = await readWhole(answer);
    const value = this.secrets.redactValue(parseJson(text));
    const detail = status < 400 ? targetOf(headers.location) : messageOf(value);
    const returned = `returned ${status}${detail === null ? "" : `: ${detail}`}`;
    const failure = { type: "status", status, body: bodyOf(value) } as const;
    const apart = { request: at, said: `The service ${returned}` };
    return new ServiceError(failure, `${at} ${returned}`, retryAfter, apart);
  }

  #retryAfter({ headers }: OpenAnswer): number | null {
    // The runner's clock may be another one than that of a date in the answer.
    const named = Date.parse(headers.date ?? "");
    const now = Number.isNaN(named) ? this.#dependencies.clock.timeOfDay() : named;
    return parseRetryAfter(headers["retry-after"], now);
  }

  /** Converts an {@link ExchangeError}, and leaves other errors unchanged. */
  #failed(at: string, error: unknown): unknown {
    if (!(error instanceof ExchangeError)) return error;
    if (error.reason === "stopped") return stoppedRequest(error.stage !== "connect");
    const problem = this.secrets.redact(error.message);
    const apart = { request: at, said: capitalized(problem) };
    const message = `${at}: ${problem}`;
    return new ServiceError(failureOf(error), message, null, apart, { cause: error });
  }

  /** Encodes the path's segments. `.` and `..` were refused as inputs. */
  #url(path: readonly string[], query: Record<string, string> = {}): URL {
    const below = path.map((segment) => encodeURIComponent(segment.toWellFormed())).join("/");
    const url = new URL(`${withoutTrailingSlash(this.#access.baseUrl)}/${below}`);
    url.search = new URLSearchParams(query).toString();
    return url;
  }
}

function failureOf({ stage, reason }: ExchangeError): Failure {
  if (reason === "size-limit") return { type: "unreadable" };
  return { type: stage === "connect" ? "unreached" : "lost" };
}

/** The origin that a redirect leads to. Its path and query may contain anything. */
function targetOf(location: string | undefined): string | null {
  const target = location === undefined ? null : URL.parse(location);
  return target === null ? null : cut(target.origin, MAX_MESSAGE);
}

function bodyOf(value: unknown): Extract<Failure, { type: "status" }>["body"] {
  if ((field(value, "error") ?? null) === null) return "page";
  return /\bcredits?\b/i.test(messageOf(value) ?? "") ? "credits" : "error";
}

/** The message in the service's error body, on one line; null for other bodies. */
function messageOf(body: unknown): string | null {
  const message = field(body, "error") ?? field(body, "message");
  if (typeof message !== "string") return null;
  return cut(message.replace(/\s+/g, " ").trim(), MAX_MESSAGE) || null;
}
