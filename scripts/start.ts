/**
 * `npm start`: demonstrates the action in the local world.
 *
 *     npm start                    shows a run for an issue, runs of upkeep, a queue, a preview and doctor, and ends
 *     npm start -- --keep          opens a playground for a browser, and prints its URL; Ctrl+C ends it
 */

import { parseArgs } from "node:util";
import { startLocalWorld } from "../emulator/local-world/index.ts";
import { PLAYGROUND_WORLD, startPlayground } from "../playground/index.ts";
import { details, say } from "./start/console.ts";
import { showScenes } from "./start/scenes.ts";

/** Exit code that a shell reports for a program that Ctrl+C ended. */
const INTERRUPTED = 130;

const { keep } = parseArgs({ options: { keep: { type: "boolean", default: false } } }).values;

// The reader of the output may close it early, as `head` does.
process.stdout.once("error", () => process.exit(1));
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    say("", "Stopped.");
    // Running steps end with this process, and their folders are removed.
    process.exit(keep ? 0 : INTERRUPTED);
  });
}

// A playground has an issue to ask on; the scenes open their own.
const options = keep ? PLAYGROUND_WORLD : { issues: [] };
const world = await startLocalWorld({ inspector: true, ...options });
if (keep) {
  const { url } = await startPlayground(world);
  say("", `Open ${url} in a browser.`);
  say("There, run every action with its workflow from examples/, and look at what comes of it.");
  say("Everything runs on this machine, without an account or a key. Ctrl+C ends it.");
} else {
  say("", "The action runs on this machine, without an account or a key, on emulated services:");
  details({
    GitHub: `${world.github.url}, repository ${world.github.repository}`,
    "documentation service": world.service.url,
  });
  await showScenes(world);
  await world.close();
  say("", "That was all: the emulated services are closed, so the links above no longer work.");
  say("To use the action in a repository, copy the workflow of the README, or one from examples/.");
  say("To try it yourself in a browser first, run 'npm start -- --keep'.");
}
