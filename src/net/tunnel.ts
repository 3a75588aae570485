import http from "node:http";
import https from "node:https";
import { isIP, type Socket } from "node:net";
import { urlToHttpOptions } from "node:url";
import type { ProxyServer } from "./proxy.ts";

interface TunnelOptions {
  /** Time limit in milliseconds. */
  limit: number;
  /** Cancels the attempt. */
  signal: AbortSignal;
}

/**
 * Opens a tunnel through a proxy (RFC 9110, 9.3.6). Before it is open, the proxy has received only the host and port.
 *
 * @param target host and port
 * @throws Error with a message or code that says why there is no tunnel
 */
export function openTunnel(
  { address, authorization, variable }: ProxyServer,
  target: string,
  { limit, signal }: TunnelOptions,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const { request } = address.protocol === "https:" ? https : http;
  const options = urlToHttpOptions(address);
  const host = options.hostname ?? "";
  const connect = request({
    ...options,
    // Without this, Node would compare the proxy's certificate with the `host` header below.
    servername: isIP(host) === 0 ? host : "",
    method: "CONNECT",
    path: target,
    headers: {
      host: target,
      ...(authorization === undefined ? {} : { "proxy-authorization": authorization }),
    },
    agent: false,
  });
  const giveUp = () => connect.destroy(new Error("given up"));
  const timer = setTimeout(() => {
    connect.destroy(new Error(`the proxy did not open a tunnel within ${limit / 1000} s`));
  }, limit);
  const done = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  };
  connect.once("connect", ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
    done();
    if (statusCode < 200 || statusCode > 299) {
      socket.destroy();
      reject(new Error(refusal(statusCode, variable)));
      return;
    }
    if (head.byteLength > 0) socket.unshift(head);
    resolve(socket);
  });
  connect.once("error", (error) => {
    done();
    reject(error);
  });
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  connect.end();
  return promise;
}

function refusal(status: number, variable: string): string {
  if (status !== 407) return `the proxy returned ${status}`;
  return `the proxy returned 407: it requires credentials, or rejected those in ${variable}; set them as http://USER:PASSWORD@HOST:PORT`;
}
