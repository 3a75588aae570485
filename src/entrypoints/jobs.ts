import { listJobs } from "../job-list/list-jobs.ts";
import { runEntrypoint } from "./run-entrypoint.ts";

void runEntrypoint(listJobs);
