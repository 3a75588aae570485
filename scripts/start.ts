/**
 * `npm start`: shows the team workflow and the gate at work in the local world.
 *
 *     npm start                    tells how a comment is answered, and how a merged change is documented, and ends
 *     npm start -- --keep          opens a playground for a browser, and prints its URL; Ctrl+C ends it
 */

import { parseArgs } from "node:util";
import { type LocalWorldOptions, startLocalWorld } from "../emulator/local-world/index.ts";
import { PLAYGROUND_WORLD, startPlayground } from "../playground/index.ts";
import { say } from "./start/console.ts";
import { showScenes } from "./start/scenes.ts";

/** Exit code that a shell reports for a program that Ctrl+C ended. */
const INTERRUPTED = 130;

/** A person who looks on sees a job run; a reader only waits for it. */
const QUICK: LocalWorldOptions = { steering: { checks: "green", durationMs: 300 } };

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

const world = await startLocalWorld({
  ...PLAYGROUND_WORLD,
  ...(keep ? { inspector: true } : QUICK),
});
if (keep) {
  const { url } = await startPlayground(world);
  say("", `Open ${url} in a browser.`);
  say("There, run every action with its workflow from examples/, and look at what comes of it.");
  say("Everything runs on this machine, without an account or a key. Ctrl+C ends it.");
} else {
  say(
    "",
    "examples/team.yml and examples/gate.yml run on this machine, with an emulated GitHub and",
  );
  say("an emulated documentation service, without an account or a key.");
  await showScenes(world);
  await world.close();
  say("", "To use it in a repository, copy the workflow of the README.");
  say("To try it yourself in a browser first, run 'npm start -- --keep'.");
}
