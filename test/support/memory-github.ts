import type { GitHub } from "../../emulator/github/github.ts";
import { tokenOf, WORKFLOW } from "../../emulator/github/people.ts";
import { createGitHub } from "../../src/github/api/client.ts";
import type { Connect } from "../../src/github/api/connect.ts";
import { ExchangeError, Http, type HttpAnswer, type Outgoing } from "../../src/net/http.ts";
import { Secrets } from "../../src/text/secrets.ts";

/** The action's own client, connected to a GitHub in memory. */
export interface MemoryGitHub {
  connect: Connect;
  /** The requests so far, as `METHOD path?query`. */
  asked: string[];
  /** Performs the next request with this method, but loses its answer. */
  loseNext(method: string): void;
}

/** The action's HTTP without connections: a function handles each request. */
class HandledHttp extends Http {
  readonly #handle: (outgoing: Outgoing) => HttpAnswer;

  constructor(handle: (outgoing: Outgoing) => HttpAnswer) {
    super({});
    this.#handle = handle;
  }

  override async exchange(outgoing: Outgoing): Promise<HttpAnswer> {
    return this.#handle(outgoing);
  }
}

const clock = { now: () => 0, timeOfDay: () => 0, sleep: async () => {} };

export function memoryGitHub(emulated: GitHub, token = tokenOf(WORKFLOW)): MemoryGitHub {
  const asked: string[] = [];
  let lost = "";
  const handle = ({ method, url, headers, body }: Outgoing): HttpAnswer => {
    const path = `${url.pathname}${url.search}`;
    asked.push(`${method} ${path}`);
    const handled = emulated.handle({ method, path, headers, body });
    if (method === lost) {
      lost = "";
      throw new ExchangeError("sent", "network", "the connection was lost");
    }
    return { ...handled, text: String(handled.body) };
  };
  const http = new HandledHttp(handle);
  return {
    asked,
    connect: async () =>
      createGitHub({
        http,
        secrets: new Secrets([]),
        clock,
        token,
        signal: new AbortController().signal,
        patience: null,
        apiUrl: new URL(emulated.site.apiUrl),
      }),
    loseNext: (method) => {
      lost = method;
    },
  };
}
