import { describe, expect, test, vi } from "vitest";
import { start } from "../../src/job/start.ts";
import { Http } from "../../src/net/http.ts";
import { AgentV2 } from "../../src/service/agent-v2.ts";
import { Transport } from "../../src/service/transport.ts";
import { Secrets } from "../../src/text/secrets.ts";
import {
  closeAfterRequest,
  halfBody,
  hangBeforeHeaders,
  json,
  notHttp,
  resetAfterRequest,
} from "../support/answers.ts";
import type { Answer } from "../support/faulty-server.ts";
import { openRoute, type Route, type RouteOptions, WAYS, type Way } from "../support/route.ts";

const CREATE = "POST /v2/agent/docs/job";
const JOB = { id: "job_1", status: "active" };
/** As many tries as a request gets that cannot have been received: the first, and five more. */
const TRIES = 6;

interface Creating extends Route {
  /** Creates a job; no delay between two tries takes any time. */
  create(onRetry?: () => void): ReturnType<typeof start>;
  /** The run is cancelled: a request that is under way is given up. */
  abandon(): void;
  /** How often the request was sent again, or was to be. */
  retries(): number;
}

async function openService(way: Way, options: RouteOptions = {}): Promise<Creating> {
  const route = await openRoute(way, options);
  route.service.on(CREATE, json(201, JOB));
  const http = new Http(route.env);
  const transport = new Transport({
    ...{ http, baseUrl: route.url, apiKey: "mint_key", timeOfDay: () => 0 },
    secrets: new Secrets([]),
  });
  const abandon = new AbortController();
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
          rules: { pace: { initial: 1, max: 1 }, deadline: 60_000 },
          clock: { now: () => 0, timeOfDay: () => 0, sleep: async () => {} },
          ...{ random: () => 0.5, stop: new AbortController().signal, abandon: abandon.signal },
          ...{ onRetry, onRequest: () => {}, onNewJob: () => {} },
        },
      );
    },
    async [Symbol.asyncDispose]() {
      await http.close();
      await route[Symbol.asyncDispose]();
    },
  };
}

/** The first two connections fail, and the third is a good one. */
const twice =
  <T, G>(handling: T, good: G) =>
  (nth: number): T | G =>
    nth < 2 ? handling : good;

const BEFORE_A_CONNECTION: [string, Way, RouteOptions][] = [
  ...WAYS.flatMap((way): [string, Way, RouteOptions][] => [
    ["the connection is reset", way, { connections: { connectionFault: twice("reset", null) } }],
    ["what answers is not TLS", way, { connections: { connectionFault: twice("garble", null) } }],
  ]),
  ...([407, 502, "close", "drop"] as const).map((handling): [string, Way, RouteOptions] => {
    const what = typeof handling === "number" ? `answers ${handling}` : `${handling}s`;
    const proxy = { handle: twice(handling, "open" as const) };
    return [`the proxy ${what}`, "through a proxy", { proxy }];
  }),
];

describe("nothing was received, so a job is asked for again", () => {
  test.each(BEFORE_A_CONNECTION)("%s (%s)", async (_, way, options) => {
    await using service = await openService(way, options);
    expect(await service.create()).toMatchObject({ type: "running", running: { id: JOB.id } });
    expect(service.retries()).toBe(2);
    expect(service.service.requestsTo(CREATE)).toHaveLength(1);
  });

  test.each(WAYS)("the connection is refused, and then is not (%s)", async (way) => {
    await using service = await openService(way, { connections: { refuseAfter: 0 } });
    let listening: Promise<void> | undefined;
    const started = await service.create(() => {
      listening ??= service.service.listenAgain();
    });
    await listening;
    expect(started).toMatchObject({ type: "running", running: { id: JOB.id } });
    expect(service.service.requestsTo(CREATE)).toHaveLength(1);
  });

  test.each(WAYS)("but not for ever (%s)", async (way) => {
    await using service = await openService(way, {
      connections: { connectionFault: () => "reset" },
    });
    expect(await service.create()).toMatchObject({
      outcome: { type: "error", request: "refused", error: { kind: "service-unavailable" } },
    });
    expect(service.service.connections).toBe(TRIES);
    expect(service.service.requests).toEqual([]);
  });

  test.each(WAYS)("cancelled while connecting: there is no job (%s)", async (way) => {
    await using service = await openService(way, {
      connections: { connectionFault: () => "hang" },
    });
    const started = service.create();
    await vi.waitFor(() => expect(service.service.connections).toBe(1), { timeout: 10_000 });
    service.abandon();
    expect(await started).toMatchObject({ outcome: { type: "cancelled", request: "refused" } });
  });
});

describe("it may have been received, so no job is asked for again", () => {
  const AFTER_SENDING: [string, Answer, string][] = [
    ["reset", resetAfterRequest, "create-uncertain"],
    ["closed", closeAfterRequest, "create-uncertain"],
    ["lost in the middle of the answer", halfBody(201, JOB), "create-uncertain"],
    ["answered with something that is not HTTP", notHttp, "create-uncertain"],
    ["answered with something that is not a job", json(201, "fine"), "invalid-response"],
  ];
  const ROWS = WAYS.flatMap((way) => AFTER_SENDING.map((row) => [...row, way] as const));

  test.each(ROWS)("the connection is %s after the request", async (_, answer, kind, way) => {
    await using service = await openService(way);
    service.service.on(CREATE, answer);
    expect(await service.create()).toMatchObject({
      outcome: { type: "error", request: "uncertain", error: { kind } },
    });
    expect(service.retries()).toBe(0);
    expect(service.service.requestsTo(CREATE)).toHaveLength(1);
  });

  test.each(WAYS)("cancelled before an answer came (%s)", async (way) => {
    await using service = await openService(way);
    service.service.on(CREATE, hangBeforeHeaders);
    const started = service.create();
    await service.service.waitForRequest(CREATE);
    service.abandon();
    expect(await started).toMatchObject({ outcome: { type: "cancelled", request: "uncertain" } });
    expect(service.service.requestsTo(CREATE)).toHaveLength(1);
  });
});
