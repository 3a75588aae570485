import { linesOf, quote } from "./sentence.ts";

/**
 * GitHub's filter patterns, as in `paths:` of a workflow.
 *
 * No library follows GitHub's table: in minimatch and picomatch, `?` is any one character, `+` is a plain character,
 * and `**.js` matches only in its folder. The translation in act exists only in Go. A regular expression would
 * backtrack for minutes on a pattern with many stars. So the match follows all states at once: the time is at most the
 * length of the pattern times the length of the path.
 */

/** Maximum length of a pattern, in characters. It bounds the time per file. */
export const LONGEST_PATTERN = 1000;

interface PathPattern {
  /** Whether it begins with `!` and excludes the files that it matches. */
  excludes: boolean;
  matches(path: string): boolean;
}

/** One place in a pattern: the characters that it matches, and how often. */
interface Place {
  takes(character: string): boolean;
  /** The places that can follow without a character, relative to this one. */
  leads: readonly number[];
  /** Whether the place can match any number of characters. */
  repeats: boolean;
}

interface Problem {
  problem: string;
}

/** `**` with a slash after it matches any number of folders, including none. */
const PART =
  /(?<folders>(?<=^|\/)\*\*\/)|(?<any>\*\*)|(?<star>\*)|(?:\[(?<list>(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|[a-zA-Z\d])+)\]|\\(?<escaped>[*?+[\]!\\])|(?<plain>[^[\\?+]))(?<times>[?+])?/suy;

/** Patterns that cannot match any file, although their syntax is valid. */
const USELESS: readonly [pattern: RegExp, problem: string][] = [
  [/^$/, "no pattern follows the !"],
  [new RegExp(`^.{${LONGEST_PATTERN + 1}}`, "su"), `longer than ${LONGEST_PATTERN} characters`],
  [/^\.?\//, "paths start at the repository's root, without / or ./"],
  [/\/$/, "it names a folder: for the files in it, end it with /**"],
  [
    /^- |^(['"]).*\1$/,
    "write only the pattern, one per line, without the - and the quotes of a YAML list",
  ],
];

/** Reads one pattern. `problem` is the end of a sentence about what is wrong with it. */
export function parsePathPattern(text: string): PathPattern | Problem {
  const excludes = text.startsWith("!");
  const body = excludes ? text.slice(1) : text;
  const useless = USELESS.find(([pattern]) => pattern.test(body));
  if (useless !== undefined) return { problem: useless[1] };
  const places: Place[] = [];
  for (let at = 0; at < body.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const part = PART.exec(body)?.groups;
    const ranges = part?.list?.match(/.-./g) ?? [];
    if (part === undefined || ranges.some(([from = "", , to = ""]) => from > to)) {
      const sign = body.charAt(at);
      const shown = quote(body.slice(at, at + 20));
      const problem = `the ${sign} in ${shown} has no meaning there; to match a literal ${sign}, write \\${sign}`;
      return { problem };
    }
    places.push(...placesOf(part));
  }
  return { excludes, matches: (path) => run(places, path) };
}

function placesOf({ folders, any, star, list, escaped, plain, times }: Part): Place[] {
  const all = { takes: () => true, leads: [], repeats: true };
  const only = (wanted: string | undefined) => (character: string) => character === wanted;
  if (folders !== undefined) {
    const slash = { takes: only("/"), leads: [], repeats: false };
    return [{ takes: () => false, leads: [1, 3], repeats: false }, all, slash];
  }
  if (any !== undefined) return [{ ...all, leads: [1] }];
  if (star !== undefined) {
    return [{ takes: (character) => character !== "/", leads: [1], repeats: true }];
  }
  const set = list === undefined ? null : new RegExp(`^[${list}]$`);
  const takes = set === null ? only(escaped ?? plain) : (character: string) => set.test(character);
  return [{ takes, leads: times === "?" ? [1] : [], repeats: times === "+" }];
}

type Part = Record<string, string | undefined>;

/** Matches character by character, with all possible states of the pattern at once. */
function run(places: readonly Place[], path: string): boolean {
  // A set that grows is visited to its end.
  const withLeads = (states: Set<number>) => {
    for (const at of states) for (const lead of places[at]?.leads ?? []) states.add(at + lead);
    return states;
  };
  let states = withLeads(new Set([0]));
  for (const character of path) {
    const next = new Set<number>();
    for (const at of states) {
      const place = places[at];
      if (!place?.takes(character)) continue;
      if (place.repeats) next.add(at);
      next.add(at + 1);
    }
    if (next.size === 0) return false;
    states = withLeads(next);
  }
  return states.has(places.length);
}

export interface PathFilter {
  /** Whether there are no patterns, so that every file matches. */
  isEmpty: boolean;
  /** Whether a path from the repository's root matches. */
  matches(path: string): boolean;
}

/**
 * Reads the patterns of `paths`, one per line. As in a workflow, the last pattern that matches a file decides: `!`
 * excludes files, and a later pattern can include them again.
 *
 * @returns `problem` names all invalid patterns
 */
export function parsePathFilter(text: string): PathFilter | Problem {
  const patterns: PathPattern[] = [];
  const problems: string[] = [];
  const lines = linesOf(text);
  for (const line of lines) {
    const pattern = parsePathPattern(line);
    if ("problem" in pattern) problems.push(`${quote(line)}: ${pattern.problem}`);
    else patterns.push(pattern);
  }
  if (problems.length === 0 && lines.length > 0 && patterns.every(({ excludes }) => excludes)) {
    // GitHub rejects such a workflow, too.
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
