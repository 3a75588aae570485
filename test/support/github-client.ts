import { pageOf } from "../../emulator/github/limits.ts";
import { createGitHub } from "../../src/github/client.ts";
import type { Connect } from "../../src/github/connect.ts";
import { Http } from "../../src/net/http.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { Secrets } from "../../src/text/secrets.ts";
import { json } from "./answers.ts";
import { type Answer, type FaultyServer, startFaultyServer } from "./faulty-server.ts";

/** A server that answers as a test has told it, and the action's own client of GitHub, connected to it. */
export interface ConnectedClient extends AsyncDisposable {
  server: FaultyServer;
  connect: Connect;
  /** The requests so far, as `METHOD path?query`. */
  asked(): string[];
}

/** A second between two requests is a matter of 10 ms. */
const clock: Clock = {
  ...systemClock,
  sleep: (milliseconds, signal) => systemClock.sleep(milliseconds / 100, signal),
};

export async function connectClient(): Promise<ConnectedClient> {
  const server = await startFaultyServer();
  const http = new Http({});
  const secrets = new Secrets([]);
  const signal = new AbortController().signal;
  const apiUrl = new URL(server.url);
  return {
    server,
    connect: async () => createGitHub({ http, secrets, clock, token: "ghs_x", apiUrl, signal }),
    asked: () => server.requests.map(({ method, path }) => `${method} ${path}`),
    async [Symbol.asyncDispose]() {
      await Promise.all([http.close(), server.close()]);
    },
  };
}

/** A list, a page at a time, as GitHub serves lists. */
export function inPages(items: readonly unknown[]): Answer {
  return (exchange) => {
    const { items: page, link } = pageOf(items, new URL(exchange.request.path, "http://localhost"));
    return json(200, page, link === "" ? {} : { link })(exchange);
  };
}
