import { describe, expect, test, vi } from "vitest";
import { Http } from "../../src/net/http.ts";
import { makeCertificate } from "../support/certificate.ts";
import { refusedUrl } from "../support/connections.ts";
import { disconnect, FINE, openClient, post, SLOW, thenClose } from "../support/http-client.ts";
import { PROXIED, type RouteOptions, trustedCertificate, WAYS } from "../support/route.ts";

describe.each(WAYS)("a request that goes %s fails at stage connect", (way) => {
  const NEVER: [string, RouteOptions][] = [
    ["the connection is refused", { connections: { refuseAfter: 0 } }],
    [
      "the connection is reset before the TLS handshake",
      { connections: { connectionFault: () => "reset" } },
    ],
    ["the server does not speak TLS", { connections: { connectionFault: () => "garble" } }],
    ["the certificate is for another host", { certificate: trustedCertificate("other.test") }],
    ["the certificate is not trusted", { certificate: makeCertificate(PROXIED) }],
  ];

  test.each(NEVER)("if %s", async (_, options) => {
    await using client = await openClient(way, options);
    const host = client.url.host;
    const through = way === "directly" ? "" : " through the proxy in HTTPS_PROXY";
    expect(await client.post()).toEqual({
      stage: "connect",
      reason: "network",
      message: expect.stringMatching(
        new RegExp(`^could not connect to ${host}${through} \\(.+\\)$`),
      ),
    });
    expect(client.service.requests).toEqual([]);
  });

  test("if the connection is reset, and the next request succeeds", async () => {
    await using client = await openClient(way, {
      connections: { connectionFault: (nth) => (nth === 0 ? "reset" : null) },
    });
    expect(await client.post()).toMatchObject({ stage: "connect" });
    expect(await client.post()).toEqual(FINE);
    expect(client.service.requests).toHaveLength(1);
  });

  test("if there is no connection within the time limit", async () => {
    await using client = await openClient(way, {
      connections: { connectionFault: () => "hang" },
    });
    expect(await client.post({ headerLimit: 100 })).toEqual({
      stage: "connect",
      reason: "time-limit",
      message: expect.stringMatching(/^could not connect to .* within 0.1 s$/),
    });
  });

  test("if it is stopped while connecting, and it is not sent when there is a connection", async () => {
    const { promise: mayPass, resolve: letPass } = Promise.withResolvers<null>();
    await using client = await openClient(way, {
      connections: { connectionFault: () => mayPass },
    });
    const stop = new AbortController();
    const result = client.post({ signal: stop.signal });
    await vi.waitFor(() => expect(client.service.connections).toBe(1), SLOW);
    stop.abort();
    expect(await result).toMatchObject({ stage: "connect", reason: "stopped" });

    letPass(null);
    await vi.waitFor(() => expect(client.service.connections).toBe(1), SLOW);
    expect(await client.post()).toEqual(FINE);
    expect(client.service.requests).toHaveLength(1);
  });

  test("if it is stopped while connecting after an earlier connection was closed", async () => {
    await using client = await openClient(way, {
      connections: { connectionFault: (nth) => (nth === 0 ? null : "hang") },
    });
    client.service.on("POST /", thenClose);
    expect(await client.post()).toEqual(FINE);
    await disconnect(client);
    const stop = new AbortController();
    const result = client.post({ signal: stop.signal });
    await vi.waitFor(() => expect(client.service.connections).toBe(2), SLOW);
    stop.abort();
    expect(await result).toMatchObject({ stage: "connect", reason: "stopped" });
  });

  test("if it is stopped before it begins", async () => {
    await using client = await openClient(way);
    expect(await client.post({ signal: AbortSignal.abort() })).toMatchObject({
      stage: "connect",
      reason: "stopped",
    });
    expect(client.service.connections).toBe(0);
  });
});

describe("a request without TLS fails at stage connect", () => {
  test("if the connection is refused", async () => {
    const http = new Http({});
    expect(await post(http, new URL(await refusedUrl()))).toEqual({
      stage: "connect",
      reason: "network",
      message: expect.stringContaining("(ECONNREFUSED)"),
    });
  });

  test("if the host does not exist", async () => {
    const http = new Http({});
    // The name is too long, so no name server is asked.
    const url = new URL(`http://${"x".repeat(64)}.invalid`);
    expect(await post(http, url)).toEqual({
      stage: "connect",
      reason: "network",
      message: expect.stringMatching(/\((ENOTFOUND|EAI_\w+)\)$/),
    });
  });
});
