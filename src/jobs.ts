import { runEntry } from "./entry.ts";
import { listJobs } from "./list-jobs.ts";

void runEntry(listJobs);
