/** The requests about the checks of a commit. */

import * as checks from "./answers/checks.ts";
import { list, listIn, read } from "./route.ts";

export const CHECKS = {
  checkRuns: listIn(
    "GET commits/{ref}/check-runs",
    ["checks: read"],
    checks.checkRuns,
    ({ check_runs }) => check_runs,
    { most: 10 },
  ),
  status: listIn(
    "GET commits/{ref}/status",
    ["statuses: read"],
    checks.combinedStatus,
    ({ statuses }) => statuses,
    { most: 10 },
  ),
  /** Every status of a commit, also those that were replaced, the newest first. */
  statuses: list("GET commits/{ref}/statuses", ["statuses: read"], checks.statuses, { most: 10 }),
  suites: read("GET commits/{ref}/check-suites", ["checks: read"], checks.suites, {
    fixed: { per_page: 100 },
  }),
} as const;
