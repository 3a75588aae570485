import type { Socket } from "node:net";
import type { buildConnector as Undici } from "undici";
import type { ProxyServer } from "./proxy.ts";
import { buildConnector } from "./undici.ts";

export interface ConnectorOptions {
  /** The proxy for a URL; null for none. */
  proxyFor: (url: URL) => ProxyServer | null;
  /** Time limit for each step of a connection (connecting, tunnel, TLS), in milliseconds. */
  limit: number;
  /** Closes all connections, and cancels attempts. */
  signal: AbortSignal;
}

/** The connections to one origin. */
interface Connections {
  /** The number of attempts in progress. */
  attempts: number;
  /** The number of connections made so far. */
  made: number;
  /** The number of these connections that are still open. */
  open: number;
}

/** Watches the connections that one request may have used. */
interface Watch {
  /**
   * Whether it is proven that the request had no connection when it failed with this error. If false, the request may
   * have been received.
   */
  provesNoConnection(error: unknown): boolean;
}

/**
 * Makes all connections of an undici agent, directly or through a proxy. undici can write a request only to these
 * connections. So the connector can prove that there was none to write to.
 */
export class Connector {
  readonly #options: ConnectorOptions;
  readonly #origins = new Map<string, Connections>();
  /** The errors of attempts. A request that fails with the same error object was waiting for that attempt. */
  readonly #failures = new WeakSet<Error>();

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  /** undici's `connect` option. undici calls it for each connection that it needs. */
  readonly connect: Undici.connector = (options, callback) => {
    // After a cancelled request, undici connects again, even while it is being closed.
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

  /** Starts to watch for one request, right before undici gets it. */
  watch(origin: string): Watch {
    const connections = this.#at(origin);
    const { made, open } = connections;
    return {
      provesNoConnection: (error) => {
        if (error instanceof Error && this.#failures.has(error)) return true;
        // undici is waiting for a connection, and there has been none since the request began.
        return open === 0 && connections.made === made && connections.attempts > 0;
      },
    };
  }

  async #establish(options: Undici.Options): Promise<Socket> {
    const url = new URL(`${options.protocol}//${options.host}`);
    const proxy = this.#options.proxyFor(url);
    if (proxy === null) return await this.#direct(options);
    // Loaded only for a proxy: nothing else uses Node's HTTPS client.
    const { openTunnel } = await import("./tunnel.ts");
    const isTls = url.protocol === "https:";
    const target = `${url.hostname}:${url.port || (isTls ? 443 : 80)}`;
    const tunnel = await openTunnel(proxy, target, this.#options);
    return isTls ? await this.#direct({ ...options, httpSocket: tunnel }) : tunnel;
  }

  async #direct(options: Undici.Options): Promise<Socket> {
    const { limit, signal } = this.#options;
    // Node keeps a socket in memory as long as its signal exists, so each socket gets its own signal.
    const attempt = new AbortController();
    const giveUp = () => attempt.abort();
    signal.addEventListener("abort", giveUp, { once: true });
    // With HTTP/2, requests share a connection, and it is harder to know whether one was received.
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
