import { gate } from "../gate/gate.ts";
import { runEntrypoint } from "./run-entrypoint.ts";

void runEntrypoint(gate);
