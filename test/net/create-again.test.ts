import { describe, expect, test, vi } from "vitest";
import { makeCertificate } from "../support/certificate.ts";
import { type ConnectionFault, refusedUrl } from "../support/connections.ts";
import { type CreatingOptions, JOB, openCreating } from "../support/creating.ts";
import { SLOW } from "../support/http-client.ts";
import type { ConnectHandling } from "../support/proxy.ts";
import { PROXIED, trustedCertificate, WAYS, type Way } from "../support/route.ts";
import { CREATE } from "../support/scenario.ts";

/** As many tries as a request gets that cannot have been received: the first, and five more. */
const TRIES = 6;
/** The first two connections fail, and the third is a good one. */
const twice =
  <T, G>(handling: T, good: G) =>
  (nth: number): T | G =>
    nth < 2 ? handling : good;

/** A limit that a good connection keeps on a busy machine, and that a test can wait for. */
const CONNECT_LIMIT = 1_000;
/** Too long for a name: no server of names has to be asked. */
const NO_HOST = `${"x".repeat(64)}.invalid`;

const brokenTwice = (fault: ConnectionFault) => ({
  connections: { connectionFault: twice(fault, null) },
});
const handledTwice = (handling: ConnectHandling) => ({
  proxy: { handle: twice(handling, "open" as const) },
});

type Row = [what: string, way: Way, options: CreatingOptions];

/** What passes: the third try is a good one. */
const PASSING: Row[] = [
  ...WAYS.flatMap((way): Row[] => [
    ["the connection is reset", way, brokenTwice("reset")],
    ["what answers is not TLS", way, brokenTwice("garble")],
    [
      "the certificate is for another host",
      way,
      { ...brokenTwice("impostor"), impostor: trustedCertificate("other.test") },
    ],
    [
      "nobody vouches for the certificate",
      way,
      {
        ...brokenTwice("impostor"),
        impostor: makeCertificate(way === "directly" ? "localhost" : PROXIED),
      },
    ],
    [
      "no connection is made within its limit",
      way,
      { ...brokenTwice("hang"), connectLimit: CONNECT_LIMIT },
    ],
  ]),
  ["the proxy answers 407", "through a proxy", handledTwice(407)],
  ["the proxy answers 502", "through a proxy", handledTwice(502)],
  ["the proxy closes", "through a proxy", handledTwice("close")],
  ["the proxy drops", "through a proxy", handledTwice("drop")],
  [
    "the proxy opens no tunnel within its limit",
    "through a proxy",
    { ...handledTwice("hang"), connectLimit: CONNECT_LIMIT },
  ],
];

/** What does not pass: all tries fail, and prove that nothing was received. */
const LASTING: Row[] = [
  ...WAYS.flatMap((way): Row[] => [
    ["the connection is reset each time", way, { connections: { connectionFault: () => "reset" } }],
    ["the connection is refused each time", way, { connections: { refuseAfter: 0 } }],
    ["the certificate is for another host", way, { certificate: trustedCertificate("other.test") }],
  ]),
  ["the service is not found", "directly", { url: new URL(`https://${NO_HOST}`) }],
  [
    "the proxy does not find the service",
    "through a proxy",
    { url: new URL(`https://${NO_HOST}`) },
  ],
  [
    "the proxy refuses connections",
    "through a proxy",
    { env: async () => ({ HTTPS_PROXY: await refusedUrl() }) },
  ],
  [
    "the proxy is not found",
    "through a proxy",
    { env: async () => ({ HTTPS_PROXY: `http://${NO_HOST}:8080` }) },
  ],
  [
    "the proxy's own certificate is for another host",
    "through a proxy",
    { proxy: { tls: trustedCertificate("other.test") } },
  ],
  [
    "nobody vouches for the proxy's own certificate",
    "through a proxy",
    { proxy: { tls: makeCertificate("localhost") } },
  ],
];

describe("nothing was received, so a job is asked for again", () => {
  test.each(PASSING)("%s (%s)", async (_, way, options) => {
    await using service = await openCreating(way, options);
    expect(await service.create()).toMatchObject({ type: "running", running: { id: JOB.id } });
    // On a machine that is very busy, one more connection may not be made within its limit.
    expect(service.retries()).toBeGreaterThanOrEqual(2);
    expect(service.service.requestsTo(CREATE)).toHaveLength(1);
  });

  test.each(WAYS)("the connection is refused, and then is not (%s)", async (way) => {
    await using service = await openCreating(way, { connections: { refuseAfter: 0 } });
    let listening: Promise<void> | undefined;
    const started = await service.create(() => {
      listening ??= service.service.listenAgain();
    });
    await listening;
    expect(started).toMatchObject({ type: "running", running: { id: JOB.id } });
    expect(service.service.requestsTo(CREATE)).toHaveLength(1);
  });

  test.each(LASTING)("but not for ever: %s (%s)", async (_, way, options) => {
    await using service = await openCreating(way, options);
    expect(await service.create()).toMatchObject({
      outcome: { type: "error", request: "refused", error: { kind: "service-unavailable" } },
    });
    expect(service.retries()).toBe(TRIES - 1);
    expect(service.service.requests).toEqual([]);
  });

  test.each(WAYS)("cancelled while connecting: there is no job (%s)", async (way) => {
    await using service = await openCreating(way, {
      connections: { connectionFault: () => "hang" },
    });
    const started = service.create();
    await vi.waitFor(() => expect(service.service.connections).toBe(1), SLOW);
    service.abandon();
    expect(await started).toMatchObject({ outcome: { type: "cancelled", request: "refused" } });
  });
});
