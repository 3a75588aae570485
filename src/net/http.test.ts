import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import {
  closeAfterRequest,
  drip,
  halfBody,
  hangBeforeHeaders,
  hangInBody,
  json,
  notHttp,
  redirect,
  resetAfterRequest,
} from "../../test/support/answers.ts";
import { makeCertificate } from "../../test/support/certificate.ts";
import { refusedUrl } from "../../test/support/connections.ts";
import type { Answer } from "../../test/support/faulty-server.ts";
import { type Client, openClient, post } from "../../test/support/http-client.ts";
import { PROXIED, type RouteOptions, trustedCertificate, WAYS } from "../../test/support/route.ts";
import { ExchangeError, Http, type Outgoing } from "./http.ts";

const FINE = { status: 200, text: '"fine"' };

const halfHeaders: Answer = ({ socket }) => void socket.end("HTTP/1.1 200 OK\r\ncontent-le");
const halfChunk: Answer = ({ response, socket }) => {
  response.writeHead(200);
  response.write("half", () => socket.destroy());
};
/** A good answer, after which the connection is closed without notice. */
const thenClose: Answer = (exchange) => {
  exchange.response.on("finish", () => exchange.socket.end());
  return json(200, "fine")(exchange);
};

/** Waits until the client, too, has noticed that the service closed its connections. */
async function disconnect({ service }: Client): Promise<void> {
  await service.waitForDisconnect();
  // What was closed passes the proxy, a turn of the event loop each.
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

/** Proves that a request was not sent again behind the caller's back: the next one is the next. */
async function expectRequests({ service, post }: Client, count: number): Promise<void> {
  service.on("POST /", json(200, "fine"));
  expect(await post()).toEqual(FINE);
  expect(service.requests).toHaveLength(count + 1);
}

describe.each(WAYS)("a request that goes %s", (way) => {
  describe("nothing was received", () => {
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
      await vi.waitFor(() => expect(client.service.connections).toBe(1));
      stop.abort();
      expect(await result).toMatchObject({ stage: "connect", reason: "stopped" });

      letPass(null);
      await vi.waitFor(() => expect(client.service.connections).toBe(1));
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
      await vi.waitFor(() => expect(client.service.connections).toBe(2));
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

  describe("it may have been received", () => {
    test.each<[string, Answer]>([
      ["reset", resetAfterRequest],
      ["closed", closeAfterRequest],
      ["closed in the middle of the headers", halfHeaders],
      ["answered with something that is not HTTP", notHttp],
    ])("the connection is %s after the request", async (_, answer) => {
      await using client = await openClient(way);
      client.service.on("POST /", answer);
      expect(await client.post()).toEqual({
        stage: "sent",
        reason: "network",
        message: expect.stringMatching(
          /^the connection to .* was lost before a response arrived \(/,
        ),
      });
      await expectRequests(client, 1);
    });

    test("no answer within the time for it", async () => {
      await using client = await openClient(way);
      client.service.on("POST /", json(200, "fine"), hangBeforeHeaders);
      expect(await client.post()).toEqual(FINE);
      expect(await client.post({ headerLimit: 100 })).toEqual({
        stage: "sent",
        reason: "time-limit",
        message: expect.stringMatching(/ did not respond within 0.1 s$/),
      });
      await expectRequests(client, 2);
    });

    test("stopped before an answer came", async () => {
      await using client = await openClient(way);
      client.service.on("POST /", hangBeforeHeaders);
      const stop = new AbortController();
      const result = client.post({ signal: stop.signal });
      await client.service.waitForRequest("POST /");
      stop.abort();
      expect(await result).toMatchObject({ stage: "sent", reason: "stopped" });
      await expectRequests(client, 1);
    });

    test("a kept connection is lost when the next request is on it", async () => {
      await using client = await openClient(way);
      client.service.on("POST /", json(200, "fine"), resetAfterRequest);
      expect(await client.post()).toEqual(FINE);
      await setImmediate();
      expect(await client.post()).toMatchObject({ stage: "sent", reason: "network" });
      expect(client.service.connections).toBe(1);
      await expectRequests(client, 2);
    });

    test.each<[string, Answer[]]>([
      ["made for one of them", []],
      ["kept from before", [json(200, "fine")]],
    ])(
      "two requests stopped with one connection, %s: nothing proves which took it",
      async (...row) => {
        const [, before] = row;
        await using client = await openClient(way, {
          connections: { connectionFault: (nth) => (nth === 0 ? null : "hang") },
        });
        client.service.on("POST /", ...([...before, hangBeforeHeaders] as [Answer]));
        for (const _ of before) expect(await client.post()).toEqual(FINE);
        await setImmediate();
        const stop = new AbortController();
        const results = [1, 2].map(() => client.post({ signal: stop.signal }));
        await client.service.waitForRequest("POST /", before.length + 1);
        await vi.waitFor(() => expect(client.service.connections).toBe(2));
        stop.abort();
        for (const result of await Promise.all(results)) {
          expect(result).toMatchObject({ stage: "sent", reason: "stopped" });
        }
      },
    );
  });

  test("of two requests at a time, each is judged by itself", async () => {
    await using client = await openClient(way, { connections: { refuseAfter: 1 } });
    client.service.on("POST /", hangBeforeHeaders);
    const stop = new AbortController();
    const first = client.post({ signal: stop.signal });
    await client.service.waitForRequest("POST /");
    expect(await client.post()).toMatchObject({ stage: "connect", reason: "network" });
    stop.abort();
    expect(await first).toMatchObject({ stage: "sent", reason: "stopped" });
    expect(client.service.requests).toHaveLength(1);
  });

  test("a connection is kept for the next request, unless the other side has closed it", async () => {
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

  describe("an answer began", () => {
    test.each<[string, Answer, Partial<Outgoing>, string]>([
      ["half a body", halfBody(200, "a good answer"), {}, "network"],
      ["a chunk without an end", halfChunk, {}, "network"],
      ["a body that stands still", hangInBody, { bodyLimit: 50 }, "time-limit"],
      [
        "a body that drips",
        drip(200, "not so fine".repeat(50), 10),
        { bodyLimit: 50 },
        "time-limit",
      ],
      ["silence for too long", hangInBody, { idleLimit: 50 }, "idle-limit"],
      ["a body that is too long", json(200, "x".repeat(1_000)), {}, "size-limit"],
    ])("%s", async (_, answer, limits, reason) => {
      await using client = await openClient(way);
      client.service.on("POST /", answer);
      expect(await client.post(limits)).toMatchObject({ stage: "answer", reason });
      await expectRequests(client, 1);
    });

    test("outside of success, the status counts without its body", async () => {
      await using client = await openClient(way);
      client.service.on("POST /", halfBody(502, "bad gateway"));
      expect(await client.post()).toEqual({ status: 502, text: "" });
    });

    test("stopped in the middle of the body", async () => {
      await using client = await openClient(way);
      client.service.on("POST /", hangInBody);
      const stop = new AbortController();
      const { body } = await client.http.open({
        ...{ method: "POST", url: client.url, headers: {} },
        ...{ headerLimit: 10_000, bodyLimit: 10_000, signal: stop.signal },
      });
      const reading = (async () => {
        for await (const chunk of body) if (chunk.byteLength > 0) stop.abort();
      })();
      await expect(reading).rejects.toMatchObject({ stage: "answer", reason: "stopped" });
      await expect(reading).rejects.toBeInstanceOf(ExchangeError);
    });
  });

  test("a redirect is handed back, and not followed", async () => {
    await using client = await openClient(way);
    client.service.on("POST /", redirect(307, "/elsewhere"));
    expect(await client.post()).toMatchObject({ status: 307 });
    expect(client.service.requests).toHaveLength(1);
  });
});

test("no connection within its own limit", async () => {
  await Promise.all(
    WAYS.map(async (way) => {
      const options = {
        connections: { connectionFault: () => "hang" as const },
        http: { connectLimit: 50 },
      };
      await using client = await openClient(way, options);
      expect(await client.post()).toEqual({
        stage: "connect",
        reason: "network",
        message: expect.stringContaining("(UND_ERR_CONNECT_TIMEOUT)"),
      });
    }),
  );
});

describe("without TLS", () => {
  test("a refused connection", async () => {
    await using http = closing(new Http({}));
    expect(await post(http.it, new URL(await refusedUrl()))).toEqual({
      stage: "connect",
      reason: "network",
      message: expect.stringContaining("(ECONNREFUSED)"),
    });
  });

  test("a host that does not exist", async () => {
    await using http = closing(new Http({}));
    // Too long for a name: no server of names has to be asked.
    const url = new URL(`http://${"x".repeat(64)}.invalid`);
    expect(await post(http.it, url)).toEqual({
      stage: "connect",
      reason: "network",
      message: expect.stringMatching(/\((ENOTFOUND|EAI_\w+)\)$/),
    });
  });
});

test("closing drops a connection that is being made, so that the process can end", async () => {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const http = new Http({});
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const result = post(http, url);
  const [socket] = (await once(server, "connection")) as [net.Socket];
  socket.on("error", () => {});
  socket.resume();
  await http.close();
  await once(socket, "close");
  expect(await result).toMatchObject({ stage: "connect", reason: "network" });
  server.close();
});

test("closing right after a request was given up leaves no connection behind, so that the process can end", async () => {
  let count = 0;
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    const isFirst = ++count === 1;
    socket.once("data", () => {
      if (isFirst) socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const http = new Http({});
  expect(await post(http, url)).toEqual({ status: 200, text: "" });
  expect(await post(http, url, { headerLimit: 50 })).toMatchObject({ reason: "time-limit" });
  await http.close();
  // What undici began to connect to meanwhile arrives here first.
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  server.close();
  await once(server, "close");
});

function closing(it: Http): { it: Http } & AsyncDisposable {
  return { it, [Symbol.asyncDispose]: () => it.close() };
}
