import { collect } from "../collect/collect.ts";
import { runEntrypoint } from "./run-entrypoint.ts";

void runEntrypoint(collect);
