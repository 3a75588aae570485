/**
 * `npm start`: the action at work in the local world, on one screen.
 *
 *     npm start                    shows a run for an issue, two runs of upkeep and a queue, and ends
 *     npm start -- --keep          keeps the local world up until Ctrl+C, and prints its addresses
 *     npm start -- --port 4000     service on this port, GitHub on the next two
 */

import { parseArgs } from "node:util";
import type { LocalWorld } from "../emulator/local-world/index.ts";
import { details, heading, say } from "./start/console.ts";
import { showIssueRun } from "./start/issue-run.ts";
import { showQueue } from "./start/queue-runs.ts";
import { checkRequirements, explain, StartError } from "./start/requirements.ts";
import { showUpkeep } from "./start/upkeep-runs.ts";

interface Options {
  keep: boolean;
  port: number | undefined;
}

/** What a shell reports for a program that Ctrl+C has ended. */
const INTERRUPTED = 130;

// Whoever reads along may leave early, as `head` does.
process.stdout.once("error", () => process.exit(1));

try {
  await main();
} catch (error) {
  say("", `npm start failed: ${explain(error)}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const options = readOptions();
  checkRequirements();

  // Loaded here, so that a missing package is reported as what it is.
  const { startLocalWorld } = await import("../emulator/local-world/index.ts");
  const world = await startLocalWorld({
    issues: [],
    inspector: true,
    ...(options.port === undefined ? {} : { port: options.port }),
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      say("", "Stopped.");
      void world.close().finally(() => process.exit(options.keep ? 0 : INTERRUPTED));
    });
  }

  try {
    showAddresses(world);
    await showIssueRun(world);
    await showUpkeep(world);
    await showQueue(world);
    if (options.keep) await keepUp(world);
  } finally {
    await world.close();
  }
  say("", "The local world is closed, so its links no longer work.");
  say("To follow them, run 'npm start -- --keep': it keeps the local world up until Ctrl+C.");
}

/** @throws StartError for a port that is none. */
function readOptions(): Options {
  const { values } = parseArgs({
    options: { keep: { type: "boolean", default: false }, port: { type: "string" } },
  });
  if (values.port === undefined) return { keep: values.keep, port: undefined };
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_533) {
    throw new StartError(`--port takes a number from 1 to 65533, not '${values.port}'.`);
  }
  return { keep: values.keep, port };
}

function showAddresses({ github, service }: LocalWorld): void {
  heading("The local world");
  details({
    "documentation service": service.url,
    GitHub: `${github.url}, repository ${github.repository}`,
  });
}

/** Prints what is needed to look around in the local world, and never resolves. */
async function keepUp({ github, service }: LocalWorld): Promise<void> {
  heading("The local world stays up until Ctrl+C");
  details({
    service: service.url,
    "its inspector": service.inspectorUrl,
    "its admin key": service.adminKey,
    "its assistant key": service.assistantKey,
    "its project": service.projectId,
    GitHub: github.url,
    "GitHub's inspector": github.inspectorUrl,
    "a GitHub token": github.token,
  });
  await new Promise(() => {});
}
