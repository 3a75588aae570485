import { linesOf, quote } from "./sentence.ts";

/**
 * GitHub's filter patterns, as in `paths:` of a workflow.
 *
 * No library follows GitHub's table: in minimatch and picomatch, `?` is any one character, `+` is a plain character,
 * and `**.js` matches only in its folder. The translation in act exists only in Go. A regular expression would
 * backtrack for minutes on a pattern with many stars. So each part of a pattern gets all positions at once that the
 * parts before it can reach: the time is at most the length of the pattern times the length of the path.
 */

/** Maximum length of a pattern, in characters. It bounds the time per file. */
export const LONGEST_PATTERN = 1000;

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
export function parsePathPattern(text: string):
  | { problem: string }
  | {
      /** Whether it begins with `!` and excludes the files that it matches. */
      excludes: boolean;
      /** Whether it has no wildcard, so that it matches one path. */
      isFullName: boolean;
      matches(path: string): boolean;
    } {
  const excludes = text.startsWith("!");
  const body = excludes ? text.slice(1) : text;
  const useless = USELESS.find(([pattern]) => pattern.test(body));
  if (useless !== undefined) return { problem: useless[1] };
  const parts: Part[] = [];
  let rest = body;
  while (rest !== "") {
    const isFolderStart = rest === body || body.at(-rest.length - 1) === "/";
    const token = readToken(rest, isFolderStart);
    if (token === null) {
      const sign = rest.charAt(0);
      const place = quote(rest.slice(0, 20));
      const advice = `to match a literal ${sign}, write \\${sign}`;
      return { problem: `the ${sign} in ${place} has no meaning there; ${advice}` };
    }
    parts.push(token.part);
    rest = rest.slice(token.length);
  }
  const pattern = sequence(...parts);
  return {
    excludes,
    isFullName: !/[*?+[]/.test(body.replace(/\\./g, "")),
    matches: (path) => {
      const characters = [...path];
      const start = new Uint8Array(characters.length + 1);
      start[0] = 1;
      return pattern(characters, start).at(-1) === 1;
    },
  };
}

/**
 * Where the matches of a part can end, for all positions in a path where they can begin. The positions are from before
 * its first character to after its last: 1 for each that is in the set.
 */
type Part = (path: readonly string[], starts: Uint8Array) => Uint8Array;

/** Whether a part matches a character. */
type Takes = (character: string) => boolean;

/** Exactly one character. */
function once(takes: Takes): Part {
  return (path, starts) => {
    const ends = new Uint8Array(starts.length);
    for (let at = 0; at < path.length; at++) {
      if (starts[at] === 1 && takesAt(path, at, takes)) ends[at + 1] = 1;
    }
    return ends;
  };
}

/** One or more characters. */
function repeated(takes: Takes): Part {
  return (path, starts) => {
    const ends = new Uint8Array(starts.length);
    for (let at = 0; at < path.length; at++) {
      // It goes on after an end, too.
      const begins = starts[at] === 1 || ends[at] === 1;
      if (begins && takesAt(path, at, takes)) ends[at + 1] = 1;
    }
    return ends;
  };
}

/** The part, or nothing. */
function optional(part: Part): Part {
  return (path, starts) => {
    const ends = part(path, starts).slice();
    for (let at = 0; at < ends.length; at++) if (starts[at] === 1) ends[at] = 1;
    return ends;
  };
}

/** One part after the other. */
function sequence(...parts: Part[]): Part {
  return (path, starts) => {
    let ends = starts;
    for (const part of parts) {
      if (!ends.includes(1)) break;
      ends = part(path, ends);
    }
    return ends;
  };
}

function takesAt(path: readonly string[], at: number, takes: Takes): boolean {
  const character = path[at];
  return character !== undefined && takes(character);
}

/** `*`: any characters of one name. */
const NAME = optional(repeated((character) => character !== "/"));
const SOMETHING = repeated(() => true);
/** `**`: any characters. */
const ANYTHING = optional(SOMETHING);
/** `**` with a slash after it, at the start of a name: any number of folders, including none. */
const FOLDERS = optional(sequence(SOMETHING, once(is("/"))));

/** Reads the first part of a pattern, and its length there; null if its first character has no meaning there. */
function readToken(pattern: string, isFolderStart: boolean): { part: Part; length: number } | null {
  if (isFolderStart && pattern.startsWith("**/")) return { part: FOLDERS, length: 3 };
  if (pattern.startsWith("**")) return { part: ANYTHING, length: 2 };
  if (pattern.startsWith("*")) return { part: NAME, length: 1 };
  const set = readCharacter(pattern);
  if (set === null) return null;
  const { takes, length } = set;
  const sign = pattern.charAt(length);
  if (sign === "?") return { part: optional(once(takes)), length: length + 1 };
  if (sign === "+") return { part: repeated(takes), length: length + 1 };
  return { part: once(takes), length };
}

/** Characters that are themselves after a backslash. */
const SIGNS = "*?+[]!\\";

/**
 * Reads a list, an escaped character, or a plain one, and its length in the pattern; null if that begins with none of
 * them.
 */
function readCharacter(pattern: string): { takes: Takes; length: number } | null {
  const [first = "", second = ""] = pattern;
  if (first === "[") return readList(pattern);
  if (first === "\\") {
    const isEscape = second !== "" && SIGNS.includes(second);
    return isEscape ? { takes: is(second), length: 2 } : null;
  }
  return first === "?" || first === "+" ? null : { takes: is(first), length: first.length };
}

/** A range has two ends of one kind. */
const KINDS = [/^[a-z]+$/, /^[A-Z]+$/, /^\d+$/];

/** Reads a list of letters, digits and ranges in brackets, such as `[a-z0-9]`. */
function readList(pattern: string) {
  const end = pattern.indexOf("]");
  const items = pattern.slice(1, Math.max(end, 1)).match(/.-.|./gsu) ?? [];
  const ranges = items.map((item) => ({ from: item.charAt(0), to: item.charAt(item.length - 1) }));
  const isRange = ({ from, to }: { from: string; to: string }) =>
    from <= to && KINDS.some((kind) => kind.test(from + to));
  if (ranges.length === 0 || !ranges.every(isRange)) return null;
  const takes = (character: string) =>
    ranges.some(({ from, to }) => from <= character && character <= to);
  return { takes, length: end + 1 };
}

function is(wanted: string): Takes {
  return (character) => character === wanted;
}

export interface PathFilter {
  /** Whether there are no patterns, so that every file matches. */
  isEmpty: boolean;
  /** Whether a path from the repository's root matches. */
  matches(path: string): boolean;
  /** Whether a path matches by a pattern without wildcards: its full name. */
  names(path: string): boolean;
  /** The patterns that match none of some paths, those that exclude files included. */
  matchingNone(paths: readonly string[]): string[];
}

/**
 * Reads the patterns of `paths`, one per line. As in a workflow, the last pattern that matches a file decides: `!`
 * excludes files, and a later pattern can include them again.
 *
 * @returns `problem` names all invalid patterns
 */
export function parsePathFilter(text: string): PathFilter | { problem: string } {
  const patterns: Exclude<ReturnType<typeof parsePathPattern>, { problem: string }>[] = [];
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
    names: (path) => {
      const naming = patterns.filter(({ excludes, isFullName }) => excludes || isFullName);
      const last = naming.findLast((pattern) => pattern.matches(path));
      return last !== undefined && !last.excludes;
    },
    matchingNone: (paths) =>
      lines.filter((_, nth) => !paths.some((path) => patterns[nth]?.matches(path))),
  };
}
