import type { MemoryServers } from "../../emulator/local-world/memory-servers.ts";
import { actionStep } from "./action-step.ts";
import { type Line, line } from "./lines.ts";
import { alternate, type Bench, type Side, time } from "./measure.ts";
import { type MemoryServer, serveMemory } from "./memory-server.ts";

/** @param think milliseconds that the service takes for an answer */
export async function serving(
  servers: MemoryServers,
  bench: Bench,
  measure: (server: MemoryServer) => Promise<Line[]>,
  think = 0,
): Promise<Line[]> {
  const onRequest = () => {
    bench.firstRequest.at ??= process.hrtime.bigint();
  };
  const server = await serveMemory(servers, onRequest, think);
  try {
    return await measure(server);
  } finally {
    server.close();
  }
}

/** An action as a runner starts it, against GitHub and the service in memory. */
export function memoryAction(
  entry: string,
  { address }: MemoryServer,
  { work }: Pick<Bench, "work">,
  inputs: Record<string, string> = {},
): Side {
  return actionStep({ entry, address, work, inputs });
}

/** The requests of one run, `METHOD /path?query`. */
export async function requestsOf(
  action: Side,
  server: MemoryServer,
  bench: Bench,
): Promise<{ all: string[]; toGitHub: string[]; polls: string[] }> {
  server.requests.length = 0;
  await time(action, bench);
  const all = [...server.requests];
  return {
    all,
    toGitHub: all.filter((it) => !it.includes(" /v2/")),
    polls: all.filter((it) => it.startsWith("GET /v2/")),
  };
}

/** Times an action against the bare script that sends the same requests. */
export async function compareTimes(
  action: Side,
  script: Side,
  bench: Bench,
  { what, bound }: { what: string; bound: number },
): Promise<Line> {
  const [yardstick, measured] = await alternate([script, action], bench);
  if (!yardstick || !measured) throw new Error("nothing was measured");
  const took = `${measured.wall.toFixed(0)} ms, ${measured.memory.toFixed(0)} MiB`;
  const text = `${what}: ${took}; script ${yardstick.wall.toFixed(0)} ms; ratio`;
  return line(text, measured.wall / yardstick.wall, bound);
}
