import { queue } from "../queue/queue.ts";
import { runEntrypoint } from "./run-entrypoint.ts";

void runEntrypoint(queue);
