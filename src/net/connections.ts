import { once } from "node:events";
import http, { type Agent, type ClientRequest, type IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
import { urlToHttpOptions } from "node:url";
import type { ProxyServer } from "./proxy.ts";

/**
 * Maximum age of an idle connection, in milliseconds, even if the server offers more. Requests come in bursts, and then
 * seconds apart. A request that must not be repeated should not get lost on an old connection that the server is about
 * to close.
 */
const KEEP_ALIVE = 500;

/** Limits of each step of a connection: connecting with TLS, and opening a tunnel. */
interface StepLimits {
  /** In milliseconds. */
  limit: number;
  /** Gives up all attempts. */
  signal: AbortSignal;
}

/**
 * The connections to one origin. A request gets a connection only when it is completely established. So a request
 * without one was not received, not even in part.
 *
 * @param proxy null to connect directly
 */
export async function connectionsTo(
  { protocol, hostname, port }: URL,
  proxy: ProxyServer | null,
  limits: StepLimits,
): Promise<Agent> {
  const isTls = protocol === "https:";
  const { Agent } = isTls ? await import("node:https") : http;
  const agent = new Agent({ keepAlive: true, timeout: KEEP_ALIVE });
  const connect = agent.createConnection.bind(agent);

  const establish = async (options: http.ClientRequestArgs): Promise<Socket> => {
    if (limits.signal.aborted) throw new Error("given up");
    const target = `${hostname}:${port || (isTls ? 443 : 80)}`;
    const tunnel = proxy === null ? null : await openTunnel(proxy, target, limits);
    if (tunnel !== null && !isTls) return tunnel;
    const through = tunnel === null ? options : { ...options, socket: tunnel };
    const socket = connect(through) as Socket;
    await reach(socket, isTls ? "secureConnect" : "connect", limits);
    return socket;
  };

  agent.createConnection = (options, callback) => {
    establish(options).then(
      (socket) => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as never),
    );
    return undefined;
  };
  return agent;
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
  limits: StepLimits,
): Promise<Socket> {
  const { request } = address.protocol === "https:" ? await import("node:https") : http;
  const options = urlToHttpOptions(address);
  const host = options.hostname ?? "";
  const connect = request({
    ...options,
    // Without this, Node would compare the proxy's certificate with the `host` header below.
    servername: isIP(host) === 0 ? host : "",
    method: "CONNECT",
    path: target,
    headers: { host: target, ...(authorization && { "proxy-authorization": authorization }) },
    agent: false,
  });
  const answer = reach(connect.end(), "connect", limits);
  const [{ statusCode = 0 }, socket, head] = (await answer) as [IncomingMessage, Socket, Buffer];
  socket.on("error", () => {});
  if (statusCode < 200 || statusCode > 299) {
    socket.destroy();
    const advice = `: it requires credentials, or rejected those in ${variable}; set them as http://USER:PASSWORD@HOST:PORT`;
    throw new Error(`the proxy returned ${statusCode}${statusCode === 407 ? advice : ""}`);
  }
  if (head.byteLength > 0) socket.unshift(head);
  return socket;
}

/** Waits for an event that ends a step of a connection. */
async function reach(
  step: Socket | ClientRequest,
  event: string,
  { limit, signal }: StepLimits,
): Promise<unknown[]> {
  const what = "path" in step ? "the proxy did not open a tunnel" : "no connection";
  const late = new Error(`${what} within ${limit / 1000} s`);
  const timer = setTimeout(() => step.destroy(late), limit);
  const giveUp = () => step.destroy(new Error("given up"));
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await once(step, event);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}
