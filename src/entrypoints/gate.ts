import { gate } from "../gate/gate.ts";
import { recordKilledRun } from "../ledger/run/post-step.ts";
import { runEntrypoint } from "./run-entrypoint.ts";

void runEntrypoint(gate, recordKilledRun);
