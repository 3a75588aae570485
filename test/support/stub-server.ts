import type http from "node:http";
import { Socket } from "node:net";
import { ExchangeError, type Http, type HttpAnswer, type Outgoing } from "../../src/net/http.ts";
import { capture } from "./captured-answer.ts";
import type { Answer, RecordedRequest } from "./faulty-server.ts";
import { HttpInProcess } from "./http-in-process.ts";
import { noRoute, Routes, routePattern, targetOf } from "./routes.ts";

/**
 * A server without a network and without a state: it gives the answers that a test sets, and records every request.
 * What goes wrong on the way to a server is tested in `test/net`.
 */
export class StubServer {
  readonly url = "http://server.test";
  readonly requests: RecordedRequest[] = [];
  /** The action's own HTTP, whose requests are answered here. */
  readonly http: Http = new HttpInProcess((outgoing) => this.#answer(outgoing));
  readonly #routes = new Routes<Answer>();

  /** Sets the answers of a route, as of a `FaultyServer`. */
  on(route: string, ...answers: [Answer, ...Answer[]]): this {
    this.#routes.set(route, answers);
    return this;
  }

  /** The requests that fit a route. */
  requestsTo(route: string): RecordedRequest[] {
    const pattern = routePattern(route);
    return this.requests.filter((request) => pattern.test(targetOf(request)));
  }

  async #answer({ method, url, headers, body = "" }: Outgoing): Promise<HttpAnswer> {
    const request: RecordedRequest = {
      method,
      path: url.pathname + url.search,
      body: Buffer.from(body),
      at: performance.now(),
      headers: lowerCase(headers),
    };
    this.requests.push(request);
    const answer = this.#routes.answerTo(targetOf(request)) ?? noRoute;
    const socket = new Socket().on("error", () => {});
    const { status, headers: sent, body: text } = await capture(answer, { request, socket });
    if (socket.destroyed) throw new ExchangeError("sent", "network", "the connection was lost");
    return { status, headers: lowerCase(sent), text: new TextDecoder().decode(text) };
  }
}

function lowerCase(headers: http.OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
