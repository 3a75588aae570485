import type { GitHub } from "../../emulator/github/github.ts";
import { tokenOf, WORKFLOW } from "../../emulator/github/people.ts";
import { createGitHub } from "../../src/github/api/client.ts";
import type { Connect } from "../../src/github/api/connect.ts";
import { ExchangeError, type Http, type HttpAnswer, type Outgoing } from "../../src/net/http.ts";
import { Secrets } from "../../src/text/secrets.ts";

/** The action's own client of a GitHub in memory. */
export interface MemoryGitHub {
  connect: Connect;
  /** The requests so far, as `METHOD path?query`. */
  asked: string[];
  /** Does the next request of a method as it is asked, and loses the answer. */
  loseNext(method: string): void;
}

const clock = { now: () => 0, timeOfDay: () => 0, sleep: async () => {} };

export function memoryGitHub(emulated: GitHub, token = tokenOf(WORKFLOW)): MemoryGitHub {
  const asked: string[] = [];
  let lost = "";
  const exchange = async (outgoing: Outgoing): Promise<HttpAnswer> => {
    const { method, url, headers, body } = outgoing;
    const path = `${url.pathname}${url.search}`;
    asked.push(`${method} ${path}`);
    const told = emulated.handle({ method, path, headers, body });
    if (method !== lost) return { ...told, text: String(told.body) };
    lost = "";
    throw new ExchangeError("sent", "network", "the connection was lost");
  };
  const options = {
    http: { exchange } as unknown as Http,
    secrets: new Secrets([]),
    clock,
    token,
    signal: new AbortController().signal,
  };
  return {
    asked,
    connect: async () =>
      createGitHub({ ...options, patience: null, apiUrl: new URL(emulated.site.apiUrl) }),
    loseNext: (method) => {
      lost = method;
    },
  };
}
