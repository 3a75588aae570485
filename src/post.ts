import { readState, runEntry } from "./entry.ts";
import { recover } from "./run.ts";

const state = readState();
// Nothing to do in nearly every run: the main step has told how it came out.
if (state !== null && state.phase !== "told") {
  void runEntry(async (read, given, world) => {
    await recover(read, given, world, state);
    return false;
  });
}
