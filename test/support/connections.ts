/** What goes wrong with a connection before HTTP begins. */

import net, { type AddressInfo, type Socket } from "node:net";

export type ConnectionFault =
  /** Reset before a byte is read. */
  | "reset"
  /** Whatever comes first, such as a TLS greeting, is answered with something that is neither TLS nor HTTP. */
  | "garble"
  /** Accepted, and then neither read nor written. */
  | "hang"
  /** TLS with the impostor's certificate. */
  | "impostor";

export interface ConnectionOptions {
  /** Default: any free port. */
  port?: number;
  /** What goes wrong with the nth connection, from 0; nothing happens until a promise is kept. */
  connectionFault?: (nth: number) => ConnectionFault | null | Promise<null>;
  /** Refuse connections after this many, until told to listen again; 0: from the start. */
  refuseAfter?: number;
  /** Called when it begins to refuse, if not from the start. */
  onRefusing?: () => void;
}

/** Listens on 127.0.0.1, and decides over each connection before a server gets it. */
export interface Connections {
  readonly port: number;
  /** Connections so far, served or not. */
  readonly count: number;
  /** Connections that are open. */
  readonly open: number;
  /** Listens at the same port again after refusing; a second time does nothing. */
  listenAgain(): Promise<void>;
  close(): Promise<void>;
}

/** Ports here are below those that systems choose: one that was left can be taken again. */
const LOWEST = 15_000;
const HIGHEST = 30_000;
const MAX_TRIES = 20;

/** As an HTTP server takes its connections. */
const AS_FOR_HTTP = { allowHalfOpen: true, noDelay: true };

/**
 * @param serve gets each connection that is not broken here; `isImpostor` says with which certificate
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

/** The address of a port that was free a moment ago: a connection to it is refused. */
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
