import { appendFileSync } from "node:fs";
import * as core from "@actions/core";
import { Cancellation, cancelOnSignal } from "./cancellation.ts";
import { systemClock } from "./clock.ts";
import { asActionError } from "./errors.ts";
import type { Given } from "./github/given.ts";
import type { Desk } from "./github/teller.ts";
import type { ReadInput } from "./inputs/inputs.ts";
import { actionsLog as log } from "./log.ts";
import { Http } from "./net/http.ts";
import { saveState } from "./state.ts";
import { codeBlock } from "./text/markdown.ts";
import type { World } from "./world.ts";

/** Reads an input exactly as the workflow gave it: a prompt's white space is part of it. */
export const readInput: ReadInput = (name) => core.getInput(name, { trimWhitespace: false });

const desk: Desk = {
  setOutput: (name, value) => core.setOutput(name, value),
  saveState,
  writeSummary(markdown) {
    // What core.summary does by Node's promises of files, which take longer to load than to write this.
    const file = process.env.GITHUB_STEP_SUMMARY;
    if (file) appendFileSync(file, `${markdown}\n`);
  },
};

/**
 * Runs one entrypoint: masks the secrets, minds the runner's signals, and turns whatever is thrown into
 * one clear line. The process ends with exit code 1 when the step fails.
 *
 * @param entry returns whether the step fails
 */
export async function runEntry(
  entry: (read: ReadInput, given: Given, world: World) => Promise<boolean>,
): Promise<void> {
  maskKey(readInput("api-key"));
  const cancellation = new Cancellation();
  cancelOnSignal(cancellation, (name) => log.warning(`Cancelled (${name}).`));
  const http = new Http(process.env);
  let fails = true;
  try {
    const world = { desk, log, clock: systemClock, random: Math.random, http, cancellation };
    const { readGiven } = await import("./github/read-given.ts");
    fails = await entry(readInput, readGiven(process.env), world);
  } catch (thrown) {
    tellError(thrown);
  }
  await http.close();
  process.exitCode = fails || cancellation.stop.aborted ? 1 : 0;
}

/** Comes before anything else is done with the key. GitHub masks its own token itself. */
function maskKey(key: string): void {
  for (const form of new Set([key, key.trim()])) if (form !== "") core.setSecret(form);
}

function tellError(thrown: unknown): void {
  const error = asActionError(thrown);
  if (thrown instanceof Error) log.debug(thrown.stack ?? thrown.message);
  log.error(error.message);
  try {
    desk.setOutput("errorKind", error.kind);
    desk.setOutput("errorMessage", error.message);
    desk.writeSummary(`### ❌ Docs agent: ${error.kind}\n\n${codeBlock(error.message)}`);
  } catch (unwritable) {
    // What the runner gave to write to may itself be what is wrong; the log has told the error.
    log.debug(String(unwritable));
  }
}
