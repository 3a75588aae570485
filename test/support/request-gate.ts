import http, { type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** When a run is stopped at a request: before the server has it, or when it is done and not answered. */
export type When = "before" | "after";

/** The request that is not answered, and whose connection stays open. */
interface Held {
  /** Counted from 0, or the first whose `METHOD /path` matches. */
  at: number | RegExp;
  when: When;
}

/** Stands before several servers, counts the requests to all of them, and holds one. */
export class RequestGate implements AsyncDisposable {
  /** `METHOD /path`, in order. */
  readonly requests: string[] = [];
  readonly #held: Held | null;
  #isHeld = false;
  readonly #reached = Promise.withResolvers<true>();
  readonly #servers: Server[] = [];

  constructor(held: Held | null = null) {
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
    const name = `${request.method} ${url.pathname}`;
    const when = this.#whenHeld(name, this.requests.push(name) - 1);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (when === "before") return this.#reached.resolve(true);
    const body = Buffer.concat(chunks);
    const { host: _, connection: __, "transfer-encoding": ___, ...headers } = request.headers;
    const method = request.method ?? "GET";
    const answer = await fetch(url, {
      method,
      headers: headers as Record<string, string>,
      ...(method === "GET" || body.length === 0 ? {} : { body }),
    });
    const told = Buffer.from(await answer.arrayBuffer());
    if (when === "after") return this.#reached.resolve(true);
    const skipped = ["content-encoding", "content-length", "transfer-encoding", "connection"];
    const kept = [...answer.headers].filter(([name]) => !skipped.includes(name));
    response.writeHead(answer.status, Object.fromEntries(kept)).end(told);
  }

  #whenHeld(name: string, nth: number): When | null {
    if (this.#held === null || this.#isHeld) return null;
    const { at, when } = this.#held;
    this.#isHeld = typeof at === "number" ? at === nth : at.test(name);
    return this.#isHeld ? when : null;
  }
}
