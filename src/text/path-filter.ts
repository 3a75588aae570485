import { type PathPattern, parsePathPattern } from "./path-pattern.ts";
import { linesOf, quote } from "./quote.ts";

/** Which files make a change count. */
export interface PathFilter {
  /** No patterns were given: every file counts, and none has to be read. */
  isEmpty: boolean;
  /** Whether a file counts, by its path from the repository's root. */
  matches(path: string): boolean;
}

/** More patterns than anybody writes; each is tried on every file. */
const MOST_PATTERNS = 500;

/**
 * Reads the patterns of `paths`, one per line: the last that matches a file decides, so that `!` takes
 * files out and a later pattern puts them in again, as in a workflow.
 *
 * @returns what is wrong, every pattern in one go, where a pattern is none.
 */
export function parsePathFilter(text: string): PathFilter | { problem: string } {
  const patterns: PathPattern[] = [];
  const problems: string[] = [];
  const given = linesOf(text);
  if (given.length > MOST_PATTERNS) {
    return { problem: `${given.length} patterns are too many: at most ${MOST_PATTERNS}` };
  }
  for (const line of given) {
    const pattern = parsePathPattern(line);
    if ("problem" in pattern) problems.push(`${quote(line)}: ${pattern.problem}`);
    else patterns.push(pattern);
  }
  if (problems.length === 0 && given.length > 0 && patterns.every(({ excludes }) => excludes)) {
    // GitHub refuses such a workflow too.
    problems.push("only patterns with !: begin with those that count, for example **");
  }
  if (problems.length > 0) {
    return { problem: `not GitHub's filter patterns (*, **, ?, +, [], !): ${problems.join("; ")}` };
  }
  return {
    isEmpty: patterns.length === 0,
    matches: (path) => {
      const last = patterns.findLast((pattern) => pattern.matches(path));
      return last === undefined ? patterns.length === 0 : !last.excludes;
    },
  };
}
