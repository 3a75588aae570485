/**
 * An HTTP server on loopback that answers as a test tells it to, well or badly, and records every
 * request. The answers to tell it are in `answers.ts`; what goes wrong before HTTP is in `connections.ts`.
 */

import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { acceptConnections, type ConnectionOptions } from "./connections.ts";
import { noRoute, Routes, routePattern, targetOf } from "./routes.ts";

/** One request, as it arrived. */
export interface RecordedRequest {
  method: string;
  /** Path and query, exactly as sent. */
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** `performance.now()` when the whole request was there. */
  at: number;
}

/** What an answer has to work with. */
export interface Exchange {
  request: RecordedRequest;
  response: http.ServerResponse;
  socket: Socket;
}

/** Answers one request, or fails to. */
export type Answer = (exchange: Exchange) => void | Promise<void>;

/** A running server; `await using` closes it with the test. */
export interface FaultyServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Every request in the order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** How many connections were opened, served or not. */
  readonly connections: number;
  /**
   * Says how a route answers: the first request gets the first answer, and the last answer stays.
   * The route is `METHOD /path`, where `:name` stands for one segment. A later call for the same
   * route replaces the earlier one; of several that fit, the one set last answers.
   */
  on(route: string, ...answers: [Answer, ...Answer[]]): this;
  /** Listens again after `refuseAfter`. */
  listenAgain(): Promise<void>;
  /** The requests that fit a route. */
  requestsTo(route: string): RecordedRequest[];
  /** Resolves with the nth (from 1) request to a route as soon as it is there, before its answer. */
  waitForRequest(route: string, nth?: number, limitMs?: number): Promise<RecordedRequest>;
  /** Resolves once no connection is open any more. */
  waitForDisconnect(limitMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** PEM key and certificate. */
export interface Certificate {
  key: string;
  cert: string;
}

/** How a server is started. */
export interface FaultyServerOptions extends ConnectionOptions {
  /** The server then speaks TLS. */
  tls?: Certificate;
  /** The certificate of connections whose fault is `impostor`. */
  impostor?: Certificate;
  /** Close every connection after its first answer, so that each request needs one of its own. */
  oneRequestPerConnection?: boolean;
  /** Stands between every request and its answer, and decides when the answer is given, if at all. */
  around?: (exchange: Exchange, answer: Answer) => void | Promise<void>;
  /** Answers what no route fits. Default: 404 in JSON. */
  fallback?: Answer;
}

/** Starts a server on 127.0.0.1. */
export async function startFaultyServer(options: FaultyServerOptions = {}): Promise<FaultyServer> {
  const { around = (exchange, answer) => answer(exchange), fallback = noRoute } = options;
  const requests: RecordedRequest[] = [];
  const routes = new Routes();
  const watchers = new Set<() => void>();
  const notify = () => {
    for (const watcher of watchers) watcher();
  };

  const handle = async (incoming: http.IncomingMessage, response: http.ServerResponse) => {
    const request = await record(incoming);
    // The client went away in the middle of its request: there is nobody to answer.
    if (request === null) return;
    requests.push(request);
    const answer = routes.answerTo(targetOf(request)) ?? fallback;
    notify();
    await around({ request, response, socket: incoming.socket }, answer);
  };
  const listener = (incoming: http.IncomingMessage, response: http.ServerResponse) => {
    response.on("error", () => {});
    handle(incoming, response).catch((error: unknown) => {
      // An answer that throws is a mistake in the test; the client sees it, and so does the log.
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  };
  const server = httpServer(listener, options.tls, options);
  const impostor = httpServer(listener, options.impostor, options);
  const connections = await acceptConnections(
    options,
    (socket, isImpostor) => void (isImpostor ? impostor : server).emit("connection", socket),
    notify,
  );
  const { port } = connections;

  const waitFor = async <T>(find: () => T | undefined, what: string, limitMs: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const check = () => {
      const found = find();
      if (found !== undefined) resolve(found);
    };
    const timer = setTimeout(() => {
      const seen = requests.map(({ method, path }) => `  ${method} ${path}`).join("\n");
      reject(new Error(`No ${what} within ${limitMs} ms. Requests so far:\n${seen}`));
    }, limitMs);
    watchers.add(check);
    check();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      watchers.delete(check);
    }
  };

  const self: FaultyServer = {
    url: `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    port,
    requests,
    get connections() {
      return connections.count;
    },
    on(route, ...answers) {
      routes.set(route, answers);
      return self;
    },
    listenAgain: connections.listenAgain,
    requestsTo(route) {
      const pattern = routePattern(route);
      return requests.filter((request) => pattern.test(targetOf(request)));
    },
    waitForRequest: (route, nth = 1, limitMs = 60_000) =>
      waitFor(() => self.requestsTo(route)[nth - 1], `request ${nth} to ${route}`, limitMs),
    waitForDisconnect: async (limitMs = 60_000) => {
      const isNoneOpen = () => (connections.open === 0 ? true : undefined);
      await waitFor(isNoneOpen, "disconnect", limitMs);
    },
    close: connections.close,
    [Symbol.asyncDispose]: connections.close,
  };
  return self;
}

/** A server without a port of its own: it gets its connections one by one. */
function httpServer(
  listener: http.RequestListener,
  tls: Certificate | undefined,
  { oneRequestPerConnection = false }: FaultyServerOptions,
): http.Server {
  const server =
    tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
  // No time limit of the server's own may be mistaken for one of the client's.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.keepAliveTimeout = 0;
  if (oneRequestPerConnection) server.maxRequestsPerSocket = 1;
  return server;
}

async function record(incoming: http.IncomingMessage): Promise<RecordedRequest | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch {
    return null;
  }
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers: incoming.headers,
    body: Buffer.concat(chunks),
    at: performance.now(),
  };
}
