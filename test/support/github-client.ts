import { createGitHub } from "../../src/github/client.ts";
import type { Connect } from "../../src/github/connect.ts";
import { Http } from "../../src/net/http.ts";
import { systemClock as clock } from "../../src/runtime/clock.ts";
import { Secrets } from "../../src/text/secrets.ts";
import { type FakeGithub, startFakeGithub } from "./fake-github.ts";

/** A fake GitHub and the action's own client of it. */
export interface Connected extends AsyncDisposable {
  fake: FakeGithub;
  connect: Connect;
  /** The requests so far, as `METHOD path?query`. */
  asked(): string[];
}

export async function connectFake(): Promise<Connected> {
  const fake = await startFakeGithub();
  const http = new Http({});
  const secrets = new Secrets([]);
  const signal = new AbortController().signal;
  const apiUrl = new URL(fake.url);
  return {
    fake,
    connect: async () => createGitHub({ http, secrets, clock, token: "ghs_x", apiUrl, signal }),
    asked: () => fake.server.requests.map(({ method, path }) => `${method} ${path}`),
    async [Symbol.asyncDispose]() {
      await Promise.all([http.close(), fake.close()]);
    },
  };
}
