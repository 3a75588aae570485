import { land } from "../land/land.ts";
import { recordKilledLand } from "../land/run.ts";
import { runEntrypoint } from "./run-entrypoint.ts";

void runEntrypoint(land, recordKilledLand);
