import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { GITHUB, type MemoryServers, SERVICE } from "../../emulator/local-world/memory-servers.ts";

/** GitHub and the service in memory, on loopback. */
export interface MemoryServer {
  address: string;
  /** `METHOD /path?query` of what has arrived. */
  requests: string[];
  /** Most requests to the service that were under way at the same moment. */
  readonly mostAtATime: number;
  close(): void;
}

/**
 * @param onRequest called with each request that arrives
 * @param think milliseconds that the service takes for an answer
 */
export async function serveMemory(
  servers: MemoryServers,
  onRequest: () => void,
  think = 0,
): Promise<MemoryServer> {
  const requests: string[] = [];
  let [now, most] = [0, 0];
  const server: Server = createServer(async (request, response) => {
    onRequest();
    if (request.url?.startsWith("/v2/")) {
      most = Math.max(most, ++now);
      response.once("close", () => {
        now -= 1;
      });
    }
    servers.now += 1;
    const path = request.url ?? "/";
    requests.push(`${request.method} ${path}`);
    const body = await textOf(request);
    if (think > 0 && path.startsWith("/v2/")) await setTimeout(think);
    const { status, headers, text } = servers.perform({
      method: request.method ?? "GET",
      url: new URL(path, path.startsWith("/v2/") ? SERVICE : GITHUB),
      headers: { authorization: request.headers.authorization, accept: request.headers.accept },
      body,
    });
    response.writeHead(status, headers);
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    requests,
    get mostAtATime() {
      return most;
    },
    close: () => server.close(),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
}
