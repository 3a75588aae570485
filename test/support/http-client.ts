import { ExchangeError, Http, type HttpOptions, type Outgoing } from "../../src/net/http.ts";
import { json } from "./answers.ts";
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

/** Largest answer that is read, in bytes. */
const MAX_BYTES = 1_000;

export async function openClient(
  way: Way,
  { http: httpOptions, ...options }: RouteOptions & { http?: HttpOptions } = {},
): Promise<Client> {
  const route = await openRoute(way, options);
  route.service.on("POST /", json(200, "fine"));
  const http = new Http(route.env, httpOptions);
  return {
    ...route,
    http,
    post: (more) => post(http, route.url, more),
    async [Symbol.asyncDispose]() {
      await http.close();
      await route[Symbol.asyncDispose]();
    },
  };
}

/** Sends a request with limits that no good answer comes near to. */
export async function post(http: Http, url: URL, more: Partial<Outgoing> = {}): Promise<Result> {
  const outgoing: Outgoing = {
    ...{ method: "POST", url, headers: {}, body: "payload" },
    ...{ headerLimit: 10_000, bodyLimit: 10_000 },
    ...more,
  };
  try {
    const { status, text } = await http.exchange(outgoing, MAX_BYTES);
    return { status, text };
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    const { stage, reason, message } = error;
    return { stage, reason, message };
  }
}
