import { upkeep } from "../upkeep/upkeep.ts";
import { runEntrypoint } from "./run-entrypoint.ts";

void runEntrypoint(upkeep);
