import http, { type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** When a run is stopped at a request: before the server has it, or when it is done and not answered. */
export type When = "before" | "after";

/** The request that is not answered. */
export interface Held {
  /** Counted from 0, or the first whose `METHOD /path` matches. */
  at: number | RegExp;
  /** How many that match are let through first. Default: none. */
  after?: number;
  when: When;
  /** Its connection breaks. Default: it stays open. */
  breaks?: boolean;
  /** Is done at this moment, and the request goes on. */
  instead?: () => void;
}

/** Requests that wait for each other: all go on when so many are there. */
export interface Meeting {
  /** `METHOD /path` */
  at: RegExp;
  count: number;
}

/** Stands before several servers, counts the requests to all of them, and holds one. */
export class RequestGate implements AsyncDisposable {
  /** `METHOD /path`, in order. */
  readonly requests: string[] = [];
  readonly #held: Held | null;
  readonly #meeting: Meeting | null;
  readonly #met = Promise.withResolvers<true>();
  #arrived = 0;
  #isHeld = false;
  #matched = 0;
  readonly #reached = Promise.withResolvers<true>();
  readonly #servers: Server[] = [];

  constructor(held: Held | null = null, meeting: Meeting | null = null) {
    this.#held = held;
    this.#meeting = meeting;
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
    if (when === "before" && !this.#goesOn()) return this.#hold(response);
    if (this.#meeting?.at.test(name)) await this.#meet(this.#meeting.count);
    const body = Buffer.concat(chunks);
    const { host: _, connection: __, "transfer-encoding": ___, ...headers } = request.headers;
    const method = request.method ?? "GET";
    const answer = await fetch(url, {
      ...{ method, headers: headers as Record<string, string> },
      ...(method === "GET" || body.length === 0 ? {} : { body }),
    });
    const told = Buffer.from(await answer.arrayBuffer());
    if (when === "after" && !this.#goesOn()) return this.#hold(response);
    const skipped = ["content-encoding", "content-length", "transfer-encoding", "connection"];
    const kept = [...answer.headers].filter(([name]) => !skipped.includes(name));
    response.writeHead(answer.status, Object.fromEntries(kept)).end(told);
  }

  #whenHeld(name: string, nth: number): When | null {
    if (this.#held === null || this.#isHeld) return null;
    const { at, when, after = 0 } = this.#held;
    if (at instanceof RegExp && at.test(name)) this.#matched += 1;
    this.#isHeld = typeof at === "number" ? at === nth : at.test(name) && this.#matched > after;
    return this.#isHeld ? when : null;
  }

  #goesOn(): boolean {
    this.#held?.instead?.();
    return this.#held?.instead !== undefined;
  }

  #hold(response: ServerResponse): void {
    if (this.#held?.breaks === true) response.destroy();
    this.#reached.resolve(true);
  }

  async #meet(count: number): Promise<void> {
    this.#arrived += 1;
    if (this.#arrived === count) this.#met.resolve(true);
    await this.#met.promise;
  }
}
