/**
 * Pages that update by themselves: whoever looks at one is sent its parts when they change. The emulated
 * GitHub and the service are asked whether anything happened; only then is a page rendered anew.
 */

import type { ServerResponse } from "node:http";
import { sent } from "../views/html.ts";
import type { Page } from "../views/page.ts";
import { HEADERS } from "./exchange.ts";

export interface UpdateSource {
  /** Differs whenever something may have changed. */
  version(): Promise<string>;
  /** Undefined: there is no such page. */
  page(path: string): Promise<Page | undefined>;
}

/** Between two questions whether anything happened, in milliseconds. */
const INTERVAL_MS = 250;

interface Viewer {
  path: string;
  response: ServerResponse;
  /** The message that it was sent last. */
  last: string;
}

export class PageUpdates {
  readonly #source: UpdateSource;
  readonly #viewers = new Set<Viewer>();
  #timer: NodeJS.Timeout | undefined;
  #version = "";
  #isClosed = false;

  constructor(source: UpdateSource) {
    this.#source = source;
  }

  /** Sends the parts of a page, now and whenever they change, until the browser leaves. */
  add(path: string, response: ServerResponse): void {
    response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream" });
    const viewer: Viewer = { path, response, last: "" };
    this.#viewers.add(viewer);
    response.on("close", () => this.#viewers.delete(viewer));
    // The next question sends every viewer what it lacks.
    this.#version = "";
    this.#timer ??= setTimeout(() => this.#tick(), 0);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const { response } of this.#viewers) response.end();
  }

  async #tick(): Promise<void> {
    try {
      const version = await this.#source.version();
      if (version !== this.#version) {
        this.#version = version;
        await this.#send();
      }
    } catch {
      // Asked again below: the world may be about to close, or GitHub's emulator was busy.
      this.#version = "";
    }
    const hasMore = this.#viewers.size > 0 && !this.#isClosed;
    this.#timer = hasMore ? setTimeout(() => this.#tick(), INTERVAL_MS) : undefined;
  }

  async #send(): Promise<void> {
    for (const path of new Set([...this.#viewers].map((viewer) => viewer.path))) {
      const page = await this.#source.page(path);
      if (page === undefined) continue;
      const message = JSON.stringify({ main: page.main.map(sent), aside: page.aside.map(sent) });
      for (const viewer of this.#viewers) {
        if (viewer.path !== path || viewer.last === message) continue;
        viewer.last = message;
        viewer.response.write(`data: ${message}\n\n`);
      }
    }
  }
}
