/** Connections that fail before HTTP begins. */

import net, { type AddressInfo, type Socket } from "node:net";

export type ConnectionFault =
  /** Reset before a byte is read. */
  | "reset"
  /** The first data, such as a TLS greeting, is answered with bytes that are neither TLS nor HTTP. */
  | "garble"
  /** Accepted, but never read from or written to. */
  | "hang"
  /** TLS with the impostor's certificate. */
  | "impostor";

export interface ConnectionOptions {
  /** Default: any free port. */
  port?: number;
  /** The fault of the nth connection (from 0). With a promise, the connection waits until it resolves. */
  connectionFault?: (nth: number) => ConnectionFault | null | Promise<null>;
  /** Refuse connections after this many, until `listenAgain` is called. 0 refuses from the start. */
  refuseAfter?: number;
  /** Called when it begins to refuse, unless that is from the start. */
  onRefusing?: () => void;
}

/** A listener on 127.0.0.1 that can break each connection before a server gets it. */
export interface Connections {
  readonly port: number;
  /** Number of connections so far, served or not. */
  readonly count: number;
  /** Number of open connections. */
  readonly open: number;
  /** Listens on the same port again after refusing. A second call does nothing. */
  listenAgain(): Promise<void>;
  close(): Promise<void>;
}

/** These ports are below those that systems choose, so a port that was closed can be opened again. */
const LOWEST = 15_000;
const HIGHEST = 30_000;
const MAX_TRIES = 20;

/** The options that an HTTP server uses for its connections. */
const AS_FOR_HTTP = { allowHalfOpen: true, noDelay: true };

/**
 * @param serve gets each connection without a fault; with `isImpostor`, it uses the impostor's certificate
 * @param onClose called when a connection has ended
 */
export async function acceptConnections(
  options: ConnectionOptions,
  serve: (socket: Socket, isImpostor: boolean) => void,
  onClose: () => void,
): Promise<Connections> {
  const { connectionFault = () => null, refuseAfter, onRefusing = () => {} } = options;
  const sockets = new Set<Socket>();
  let count = 0;
  let isBack = false;

  const accept = async (socket: Socket) => {
    const decision = connectionFault(count);
    count += 1;
    if (count === refuseAfter) {
      listener.close();
      onRefusing();
    }
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      onClose();
    });
    const fault = decision instanceof Promise ? await decision : decision;
    if (fault === "reset") socket.resetAndDestroy();
    else if (fault === "garble") socket.once("data", () => socket.end("220 ESMTP ready\r\n"));
    else if (fault !== "hang") serve(socket, fault === "impostor");
  };
  let listener = net.createServer(AS_FOR_HTTP, accept);
  const port = await (refuseAfter === undefined
    ? listen(listener, options.port)
    : listenBelow(listener));
  if (refuseAfter === 0) listener.close();

  return {
    port,
    get count() {
      return count;
    },
    get open() {
      return sockets.size;
    },
    async listenAgain() {
      if (isBack) return;
      isBack = true;
      listener = net.createServer(AS_FOR_HTTP, accept);
      await listen(listener, port);
    },
    async close() {
      const { promise, resolve } = Promise.withResolvers<void>();
      listener.close(() => resolve());
      for (const socket of sockets) socket.destroy();
      await promise;
    },
  };
}

/** The address of a port that was just closed, so that a connection to it is refused. */
export async function refusedUrl(): Promise<string> {
  const server = net.createServer();
  const port = await listen(server);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return `http://127.0.0.1:${port}`;
}

async function listenBelow(server: net.Server): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await listen(server, LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST)));
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
  }
}

function listen(server: net.Server, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
