import net, { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Connector, type ConnectorOptions } from "./connector.ts";

const ORIGIN = "http://service.test";

afterEach(() => {
  vi.restoreAllMocks();
});

function connector(over: Partial<ConnectorOptions> = {}) {
  const { signal } = new AbortController();
  return new Connector({ proxyFor: () => null, limit: 10_000, signal, ...over });
}

/** An attempt to connect, as undici begins one: its socket, which a test connects or breaks, and how it ended. */
interface Attempt {
  socket: Socket;
  ended: Promise<{ error: Error | null }>;
}

/** No socket that a connector opens leaves this process. */
function attempt(connector: Connector, origin = ORIGIN): Attempt {
  const socket = new Socket();
  vi.spyOn(net, "connect").mockReturnValueOnce(socket);
  const { host, hostname, protocol } = new URL(origin);
  const ended = Promise.withResolvers<{ error: Error | null }>();
  connector.connect({ host, hostname, protocol, port: "" }, (...[error]) =>
    ended.resolve({ error }),
  );
  return { socket, ended: ended.promise };
}

async function connected(connector: Connector, origin?: string): Promise<Socket> {
  const { socket, ended } = attempt(connector, origin);
  await setImmediate();
  socket.emit("connect");
  expect(await ended).toEqual({ error: null });
  return socket;
}

async function closed(socket: Socket): Promise<void> {
  socket.destroy();
  await setImmediate();
}

const STOPPED = new Error("stopped");

describe("it is proven that a request had no connection", () => {
  test("when it ended with the error of an attempt", async () => {
    const it = connector();
    const watch = it.watch(ORIGIN);
    const { socket, ended } = attempt(it);
    socket.destroy(new Error("refused"));
    const { error } = await ended;
    expect(error?.message).toBe("refused");
    expect(watch.provesNoConnection(error)).toBe(true);
  });

  test("when no proxy could be chosen", async () => {
    const it = connector({
      proxyFor: () => {
        throw new Error("no proxy");
      },
    });
    const { error } = await attempt(it).ended;
    expect(it.watch(ORIGIN).provesNoConnection(error)).toBe(true);
  });

  test("when it ended while undici waits for the first connection", () => {
    const it = connector();
    const watch = it.watch(ORIGIN);
    attempt(it);
    expect(watch.provesNoConnection(STOPPED)).toBe(true);
  });

  test("when an attempt was under way before it", () => {
    const it = connector();
    attempt(it);
    expect(it.watch(ORIGIN).provesNoConnection(STOPPED)).toBe(true);
  });

  test("when earlier connections were closed before it", async () => {
    const it = connector();
    await closed(await connected(it));
    const watch = it.watch(ORIGIN);
    attempt(it);
    expect(watch.provesNoConnection(STOPPED)).toBe(true);
  });

  test("when only another origin is connected to", async () => {
    const it = connector();
    await connected(it, "http://other.test");
    const watch = it.watch(ORIGIN);
    attempt(it);
    expect(watch.provesNoConnection(STOPPED)).toBe(true);
  });
});

describe("a request may have been received", () => {
  test.each(["ECONNREFUSED", "ENOTFOUND", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_ABORTED"])(
    "when its error only looks like a connection that was not made (%s)",
    (code) => {
      const watch = connector().watch(ORIGIN);
      expect(watch.provesNoConnection(Object.assign(new Error(code), { code }))).toBe(false);
    },
  );

  test("when undici never asked for a connection", () => {
    expect(connector().watch(ORIGIN).provesNoConnection(STOPPED)).toBe(false);
  });

  test("when undici asked for a connection to another origin", () => {
    const it = connector();
    const watch = it.watch(ORIGIN);
    attempt(it, "http://other.test");
    expect(watch.provesNoConnection(STOPPED)).toBe(false);
  });

  test("when a connection was kept from before, though another is in the making", async () => {
    const it = connector();
    await connected(it);
    const watch = it.watch(ORIGIN);
    attempt(it);
    expect(watch.provesNoConnection(STOPPED)).toBe(false);
  });

  test("when the connection kept from before has been lost, and another is in the making", async () => {
    const it = connector();
    const kept = await connected(it);
    const watch = it.watch(ORIGIN);
    await closed(kept);
    attempt(it);
    expect(watch.provesNoConnection(STOPPED)).toBe(false);
  });

  test("when a connection was made for it, though it is closed and another in the making", async () => {
    const it = connector();
    const watch = it.watch(ORIGIN);
    await closed(await connected(it));
    attempt(it);
    expect(watch.provesNoConnection(STOPPED)).toBe(false);
  });

  test("when it is another request whose attempt failed", async () => {
    const it = connector();
    const watch = it.watch(ORIGIN);
    const { socket, ended } = attempt(it);
    socket.destroy(new Error("refused"));
    await ended;
    expect(watch.provesNoConnection(new Error("refused"))).toBe(false);
  });
});

test("what was closed makes no more connections", async () => {
  const connect = vi.spyOn(net, "connect");
  const it = connector({ signal: AbortSignal.abort() });
  const ended = Promise.withResolvers<Error | null>();
  const { host, hostname, protocol } = new URL(ORIGIN);
  it.connect({ host, hostname, protocol, port: "" }, (...[error]) => ended.resolve(error));
  expect((await ended.promise)?.message).toBe("given up");
  expect(connect).not.toHaveBeenCalled();
  expect(it.watch(ORIGIN).provesNoConnection(STOPPED)).toBe(false);
});
