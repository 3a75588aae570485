import { vi } from "vitest";
import { start } from "../../src/job/send.ts";
import { Http, type HttpOptions } from "../../src/net/http.ts";
import type { Cancellation } from "../../src/runtime/cancellation.ts";
import type { Log } from "../../src/runtime/log.ts";
import { AgentV2 } from "../../src/service/agent-v2.ts";
import { Transport } from "../../src/service/transport.ts";
import { Secrets } from "../../src/text/secrets.ts";
import { json } from "./answers.ts";
import { openRoute, type Route, type RouteOptions, type Way } from "./route.ts";
import { CREATE } from "./scenario.ts";

/** The job that the service makes. */
export const JOB = { id: "job_1", status: "active" };

/** A service, a way to it, and requests for a job. */
export interface Creating extends Route {
  /** Creates a job; no delay between two tries takes any time. */
  create(onRetry?: () => void): ReturnType<typeof start>;
  /** The run is cancelled: a request that is under way is given up. */
  abandon(): void;
  /** How often the request was sent again, or was to be. */
  retries(): number;
}

export interface CreatingOptions extends RouteOptions, HttpOptions {
  /** In place of the environment and the address that lead to the service. */
  env?: () => Promise<Record<string, string>>;
  url?: URL;
  /** Milliseconds that a request is given. */
  limit?: number;
}

/** Opens the way to a service that makes jobs. */
export async function openCreating(way: Way, options: CreatingOptions = {}): Promise<Creating> {
  const { connectLimit, env, url, limit = 60_000 } = options;
  const route = await openRoute(way, options);
  route.service.on(CREATE, json(201, JOB));
  const http = new Http(
    (await env?.()) ?? route.env,
    connectLimit === undefined ? {} : { connectLimit },
  );
  const clock = { now: () => 0, timeOfDay: () => 0, sleep: async () => {} };
  const transport = new Transport(
    { baseUrl: url ?? route.url, apiKey: "mint_key" },
    { http, clock, secrets: new Secrets([]) },
  );
  const abandon = new AbortController();
  // Only the request is given up: the run goes on as if it waited for the answer.
  const cancellation = {
    stop: new AbortController().signal,
    after: () => abandon.signal,
  } as Partial<Cancellation> as Cancellation;
  const onRetry = vi.fn<() => void>();
  return {
    ...route,
    abandon: () => abandon.abort(),
    retries: () => onRetry.mock.calls.length,
    create(then) {
      if (then !== undefined) onRetry.mockImplementation(then);
      return start(
        { type: "create", prompt: "Document it." },
        {
          agent: new AgentV2(transport, "docs"),
          rules: { pace: { initial: 1, max: 1 }, deadline: limit },
          ...{ onRequest: () => {}, onNewJob: () => {} },
        },
        {
          ...{
            clock,
            random: () => 0.5,
            log: { info: () => onRetry() } as Partial<Log> as Log,
            cancellation,
          },
        },
      );
    },
    async [Symbol.asyncDispose]() {
      await http.close();
      await route[Symbol.asyncDispose]();
    },
  };
}
