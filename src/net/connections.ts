import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { buildConnector as Undici } from "undici";
import { type ProxyServer, TunnelError } from "./proxy.ts";
import { buildConnector } from "./undici.ts";

/** How long connecting to one address of a host may take before the next one is tried, in milliseconds. */
const ADDRESS_LIMIT = 5_000;
/** How long connecting may take in all: enough for four addresses. */
const CONNECT_LIMIT = 4 * ADDRESS_LIMIT;

/**
 * undici's `connect` option, which undici calls for each connection that it needs: directly, or through a proxy.
 *
 * @param proxyFor the proxy for a URL; null for none
 */
export function proxyConnector(proxyFor: (url: URL) => ProxyServer | null): Undici.connector {
  // With HTTP/2, requests share a connection, and it is harder to know whether one was received.
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_LIMIT,
    // Node's own 250 ms for each address of a host are too short far away (nodejs/node#54359).
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_LIMIT,
  });
  return (options, callback) => {
    const url = new URL(`${options.protocol}//${options.host}`);
    const proxy = proxyFor(url);
    if (proxy === null) return connect(options, callback);
    openTunnel(connect, proxy, `${url.hostname}:${url.port || 443}`).then(
      (httpSocket) => connect({ ...options, httpSocket }, callback),
      (error: Error) => callback(error, null),
    );
  };
}

/**
 * Opens a tunnel through a proxy (RFC 9110, 9.3.6). Before it is open, the proxy has received only the host and port.
 * undici's own `ProxyAgent` tries again without end if the proxy closes the connection.
 *
 * @param target host and port
 * @throws TunnelError, or an error of the socket with a code
 */
async function openTunnel(
  connect: Undici.connector,
  { address, authorization, variable }: ProxyServer,
  target: string,
): Promise<Socket> {
  const { protocol, host, port } = address;
  const hostname = address.hostname.replace(/^\[|\]$/g, "");
  const socket = await new Promise<Socket>((resolve, reject) =>
    connect({ protocol, host, hostname, port }, (error, made) =>
      error === null ? resolve(made) : reject(error),
    ),
  );
  // Loaded only here: most runners have no proxy, and it takes milliseconds.
  const { request } = await import("node:http");
  const connecting = request({
    createConnection: () => socket,
    method: "CONNECT",
    path: target,
    headers: { host: target },
  });
  if (authorization) connecting.setHeader("proxy-authorization", authorization);
  const [response]: IncomingMessage[] = await once(connecting.end(), "connect");
  const statusCode = response?.statusCode ?? 0;
  if (statusCode >= 200 && statusCode < 300) return socket;
  socket.destroy();
  const refusal = `the proxy returned ${statusCode}`;
  if (statusCode !== 407) throw new TunnelError(refusal);
  const cause = `it requires credentials, or rejected those in ${variable}`;
  throw new TunnelError(`${refusal}: ${cause}; set them as http://USER:PASSWORD@HOST:PORT`);
}
