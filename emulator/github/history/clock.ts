/**
 * GitHub's clock, which a test can put forward: days pass for GitHub and everybody who asks it, and no
 * test waits. GitHub's own emulator goes on by the machine's clock; its times are changed on their way
 * out, each by what the clock had been put forward when it was written, and back on their way in.
 */

import { type App, BODY, type Call } from "../../http/app.ts";
import type { GitHubProxy } from "../proxy.ts";

/** From a moment of the machine's clock on, how far GitHub's is ahead of it; both in milliseconds. */
interface Stretch {
  from: number;
  ahead: number;
}

export class GitHubClock {
  #stretches: Stretch[] = [];

  get isMoved(): boolean {
    return this.#stretches.length > 0;
  }

  /** GitHub's time now, in milliseconds since 1970. */
  now(): number {
    return this.told(Date.now());
  }

  advance(milliseconds: number): void {
    const ahead = (this.#stretches.at(-1)?.ahead ?? 0) + milliseconds;
    this.#stretches.push({ from: Date.now(), ahead });
  }

  /** A moment of the machine's clock, as GitHub tells it. */
  told(at: number): number {
    return at + (this.#stretches.findLast(({ from }) => from <= at)?.ahead ?? 0);
  }

  /** The moment of the machine's clock that GitHub tells as `at`; of a time that was skipped, its end. */
  real(at: number): number {
    const stretch = this.#stretches.findLast(({ from, ahead }) => from + ahead <= at);
    const next = this.#stretches[this.#stretches.indexOf(stretch as Stretch) + 1];
    return Math.min(at - (stretch?.ahead ?? 0), next?.from ?? Number.POSITIVE_INFINITY);
  }
}

/** Lets all that goes through the proxy to GitHub's emulator, and comes back, go by GitHub's clock. */
export function clock(app: App, proxy: GitHubProxy, clock: GitHubClock): void {
  const forward = proxy.forward.bind(proxy);
  proxy.forward = async (call, change = {}) => {
    const path = realPath(change.path ?? pathOf(call), clock);
    if (!clock.isMoved) return forward(call, { ...change, path });
    const sent = change.body === undefined ? String(call.get(BODY) ?? "") : change.body;
    const body = sent === null ? null : inTime(sent, (at) => clock.real(at));
    const answer = await forward(call, { ...change, path, body });
    const headers = new Headers(answer.headers);
    headers.set("date", new Date(clock.now()).toUTCString());
    const { status } = answer;
    const isJson = headers.get("content-type")?.includes("json") === true;
    const told = isJson ? inTime(await answer.text(), (at) => clock.told(at)) : answer.body;
    return new Response(status === 204 ? null : told, { status, headers });
  };
  proxy.read = async <Answer>(call: Call, path: string) => {
    const answer = await proxy.forward(call, { method: "GET", path, body: null });
    return answer.ok ? ((await answer.json()) as Answer) : undefined;
  };
  app.use((call, next) => {
    if (clock.isMoved) call.header("date", new Date(clock.now()).toUTCString());
    return next();
  });
}

function pathOf(call: Call): string {
  const { pathname, search } = new URL(call.req.url);
  return `${pathname}${search}`;
}

/** With fractions of a second, because GitHub's emulator compares times as texts. */
function realPath(path: string, clock: GitHubClock): string {
  const url = new URL(path, "http://localhost");
  for (const name of ["since", "until"]) {
    const at = Date.parse(url.searchParams.get(name) ?? "");
    if (!Number.isNaN(at)) url.searchParams.set(name, new Date(clock.real(at)).toISOString());
  }
  return `${url.pathname}${url.search}`;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A JSON text with every time in it moved; what is no JSON stays as it is. */
function inTime(text: string, move: (at: number) => number): string {
  const moved = (_: string, value: unknown) =>
    typeof value === "string" && TIME.test(value)
      ? new Date(move(Date.parse(value))).toISOString()
      : value;
  try {
    return JSON.stringify(JSON.parse(text, moved));
  } catch {
    return text;
  }
}
