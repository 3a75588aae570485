import { type PathFilter, parsePathFilter } from "../text/path-filter.ts";
import { linesOf } from "../text/sentence.ts";
import { input, type ReadInput } from "./checks.ts";

/** The inputs that say which changes are ignored, beside `paths`. */
export const CHANGE_FILTERS = {
  "ignore-labels": input("labels, one per line", linesOf),
  "ignore-authors": input("logins, one per line", linesOf),
};

/** Reads patterns of paths; those that are none are problems. */
export function readPaths(
  read: ReadInput,
  name: string,
): { paths: PathFilter | null; problems: string[] } {
  const paths = parsePathFilter(read(name));
  return "problem" in paths
    ? { paths: null, problems: [`${name}: ${paths.problem}.`] }
    : { paths, problems: [] };
}
