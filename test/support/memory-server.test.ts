import { expect, test } from "vitest";
import type { Outgoing } from "../../src/net/http.ts";
import { halfBody, hangBeforeHeaders, json, resetAfterRequest, text } from "./answers.ts";
import type { Answer } from "./faulty-server.ts";
import { MemoryServer } from "./memory-server.ts";
import { streamed } from "./streams.ts";

/** A server that answers so, and a request to it. */
function serving(answer: Answer) {
  const server = new MemoryServer().on("POST /a/:n", answer);
  const url = new URL(`${server.url}/a/1?b=2`);
  const post = (more: Partial<Outgoing> = {}) => ({
    ...({ method: "POST", url, headers: { "X-Given": "1" }, body: "ä" } as const),
    ...{ headerLimit: 1_000, bodyLimit: 1_000 },
    ...more,
  });
  return { server, post };
}

test("a request is recorded, and answered as a route says", async () => {
  const { server, post } = serving(json(201, { a: 1 }, { "X-Told": "2" }));
  const answer = await server.http.exchange(post(), 100);
  expect(answer).toMatchObject({ status: 201, text: '{"a":1}', headers: { "x-told": "2" } });
  expect(server.requests).toMatchObject([
    { method: "POST", path: "/a/1?b=2", headers: { "x-given": "1" }, body: Buffer.from("ä") },
  ]);
  expect(server.requestsTo("POST /a/:n")).toHaveLength(1);
});

test("what no route fits is not found", async () => {
  const { server, post } = serving(json(200, 1));
  const other = new URL(`${server.url}/b`);
  expect((await server.http.exchange(post({ url: other }), 1_000)).status).toBe(404);
});

test("what breaks off says how far it came", async () => {
  const lost = serving(resetAfterRequest);
  await expect(lost.server.http.exchange(lost.post(), 100)).rejects.toMatchObject({
    stage: "sent",
    reason: "network",
  });
  const half = serving(halfBody(200, "a good answer"));
  await expect(half.server.http.exchange(half.post(), 100)).rejects.toMatchObject({
    stage: "answer",
    reason: "network",
  });
  const large = serving(text(200, "x".repeat(101)));
  await expect(large.server.http.exchange(large.post(), 100)).rejects.toMatchObject({
    reason: "size-limit",
  });
});

test("a stream comes in its pieces, also before it breaks off", async () => {
  const { server, post } = serving(streamed(["one", "two"], {}, "reset"));
  const { body } = await server.http.open(post());
  const read: string[] = [];
  const reading = (async () => {
    for await (const piece of body) read.push(Buffer.from(piece).toString());
  })();
  await expect(reading).rejects.toMatchObject({ stage: "answer", reason: "network" });
  expect(read).toEqual(["one", "two"]);
});

test("a request that is stopped gets no answer", async () => {
  const { server, post } = serving(hangBeforeHeaders);
  const stop = new AbortController();
  const asked = server.http.exchange(post({ signal: stop.signal }), 100);
  stop.abort();
  await expect(asked).rejects.toMatchObject({ stage: "sent", reason: "stopped" });
});
