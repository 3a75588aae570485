import { setImmediate } from "node:timers/promises";
import { expect } from "vitest";
import { ExchangeError, Http, type Outgoing } from "../../src/net/http.ts";
import { json } from "./answers.ts";
import type { Answer } from "./faulty-server.ts";
import { openRoute, type Route, type RouteOptions, type Way } from "./route.ts";

/** How an exchange came out: its answer, or how far it came and why it broke off. */
export type Result =
  | { status: number; text: string }
  | { stage: ExchangeError["stage"]; reason: ExchangeError["reason"]; message: string };

/** A client of the action's own HTTP, and the route that it takes. */
export interface Client extends Route {
  readonly http: Http;
  /** Sends a request to the service; what it is answered unless a test says otherwise is `fine`. */
  post(more?: Partial<Outgoing>): Promise<Result>;
}

/** What a client gets unless a test says otherwise. */
export const FINE = { status: 200, text: '"fine"' };

/** A machine that is busy may take its time to make a connection. */
export const SLOW = { timeout: 10_000 };

/** A good answer, after which the connection is closed without notice. */
export const thenClose: Answer = (exchange) => {
  exchange.response.on("finish", () => exchange.socket.end());
  return json(200, "fine")(exchange);
};

/** Largest answer that is read, in bytes. */
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

/** Sends a request with limits that no good answer comes near to. */
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

/** Waits until the client, too, has noticed that the service closed its connections. */
export async function disconnect({ service }: Client): Promise<void> {
  await service.waitForDisconnect();
  // What was closed passes the proxy, a turn of the event loop each.
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

/** Proves that a request was not sent again behind the caller's back: the next one is the next. */
export async function expectRequests({ service, post }: Client, count: number): Promise<void> {
  service.on("POST /", json(200, "fine"));
  expect(await post()).toEqual(FINE);
  expect(service.requests).toHaveLength(count + 1);
}
