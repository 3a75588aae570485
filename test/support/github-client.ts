import type { GitHub } from "../../emulator/github/github.ts";
import { pageOf } from "../../emulator/github/limits.ts";
import { tokenOf, WORKFLOW } from "../../emulator/github/people.ts";
import { createGitHub } from "../../src/github/api/client.ts";
import type { Connect } from "../../src/github/api/connect.ts";
import { ExchangeError, type Http, type HttpAnswer, type Outgoing } from "../../src/net/http.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { once } from "../../src/runtime/dependencies.ts";
import { Secrets } from "../../src/text/secrets.ts";
import { json } from "./answers.ts";
import type { Answer } from "./faulty-server.ts";
import { HttpInProcess } from "./http-in-process.ts";
import { StubServer } from "./stub-server.ts";

/** A server with the answers that a test sets, and the action's own client of GitHub for it. */
export interface ConnectedClient {
  server: StubServer;
  connect: Connect;
  /** The requests so far, as `METHOD path?query`. */
  asked(): string[];
}

/** The action's own client of an emulated GitHub. */
export interface EmulatedClient {
  connect: Connect;
  /** The requests so far, as `METHOD path?query`. */
  asked: string[];
  /** Performs the next request of a method, and loses the answer. @param times so many requests */
  loseNext(method: string, times?: number): void;
}

/** Nobody waits for what is tried again. */
const clock: Clock = { now: () => 0, timeOfDay: () => 0, sleep: async () => {} };

function connectTo(http: Http, url: string, token: string, secrets: Secrets): Connect {
  const { signal } = new AbortController();
  const apiUrl = new URL(url);
  const options = { http, secrets, clock, token, apiUrl, signal, patience: null };
  return once(async () => createGitHub(options));
}

export function connectClient(token = "ghs_x", secrets = new Secrets([])): ConnectedClient {
  const server = new StubServer();
  return {
    server,
    connect: connectTo(server.http, server.url, token, secrets),
    asked: () => server.requests.map(({ method, path }) => `${method} ${path}`),
  };
}

/** The action's own client, whose requests a function answers with a status and a body. */
export function clientOf(
  answer: (request: { method: string; url: URL; body: string }) => [status: number, body: unknown],
): ReturnType<Connect> {
  const perform = async ({ method, url, body = "" }: Outgoing): Promise<HttpAnswer> => {
    const [status, data] = answer({ method, url, body });
    const headers = { date: "Fri, 01 May 2026 10:00:00 GMT", "content-type": "application/json" };
    return { status, headers, text: JSON.stringify(data) };
  };
  const secrets = new Secrets([]);
  return connectTo(new HttpInProcess(perform), "http://server.test", "ghs_x", secrets)();
}

export function connectEmulated(emulated: GitHub, token = tokenOf(WORKFLOW)): EmulatedClient {
  const asked: string[] = [];
  let lost = { method: "", times: 0 };
  const perform = async (outgoing: Outgoing): Promise<HttpAnswer> => {
    const { method, url, headers, body } = outgoing;
    const path = `${url.pathname}${url.search}`;
    asked.push(`${method} ${path}`);
    const answer = emulated.handle({ method, path, headers, body });
    if (method !== lost.method || lost.times === 0) {
      return { ...answer, text: String(answer.body) };
    }
    lost.times -= 1;
    throw new ExchangeError("sent", "network", "the connection was lost");
  };
  const http = new HttpInProcess(perform);
  return {
    asked,
    connect: connectTo(http, emulated.site.apiUrl, token, new Secrets([])),
    loseNext: (method, times = 1) => {
      lost = { method, times };
    },
  };
}

/** A list, a page at a time, as GitHub serves lists. @param named the links to other pages, unless it is all */
export function inPages(items: readonly unknown[], named = "prev, next, first, last"): Answer {
  return (exchange) => {
    const { items: page, link } = pageOf(items, new URL(exchange.request.path, "http://localhost"));
    const links = link
      .split(", ")
      .filter((each) => named.includes(/rel="(.*)"/.exec(each)?.[1] ?? "-"));
    return json(200, page, links.length === 0 ? {} : { link: links.join(", ") })(exchange);
  };
}
