import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import {
  closeAfterRequest,
  hangBeforeHeaders,
  json,
  notHttp,
  resetAfterRequest,
} from "../support/answers.ts";
import type { Answer } from "../support/faulty-server.ts";
import { expectRequests, FINE, openClient, SLOW } from "../support/http-client.ts";
import { WAYS } from "../support/route.ts";

const halfHeaders: Answer = ({ socket }) => void socket.end("HTTP/1.1 200 OK\r\ncontent-le");

describe.each(WAYS)("a request that goes %s fails at stage sent", (way) => {
  test.each<[string, Answer]>([
    ["reset", resetAfterRequest],
    ["closed", closeAfterRequest],
    ["closed in the middle of the headers", halfHeaders],
    ["answered with bytes that are not HTTP", notHttp],
  ])("if the connection is %s after the request", async (_, answer) => {
    await using client = await openClient(way);
    client.service.on("POST /", answer);
    expect(await client.post()).toEqual({
      stage: "sent",
      reason: "network",
      message: expect.stringMatching(/ did not respond \(/),
    });
    await expectRequests(client, 1);
  });

  test("if there is no answer within the time limit", async () => {
    await using client = await openClient(way);
    client.service.on("POST /", json(200, "fine"), hangBeforeHeaders);
    expect(await client.post()).toEqual(FINE);
    expect(await client.post({ headerLimit: 500 })).toEqual({
      stage: "sent",
      reason: "time-limit",
      message: expect.stringMatching(/ did not respond within 0.5 s$/),
    });
    await expectRequests(client, 2);
  });

  test("if it is stopped before the answer", async () => {
    await using client = await openClient(way);
    client.service.on("POST /", hangBeforeHeaders);
    const stop = new AbortController();
    const result = client.post({ signal: stop.signal });
    await client.service.waitForRequest("POST /");
    stop.abort();
    expect(await result).toMatchObject({ stage: "sent", reason: "stopped" });
    await expectRequests(client, 1);
  });

  test("if a reused connection is lost", async () => {
    await using client = await openClient(way);
    client.service.on("POST /", json(200, "fine"), resetAfterRequest);
    expect(await client.post()).toEqual(FINE);
    await setImmediate();
    expect(await client.post()).toMatchObject({ stage: "sent", reason: "network" });
    expect(client.service.connections).toBe(1);
    await expectRequests(client, 2);
  });

  test.each<[string, [Answer, ...Answer[]]]>([
    ["made for one of them", [hangBeforeHeaders]],
    ["kept from before", [json(200, "fine"), hangBeforeHeaders]],
  ])(
    "if it had the only connection, %s, of two stopped requests; the other one fails at stage connect",
    async (_, answers) => {
      await using client = await openClient(way, {
        connections: { connectionFault: (nth) => (nth === 0 ? null : "hang") },
      });
      client.service.on("POST /", ...answers);
      for (let nth = 1; nth < answers.length; nth++) expect(await client.post()).toEqual(FINE);
      await setImmediate();
      const stop = new AbortController();
      const results = [1, 2].map(() => client.post({ signal: stop.signal }));
      await client.service.waitForRequest("POST /", answers.length);
      await vi.waitFor(() => expect(client.service.connections).toBe(2), SLOW);
      stop.abort();
      const stages = (await Promise.all(results)).map(
        (result) => "stage" in result && result.stage,
      );
      expect(stages.toSorted()).toEqual(["connect", "sent"]);
    },
  );

  test("while another request at the same time fails at stage connect", async () => {
    await using client = await openClient(way, { connections: { refuseAfter: 1 } });
    client.service.on("POST /", hangBeforeHeaders);
    const stop = new AbortController();
    const first = client.post({ signal: stop.signal });
    await client.service.waitForRequest("POST /");
    expect(await client.post()).toMatchObject({ stage: "connect", reason: "network" });
    stop.abort();
    expect(await first).toMatchObject({ stage: "sent", reason: "stopped" });
    expect(client.service.requests).toHaveLength(1);
  });
});
