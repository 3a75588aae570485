/** The playground's own HTTP server: pages, their updates, their forms, and the files that they load. */

import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { HttpError } from "../../emulator/http/http-error.ts";
import type { LocalGitHub } from "../../emulator/local-world/local-github.ts";
import { element, html, type Part } from "../views/html.ts";
import { type Page, renderPage } from "../views/page.ts";
import { pageAt } from "../views/pages.ts";
import { asset } from "./assets.ts";
import { addForms, formPage, type Site, wantsJson } from "./forms.ts";

/** Loads nothing from other sites, and cannot be embedded by them. Mermaid writes styles. */
const HEADERS = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", "data:"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  // After a form that the browser sent without the script, it goes back to the form's page.
  referrerPolicy: "same-origin",
});

/** Safe to cache, because the next playground has another port. */
const KEPT = "private, max-age=86400";
/** Interval of checks for changes, in milliseconds. */
const INTERVAL_MS = 250;

/** Listens on loopback, on any free port. */
export async function serve(site: Site): Promise<{ url: string; close(): Promise<void> }> {
  const origins: string[] = [];
  const { fetch } = routes(site, origins);
  const server = createAdaptorServer({ fetch, hostname: "127.0.0.1" }) as Server;
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  origins.push(url, `http://localhost:${port}`);
  const close = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url, close };
}

/** @param origins of requests that are accepted */
function routes(site: Site, origins: readonly string[]): Hono {
  const { github } = site.world;
  const app = new Hono();
  const show = (context: Context, page: Page, path: string) =>
    context.html(renderPage(page, path, site.world).markup) as Response;
  app.use(HEADERS, async (context, next) => {
    const { origin } = new URL(context.req.url);
    // Protects against DNS rebinding: another site's name that resolves to this machine.
    if (!origins.includes(origin)) {
      throw new HttpError(421, `This playground is at ${origins[0]}`);
    }
    if ((context.req.header("origin") ?? origin) !== origin) {
      throw new HttpError(403, "This form was sent by a page of another address.");
    }
    context.header("cache-control", "no-store");
    await next();
  });

  app.get("/", (context) => context.redirect(`/${github.repository}`, 303));
  app.get("/events", (context) => {
    const path = context.req.query("page") ?? "";
    return streamSSE(context, (stream) => sendUpdates(stream, path, site));
  });
  app.get("/assets/:name", async (context, next) => {
    const file = asset(context.req.param("name"));
    if (file === undefined) return next();
    context.header("cache-control", KEPT);
    return context.body(file.content, 200, { "content-type": `${file.type}; charset=utf-8` });
  });

  addForms(app, site);

  // GitHub's form for a new page on a branch: here, the pull request's page has it.
  app.get("/:owner/:name/new/:branch{.+}", async (context, next) => {
    const { branch } = context.req.param();
    const pull = github.home.pulls.findLast((candidate) => candidate.branch === branch);
    if (pull === undefined) return await next();
    return context.redirect(`/${github.repository}/pull/${pull.number}`, 303);
  });
  app.get("*", async (context) => {
    const { path } = context.req;
    const present = presentPath(path, github);
    const { search } = new URL(context.req.url);
    if (present !== path) return context.redirect(`${present}${search}`, 302);
    const { comment: text = "", workflow = "" } = context.req.query();
    const page = await pageAt(path, site, { text, workflow });
    if (page === undefined) {
      throw new HttpError(404, "There is no such page.");
    }
    return show(context, page, path);
  });
  app.notFound(() => {
    throw new HttpError(404, "There is no such form.");
  });
  app.onError((error, context) => {
    const isRefused = error instanceof HttpError;
    const status = isRefused ? error.status : 502;
    context.status(status as 502);
    const message = isRefused
      ? error.message
      : `The local world did not answer as expected: ${String(error)}`;
    if (wantsJson(context)) return context.json({ error: message });
    return show(context, errorPage(status, message, formPage(context)), "");
  });
  return app;
}

/** The path of a page, which may be under a former name of the repository. */
function presentPath(path: string, github: LocalGitHub): string {
  const [, name = "", below = ""] = /^\/([^/]+\/[^/]+)(.*)$/.exec(path) ?? [];
  return github.isHome(name) ? `/${github.repository}${below}` : path;
}

/** @param back path of the page before */
function errorPage(status: number, message: string, back: string): Page {
  const isMissing = status === 404;
  const title = isMissing ? "Page not found" : "That did not work";
  const help =
    isMissing &&
    html` Of GitHub, the playground has issues, pull requests, commits and workflow runs; the links above lead to them.`;
  const link = html`<a href="${back}">${back === "/" ? "To the overview" : "Back"}</a>`;
  const content = html`<h1>${title}</h1><p>${message}${help}</p><p>${link}</p>`;
  return { title, tab: undefined, lead: undefined, main: [{ key: "error", content }], aside: [] };
}

/**
 * Sends the parts of a page, now and whenever they change, until the browser disconnects. The page is rendered again
 * only if anything changed on the emulated GitHub or the service.
 */
async function sendUpdates(stream: SSEStreamingApi, path: string, site: Site): Promise<void> {
  let [version, last] = ["", ""];
  while (!stream.aborted && !stream.closed) {
    try {
      const now = await versionOf(site);
      const page =
        now === version ? undefined : await pageAt(presentPath(path, site.world.github), site);
      version = now;
      const data = page && JSON.stringify({ main: sent(page.main), aside: sent(page.aside) });
      if (data !== undefined && data !== last) await stream.writeSSE({ data });
      last = data ?? last;
    } catch {
      // Tried again: the world may be closing, or GitHub's emulator was busy.
      version = "";
    }
    await stream.sleep(INTERVAL_MS);
  }
}

function sent(parts: readonly Part[]): object[] {
  return parts.map((part) => ({ html: element(part).markup }));
}

/** Changes whenever something may have changed. */
async function versionOf({ world: { github, service }, runs, acts }: Site): Promise<string> {
  const [writes, jobs] = await Promise.all([github.writes(), service.jobs()]);
  const shown = jobs.map(({ record, session, turns }) => [record, session, turns.length]);
  return JSON.stringify([writes, runs.version, acts.count, shown]);
}
