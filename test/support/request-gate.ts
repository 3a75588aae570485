import http, { type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Where a request is held: before the server gets it, or after the server has handled it. */
export type When = "before" | "after";

/** The request that gets no answer, although its connection stays open. */
interface Held {
  /** Its number (from 0), or a pattern for its `METHOD /path`. */
  at: number | RegExp;
  when: When;
}

/**
 * Whether nobody can notice that a request was handled: it reads, or writes a git object that no ref names yet.
 *
 * @param request `METHOD path`
 */
export function changesNothing(request: string): boolean {
  return /^GET |^POST \S+\/git\/(blobs|trees|commits)$/.test(request);
}

/** When to stop a run at a request: one that changes nothing leaves the same, whether the server got it or not. */
export function momentsOf(request: string): readonly When[] {
  return changesNothing(request) ? ["after"] : ["before", "after"];
}

/** A proxy for several servers that records the requests to all of them, and holds one request, for ever or a while. */
export class RequestGate implements AsyncDisposable {
  /** `METHOD /path`, in order. */
  readonly requests: string[] = [];
  readonly #held: Held | null;
  readonly #meanwhile: (() => Promise<unknown>) | null;
  #isHeld = false;
  readonly #reached = Promise.withResolvers<true>();
  readonly #servers: Server[] = [];

  /** @param meanwhile what happens while the request is held, before it goes on; null if it never goes on */
  constructor(held: Held | null = null, meanwhile: (() => Promise<unknown>) | null = null) {
    this.#held = held;
    this.#meanwhile = meanwhile;
  }

  /** Resolves when the request is held. */
  get reached(): Promise<true> {
    return this.#reached.promise;
  }

  /** Starts a proxy for a server, and returns its address. */
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
    if (when === "before" && !(await this.#goesOn())) return;
    const body = Buffer.concat(chunks);
    const { host: _, connection: __, "transfer-encoding": ___, ...headers } = request.headers;
    const method = request.method ?? "GET";
    const answer = await fetch(url, {
      method,
      headers: headers as Record<string, string>,
      ...(method === "GET" || body.length === 0 ? {} : { body }),
    });
    const content = Buffer.from(await answer.arrayBuffer());
    if (when === "after" && !(await this.#goesOn())) return;
    const skipped = ["content-encoding", "content-length", "transfer-encoding", "connection"];
    const kept = [...answer.headers].filter(([name]) => !skipped.includes(name));
    response.writeHead(answer.status, Object.fromEntries(kept)).end(content);
  }

  /** Whether a held request goes on, after what happens meanwhile. */
  async #goesOn(): Promise<boolean> {
    await this.#meanwhile?.();
    this.#reached.resolve(true);
    return this.#meanwhile !== null;
  }

  #whenHeld(name: string, nth: number): When | null {
    if (this.#held === null || this.#isHeld) return null;
    const { at, when } = this.#held;
    this.#isHeld = typeof at === "number" ? at === nth : at.test(name);
    return this.#isHeld ? when : null;
  }
}
