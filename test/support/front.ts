import net, { type AddressInfo, type Socket } from "node:net";

/** What a front does with a connection. */
export type Handling =
  /** Hands it on, byte by byte. */
  | "pass"
  /** Resets it before a byte is read. */
  | "reset"
  /** Answers whatever comes first, such as a TLS greeting, with something that is neither TLS nor HTTP. */
  | "garble"
  /** Hands it on to the impostor instead. */
  | "impostor";

/** Stands before a server and decides over each connection, which the server itself cannot. */
export interface Front extends AsyncDisposable {
  readonly port: number;
  /** Connections so far. */
  readonly connections: number;
  /** Listens at the same port again, if it does not. */
  listenAgain(): Promise<void>;
  close(): Promise<void>;
}

export interface FrontOptions {
  /** Port of the server on 127.0.0.1. */
  target: number;
  /** Port of a server that pretends to be it. */
  impostor?: number;
  /** What to do with the nth connection, from 0. */
  handle?: (nth: number) => Handling;
  /** Refuse connections after this many, until told to listen again; 0 does so from the start. */
  listenFor?: number;
  /** Called when it begins to refuse, if not from the start. */
  onRefusing?: () => void;
}

/** Ports here are below those that systems give out by themselves: one that was left can be taken again. */
const LOWEST = 15_000;
const HIGHEST = 30_000;

export async function startFront(options: FrontOptions): Promise<Front> {
  const { target, impostor = target, handle = () => "pass", listenFor } = options;
  const sockets = new Set<Socket>();
  let connections = 0;
  let server = newServer();
  const port = await listenSomewhere(server);
  if (listenFor === 0) server.close();

  function newServer(): net.Server {
    return net.createServer((socket) => {
      const nth = connections;
      connections += 1;
      if (connections === listenFor) {
        server.close();
        options.onRefusing?.();
      }
      keep(socket);
      const handling = handle(nth);
      if (handling === "reset") socket.resetAndDestroy();
      else if (handling === "garble") socket.once("data", () => socket.end("220 ESMTP ready\r\n"));
      else passOn(socket, handling === "impostor" ? impostor : target);
    });
  }
  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  }
  function passOn(socket: Socket, to: number): void {
    const onward = net.connect(to, "127.0.0.1");
    keep(onward);
    socket.pipe(onward);
    onward.pipe(socket);
    onward.on("close", () => socket.destroySoon());
    socket.on("close", () => onward.destroySoon());
  }

  const close = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    get connections() {
      return connections;
    },
    async listenAgain() {
      if (server.listening) return;
      server = newServer();
      await listen(server, port);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function listenSomewhere(server: net.Server): Promise<number> {
  for (let tries = 0; ; tries++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    try {
      await listen(server, port);
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if (tries === 20) throw error;
    }
  }
}

function listen(server: net.Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
