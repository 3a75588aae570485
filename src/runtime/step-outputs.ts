import { appendFileSync } from "node:fs";
import * as core from "@actions/core";
import type { Log } from "./log.ts";

/** What a step leaves for the steps after it, for its post step, and for the run's summary page. */
export interface StepOutputs {
  setOutput(name: string, value: string): void;
  /** Replaces what was saved before. The file is plain text on the runner: no secret belongs in it. */
  saveState(state: unknown): void;
  /** Adds Markdown to the step's summary. */
  writeSummary(markdown: string): void;
}

const STATE = "run";

/** The runner's own files, as the environment names them. */
export const runnerOutputs: StepOutputs = {
  setOutput: (name, value) => core.setOutput(name, value),
  saveState: (state) => core.saveState(STATE, state),
  writeSummary(markdown) {
    // core.summary uses Node's promises of files, which take longer to load than this takes to write.
    const file = process.env.GITHUB_STEP_SUMMARY;
    if (file) appendFileSync(file, `${markdown}\n`);
  },
};

/** What the main step saved, for its post step; null when it saved nothing. */
export function readState(): unknown {
  const state = core.getState(STATE);
  return state === "" ? null : JSON.parse(state);
}

/** Writes the summary; a file that cannot be written to is a warning. */
export function tryWriteSummary(outputs: StepOutputs, log: Log, markdown: string): void {
  try {
    outputs.writeSummary(markdown);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    log.warning(`The step summary could not be written: ${why}`);
  }
}
