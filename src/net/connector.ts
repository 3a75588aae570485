import type { Socket } from "node:net";
import type { buildConnector as Undici } from "undici";
import type { ProxyServer } from "./proxy.ts";
import { buildConnector } from "./undici.ts";

export interface ConnectorOptions {
  /** The proxy that an address is behind, if any. */
  proxyFor: (url: URL) => ProxyServer | null;
  /** Milliseconds for each step on the way to a connection: to connect, to open a tunnel, to agree on TLS. */
  limit: number;
  /** Drops every connection, made or in the making. */
  signal: AbortSignal;
}

/** What is known of the connections to one origin. */
interface Connections {
  /** Attempts that are under way. */
  attempts: number;
  /** Connections made so far. */
  made: number;
  /** Those of them that are still open. */
  open: number;
}

/** Watches the connections that one request can have gone out on. */
interface Watch {
  /**
   * Whether it is proven that the request had no connection when it ended with this error. False says
   * nothing: it may have been received.
   */
  provesNoConnection(error: unknown): boolean;
}

/**
 * Makes every connection of an undici agent, directly or through a proxy. undici can write a request only to
 * what it gets from here, so that the connector can prove that there was nothing to write it to.
 */
export class Connector {
  readonly #options: ConnectorOptions;
  readonly #origins = new Map<string, Connections>();
  /** What ended an attempt: a request that fails with the very same error was waiting for it. */
  readonly #failures = new WeakSet<Error>();

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  /** undici's `connect` option: called for each connection that it needs. */
  readonly connect: Undici.connector = (options, callback) => {
    // After a request was given up undici connects anew, even when it is being closed at that moment.
    if (this.#options.signal.aborted) return void callback(new Error("given up"), null);
    const connections = this.#at(`${options.protocol}//${options.host}`);
    connections.attempts += 1;
    this.#establish(options).then(
      (socket) => {
        connections.attempts -= 1;
        connections.made += 1;
        connections.open += 1;
        socket.once("close", () => {
          connections.open -= 1;
        });
        callback(null, socket);
      },
      (error: Error) => {
        connections.attempts -= 1;
        this.#failures.add(error);
        callback(error, null);
      },
    );
  };

  /** Begins to watch for one request, right before it is handed to undici. */
  watch(origin: string): Watch {
    const connections = this.#at(origin);
    const { made, open } = connections;
    return {
      provesNoConnection: (error) => {
        if (error instanceof Error && this.#failures.has(error)) return true;
        // Ended while undici waits for a connection, and there has been none since it began to wait.
        return open === 0 && connections.made === made && connections.attempts > 0;
      },
    };
  }

  async #establish(options: Undici.Options): Promise<Socket> {
    const url = new URL(`${options.protocol}//${options.host}`);
    const proxy = this.#options.proxyFor(url);
    if (proxy === null) return await this.#direct(options);
    // Loaded by those who have a proxy; for the others it would be the only use of Node's HTTPS client.
    const { openTunnel } = await import("./tunnel.ts");
    const isTls = url.protocol === "https:";
    const target = `${url.hostname}:${url.port || (isTls ? 443 : 80)}`;
    const tunnel = await openTunnel(proxy, target, this.#options);
    return isTls ? await this.#direct({ ...options, httpSocket: tunnel }) : tunnel;
  }

  async #direct(options: Undici.Options): Promise<Socket> {
    const { limit, signal } = this.#options;
    // Node keeps a socket as long as the signal passed to it, so each socket gets its own signal.
    const attempt = new AbortController();
    const giveUp = () => attempt.abort();
    signal.addEventListener("abort", giveUp, { once: true });
    // Over HTTP/2, requests share a connection, and whether one was received is harder to tell.
    const settings = { timeout: limit, allowH2: false, signal: attempt.signal };
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    buildConnector(settings)(options, (error, socket) => {
      signal.removeEventListener("abort", giveUp);
      if (error === null) resolve(socket);
      else reject(error);
    });
    return await promise;
  }

  #at(origin: string): Connections {
    const known = this.#origins.get(origin);
    if (known !== undefined) return known;
    const connections = { attempts: 0, made: 0, open: 0 };
    this.#origins.set(origin, connections);
    return connections;
  }
}
