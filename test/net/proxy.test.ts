import { expect, test, vi } from "vitest";
import { Http, ProxySettingsError } from "../../src/net/http.ts";
import { hangBeforeHeaders, json } from "../support/answers.ts";
import { refusedUrl } from "../support/connections.ts";
import { FINE, openClient, post, SLOW } from "../support/http-client.ts";
import type { ConnectHandling } from "../support/proxy.ts";
import { openRoute, trustedCertificate } from "../support/route.ts";

const VARIABLE = "through the proxy in HTTPS_PROXY";

const noConnection = (host: string, reason: string) =>
  expect.stringMatching(new RegExp(`^could not connect to ${host} ${VARIABLE} \\((${reason})\\)$`));

test.each<[string, ConnectHandling, string]>([
  ["refuses the tunnel", 502, "the proxy returned 502"],
  ["forbids the tunnel", 403, "the proxy returned 403"],
  ["closes the connection instead of answering", "close", "ECONNRESET|EPIPE"],
  ["drops the tunnel as soon as it is open", "drop", "ECONNRESET|EPIPE"],
])("a request fails at stage connect if the proxy %s", async (_, handling, reason) => {
  await using client = await openClient("through a proxy", { proxy: { handle: () => handling } });
  expect(await client.post()).toEqual({
    stage: "connect",
    reason: "network",
    message: noConnection(client.url.host, reason),
  });
  expect(client.proxy?.targets).toHaveLength(1);
  expect(client.service.connections).toBe(0);
});

test("the error for a 407 says that the proxy requires credentials, and does not contain them", async () => {
  await using client = await openClient("through a proxy", { proxy: { handle: () => 407 } });
  const { proxy } = client;
  const url = proxy?.url.replace("//", "//robot:S3cr3t@") ?? "";
  const http = new Http({ https_proxy: url });
  for (const [each, variable] of [
    [client.http, "HTTPS_PROXY"],
    [http, "https_proxy"],
  ] as const) {
    const result = await post(each, client.url);
    expect(result).toMatchObject({ stage: "connect", reason: "network" });
    expect(result).toMatchObject({
      message: expect.stringMatching(
        new RegExp(`proxy in ${variable} .*407: it requires credentials.*${variable}; set them as`),
      ),
    });
    expect(JSON.stringify(result)).not.toContain("S3cr3t");
  }
});

test.each([
  ["refuses connections", refusedUrl, "ECONNREFUSED"],
  ["does not exist", async () => `http://${"x".repeat(64)}.invalid`, "ENOTFOUND|EAI_.*"],
])("a request fails at stage connect if the proxy's host %s", async (_, address, code) => {
  const http = new Http({ HTTPS_PROXY: await address() });
  expect(await post(http, new URL("https://service.test"))).toEqual({
    stage: "connect",
    reason: "network",
    message: noConnection("service.test", code),
  });
});

test("a request fails at stage connect if the tunnel is not open within the time limit", async () => {
  await using client = await openClient("through a proxy", { proxy: { handle: () => "hang" } });
  expect(await client.post({ headerLimit: 100 })).toEqual({
    stage: "connect",
    reason: "time-limit",
    message: `could not connect to ${client.url.host} ${VARIABLE} within 0.1 s`,
  });
});

test("a request that is stopped while the tunnel opens is not sent when it is open", async () => {
  const { promise: mayOpen, resolve: open } = Promise.withResolvers<ConnectHandling>();
  await using client = await openClient("through a proxy", { proxy: { handle: () => mayOpen } });
  const stop = new AbortController();
  const result = client.post({ signal: stop.signal });
  await vi.waitFor(() => expect(client.proxy?.targets).toHaveLength(1), SLOW);
  stop.abort();
  expect(await result).toMatchObject({ stage: "connect", reason: "stopped" });
  open("open");
  await vi.waitFor(() => expect(client.service.connections).toBe(1), SLOW);
  expect(await client.post()).toEqual(FINE);
  expect(client.service.requests).toHaveLength(1);
});

test("a request fails at stage sent if the proxy closes the tunnel after the request", async () => {
  await using client = await openClient("through a proxy");
  client.service.on("POST /", hangBeforeHeaders);
  const result = client.post();
  await client.service.waitForRequest("POST /");
  await client.proxy?.close();
  expect(await result).toMatchObject({ stage: "sent", reason: "network" });
  expect(client.service.requests).toHaveLength(1);
});

test("the user and password go to the proxy only", async () => {
  await using route = await openRoute("through a proxy");
  route.service.on("POST /", json(200, "fine"));
  const value = route.proxy?.url.replace("//", "//r%40bot:p%25ss@") ?? "";
  const http = new Http({ HTTPS_PROXY: value });
  expect(await post(http, route.url)).toEqual(FINE);
  const expected = `Basic ${Buffer.from("r@bot:p%ss").toString("base64")}`;
  expect(route.proxy?.authorizations).toEqual([expected]);
  expect(route.service.requests[0]?.headers).not.toHaveProperty("proxy-authorization");
});

test("a request goes through a proxy that speaks TLS", async () => {
  const tls = trustedCertificate("localhost");
  await using client = await openClient("through a proxy", { proxy: { tls } });
  const HTTPS_PROXY = client.proxy?.url.replace("127.0.0.1", "localhost");
  const http = new Http({ HTTPS_PROXY });
  expect(await post(http, client.url)).toEqual(FINE);
  expect(client.proxy?.targets).toEqual([`${client.url.host}:443`]);
});

test("a request fails at stage connect if the proxy's certificate is for another host", async () => {
  const tls = trustedCertificate("other.test");
  await using client = await openClient("through a proxy", { proxy: { tls } });
  expect(await client.post()).toMatchObject({
    stage: "connect",
    message: expect.stringContaining("(ERR_TLS_CERT_ALTNAME_INVALID)"),
  });
  expect(client.proxy?.targets).toEqual([]);
});

test("requests to this machine do not go through a proxy", async () => {
  await using client = await openClient("directly");
  const proxy = await refusedUrl();
  const env = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: "elsewhere.test" };
  const http = new Http(env);
  expect(await post(http, client.url)).toEqual(FINE);
});

test("invalid proxy settings are an error before anything is sent", async () => {
  const http = new Http({ HTTPS_PROXY: "socks5://proxy:1080" });
  const url = new URL("https://service.test");
  expect(() => http.checkProxy(url)).toThrow(ProxySettingsError);
  await expect(post(http, url)).rejects.toThrow(/^HTTPS_PROXY /);
  expect(() => http.checkProxy(new URL("https://localhost"))).not.toThrow();
});
