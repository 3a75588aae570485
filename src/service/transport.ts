import { parseRetryAfter } from "../net/exchange.ts";
import { ExchangeError, type Http, type OpenAnswer, readWhole } from "../net/http.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { withoutTrailingSlash } from "../text/link.ts";
import { cut } from "../text/markdown.ts";
import type { Secrets } from "../text/secrets.ts";
import { type CallOptions, MAX_MESSAGE, parseJson } from "./agent.ts";
import { type Failure, keyKindOf, ServiceError } from "./errors.ts";

/** Default maximum size of a response, in bytes. */
const MAX_BYTES = 1024 * 1024;
/** Time limits for the headers of a response, and after them for its body, in milliseconds. */
const HEADER_LIMIT = 30_000;
const BODY_LIMIT = 30_000;

interface ServiceAccess {
  /** The service's URL, already checked: `https:` unless the host is loopback. */
  baseUrl: URL;
  /** Sent as a bearer token, and removed from everything that the service returns. */
  apiKey: string;
}

interface RequestOptions extends CallOptions {
  query?: Record<string, string>;
  /** Time limit for the headers, in milliseconds. Default: 30 s. */
  headerLimit?: number;
  /** Time limit between two pieces of the body, in milliseconds. Default: none. */
  idleLimit?: number;
  /** Maximum size of the response, in bytes. Default: 1 MiB. */
  maxBytes?: number;
}

/** A request. Its path's segments are encoded here. `.` and `..` were refused as inputs. */
type Sent = [method: "GET" | "POST", path: readonly string[], body: unknown];

/** A successful response whose body is still arriving. */
export interface StreamReply {
  /** By lower-case name, without secrets. */
  headers: Record<string, string>;
  /**
   * The body as it arrives. Its reader removes the secrets, because the format may divide them. Throws `ServiceError`.
   */
  text: AsyncIterable<string>;
}

/**
 * Sends requests with the key, only to the service. It removes the secrets from all that it returns, except from
 * streams. It never repeats a request, and follows no redirects.
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

  /** Sends a request. Returns the JSON of the response, and `Retry-After` in milliseconds. Throws `ServiceError`. */
  async json(
    method: Sent[0],
    path: Sent[1],
    body: unknown,
    options: RequestOptions = {},
  ): Promise<{ value: unknown; retryAfter: number | undefined }> {
    const limits = { accept: "application/json", bodyLimit: BODY_LIMIT, ...options };
    return await this.#send([method, path, body], limits, async (answer, at) => {
      const { text } = await readWhole(answer);
      const value = this.secrets.redactValue(parseJson(text));
      if (value !== undefined) return { value, retryAfter: this.#retryAfter(answer) };
      const message = `${at} returned ${answer.status} without JSON that can be read`;
      throw new ServiceError({ type: "unreadable" }, message, this.#retryAfter(answer));
    });
  }

  /**
   * Sends a request, and returns when the headers of the response have arrived. The limit and the signal apply until the
   * stream ends. Throws `ServiceError`.
   */
  async stream(path: Sent[1], body: unknown, options: RequestOptions = {}): Promise<StreamReply> {
    const accept = "text/plain, text/event-stream, */*;q=0.1";
    const limits = { accept, bodyLimit: Number.POSITIVE_INFINITY, ...options };
    return await this.#send(["POST", path, body], limits, (answer, at) => ({
      headers: answer.headers,
      text: this.#read(at, answer.body),
    }));
  }

  /** @param use gets a successful response, its headers without secrets, and its name in messages */
  async #send<T>(
    [method, path, body]: Sent,
    { accept, bodyLimit, ...options }: RequestOptions & { accept: string; bodyLimit: number },
    use: (answer: OpenAnswer, at: string) => T | Promise<T>,
  ): Promise<T> {
    const { limit = Number.POSITIVE_INFINITY, query = {}, headerLimit = HEADER_LIMIT } = options;
    const url = this.#url(path, query);
    const at = `${method} ${url.pathname}`;
    try {
      const opened = await this.#http.open({
        ...{ method, url, signal: options.signal },
        headers: {
          authorization: `Bearer ${this.#access.apiKey}`,
          accept,
          "user-agent": "docs-agent-action",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        headerLimit: Math.min(headerLimit, limit),
        bodyLimit: Math.min(bodyLimit, limit),
        maxBytes: options.maxBytes ?? MAX_BYTES,
        idleLimit: options.idleLimit,
      });
      const headers = this.secrets.redactValue(opened.headers) as OpenAnswer["headers"];
      const answer = { ...opened, headers };
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
    // A body that nobody reads would keep the process from ending.
    const { text } = await readWhole(answer);
    if (status < 400) {
      // The path and query may contain anything.
      const to = URL.canParse(headers.location ?? "") ? new URL(headers.location ?? "").origin : "";
      const message = `${at} returned ${status}, a redirect${to && ` to ${cut(to, MAX_MESSAGE)}`}`;
      return new ServiceError({ type: "redirect" }, message, retryAfter);
    }
    const detail = messageOf(this.secrets.redactValue(parseJson(text)));
    const failure: Failure = { type: "status", status, keyKind: keyKindOf(this.#access.apiKey) };
    return new ServiceError(
      failure,
      `${at} returned ${status}${detail && `: ${detail}`}`,
      retryAfter,
    );
  }

  #retryAfter({ headers }: OpenAnswer): number | undefined {
    return parseRetryAfter(headers["retry-after"], this.#clock.timeOfDay());
  }

  /** Converts an {@link ExchangeError}, and leaves other errors unchanged. */
  #failed(at: string, error: unknown): unknown {
    if (!(error instanceof ExchangeError)) return error;
    const message = `${at}: ${this.secrets.redact(error.message)}`;
    return new ServiceError(failureOf(error), message, undefined, { cause: error });
  }

  #url(path: readonly string[], query: Record<string, string>): URL {
    const below = path.map((segment) => encodeURIComponent(segment.toWellFormed())).join("/");
    const url = new URL(`${withoutTrailingSlash(this.#access.baseUrl)}/${below}`);
    url.search = new URLSearchParams(query).toString();
    return url;
  }
}

function failureOf({ stage, reason }: ExchangeError): Failure {
  if (reason === "size-limit") return { type: "unreadable" };
  if (reason === "stopped") return { type: "stopped", sent: stage !== "connect" };
  return { type: stage === "connect" ? "unreached" : "lost" };
}

/** The message in the service's error body, on one line; empty for other bodies. */
function messageOf(value: unknown): string {
  const body = value as { error?: unknown; message?: unknown } | null | undefined;
  const message = body?.error ?? body?.message;
  return typeof message === "string" ? cut(message.replace(/\s+/g, " ").trim(), MAX_MESSAGE) : "";
}
