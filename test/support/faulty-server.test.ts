import http from "node:http";
import net from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { expect, test } from "vitest";
import {
  drip,
  halfBody,
  hangBeforeHeaders,
  hangInBody,
  held,
  json,
  largeJson,
  resetAfterRequest,
} from "./answers.ts";
import { makeCertificate } from "./certificate.ts";
import { refusedUrl } from "./connections.ts";
import { startFaultyServer } from "./faulty-server.ts";
import { startProxy } from "./proxy.ts";

test("answers in turn, repeats the last, and records what was asked", async () => {
  await using server = await startFaultyServer();
  server.on("POST /job/:id", json(503, {}), json(200, { ok: true }));
  const post = () => fetch(`${server.url}/job/a%2Fb?x=1`, { method: "POST", body: "é\0" });
  expect([(await post()).status, (await post()).status, (await post()).status]).toEqual([
    503, 200, 200,
  ]);
  expect(server.requests).toHaveLength(3);
  expect(server.requests[0]).toMatchObject({ method: "POST", path: "/job/a%2Fb?x=1" });
  expect(server.requests[0]?.body).toEqual(Buffer.from("é\0"));
  expect((await fetch(`${server.url}/other`)).status).toBe(404);
});

test("a connection is reset before anything is read, and the next one is served", async () => {
  await using server = await startFaultyServer();
  server.on("GET /", json(200, {})).resetConnections(1);
  await expect(fetch(server.url)).rejects.toThrow();
  expect(server.requests).toEqual([]);
  expect((await fetch(server.url)).status).toBe(200);
});

test("garbled connections, and refused ones until it listens again", async () => {
  await using garbling = await startFaultyServer({
    connectionFault: (nth) => (nth === 0 ? "garble" : null),
  });
  garbling.on("GET /", json(200, {}));
  await expect(fetch(garbling.url)).rejects.toThrow();
  expect((await fetch(garbling.url)).status).toBe(200);

  await using refusing = await startFaultyServer({ oneRequestPerConnection: true, refuseAfter: 1 });
  refusing.on("GET /", json(200, {}));
  expect((await fetch(refusing.url)).status).toBe(200);
  await expect(fetch(refusing.url)).rejects.toThrow();
  await refusing.listenAgain();
  expect((await fetch(refusing.url)).status).toBe(200);
  expect(refusing.requests).toHaveLength(2);
});

test("a reset after the request leaves the request on record", async () => {
  await using server = await startFaultyServer();
  server.on("POST /", resetAfterRequest);
  await expect(fetch(server.url, { method: "POST", body: "x" })).rejects.toThrow();
  expect(server.requests).toHaveLength(1);
});

test("hangs in headers and in the body", async () => {
  await using server = await startFaultyServer();
  server.on("GET /headers", hangBeforeHeaders).on("GET /body", hangInBody);
  await expect(
    fetch(`${server.url}/headers`, { signal: AbortSignal.timeout(100) }),
  ).rejects.toThrow();
  const stop = new AbortController();
  const response = await fetch(`${server.url}/body`, { signal: stop.signal });
  expect(response.status).toBe(200);
  setTimeout(() => stop.abort(), 100);
  await expect(response.text()).rejects.toThrow();
});

test("breaks off in the middle of a body", async () => {
  await using server = await startFaultyServer();
  server.on("GET /", halfBody(200, { id: "job_1", status: "active" }));
  await expect(fetch(server.url).then((response) => response.text())).rejects.toThrow();
});

test("large bodies and slow bodies are whole and correct in the end", async () => {
  await using server = await startFaultyServer();
  server.on("GET /large", largeJson(200, { id: "x" }, 2)).on("GET /slow", drip(200, [1], 1));
  const body = await fetch(`${server.url}/large`).then((response) => response.text());
  expect(body.length).toBeGreaterThan(2 * 1024 * 1024);
  expect(JSON.parse(body).id).toBe("x");
  expect(await fetch(`${server.url}/slow`).then((response) => response.json())).toEqual([1]);
});

test("a held answer waits for the test", async () => {
  await using server = await startFaultyServer();
  const answer = held(json(200, {}));
  server.on("GET /", answer);
  const response = fetch(server.url);
  await server.waitForRequest("GET /");
  answer.release();
  expect((await response).status).toBe(200);
});

test("waiting for a request that never comes says which ones did", async () => {
  await using server = await startFaultyServer();
  await fetch(`${server.url}/seen`);
  await expect(server.waitForRequest("GET /missing", 1, 20)).rejects.toThrow("GET /seen");
});

test("a refused address refuses", async () => {
  const { port } = new URL(await refusedUrl());
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => {
    net.connect(Number(port), "127.0.0.1").once("error", resolve);
  });
  expect(error.code).toBe("ECONNREFUSED");
});

test("a certificate made here is trusted, through the proxy, for a name that only the proxy knows", async () => {
  const tls = makeCertificate("service.docs-agent.test");
  await using server = await startFaultyServer({ tls });
  server.on("GET /hello", json(200, { ok: true }));
  await using proxy = await startProxy({
    hosts: { "service.docs-agent.test:443": `127.0.0.1:${server.port}` },
  });
  const { port } = new URL(proxy.url);
  const body = await new Promise<string>((resolve, reject) => {
    const tunnel = http.request({
      host: "127.0.0.1",
      port,
      method: "CONNECT",
      path: "service.docs-agent.test:443",
    });
    tunnel.once("error", reject);
    tunnel.once("connect", (_, socket) => {
      const host = "service.docs-agent.test";
      const secure = connectTls({ socket, servername: host, ca: tls.cert });
      secure.write(`GET /hello HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
      text(secure).then(resolve, reject);
    });
    tunnel.end();
  });
  expect(body).toContain('{"ok":true}');
  expect(proxy.targets).toEqual(["service.docs-agent.test:443"]);
});
