import * as core from "@actions/core";
import type { SavedState } from "./github/teller.ts";

const NAME = "run";

/** Leaves for the post step what it needs to tell of a run whose main step was killed. */
export function saveState(state: SavedState): void {
  core.saveState(NAME, state);
}

/** What the main step saved; null when it saved nothing. */
export function readState(): SavedState | null {
  const state = core.getState(NAME);
  return state === "" ? null : (JSON.parse(state) as SavedState);
}
