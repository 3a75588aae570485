import net, { type AddressInfo, type Socket } from "node:net";

/** What a front does with a connection. */
export type Handling =
  /** Hands it on, byte by byte. */
  | "pass"
  /** Resets it before a byte is read. */
  | "reset"
  /** Answers whatever comes first, such as a TLS greeting, with something that is neither TLS nor HTTP. */
  | "garble"
  /** Accepts it, and then neither reads nor writes. */
  | "hang"
  /** Hands it on to the impostor instead. */
  | "impostor";

/** Stands before a server and decides over each connection, which the server itself cannot. */
export interface Front extends AsyncDisposable {
  readonly port: number;
  /** Connections so far. */
  readonly connections: number;
  /** Listens at the same port again; a second time does nothing. */
  listenAgain(): Promise<void>;
  close(): Promise<void>;
}

export interface FrontOptions {
  /** Port of the server on 127.0.0.1. */
  target: number;
  /** Port of a server that pretends to be it. */
  impostor?: number;
  /** What to do with the nth connection, from 0; nothing until a promise is kept. */
  handle?: (nth: number) => Handling | Promise<Handling>;
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
  let isBack = false;
  let server = newServer();
  const port = await listenSomewhere(server);
  if (listenFor === 0) server.close();

  function newServer(): net.Server {
    return net.createServer(async (socket) => {
      const nth = connections;
      connections += 1;
      if (connections === listenFor) {
        server.close();
        options.onRefusing?.();
      }
      keep(socket);
      const handled = handle(nth);
      const handling = handled instanceof Promise ? await handled : handled;
      if (handling === "reset") socket.resetAndDestroy();
      else if (handling === "garble") socket.once("data", () => socket.end("220 ESMTP ready\r\n"));
      else if (handling !== "hang") passOn(socket, handling === "impostor" ? impostor : target);
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
      if (isBack) return;
      isBack = true;
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
