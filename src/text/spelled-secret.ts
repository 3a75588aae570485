/** A secret as one encoding writes it. */
export interface Spelling {
  /** Patterns for its parts, in order. */
  parts: readonly string[];
  /** So many of them are taken out even where the others do not follow. */
  least: number;
  /** The characters that it may begin with. */
  firsts: string;
}

/**
 * Minimum length of a secret's prefix, in characters, that is removed like the secret itself:
 * the other side may repeat a truncated secret. The prefixes that the service's keys have in common are shorter.
 */
const MIN_BEGINNING = 10;

/** What a character may begin with that is escaped, and whose end is not there yet. */
export const CUT_ESCAPE = String.raw`(?:%[\da-fA-F]?|\\(?:u[\da-fA-F]{0,3})?|&(?:#(?:\d*|[xX][\da-fA-F]*))?)?`;

/** The ways in which a secret is looked for: as text, of which any character may be escaped, and packed. */
export function spellingsOf(secret: string): Spelling[] {
  const characters = Array.from(secret);
  const head = characters.slice(0, MIN_BEGINNING).join("");
  const packed = PACKINGS.map((pack) => ({
    parts: pack(secret),
    least: pack(head).length,
    firsts: pack(secret)[0] ?? "",
  }));
  return [
    { parts: characters.map(escapable), least: MIN_BEGINNING, firsts: `%\\&${secret.charAt(0)}` },
    // What is packed of a short text may stand anywhere.
    ...packed.filter(({ parts }) => parts.length >= MIN_BEGINNING),
  ];
}

/** A character as it is, and as it is written in an address, in JSON and in HTML. */
function escapable(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = (length: number) => hexadecimal(code.toString(16).padStart(length, "0"));
  const ways = [`&#${code};`, `&#[xX]${digits(1)};`];
  if (code < 0x10000) ways.push(`\\\\u${digits(4)}`);
  if (code < 0x80) ways.push(`%${digits(2)}`);
  if (`"\\/`.includes(character)) ways.push(literal(`\\${character}`));
  // Comes last: it may be what another way begins with.
  return `(?:${[...ways, literal(character)].join("|")})`;
}

/** Encodings in which a text is not told character by character. Each writes first what comes first. */
const PACKINGS: ((text: string) => string[])[] = [
  (text) => Array.from(Buffer.from(text).toString("hex"), hexadecimal),
  ...[0, 1, 2].map((before) => (text: string) => base64(text, before)),
];

/** Of Base64 in either alphabet, what a text alone decides, after so many bytes of something else. */
function base64(text: string, before: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  const [from, to] = [Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3)];
  const digits = bytes.toString("base64").slice(from, to);
  return Array.from(digits, (it) => (it === "+" ? "[+-]" : it === "/" ? "[/_]" : it));
}

function hexadecimal(digits: string): string {
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
