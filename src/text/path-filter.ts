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
  /** Whether it matches a path from the root of the repository. */
  matches(path: string): boolean;
}

/** One place in a pattern: the characters that it matches, and how often. */
interface Place {
  takes(character: string): boolean;
  /** The places that can follow without a character, relative to this one. */
  leads?: readonly number[];
  /** Whether the place can match any number of characters. */
  repeats?: boolean;
}

interface Problem {
  problem: string;
}

const any = () => true;
const none = () => false;
const notSlash = (character: string) => character !== "/";
const only = (wanted: string) => (character: string) => character === wanted;

/** The characters that a backslash can escape. */
const SPECIAL = "*?+[]!\\";

/** Reads one pattern. `problem` is the end of a sentence about what is wrong with it. */
export function parsePathPattern(text: string): PathPattern | Problem {
  const excludes = text.startsWith("!");
  const body = excludes ? text.slice(1) : text;
  const places = problemOf(body) ?? placesOf([...body]);
  if ("problem" in places) return places;
  return { excludes, matches: (path) => run(places, path) };
}

/** Finds patterns that cannot match any file, although their syntax is valid. */
function problemOf(body: string): Problem | undefined {
  if (body === "") return wrong("no pattern follows the !");
  if ([...body].length > LONGEST_PATTERN) return wrong(`longer than ${LONGEST_PATTERN} characters`);
  if (/^\.?\//.test(body)) return wrong("paths start at the repository's root, without / or ./");
  if (body.endsWith("/")) return wrong("it names a folder: for the files in it, end it with /**");
  if (/^- |^(['"]).*\1$/.test(body)) {
    return wrong(
      "write only the pattern, one per line, without the - and the quotes of a YAML list",
    );
  }
  return undefined;
}

function placesOf(characters: readonly string[]): Place[] | Problem {
  const places: Place[] = [];
  let position = 0;
  /** The place that a `?` or `+` would apply to. */
  let preceding: Place | undefined;
  while (position < characters.length) {
    const character = characters[position] ?? "";
    if (character === "?" || character === "+") {
      if (preceding === undefined) return wrong(nothingBefore(character));
      if (character === "?") preceding.leads = [1];
      else preceding.repeats = true;
      preceding = undefined;
      position += 1;
    } else if (character === "*") {
      const stars = starsAt(characters, position);
      places.push(...stars.places);
      preceding = undefined;
      position += stars.length;
    } else {
      const read = oneAt(characters, position);
      if ("problem" in read) return read;
      preceding = { takes: read.takes };
      places.push(preceding);
      position += read.length;
    }
  }
  return places;
}

/** Reads `*`, `**`, or `**` with a slash after it, which matches any number of folders, including none. */
function starsAt(characters: readonly string[], position: number) {
  if (characters[position + 1] !== "*") {
    return { places: [{ takes: notSlash, leads: [1], repeats: true }], length: 1 };
  }
  const startsSegment = position === 0 || characters[position - 1] === "/";
  if (startsSegment && characters[position + 2] === "/") {
    const folders = [{ takes: any, repeats: true }, { takes: only("/") }];
    return { places: [{ takes: none, leads: [1, 3] }, ...folders], length: 3 };
  }
  return { places: [{ takes: any, leads: [1], repeats: true }], length: 2 };
}

/** Reads what matches exactly one character: a plain or escaped character, or brackets. */
function oneAt(characters: readonly string[], position: number) {
  const character = characters[position] ?? "";
  if (character === "[") return bracketsAt(characters, position);
  if (character !== "\\") return { takes: only(character), length: 1 };
  const escaped = characters[position + 1];
  if (escaped === undefined || !SPECIAL.includes(escaped)) {
    return wrong(`a \\ must be followed by one of ${[...SPECIAL].join(" ")}`);
  }
  return { takes: only(escaped), length: 2 };
}

function bracketsAt(characters: readonly string[], position: number) {
  const end = characters.indexOf("]", position);
  if (end < 0) return wrong("a [ has no matching ]; to match a literal [, write \\[");
  const content = characters.slice(position + 1, end).join("");
  const isList = /^(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|[a-zA-Z0-9])+$/.test(content);
  const ranges = content.match(/.-./g) ?? [];
  if (!isList || ranges.some((range) => range.charAt(0) > range.charAt(2))) {
    return wrong(
      `[${content}] must contain letters, digits, or ranges such as a-z, A-Z and 0-9; to match a literal [, write \\[`,
    );
  }
  const set = new RegExp(`^[${content}]$`);
  return { takes: (character: string) => set.test(character), length: end + 1 - position };
}

/** Matches character by character, with all possible states of the pattern at once. */
function run(places: readonly Place[], path: string): boolean {
  let states = new Uint8Array(places.length + 1);
  states[0] = 1;
  for (const character of path) {
    const next = new Uint8Array(places.length + 1);
    let isAlive = false;
    for (let state = 0; state < places.length; state += 1) {
      const place = places[state];
      if (states[state] !== 1 || place === undefined) continue;
      for (const ahead of place.leads ?? []) states[state + ahead] = 1;
      if (!place.takes(character)) continue;
      if (place.repeats === true) next[state] = 1;
      next[state + 1] = 1;
      isAlive = true;
    }
    if (!isAlive) return false;
    states = next;
  }
  // The rest of the pattern may match nothing.
  for (const [state, { leads = [] }] of places.entries()) {
    if (states[state] === 1) for (const ahead of leads) states[state + ahead] = 1;
  }
  return states[places.length] === 1;
}

function nothingBefore(sign: string): string {
  const meaning = sign === "?" ? "zero or one" : "one or more";
  return `${sign} means ${meaning} of the preceding character, and there is none; to match a literal ${sign}, write \\${sign}`;
}

function wrong(problem: string): Problem {
  return { problem };
}

/** Selects files by their paths. */
export interface PathFilter {
  /** Whether there are no patterns, so that every file matches. */
  isEmpty: boolean;
  /** Whether a path from the repository's root matches. */
  matches(path: string): boolean;
}

/** Maximum number of patterns. Each is matched with every file. */
const MOST_PATTERNS = 500;

/**
 * Reads the patterns of `paths`, one per line. As in a workflow, the last pattern that matches a file decides: `!`
 * excludes files, and a later pattern can include them again.
 *
 * @returns `problem` names all invalid patterns
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
