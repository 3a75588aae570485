import { runEntry } from "./entry.ts";
import { run } from "./run.ts";

void runEntry(run);
