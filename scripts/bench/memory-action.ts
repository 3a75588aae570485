import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type MemoryServers, REPOSITORY } from "../../emulator/local-world/memory/servers.ts";
import type { Bench, Side } from "./measure.ts";
import { type MemoryServer, serveMemory } from "./memory-server.ts";

export const API_KEY = "mint_bench";

const root = resolve(import.meta.dirname, "../..");

/** One line of what was measured. */
export interface Line {
  text: string;
  isWithin: boolean;
}

export function line(what: string, value: number, bound: number): Line {
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(2);
  return { text: `${what}: ${shown} (bound ${bound})`, isWithin: value <= bound };
}

/** Prints what was measured, and returns whether all of it stays within its bounds. */
export function printLines(lines: readonly Line[]): boolean {
  for (const { text, isWithin } of lines) console.log(`  ${isWithin ? "ok  " : "PAST"} ${text}`);
  return lines.every(({ isWithin }) => isWithin);
}

export async function serving(
  servers: MemoryServers,
  bench: Bench,
  measure: (server: MemoryServer) => Promise<Line[]>,
): Promise<Line[]> {
  const server = await serveMemory(servers, () => {
    bench.firstRequest.at ??= process.hrtime.bigint();
  });
  try {
    return await measure(server);
  } finally {
    server.close();
  }
}

/** An action as a runner starts it. */
export function memoryAction(
  entry: string,
  { address }: MemoryServer,
  work: string,
  more: Record<string, string> = {},
): Side {
  const files = { GITHUB_OUTPUT: "output", GITHUB_STATE: "state", GITHUB_STEP_SUMMARY: "summary" };
  const paths = Object.entries(files).map(([name, file]) => [name, join(work, file)] as const);
  for (const [, path] of paths) writeFileSync(path, "");
  writeFileSync(join(work, "event.json"), "{}");
  const inputs = {
    "api-key": API_KEY,
    "project-id": "docs",
    "github-token": "ghs_bench",
    "github-api-url": address,
    "base-url": address,
    ...more,
  };
  const given = Object.entries(inputs).map(([key, value]) => [`INPUT_${key.toUpperCase()}`, value]);
  return {
    ...{ name: `the action (${entry})`, file: join(root, "dist", entry, "index.js"), args: [] },
    env: {
      ...Object.fromEntries(given),
      ...Object.fromEntries(paths),
      GITHUB_EVENT_NAME: "schedule",
      GITHUB_EVENT_PATH: join(work, "event.json"),
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_WORKSPACE: work,
      GITHUB_RUN_ID: "1",
      GITHUB_RUN_ATTEMPT: "1",
    },
  };
}
