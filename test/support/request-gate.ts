import http, { type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** When a run is stopped at a request: before the server has it, or when it is done and not answered. */
export type When = "before" | "after";

/** Stands before several servers, counts the requests to all of them, and holds one. */
export class RequestGate implements AsyncDisposable {
  /** `METHOD /path`, in order. */
  readonly requests: string[] = [];
  readonly #held: { at: number; when: When } | null;
  readonly #reached = Promise.withResolvers<true>();
  readonly #servers: Server[] = [];

  /** @param held the request that is never answered, counted from 0 */
  constructor(held: { at: number; when: When } | null = null) {
    this.#held = held;
  }

  /** Resolves when the held request is there, or done. */
  get reached(): Promise<true> {
    return this.#reached.promise;
  }

  /** Listens before a server; returns the address. */
  async before(target: string): Promise<string> {
    const server = http.createServer((request, response) => {
      void this.#handle(request, response, new URL(request.url ?? "/", target));
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const at = this.requests.push(`${request.method} ${url.pathname}`) - 1;
    const when = this.#held?.at === at ? this.#held.when : null;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (when === "before") {
      this.#reached.resolve(true);
      return;
    }
    const body = Buffer.concat(chunks);
    const { host: _, connection: __, "transfer-encoding": ___, ...headers } = request.headers;
    const method = request.method ?? "GET";
    const answer = await fetch(url, {
      ...{ method, headers: headers as Record<string, string> },
      ...(method === "GET" || body.length === 0 ? {} : { body }),
    });
    const told = Buffer.from(await answer.arrayBuffer());
    if (when === "after") {
      this.#reached.resolve(true);
      return;
    }
    const skipped = ["content-encoding", "content-length", "transfer-encoding", "connection"];
    const kept = [...answer.headers].filter(([name]) => !skipped.includes(name));
    response.writeHead(answer.status, Object.fromEntries(kept)).end(told);
  }
}
