import { linesOf, quote } from "./sentence.ts";

/**
 * One of GitHub's filter patterns, as `paths:` in a workflow has them.
 *
 * No library agrees with GitHub's table: to minimatch and picomatch `?` is any one character, `+` is
 * itself, and `**.js` stays in its folder; act's own translation exists in Go only. A regular expression
 * would backtrack for minutes on a pattern of many stars, so all states of the match are kept instead:
 * the time is at most the length of the pattern times that of the path.
 */

/** Longest pattern, in characters: longer ones would cost time on every file and say nothing more. */
export const LONGEST_PATTERN = 1000;

interface PathPattern {
  /** It begins with `!`: it excludes what it matches. */
  excludes: boolean;
  /** Whether it matches a whole path, which starts at the root of the repository. */
  matches(path: string): boolean;
}

/** One place in a pattern: which characters may stand there, and how often. */
interface Place {
  takes(character: string): boolean;
  /** Where else the match may go on without a character, in places ahead. */
  leads?: readonly number[];
  /** The place may take any number of characters. */
  repeats?: boolean;
}

interface Problem {
  problem: string;
}

const any = () => true;
const none = () => false;
const notSlash = (character: string) => character !== "/";
const only = (wanted: string) => (character: string) => character === wanted;

/** What a backslash takes its meaning from. */
const SPECIAL = "*?+[]!\\";

/** Reads one pattern; `problem` says what is wrong with it, for whoever wrote it. */
export function parsePathPattern(text: string): PathPattern | Problem {
  const excludes = text.startsWith("!");
  const body = excludes ? text.slice(1) : text;
  const places = problemOf(body) ?? placesOf([...body]);
  if ("problem" in places) return places;
  return { excludes, matches: (path) => run(places, path) };
}

/** What cannot match any file, although each of its characters could. */
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
  /** The place that `?` and `+` would change, where there is one. */
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

/** `*`, `**`, or `**` with a slash behind it, which stands for any number of folders, none included. */
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

/** What takes exactly one character: itself, escaped or not, or one of those in brackets. */
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

/** Follows every way through the pattern at once, a character of the path at a time. */
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
  // What is left of the pattern may stay empty.
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
