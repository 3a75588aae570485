import { recordKilledRun } from "../ledger/run/post-step.ts";
import { upkeep } from "../upkeep/upkeep.ts";
import { runEntrypoint } from "./run-entrypoint.ts";

void runEntrypoint(upkeep, recordKilledRun);
