/**
 * An HTTP server on loopback with the answers that a test sets, correct or broken. It records every request.
 * `answers.ts` has the answers, and `connections.ts` the faults before HTTP.
 */

import http from "node:http";
import https from "node:https";
import { acceptConnections, type ConnectionOptions } from "./connections.ts";
import { noRoute, Routes, routePattern, targetOf } from "./routes.ts";

/** One request, as it arrived. */
export interface RecordedRequest {
  method: string;
  /** Path and query, exactly as sent. */
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** `performance.now()` when the whole request had arrived. */
  at: number;
}

/** The part of `http.ServerResponse` that answers use. */
export interface AnswerResponse {
  readonly destroyed: boolean;
  writeHead(status: number, headers?: http.OutgoingHttpHeaders): AnswerResponse;
  write(piece: string | Uint8Array, done?: () => void): boolean;
  end(piece?: string | Uint8Array): unknown;
  flushHeaders(): void;
  on(event: string, listener: () => void): unknown;
  once(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

/** The part of `net.Socket` that answers use. */
export interface AnswerSocket {
  end(): unknown;
  end(text: string): unknown;
  destroy(): unknown;
  resetAndDestroy(): unknown;
}

/** A request, and the response and connection to answer it with. */
export interface Exchange {
  request: RecordedRequest;
  response: AnswerResponse;
  socket: AnswerSocket;
}

/** Answers one request, correctly or not. */
export type Answer = (exchange: Exchange) => void | Promise<void>;

/** A running server. `await using` closes it at the end of the test. */
export interface FaultyServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Every request in the order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** How many connections were opened, served or not. */
  readonly connections: number;
  /**
   * Sets the answers of a route. The first request gets the first answer, and the last answer repeats.
   * A route is `METHOD /path`, in which `:name` matches one segment. A later call for the same route
   * replaces the earlier one. If several routes match, the one that was set last answers.
   */
  on(route: string, ...answers: [Answer, ...Answer[]]): this;
  /** Listens again after it has refused connections (`refuseAfter`). */
  listenAgain(): Promise<void>;
  /** The requests that match a route. */
  requestsTo(route: string): RecordedRequest[];
  /** Resolves with the nth request (from 1) to a route when it has arrived, before its answer. */
  waitForRequest(route: string, nth?: number, limitMs?: number): Promise<RecordedRequest>;
  /** Resolves when no connection is open. */
  waitForDisconnect(limitMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** PEM key and certificate. */
export interface Certificate {
  key: string;
  cert: string;
}

export interface FaultyServerOptions extends ConnectionOptions {
  /** The server then speaks TLS. */
  tls?: Certificate;
  /** The certificate for connections with the fault `impostor`. */
  impostor?: Certificate;
  /** Closes every connection after its first answer, so that each request needs a new one. */
  oneRequestPerConnection?: boolean;
  /** Called for every request instead of its answer. It decides whether and when the answer is sent. */
  around?: (exchange: Exchange, answer: Answer) => void | Promise<void>;
  /** Answers requests that no route matches. Default: 404 in JSON. */
  fallback?: Answer;
}

/** Starts a server on 127.0.0.1. */
export async function startFaultyServer(options: FaultyServerOptions = {}): Promise<FaultyServer> {
  const { around = (exchange, answer) => answer(exchange), fallback = noRoute } = options;
  const requests: RecordedRequest[] = [];
  const routes = new Routes<Answer>();
  const watchers = new Set<() => void>();
  const notify = () => {
    for (const watcher of watchers) watcher();
  };

  const handle = async (incoming: http.IncomingMessage, response: http.ServerResponse) => {
    const request = await record(incoming);
    // The client disconnected in the middle of its request.
    if (request === null) return;
    requests.push(request);
    const answer = routes.answerTo(targetOf(request)) ?? fallback;
    notify();
    await around({ request, response, socket: incoming.socket }, answer);
  };
  const listener = (incoming: http.IncomingMessage, response: http.ServerResponse) => {
    response.on("error", () => {});
    handle(incoming, response).catch((error: unknown) => {
      // An answer that throws is a mistake in the test, so the connection is lost.
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

  const waitFor = async <T>(find: () => T | undefined, name: string, limitMs: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const check = () => {
      const result = find();
      if (result !== undefined) resolve(result);
    };
    const timer = setTimeout(() => {
      const seen = requests.map(({ method, path }) => `  ${method} ${path}`).join("\n");
      reject(new Error(`No ${name} within ${limitMs} ms. Requests so far:\n${seen}`));
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

/** A server that does not listen itself: it gets each connection from the listener. */
function httpServer(
  listener: http.RequestListener,
  tls: Certificate | undefined,
  { oneRequestPerConnection = false }: FaultyServerOptions,
): http.Server {
  const server =
    tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
  // The server has no time limits, so that a test sees only the client's.
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
