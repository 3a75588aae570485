import type http from "node:http";
import { ExchangeError, type OpenAnswer, type Outgoing } from "../../src/net/http.ts";
import type { Answer, AnswerResponse, AnswerSocket, RecordedRequest } from "./faulty-server.ts";
import { MemoryHttp } from "./memory-http.ts";
import { noRoute, Routes, routePattern, targetOf } from "./routes.ts";

/**
 * A server in memory with the answers that a test sets. It records every request. Its `http` opens no
 * connection and ignores the host: `test/net` tests the faults of connections.
 */
export class MemoryServer {
  readonly url = "http://server.test";
  readonly requests: RecordedRequest[] = [];
  /** The action's own HTTP, connected to this server. */
  readonly http = new MemoryHttp((outgoing) => this.#open(outgoing));
  readonly #routes = new Routes();

  /** Sets the answers of a route, as `FaultyServer.on` does. */
  on(route: string, ...answers: [Answer, ...Answer[]]): this {
    this.#routes.set(route, answers);
    return this;
  }

  /** The requests that match a route. */
  requestsTo(route: string): RecordedRequest[] {
    const pattern = routePattern(route);
    return this.requests.filter((request) => pattern.test(targetOf(request)));
  }

  async #open({ method, url, headers, body = "", signal }: Outgoing): Promise<OpenAnswer> {
    const request: RecordedRequest = {
      method,
      path: url.pathname + url.search,
      body: Buffer.from(body),
      at: performance.now(),
      headers: lowerCase(headers),
    };
    this.requests.push(request);
    const answer = this.#routes.answerTo(targetOf(request)) ?? noRoute;
    const response = new MemoryResponse(signal);
    const { socket } = response;
    void Promise.resolve(answer({ request, response, socket })).catch((error: unknown) =>
      response.fail(error),
    );
    return await response.opened;
  }
}

/** A response whose body arrives in pieces. Nobody waits for its events: it is never full and never closed. */
class MemoryResponse implements AnswerResponse {
  readonly destroyed = false;
  readonly #opened = Promise.withResolvers<OpenAnswer>();
  readonly #pieces: Uint8Array[] = [];
  #isOpen = false;
  #end: "whole" | ExchangeError | null = null;
  #more = Promise.withResolvers<void>();

  constructor(signal: AbortSignal | undefined) {
    signal?.addEventListener("abort", () => this.#break("stopped", "stopped by the run"));
  }

  /** The answer, when its headers have arrived. */
  get opened(): Promise<OpenAnswer> {
    return this.#opened.promise;
  }

  writeHead(status: number, headers: http.OutgoingHttpHeaders = {}): this {
    this.#isOpen = true;
    this.#opened.resolve({ status, headers: lowerCase(headers), body: this.#body() });
    return this;
  }

  write(piece: string | Uint8Array, done?: () => void): boolean {
    this.#pieces.push(Buffer.from(piece));
    this.#more.resolve();
    if (done !== undefined) setImmediate(done);
    return true;
  }

  end(piece?: string | Uint8Array): void {
    if (piece !== undefined) this.write(piece);
    this.#finish("whole");
  }

  flushHeaders(): void {}
  on(): void {}
  once(): void {}
  off(): void {}

  /** The connection. Whatever closes it interrupts the response. */
  get socket(): AnswerSocket {
    const lose = () => this.#break("network", "the connection was lost");
    return { end: lose, destroy: lose, resetAndDestroy: lose };
  }

  /** Fails the request with the error of an answer, which is a mistake in the test. */
  fail(error: unknown): void {
    this.#opened.reject(error);
  }

  async *#body(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) yield piece;
      else if (this.#end === "whole") return;
      else if (this.#end !== null) throw this.#end;
      else await this.#more.promise;
      if (this.#pieces.length === 0 && this.#end === null) this.#more = Promise.withResolvers();
    }
  }

  #break(reason: "network" | "stopped", message: string): void {
    const error = new ExchangeError(this.#isOpen ? "answer" : "sent", reason, message);
    this.#opened.reject(error);
    this.#finish(error);
  }

  #finish(end: "whole" | ExchangeError): void {
    this.#end ??= end;
    this.#more.resolve();
  }
}

function lowerCase(headers: http.OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
