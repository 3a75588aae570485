/** The playground's own HTTP server: pages, their updates, their forms, and the files that they load. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Acts } from "../site/acts.ts";
import { Refused } from "../site/refused.ts";
import { html } from "../views/html.ts";
import { type Page, renderPage } from "../views/page.ts";
import { pageAt, type Sources } from "../views/pages.ts";
import { asset } from "./assets.ts";
import { answer, readForm, redirect } from "./exchange.ts";
import { formAt } from "./forms.ts";
import { PageUpdates } from "./page-updates.ts";

/** The next playground has another port, so that a browser never takes these for its own. */
const KEPT = { "cache-control": "private, max-age=86400" };

export interface Site extends Sources {
  acts: Acts;
}

export class PlaygroundServer {
  readonly #site: Site;
  readonly #server: Server;
  readonly #updates: PageUpdates;

  constructor(site: Site) {
    this.#site = site;
    this.#updates = new PageUpdates({
      page: (path) => pageAt(path, site),
      version: async () => {
        const { github, service } = site.world;
        const [writes, jobs] = await Promise.all([github.writes(), service.jobs()]);
        const shown = jobs.map(({ record, session, turns }) => [record, session, turns.length]);
        return JSON.stringify([writes, site.runs.version, shown]);
      },
    });
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  /** Listens on loopback, on a port that the system chooses; returns the address. */
  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this.#origin();
  }

  async close(): Promise<void> {
    this.#updates.close();
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #origin(host = "127.0.0.1"): string {
    return `http://${host}:${(this.#server.address() as AddressInfo).port}`;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const origin = `http://${request.headers.host ?? ""}`;
      // A name that somebody else's server points to this machine must not read what is here.
      if (![this.#origin(), this.#origin("localhost")].includes(origin)) {
        throw new Refused(421, `This playground is at ${this.#origin()}`);
      }
      const url = new URL(request.url ?? "/", origin);
      if (request.method === "POST") await this.#post(url.pathname, request, response, origin);
      else if (request.method === "GET") await this.#get(url, response);
      else throw new Refused(405, "This address only takes GET and POST.");
    } catch (error) {
      await this.#refuse(error, request, response);
    }
  }

  async #get(url: URL, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = url;
    if (pathname === "/") {
      return redirect(response, `/${this.#site.world.github.repository}/issues/1`);
    }
    if (pathname === "/events") return this.#updates.add(searchParams.get("page") ?? "", response);
    const found = pathname.startsWith("/assets/") ? asset(pathname.slice(8)) : undefined;
    if (found !== undefined) return answer(response, 200, found.type, found.content, KEPT);
    const page = await pageAt(pathname, this.#site);
    if (page === undefined) throw new Refused(404, "There is no such page.");
    this.#show(page, 200, pathname, response);
  }

  async #post(
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    origin: string,
  ): Promise<void> {
    const { world, acts, site } = this.#site;
    const form = formAt(path, { repository: world.github.repository, acts, site });
    if (form === undefined) throw new Refused(404, "There is no such form.");
    const done = await form(await readForm(request, origin));
    if (wantsJson(request)) return answer(response, 200, "application/json", JSON.stringify(done));
    // Without scripts, a browser goes back to the page of the form.
    redirect(response, request.headers.referer ?? "/");
  }

  async #refuse(error: unknown, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, message } =
      error instanceof Refused
        ? error
        : { status: 502, message: `The local world did not answer as expected: ${String(error)}` };
    if (response.headersSent) return void response.end();
    if (wantsJson(request)) {
      return answer(response, status, "application/json", JSON.stringify({ error: message }));
    }
    const content = html`<h1>${status}</h1><p>${message}</p><p><a href="/">Back to the issue</a></p>`;
    const main = [{ key: "error", label: undefined, content }];
    this.#show({ title: message, tab: "", lead: undefined, main, aside: [] }, status, "", response);
  }

  #show(page: Page, status: number, path: string, response: ServerResponse): void {
    answer(response, status, "text/html", renderPage(page, path, this.#site.world).markup);
  }
}

function wantsJson({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes("application/json") === true;
}
