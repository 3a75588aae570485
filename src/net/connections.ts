import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { buildConnector as Undici } from "undici";
import type { ProxyServer } from "./proxy.ts";
import { buildConnector } from "./undici.ts";

/** Time limit for each step of a connection (connecting, the tunnel, TLS), in milliseconds. */
const STEP_LIMIT = 10_000;

/**
 * undici's `connect` option, which undici calls for each connection that it needs: directly, or through a proxy.
 *
 * @param proxyFor the proxy for a URL; null for none
 * @param signal closes all connections, and cancels attempts
 */
export function connector(
  proxyFor: (url: URL) => ProxyServer | null,
  signal: AbortSignal,
): Undici.connector {
  const establish = async (options: Undici.Options): Promise<Socket> => {
    // After a cancelled request, undici connects again, even while it is being closed.
    if (signal.aborted) throw new Error("given up");
    const url = new URL(`${options.protocol}//${options.host}`);
    const proxy = proxyFor(url);
    if (proxy === null) return await connect(options, signal);
    const httpSocket = await openTunnel(proxy, `${url.hostname}:${url.port || 443}`, signal);
    return await connect({ ...options, httpSocket }, signal);
  };
  return (options, callback) => {
    establish(options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

async function connect(options: Undici.Options, signal: AbortSignal): Promise<Socket> {
  // Node keeps a socket in memory as long as its signal exists, so each socket gets its own signal.
  const attempt = new AbortController();
  const giveUp = () => attempt.abort();
  signal.addEventListener("abort", giveUp, { once: true });
  // With HTTP/2, requests share a connection, and it is harder to know whether one was received.
  const settings = { timeout: STEP_LIMIT, allowH2: false, signal: attempt.signal };
  try {
    const connectNow = buildConnector(settings);
    return await new Promise<Socket>((resolve, reject) =>
      connectNow(options, (error, socket) => (error === null ? resolve(socket) : reject(error))),
    );
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

/**
 * Opens a tunnel through a proxy (RFC 9110, 9.3.6). Before it is open, the proxy has received only the host and port.
 *
 * @param target host and port
 * @throws Error with a message or code that says why there is no tunnel
 */
async function openTunnel(
  { address, authorization, variable }: ProxyServer,
  target: string,
  signal: AbortSignal,
): Promise<Socket> {
  const { protocol, host, port } = address;
  const hostname = address.hostname.replace(/^\[|\]$/g, "");
  const socket = await connect({ protocol, host, hostname, port }, signal);
  const request = http.request({
    createConnection: () => socket,
    method: "CONNECT",
    path: target,
    headers: { host: target, ...(authorization && { "proxy-authorization": authorization }) },
    signal,
  });
  const late = `the proxy did not open a tunnel within ${STEP_LIMIT / 1000} s`;
  request.setTimeout(STEP_LIMIT, () => request.destroy(new Error(late)));
  const [{ statusCode = 0 }] = (await once(request.end(), "connect")) as [IncomingMessage];
  socket.setTimeout(0);
  if (statusCode >= 200 && statusCode < 300) return socket;
  socket.destroy();
  const advice = `: it requires credentials, or rejected those in ${variable}; set them as http://USER:PASSWORD@HOST:PORT`;
  throw new Error(`the proxy returned ${statusCode}${statusCode === 407 ? advice : ""}`);
}
