import { type PathFilter, parsePathFilter } from "../text/path-filter.ts";
import { linesOf } from "../text/sentence.ts";
import { input, type ReadInput } from "./checks.ts";

/** The inputs that exclude changes, except `paths`. */
export const CHANGE_FILTERS = {
  "ignore-labels": input("labels, one per line", linesOf),
  "ignore-authors": input("logins, one per line", linesOf),
};

/** Reads path patterns. Invalid ones are problems. */
export function readPaths(
  read: ReadInput,
  name: string,
): { paths: PathFilter | null; problems: string[] } {
  const paths = parsePathFilter(read(name));
  return "problem" in paths
    ? { paths: null, problems: [`${name}: ${paths.problem}.`] }
    : { paths, problems: [] };
}
