/** A secret's characters; of each of them, every way to write it. */
type Spelled = readonly (readonly string[])[];

/** A secret in all the ways in which it may be written. */
export interface Secret {
  spelled: Spelled;
  /** The secret, if a text in which it is written as it is can be read in no other way; else empty. */
  plain: string;
}

/** What every way to write a character begins with, but for the character itself. */
const SIGNS = "%\\&";

export function spell(secret: string): Secret {
  const isPlain = /^[!-~]*$/.test(secret) && ![...SIGNS].some((sign) => secret.includes(sign));
  return { spelled: Array.from(secret, spellings), plain: isPlain ? secret : "" };
}

/** The characters that HTML and JSON have names of their own for. */
const NAMES: Record<string, readonly string[]> = {
  '"': ["&quot;", '\\"'],
  "&": ["&amp;"],
  "'": ["&apos;"],
  "<": ["&lt;"],
  ">": ["&gt;"],
  "/": ["\\/"],
  "\\": ["\\\\"],
};

/** Every way in which a character may be written: as it is, in an address, in JSON and in HTML. */
function spellings(character: string): string[] {
  const code = character.codePointAt(0) ?? 0;
  const ways = [character, `&#${code};`, ...(NAMES[character] ?? [])];
  const hex = code.toString(16);
  for (const digits of new Set([hex, hex.toUpperCase()])) {
    ways.push(`&#x${digits};`, `&#X${digits};`);
    if (code < 0x80) ways.push(`%${digits.padStart(2, "0")}`);
    if (code < 0x10000) ways.push(`\\u${digits.padStart(4, "0")}`);
  }
  return ways;
}

/** How much of a secret stands at a place of a text. */
export interface Match {
  /** So many of its characters. */
  length: number;
  /** Where in the text they end. */
  end: number;
  /** Whether the text ends where the secret may go on. */
  isOpen: boolean;
}

/** How much of a secret stands at a place of a text. */
export function match({ spelled, plain }: Secret, text: string, at: number): Match {
  let length = 0;
  while (length < plain.length && text.charAt(at + length) === plain.charAt(length)) length += 1;
  const next = text.charAt(at + length);
  const isTold = length === plain.length || (next !== "" && !SIGNS.includes(next));
  return plain !== "" && isTold
    ? { length, end: at + length, isOpen: false }
    : matchSpelled(spelled, text, at);
}

function matchSpelled(spelled: Spelled, text: string, at: number): Match {
  // A character that also begins another character's encoding is ambiguous.
  let ends = new Set([at]);
  let isOpen = false;
  let length = 0;
  for (const ways of spelled) {
    const next = new Set<number>();
    for (const end of ends) {
      for (const way of ways) {
        if (text.startsWith(way, end)) next.add(end + way.length);
        else if (end + way.length > text.length) isOpen ||= way.startsWith(text.slice(end));
      }
    }
    if (next.size === 0) break;
    ends = next;
    length += 1;
  }
  return { length, end: Math.max(...ends), isOpen };
}

/** A pattern for so many of a secret's first characters, in any spelling. */
export function beginningOf({ spelled }: Secret, characters: number): string {
  return spelled.slice(0, characters).map(patternOf).join("");
}

/** The most that so many of a secret's first characters take in a text, in characters. */
export function longestBeginning({ spelled }: Secret, characters: number): number {
  return spelled
    .slice(0, characters)
    .reduce((sum, ways) => sum + Math.max(...ways.map((it) => it.length)), 0);
}

/** What a secret may begin with, in any spelling. */
export function firstCharacters({ spelled: [first = []] }: Secret): string[] {
  return first.map((way) => way.charAt(0));
}

function patternOf(spelled: readonly string[]): string {
  return `(?:${spelled.map((it) => it.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|")})`;
}
