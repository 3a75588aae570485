/** Diffs that GitHub cannot make in time, however often it is asked. */

import { HttpError } from "../http/http-error.ts";
import type { RepositoryStore } from "./store.ts";

/** Refuses a diff of commits if one of them is huge. @throws HttpError */
export function checkDiff(
  { switches: { huge } }: RepositoryStore,
  commits: Iterable<string>,
  status: 422 | 500 = 500,
): void {
  if (huge.size === 0 || ![...commits].some((sha) => huge.has(sha))) return;
  const sorry = "Sorry, this diff is taking too long to generate.";
  const errors = [{ resource: "Comparison", field: "diff", code: "not_available" }];
  throw new HttpError(status, status === 500 ? `Server Error: ${sorry}` : sorry, {}, { errors });
}
