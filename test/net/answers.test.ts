import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ExchangeError, type Outgoing } from "../../src/net/http.ts";
import { drip, halfBody, hangInBody, json, redirect } from "../support/answers.ts";
import type { Answer } from "../support/faulty-server.ts";
import { disconnect, expectRequests, FINE, openClient, thenClose } from "../support/http-client.ts";
import { WAYS } from "../support/route.ts";

const halfChunk: Answer = ({ response, socket }) => {
  response.writeHead(200);
  response.write("half", () => socket.destroy());
};

describe.each(WAYS)("a request that goes %s", (way) => {
  describe("whose answer is interrupted", () => {
    test.each<[string, Answer, Partial<Outgoing>, string]>([
      ["half a body", halfBody(200, "a good answer"), {}, "network"],
      ["an incomplete chunk", halfChunk, {}, "network"],
      ["a body that stops", hangInBody, { bodyLimit: 50 }, "time-limit"],
      [
        "a body that drips",
        drip(200, "not so fine".repeat(50), 10),
        { bodyLimit: 50 },
        "time-limit",
      ],
      ["a body that is too large", json(200, "x".repeat(1_000)), {}, "size-limit"],
    ])("by %s fails at stage answer", async (_, answer, limits, reason) => {
      await using client = await openClient(way);
      client.service.on("POST /", answer);
      expect(await client.post(limits)).toMatchObject({ stage: "answer", reason });
      await expectRequests(client, 1);
    });

    test("returns the status of an error without its body", async () => {
      await using client = await openClient(way);
      client.service.on("POST /", halfBody(502, "bad gateway"));
      expect(await client.post()).toEqual({ status: 502, text: "" });
    });

    test("reads at most 1 MiB of an error's body", async () => {
      await using client = await openClient(way);
      client.service.on("POST /", json(502, "x".repeat(1024 * 1024)));
      expect(await client.post({ maxBytes: 2 ** 25 })).toEqual({ status: 502, text: "" });
    });

    test("by the caller in the middle of the body fails at stage answer", async () => {
      await using client = await openClient(way);
      client.service.on("POST /", hangInBody);
      const stop = new AbortController();
      const { body } = await client.http.open({
        method: "POST",
        url: client.url,
        headers: {},
        headerLimit: 10_000,
        bodyLimit: 10_000,
        maxBytes: 10_000,
        signal: stop.signal,
      });
      const reading = (async () => {
        for await (const chunk of body) if (chunk.byteLength > 0) stop.abort();
      })();
      await expect(reading).rejects.toMatchObject({ stage: "answer", reason: "stopped" });
      await expect(reading).rejects.toBeInstanceOf(ExchangeError);
    });
  });

  test("reuses the connection, unless the server has closed it", async () => {
    await using client = await openClient(way);
    client.service.on("POST /", json(200, "fine"), thenClose, json(200, "fine"));
    expect(await client.post()).toEqual(FINE);
    await setImmediate();
    expect(await client.post()).toEqual(FINE);
    expect(client.service.connections).toBe(1);
    await disconnect(client);
    expect(await client.post()).toEqual(FINE);
    expect(client.service.connections).toBe(2);
  });

  test("returns a redirect instead of following it", async () => {
    await using client = await openClient(way);
    client.service.on("POST /", redirect(307, "/elsewhere"));
    expect(await client.post()).toMatchObject({ status: 307 });
    expect(client.service.requests).toHaveLength(1);
  });
});
