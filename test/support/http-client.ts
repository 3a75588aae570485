import { setImmediate } from "node:timers/promises";
import { expect } from "vitest";
import { ExchangeError, Http, type Outgoing } from "../../src/net/http.ts";
import { json } from "./answers.ts";
import type { Answer } from "./faulty-server.ts";
import { openRoute, type Route, type RouteOptions, type Way } from "./route.ts";

/** The result of an exchange: its answer, or the stage and the reason of its failure. */
export type Result =
  | { status: number; text: string }
  | { stage: ExchangeError["stage"]; reason: ExchangeError["reason"]; message: string };

/** A client that uses the action's own HTTP, and the route that its requests take. */
export interface Client extends Route {
  readonly http: Http;
  /** Sends a request to the service. The answer is {@link FINE}, unless the test sets another. */
  post(more?: Partial<Outgoing>): Promise<Result>;
}

/** The service's answer by default. */
export const FINE = { status: 200, text: '"fine"' };

/** For `vi.waitFor`: on a busy machine, a connection may take long. */
export const SLOW = { timeout: 10_000 };

/** A successful answer, after which the server closes the connection without notice. */
export const thenClose: Answer = (exchange) => {
  exchange.response.on("finish", () => exchange.socket.end());
  return json(200, "fine")(exchange);
};

/** Maximum size of an answer, in bytes. */
const MAX_BYTES = 1_000;

export async function openClient(way: Way, options: RouteOptions = {}): Promise<Client> {
  const route = await openRoute(way, options);
  route.service.on("POST /", json(200, "fine"));
  const http = new Http(route.env);
  return {
    ...route,
    http,
    post: (more) => post(http, route.url, more),
  };
}

/** Sends a request with time limits that no successful answer reaches. */
export async function post(http: Http, url: URL, more: Partial<Outgoing> = {}): Promise<Result> {
  const outgoing: Outgoing = {
    method: "POST",
    url,
    headers: {},
    body: "payload",
    headerLimit: 10_000,
    bodyLimit: 10_000,
    maxBytes: MAX_BYTES,
    ...more,
  };
  try {
    const { status, text } = await http.exchange(outgoing);
    return { status, text };
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    const { stage, reason, message } = error;
    return { stage, reason, message };
  }
}

/** Waits until the client has noticed that the service closed its connections. */
export async function disconnect({ service }: Client): Promise<void> {
  await service.waitForDisconnect();
  // Through a proxy, it takes some turns of the event loop.
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

/** Proves that no request was repeated: the service has this many requests, and the next one is one more. */
export async function expectRequests({ service, post }: Client, count: number): Promise<void> {
  service.on("POST /", json(200, "fine"));
  expect(await post()).toEqual(FINE);
  expect(service.requests).toHaveLength(count + 1);
}
