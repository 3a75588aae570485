import http from "node:http";
import https from "node:https";
import net, { type AddressInfo, type Socket } from "node:net";

/** A proxy on loopback that records its requests. */
export interface RecordingProxy extends AsyncDisposable {
  readonly url: string;
  /** The targets of CONNECT (`host:port`) and of plain requests (absolute URLs), in order. */
  readonly targets: readonly string[];
  /** The `proxy-authorization` headers, in the order of the targets. */
  readonly authorizations: readonly (string | undefined)[];
  close(): Promise<void>;
}

/** What a proxy does with a CONNECT. */
export type ConnectHandling =
  /** Opens the tunnel. */
  | "open"
  /** Answers with this status instead. */
  | number
  /** Closes the connection without an answer. */
  | "close"
  /** Answers that the tunnel is open, then closes it. */
  | "drop"
  /** Never answers. */
  | "hang";

export interface ProxyOptions {
  /** The address of each target, as `host:port`. Other targets are connected to directly. */
  hosts?: Record<string, string>;
  /** How to handle the nth CONNECT (from 0). With a promise, it waits until it resolves. Default: opens every tunnel. */
  handle?: (nth: number) => ConnectHandling | Promise<ConnectHandling>;
  /** PEM key and certificate, with which the proxy itself speaks TLS. */
  tls?: { key: string; cert: string };
}

/**
 * Starts a proxy on a free port of 127.0.0.1. If only the proxy can resolve a host, an answer from the host proves
 * that the request went through the proxy.
 */
export async function startProxy(options: ProxyOptions = {}): Promise<RecordingProxy> {
  const { handle = () => "open" } = options;
  const targets: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const resolve = (target: string) => {
    const [host = "", port = ""] = (options.hosts?.[target] ?? target).split(":");
    return { host, port: Number(port) };
  };

  /** The action uses tunnels only, so plain requests are refused. */
  const refuse: http.RequestListener = (incoming, response) => {
    targets.push(incoming.url ?? "");
    response.writeHead(502).end();
  };
  const server =
    options.tls === undefined ? http.createServer(refuse) : https.createServer(options.tls, refuse);
  server.on("connection", keep);
  let connects = 0;
  server.on("connect", async (incoming, client: Socket, head: Buffer) => {
    client.on("error", () => client.destroy());
    const target = incoming.url ?? "";
    targets.push(target);
    authorizations.push(incoming.headers["proxy-authorization"]);
    const handling = await handle(connects++);
    if (typeof handling === "number") {
      client.end(`HTTP/1.1 ${handling} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    if (handling === "drop") client.end("HTTP/1.1 200 Connection established\r\n\r\n");
    if (handling === "close") client.destroy();
    if (handling !== "open") return;
    const onward = net.connect(resolve(target));
    keep(onward);
    onward.once("connect", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.write(head);
      onward.pipe(client);
      client.pipe(onward);
    });
    onward.once("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n"));
  });
  await new Promise<void>((ready, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => ready());
  });
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      for (const socket of sockets) socket.destroy();
    });
  return {
    url: `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    targets,
    authorizations,
    close,
    [Symbol.asyncDispose]: close,
  };
}
