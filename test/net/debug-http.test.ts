import { expect, test } from "vitest";
import { ExchangeError, Http, type Outgoing } from "../../src/net/http.ts";
import { halfBody, json } from "../support/answers.ts";
import { refusedUrl } from "../support/connections.ts";
import { startFaultyServer } from "../support/faulty-server.ts";

const TOKEN = "ghs_T0kenOfTheTest_77";

/** A server, a client with a debug log, and the lines of the log. */
async function open() {
  const server = await startFaultyServer();
  const lines: string[] = [];
  const http = new Http({}, (line) =>
    lines.push(line.replaceAll(server.url, "").replace(/after \d+ ms/, "after … ms")),
  );
  const get = (more: Partial<Outgoing> = {}): Outgoing => ({
    method: "GET",
    url: new URL("/a?canary", server.url),
    headers: { authorization: `Bearer ${TOKEN}`, "x-sent": "canary" },
    headerLimit: 5000,
    bodyLimit: 5000,
    maxBytes: 100,
    ...more,
  });
  return {
    server,
    lines,
    http,
    get,
    async [Symbol.asyncDispose]() {
      await server.close();
    },
  };
}

test("an answer is logged once, with its request ID and without the query, and its body is returned", async () => {
  await using client = await open();
  const ids = { "x-request-id": "2", "x-github-request-id": "AB:1", "x-session-id": "3" };
  client.server.on("GET /a", json(201, { canary: 1 }, ids));
  const answer = await client.http.exchange(client.get({ body: "canary" }));
  expect(answer.text).toBe('{"canary":1}');
  expect(client.lines).toEqual(["GET /a: 201 after … ms, request ID AB:1"]);
});

test("a request ID that is too long is not logged", async () => {
  await using client = await open();
  client.server.on("GET /a", json(200, {}, { "x-request-id": "1".repeat(101) }));
  await client.http.exchange(client.get());
  expect(client.lines).toEqual(["GET /a: 200 after … ms, no request ID"]);
});

test("a refused connection is logged as failed at stage connect", async () => {
  await using client = await open();
  const url = new URL(await refusedUrl());
  await expect(client.http.exchange(client.get({ url }))).rejects.toThrow(ExchangeError);
  expect(client.lines).toEqual([
    `GET ${url}: failed (connect) after … ms, could not connect to ${url.host} (ECONNREFUSED)`,
  ]);
});

test.each([200, 500])(
  "an answer with status %i that is interrupted is logged twice",
  async (status) => {
    await using client = await open();
    client.server.on("GET /a", halfBody(status, "a good answer"));
    await client.http.exchange(client.get()).catch(() => {});
    expect(client.lines).toHaveLength(2);
    expect(client.lines[0]).toMatch(new RegExp(`^GET /a: ${status} after … ms`));
    expect(client.lines[1]).toMatch(
      /^GET \/a: failed \(answer\) after … ms, .* did not send a complete response/,
    );
  },
);
