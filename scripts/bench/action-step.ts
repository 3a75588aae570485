import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import type { Side } from "./measure.ts";

export const API_KEY = "mint_bench";

const root = resolve(import.meta.dirname, "../..");
const FILES = { GITHUB_OUTPUT: "output", GITHUB_STATE: "state", GITHUB_STEP_SUMMARY: "summary" };

export interface ActionStep {
  /** The bundle's folder in `dist`. */
  entry: string;
  /** Where GitHub and the service are. */
  address: string;
  /** A folder for the step's files. They are emptied. */
  work: string;
  inputs?: Record<string, string>;
  /** The folder of the bundles. Default: `dist/` of the project. */
  dist?: string;
}

/** An action as a runner starts it, in a scheduled workflow. */
export function actionStep(step: ActionStep): Side {
  const { entry, address, work, inputs = {}, dist = join(root, "dist") } = step;
  const paths = Object.entries(FILES).map(([name, file]) => [name, join(work, file)] as const);
  for (const [, path] of paths) writeFileSync(path, "");
  writeFileSync(join(work, "event.json"), "{}");
  const all = {
    "api-key": API_KEY,
    "project-id": "docs",
    "github-token": "ghs_bench",
    "github-api-url": address,
    "base-url": address,
    ...inputs,
  };
  const given = Object.entries(all).map(([key, value]) => [`INPUT_${key.toUpperCase()}`, value]);
  return {
    ...{ name: `the action (${entry})`, file: join(dist, entry, "index.js"), args: [] },
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

/** The script that sends the same requests with `node:http` alone. @param name as the script names them */
export function bareScript(name: string, address: string): Side {
  return {
    name: `bare script (${name})`,
    file: join(root, "scripts/bench/bare.mjs"),
    args: [name],
    env: { SERVICE: address, GITHUB: address },
  };
}
