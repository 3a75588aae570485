/** An action as a runner starts it, and the script that it is compared with. */

import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { alternate, type Row, type Side, WORK } from "./measure.ts";
import type { BenchServer } from "./servers.ts";

export const API_KEY = "mint_bench";

const root = resolve(import.meta.dirname, "../..");
const FILES = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY", "GITHUB_EVENT_PATH"];

/** The file that a step gets by the name of a variable. */
export function fileOf(variable: string): string {
  return join(WORK, variable);
}

/** An action in a scheduled workflow. @param entry the bundle's folder in `dist` */
export function actionStep(
  entry: string,
  server: BenchServer,
  inputs: Record<string, string> = {},
): Side {
  for (const name of FILES) writeFileSync(fileOf(name), name === "GITHUB_EVENT_PATH" ? "{}" : "");
  const given = {
    ...{ "api-key": API_KEY, "project-id": "docs", "github-token": "ghs_bench" },
    ...{ "github-api-url": server.address, "base-url": server.address, ...inputs },
  };
  return {
    ...{ name: `the action (${entry})`, file: join(root, "dist", entry, "index.js"), args: [] },
    server,
    env: {
      ...Object.fromEntries(
        Object.entries(given).map(([key, value]) => [`INPUT_${key.toUpperCase()}`, value]),
      ),
      ...Object.fromEntries(FILES.map((name) => [name, fileOf(name)])),
      ...{ GITHUB_EVENT_NAME: "schedule", GITHUB_REPOSITORY: REPOSITORY, GITHUB_WORKSPACE: WORK },
      ...{ GITHUB_SERVER_URL: "https://github.com", GITHUB_RUN_ID: "1", GITHUB_RUN_ATTEMPT: "1" },
    },
  };
}

/** The script that sends the same requests with `node:http` alone. @param name as the script names them */
function bareScript(name: string, server: BenchServer): Side {
  return {
    ...{ name: `bare script (${name})`, args: [name], server },
    file: join(import.meta.dirname, "bare.mjs"),
    env: { SERVICE: server.address, GITHUB: server.address },
  };
}

/** Compares an action with the script of the same requests. @param bounds how many times as much it may take */
export async function compare(
  what: string,
  action: Side,
  script: string,
  { runs, time, memory }: { runs: number; time: number; memory?: number },
): Promise<Row[]> {
  const sides = [bareScript(script, action.server), action];
  const [yardstick, measured] = await alternate(sides, runs);
  if (!yardstick || !measured) throw new Error("nothing was measured");
  return [
    [`${what}: time of the script`, yardstick.wall, "ms"],
    [`${what}: time of the action`, measured.wall, "ms"],
    [`${what}: time until its first request`, measured.first, "ms"],
    [`${what}: time, to the script's`, measured.wall / yardstick.wall, "×", time],
    [`${what}: memory of the script`, yardstick.memory, "MiB"],
    [`${what}: memory of the action`, measured.memory, "MiB"],
    [`${what}: memory, to the script's`, measured.memory / yardstick.memory, "×", memory],
  ];
}
