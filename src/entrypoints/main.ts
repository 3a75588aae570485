import { recover } from "../run/recover.ts";
import { run } from "../run/run.ts";
import { runEntrypoint } from "./run-entrypoint.ts";

void runEntrypoint(run, recover);
