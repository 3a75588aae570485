import { recordKilledRun } from "../ledger/run/post-step.ts";
import { queue } from "../queue/queue.ts";
import { runEntrypoint } from "./run-entrypoint.ts";

void runEntrypoint(queue, recordKilledRun);
