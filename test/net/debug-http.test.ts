import { expect, test } from "vitest";
import { ExchangeError, Http, type Outgoing } from "../../src/net/http.ts";
import { halfBody, json } from "../support/answers.ts";
import { refusedUrl } from "../support/connections.ts";
import { startFaultyServer } from "../support/faulty-server.ts";

const TOKEN = "ghs_T0kenOfTheTest_77";

/** A server, a client that tells, and what it has told. */
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

test("an answer is told once, with its request ID and without the query, and handed on whole", async () => {
  await using it = await open();
  const ids = { "x-request-id": "2", "x-github-request-id": "AB:1", "x-session-id": "3" };
  it.server.on("GET /a", json(201, { canary: 1 }, ids));
  const answer = await it.http.exchange(it.get({ body: "canary" }));
  expect(answer.text).toBe('{"canary":1}');
  expect(it.lines).toEqual(["GET /a: 201 after … ms, request ID AB:1"]);
});

test("a request ID that is too long is left out", async () => {
  await using it = await open();
  it.server.on("GET /a", json(200, {}, { "x-request-id": "1".repeat(101) }));
  await it.http.exchange(it.get());
  expect(it.lines).toEqual(["GET /a: 200 after … ms, no request ID"]);
});

test("a refused connection is told as not sent", async () => {
  await using it = await open();
  const url = new URL(await refusedUrl());
  await expect(it.http.exchange(it.get({ url }))).rejects.toThrow(ExchangeError);
  expect(it.lines).toEqual([
    `GET ${url}: failed (connect) after … ms, could not connect to ${url.host} (ECONNREFUSED)`,
  ]);
});

test.each([200, 500])("an answer that breaks off is told twice: %i", async (status) => {
  await using it = await open();
  it.server.on("GET /a", halfBody(status, "a good answer"));
  await it.http.exchange(it.get()).catch(() => {});
  expect(it.lines).toHaveLength(2);
  expect(it.lines[0]).toMatch(new RegExp(`^GET /a: ${status} after … ms`));
  expect(it.lines[1]).toMatch(
    /^GET \/a: failed \(answer\) after … ms, .* did not send a complete response/,
  );
});
