/**
 * `npm start`: the action at work in the local world, on one screen.
 *
 *     npm start                    shows a run for an issue, runs of upkeep, land and a queue, and ends
 *     npm start -- --keep          opens a playground for a browser, and prints its address; until Ctrl+C
 *     npm start -- --port 4000     service on this port, GitHub on the next
 */

import { parseArgs } from "node:util";
import type { Playground } from "../playground/index.ts";
import { details, StartError, say } from "./start/console.ts";

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
  const { keep, ...options } = readOptions();
  // Loaded here, so that a missing package is reported as what it is.
  const { FIRST_ISSUE, startLocalWorld } = await import("../emulator/local-world/index.ts");
  const world = await startLocalWorld({
    // A playground has an issue to ask on; the scenes open their own.
    ...(keep && (await import("../playground/index.ts")).PLAYGROUND_WORLD),
    issues: keep ? [FIRST_ISSUE] : [],
    ...{ inspector: true, ...options },
  });
  let playground: Playground | undefined;
  const close = async () => {
    await playground?.close();
    await world.close();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      say("", "Stopped.");
      void close().finally(() => process.exit(keep ? 0 : INTERRUPTED));
    });
  }

  try {
    if (keep) {
      const { startPlayground } = await import("../playground/index.ts");
      playground = await startPlayground(world);
      say("", `Open ${playground.url} in a browser.`);
      say(
        "There, run every action with its workflow from examples/, and look at what comes of it.",
      );
      say("Everything runs on this machine, without an account or a key. Ctrl+C ends it.");
      await new Promise(() => {});
    }
    say(
      "",
      "The action runs on this machine, without an account or a key, against two emulated services:",
    );
    details({
      GitHub: `${world.github.url}, repository ${world.github.repository}`,
      "documentation service": world.service.url,
    });
    const { showScenes } = await import("./start/scenes.ts");
    await showScenes(world);
  } finally {
    await close();
  }
  say("", "That was all: the emulated services are closed, so the links above no longer work.");
  say("To use the action in a repository, copy a workflow from examples/.");
  say("To try it yourself in a browser first, run 'npm start -- --keep'.");
}

/** @throws StartError for a port that is none. */
function readOptions() {
  const { values } = parseArgs({
    options: { keep: { type: "boolean" }, port: { type: "string" } },
  });
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port === undefined || (Number.isInteger(port) && port >= 1 && port <= 65_533)) {
    return { keep: values.keep ?? false, ...(port && { port }) };
  }
  throw new StartError(`--port takes a number from 1 to 65533, not '${values.port}'.`);
}

/** What went wrong, for the person who started this, with what to do about it. */
function explain(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE") return `port ${port} is taken. Choose another with --port.`;
  if (code === "ERR_MODULE_NOT_FOUND") return `${message}. Run 'npm ci' first.`;
  if (code?.startsWith("ERR_PARSE_ARGS") === true) return `${message}. Try --keep or --port N.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
