import { pageOf } from "../../emulator/github/limits.ts";
import { createGitHub } from "../../src/github/api/client.ts";
import type { Connect } from "../../src/github/api/connect.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { Secrets } from "../../src/text/secrets.ts";
import { json } from "./answers.ts";
import type { Answer } from "./faulty-server.ts";
import { MemoryServer } from "./memory-server.ts";

/** A server in memory with the answers that a test sets, and the action's own GitHub client for it. */
export interface ConnectedClient {
  server: MemoryServer;
  connect: Connect;
  /** The requests so far, as `METHOD path?query`. */
  asked(): string[];
}

/** Retries do not wait. */
const clock: Clock = { now: () => 0, timeOfDay: () => 0, sleep: async () => {} };

export function connectClient(token = "ghs_x", secrets = new Secrets([])): ConnectedClient {
  const server = new MemoryServer();
  const { http } = server;
  const signal = new AbortController().signal;
  const apiUrl = new URL(server.url);
  return {
    server,
    connect: async () =>
      createGitHub({ http, secrets, clock, token, apiUrl, signal, patience: null }),
    asked: () => server.requests.map(({ method, path }) => `${method} ${path}`),
  };
}

/** A list in pages, as GitHub serves lists. */
export function inPages(items: readonly unknown[]): Answer {
  return (exchange) => {
    const { items: page, link } = pageOf(items, new URL(exchange.request.path, "http://localhost"));
    return json(200, page, link === "" ? {} : { link })(exchange);
  };
}
