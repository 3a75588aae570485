import { describe, expect, test, vi } from "vitest";
import { Http } from "../../src/net/http.ts";
import { makeCertificate } from "../support/certificate.ts";
import { refusedUrl } from "../support/connections.ts";
import { disconnect, FINE, openClient, post, SLOW, thenClose } from "../support/http-client.ts";
import { PROXIED, type RouteOptions, trustedCertificate, WAYS } from "../support/route.ts";

describe.each(WAYS)("a request that goes %s: nothing was received", (way) => {
  const NEVER: [string, RouteOptions][] = [
    ["the connection is refused", { connections: { refuseAfter: 0 } }],
    [
      "the connection is reset before TLS is agreed on",
      { connections: { connectionFault: () => "reset" } },
    ],
    ["the other side does not speak TLS", { connections: { connectionFault: () => "garble" } }],
    ["the certificate is for another host", { certificate: trustedCertificate("other.test") }],
    ["nobody vouches for the certificate", { certificate: makeCertificate(PROXIED) }],
  ];

  test.each(NEVER)("%s", async (_, options) => {
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

  test("a reset connection is no obstacle for the next try", async () => {
    await using client = await openClient(way, {
      connections: { connectionFault: (nth) => (nth === 0 ? "reset" : null) },
    });
    expect(await client.post()).toMatchObject({ stage: "connect" });
    expect(await client.post()).toEqual(FINE);
    expect(client.service.requests).toHaveLength(1);
  });

  test("the time for an answer is over before there is a connection", async () => {
    await using client = await openClient(way, {
      connections: { connectionFault: () => "hang" },
    });
    expect(await client.post({ headerLimit: 100 })).toEqual({
      stage: "connect",
      reason: "time-limit",
      message: expect.stringMatching(/^could not connect to .* within 0.1 s$/),
    });
  });

  test("stopped while connecting: at once, and nothing is sent once there is a connection", async () => {
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

  test("stopped while connecting, after an earlier connection was closed", async () => {
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

  test("stopped before it began", async () => {
    await using client = await openClient(way);
    expect(await client.post({ signal: AbortSignal.abort() })).toMatchObject({
      stage: "connect",
      reason: "stopped",
    });
    expect(client.service.connections).toBe(0);
  });
});

describe("without TLS", () => {
  test("a refused connection", async () => {
    const http = new Http({});
    expect(await post(http, new URL(await refusedUrl()))).toEqual({
      stage: "connect",
      reason: "network",
      message: expect.stringContaining("(ECONNREFUSED)"),
    });
  });

  test("a host that does not exist", async () => {
    const http = new Http({});
    // Too long for a name: no server of names has to be asked.
    const url = new URL(`http://${"x".repeat(64)}.invalid`);
    expect(await post(http, url)).toEqual({
      stage: "connect",
      reason: "network",
      message: expect.stringMatching(/\((ENOTFOUND|EAI_\w+)\)$/),
    });
  });
});
