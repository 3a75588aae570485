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

describe.each(WAYS)("a request that goes %s: it may have been received", (way) => {
  test.each<[string, Answer]>([
    ["reset", resetAfterRequest],
    ["closed", closeAfterRequest],
    ["closed in the middle of the headers", halfHeaders],
    ["answered with something that is not HTTP", notHttp],
  ])("the connection is %s after the request", async (_, answer) => {
    await using client = await openClient(way);
    client.service.on("POST /", answer);
    expect(await client.post()).toEqual({
      stage: "sent",
      reason: "network",
      message: expect.stringMatching(/ did not respond \(/),
    });
    await expectRequests(client, 1);
  });

  test("no answer within the time for it", async () => {
    await using client = await openClient(way);
    client.service.on("POST /", json(200, "fine"), hangBeforeHeaders);
    expect(await client.post()).toEqual(FINE);
    expect(await client.post({ headerLimit: 100 })).toEqual({
      stage: "sent",
      reason: "time-limit",
      message: expect.stringMatching(/ did not respond within 0.1 s$/),
    });
    await expectRequests(client, 2);
  });

  test("stopped before an answer came", async () => {
    await using client = await openClient(way);
    client.service.on("POST /", hangBeforeHeaders);
    const stop = new AbortController();
    const result = client.post({ signal: stop.signal });
    await client.service.waitForRequest("POST /");
    stop.abort();
    expect(await result).toMatchObject({ stage: "sent", reason: "stopped" });
    await expectRequests(client, 1);
  });

  test("a kept connection is lost when the next request is on it", async () => {
    await using client = await openClient(way);
    client.service.on("POST /", json(200, "fine"), resetAfterRequest);
    expect(await client.post()).toEqual(FINE);
    await setImmediate();
    expect(await client.post()).toMatchObject({ stage: "sent", reason: "network" });
    expect(client.service.connections).toBe(1);
    await expectRequests(client, 2);
  });

  test.each<[string, Answer[]]>([
    ["made for one of them", []],
    ["kept from before", [json(200, "fine")]],
  ])(
    "of two requests stopped with one connection, %s, only the one that had it may be received",
    async (...row) => {
      const [, before] = row;
      await using client = await openClient(way, {
        connections: { connectionFault: (nth) => (nth === 0 ? null : "hang") },
      });
      client.service.on("POST /", ...([...before, hangBeforeHeaders] as [Answer]));
      for (const _ of before) expect(await client.post()).toEqual(FINE);
      await setImmediate();
      const stop = new AbortController();
      const results = [1, 2].map(() => client.post({ signal: stop.signal }));
      await client.service.waitForRequest("POST /", before.length + 1);
      await vi.waitFor(() => expect(client.service.connections).toBe(2), SLOW);
      stop.abort();
      const stages = (await Promise.all(results)).map((it) => "stage" in it && it.stage);
      expect(stages.toSorted()).toEqual(["connect", "sent"]);
    },
  );

  test("of two requests at a time, each is judged by itself", async () => {
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
