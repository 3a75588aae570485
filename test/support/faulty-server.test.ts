import http from "node:http";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { expect, test } from "vitest";
import { json } from "./answers.ts";
import { makeCertificate } from "./certificate.ts";
import { startFaultyServer } from "./faulty-server.ts";
import { startProxy } from "./proxy.ts";

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

test("waiting for a request that never comes says which ones did", async () => {
  await using server = await startFaultyServer();
  await fetch(`${server.url}/seen`);
  await expect(server.waitForRequest("GET /missing", 1, 20)).rejects.toThrow("GET /seen");
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
