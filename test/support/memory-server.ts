import type http from "node:http";
import type { Socket } from "node:net";
import {
  ExchangeError,
  type Http,
  type OpenAnswer,
  type Outgoing,
  readWhole,
  type HttpAnswer as WholeAnswer,
} from "../../src/net/http.ts";
import type { Answer, RecordedRequest } from "./faulty-server.ts";
import { noRoute, Routes, routePattern, targetOf } from "./routes.ts";

/**
 * A server in memory that answers as a test tells it to, and records every request. Its `http` opens no
 * connection, whatever the address: what goes wrong on the way to a server is tested in `test/net`.
 */
export class MemoryServer {
  readonly url = "http://server.test";
  readonly requests: RecordedRequest[] = [];
  readonly #routes = new Routes();

  /** Says how a route answers, as a `FaultyServer` is told. */
  on(route: string, ...answers: [Answer, ...Answer[]]): this {
    this.#routes.set(route, answers);
    return this;
  }

  /** The requests that fit a route. */
  requestsTo(route: string): RecordedRequest[] {
    const pattern = routePattern(route);
    return this.requests.filter((request) => pattern.test(targetOf(request)));
  }

  /** What the action's own HTTP offers, in memory. */
  get http(): Http {
    const open = (outgoing: Outgoing) => this.#open(outgoing);
    const exchange = async (outgoing: Outgoing): Promise<WholeAnswer> =>
      await readWhole(await open(outgoing));
    return { checkProxy() {}, open, exchange } as unknown as Http;
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
    const { asResponse, asSocket } = response;
    void Promise.resolve(answer({ request, response: asResponse, socket: asSocket })).catch(
      (error: unknown) => response.fail(error),
    );
    return await response.opened;
  }
}

/** An answer on its way to the client, in pieces. */
class MemoryResponse {
  readonly #opened = Promise.withResolvers<OpenAnswer>();
  readonly #pieces: Uint8Array[] = [];
  #isOpen = false;
  #end: "whole" | ExchangeError | null = null;
  #more = Promise.withResolvers<void>();

  constructor(signal: AbortSignal | undefined) {
    signal?.addEventListener("abort", () => this.#break("stopped", "stopped by the run"));
  }

  /** The answer, once its headers are there. */
  get opened(): Promise<OpenAnswer> {
    return this.#opened.promise;
  }

  /** As much of a response as the answers in `answers.ts` and `streams.ts` use. */
  get asResponse(): http.ServerResponse {
    const writeHead = (status: number, headers: http.OutgoingHttpHeaders = {}) => {
      this.#isOpen = true;
      this.#opened.resolve({ status, headers: lowerCase(headers), body: this.#body() });
    };
    const write = (piece: string | Uint8Array, done?: () => void) => {
      this.#pieces.push(Buffer.from(piece));
      this.#more.resolve();
      if (done !== undefined) setImmediate(done);
      return true;
    };
    const end = (piece?: string | Uint8Array) => {
      if (piece !== undefined) write(piece);
      this.#over("whole");
    };
    const nothing = () => {};
    const quiet = { on: nothing, once: nothing, off: nothing, flushHeaders: nothing };
    return { ...quiet, writeHead, write, end, destroyed: false } as unknown as http.ServerResponse;
  }

  /** A socket that can be lost. */
  get asSocket(): Socket {
    const lose = () => this.#break("network", "the connection was lost");
    return { end: lose, destroy: lose, resetAndDestroy: lose } as unknown as Socket;
  }

  /** An answer that throws is a mistake in the test. */
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
    this.#over(error);
  }

  #over(end: "whole" | ExchangeError): void {
    this.#end ??= end;
    this.#more.resolve();
  }
}

function lowerCase(headers: http.OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
