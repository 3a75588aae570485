/**
 * An HTTP server on loopback that answers as a test tells it to, well or badly, and keeps every
 * request for the test to look at.
 */

import http from "node:http";
import https from "node:https";
import net, { type AddressInfo, type Socket } from "node:net";

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
  /** Resets this many of the next connections before a byte of them is read. */
  resetConnections(count: number): this;
  /** The requests that fit a route. */
  requestsTo(route: string): RecordedRequest[];
  /** Resolves with the nth (from 1) request to a route as soon as it is there, before its answer. */
  waitForRequest(route: string, nth?: number, limitMs?: number): Promise<RecordedRequest>;
  /** Resolves once no connection is open any more. */
  waitForDisconnect(limitMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** How a server is started. */
export interface FaultyServerOptions {
  /** PEM key and certificate: the server then speaks TLS. */
  tls?: { key: string; cert: string };
  /** Default: any free port. */
  port?: number;
  /** Close every connection after its first answer, so that each request needs one of its own. */
  oneRequestPerConnection?: boolean;
  /** Stands between every request and its answer, and decides when the answer is given, if at all. */
  around?: (exchange: Exchange, answer: Answer) => void | Promise<void>;
}

/** Starts a server on 127.0.0.1. What no route fits is answered 404 in JSON. */
export async function startFaultyServer(options: FaultyServerOptions = {}): Promise<FaultyServer> {
  const requests: RecordedRequest[] = [];
  const routes: { route: string; pattern: RegExp; answers: Answer[]; served: number }[] = [];
  const sockets = new Set<Socket>();
  const watchers = new Set<() => void>();
  let connections = 0;
  let toReset = 0;

  const handle = async (incoming: http.IncomingMessage, response: http.ServerResponse) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      // The client went away in the middle of its request: there is nobody to answer.
      return;
    }
    const request: RecordedRequest = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: Buffer.concat(chunks),
      at: performance.now(),
    };
    requests.push(request);
    const target = `${request.method} ${request.path.split("?")[0]}`;
    const entry = routes.find(({ pattern }) => pattern.test(target));
    const answer = entry?.answers[Math.min(entry.served, entry.answers.length - 1)] ?? noRoute;
    if (entry !== undefined) entry.served += 1;
    for (const watcher of watchers) watcher();
    const exchange = { request, response, socket: incoming.socket };
    await (options.around === undefined ? answer(exchange) : options.around(exchange, answer));
  };
  const listener = (incoming: http.IncomingMessage, response: http.ServerResponse) => {
    response.on("error", () => {});
    handle(incoming, response).catch((error: unknown) => {
      // An answer that throws is a mistake in the test; the client sees it, and so does the log.
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  };
  const server =
    options.tls === undefined
      ? http.createServer(listener)
      : https.createServer(options.tls, listener);
  // No time limit of the server's own may be mistaken for one of the client's.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.keepAliveTimeout = 0;
  if (options.oneRequestPerConnection === true) server.maxRequestsPerSocket = 1;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      for (const watcher of watchers) watcher();
    });
    if (toReset > 0) {
      toReset -= 1;
      socket.resetAndDestroy();
    }
  });
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;

  const waitFor = async <T>(look: () => T | undefined, what: string, limitMs: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const check = () => {
      const found = look();
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
      return connections;
    },
    on(route, ...answers) {
      const known = routes.findIndex((entry) => entry.route === route);
      if (known >= 0) routes.splice(known, 1);
      routes.unshift({ route, pattern: routePattern(route), answers, served: 0 });
      return self;
    },
    resetConnections(count) {
      toReset = count;
      return self;
    },
    requestsTo(route) {
      const pattern = routePattern(route);
      return requests.filter(({ method, path }) => pattern.test(`${method} ${path.split("?")[0]}`));
    },
    waitForRequest: (route, nth = 1, limitMs = 10_000) =>
      waitFor(() => self.requestsTo(route)[nth - 1], `request ${nth} to ${route}`, limitMs),
    waitForDisconnect: async (limitMs = 10_000) => {
      await waitFor(() => (sockets.size === 0 ? true : undefined), "disconnect", limitMs);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
    [Symbol.asyncDispose]: () => self.close(),
  };
  return self;
}

/** The address of a port that was free a moment ago: a connection to it is refused. */
export async function refusedUrl(): Promise<string> {
  const server = net.createServer();
  await listen(server);
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return `http://127.0.0.1:${port}`;
}

/** Body and status in JSON. */
export function json(
  status: number,
  body: unknown,
  headers: http.OutgoingHttpHeaders = {},
): Answer {
  return text(status, JSON.stringify(body), { "content-type": "application/json", ...headers });
}

/** Any text; HTML unless the headers say otherwise. */
export function text(
  status: number,
  body: string | Uint8Array,
  headers: http.OutgoingHttpHeaders = {},
): Answer {
  return ({ response }) => {
    response.writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      ...headers,
    });
    response.end(body);
  };
}

/** Reads the whole request and then resets the connection: the server may well have acted on it. */
export const resetAfterRequest: Answer = ({ socket }) => {
  socket.resetAndDestroy();
};

/** Reads the whole request and closes the connection in good order, without an answer. */
export const closeAfterRequest: Answer = ({ socket }) => {
  socket.end();
};

/** Never answers. */
export const hangBeforeHeaders: Answer = () => {};

/** Sends the headers and a first piece of the body, and then nothing. */
export const hangInBody: Answer = ({ response }) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": 1000 });
  response.write('{"id":"job');
};

/** Promises a whole body, sends half of it and closes. */
export function halfBody(status: number, body: unknown): Answer {
  return ({ response, socket }) => {
    const whole = Buffer.from(JSON.stringify(body));
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": whole.length,
    });
    response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => socket.end());
  };
}

/** A correct JSON object, made larger by a field that nobody asked for; sent in chunks. */
export function largeJson(status: number, body: object, mebibytes: number): Answer {
  return async ({ response }) => {
    response.writeHead(status, { "content-type": "application/json" });
    const padding = "x".repeat(64 * 1024);
    const pieces = [`{"padding":"`, ...Array(mebibytes * 16).fill(padding), `",`];
    for (const piece of pieces) {
      if (response.destroyed) return;
      if (!response.write(piece)) await drained(response);
    }
    response.end(JSON.stringify(body).slice(1));
  };
}

/** Sends a good answer one byte at a time: always alive, and never done in reasonable time. */
export function drip(status: number, body: unknown, intervalMs: number): Answer {
  return ({ response }) => {
    const whole = Buffer.from(JSON.stringify(body));
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": whole.length,
    });
    let sent = 0;
    const timer = setInterval(() => {
      response.write(whole.subarray(sent, sent + 1));
      sent += 1;
      if (sent >= whole.length) {
        clearInterval(timer);
        response.end();
      }
    }, intervalMs);
    response.on("close", () => clearInterval(timer));
  };
}

/** Sends the client elsewhere. */
export function redirect(status: number, location: string): Answer {
  return json(status, { error: "moved" }, { location });
}

/** Speaks something that is not HTTP. */
export const notHttp: Answer = ({ socket }) => {
  socket.end("220 mail.example ESMTP\r\n");
};

/** An answer that waits until the test lets it go. */
export function held(answer: Answer): Answer & { release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting: Answer = async (exchange) => {
    await promise;
    await answer(exchange);
  };
  return Object.assign(waiting, { release: () => resolve() });
}

const noRoute: Answer = ({ request, response }) => {
  response.writeHead(404, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: `no route for ${request.method} ${request.path}` }));
};

function routePattern(route: string): RegExp {
  const source = route.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/:[A-Za-z]+/g, "[^/]+");
  return new RegExp(`^${source}$`);
}

function drained(response: http.ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off("drain", go);
      response.off("close", go);
      resolve();
    };
    response.once("drain", go);
    response.once("close", go);
  });
}

function listen(server: net.Server, port = 0): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
