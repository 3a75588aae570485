import { land, recordKilledLand } from "../land/land.ts";
import { runEntrypoint } from "./run-entrypoint.ts";

void runEntrypoint(land, recordKilledLand);
