/** What stands in place of a secret. */
const REDACTED = "***";
/** Deeper values of JSON are left out: nobody asks for them. */
const MAX_DEPTH = 100;
/**
 * Minimum length of a secret's prefix, in characters, that is removed like the secret itself:
 * the other side may repeat a truncated secret. The prefixes that the service's keys have in common are shorter.
 */
const MIN_BEGINNING = 10;
/** The most characters that one part of a secret takes: `\u0041`. */
const LONGEST_PART = 6;
/** What a character may begin with that is escaped, and whose end is not there yet. */
const CUT_ESCAPE = String.raw`(?:%[\da-fA-F]?|\\(?:u[\da-fA-F]{0,3})?)?`;

/**
 * The run's secrets. Whatever comes from outside goes through here before it is cut, shown or kept.
 *
 * A secret is found as it is, with any of its characters escaped as in an address (`%2F`) or in JSON (`\u002f`),
 * in hexadecimal digits, and in Base64, there also inside of a longer text.
 */
export class Secrets {
  readonly #all: readonly string[];
  /** Finds any of them, or as much of its beginning as there is. */
  readonly #pattern: RegExp;
  /** Finds the end of a text that may be the beginning of one. */
  readonly #open: RegExp;
  /** The most characters of such an end. */
  readonly #longest: number;

  /** @param secrets empty ones are none */
  constructor(secrets: Iterable<string>) {
    this.#all = [...new Set(secrets)].filter((it) => it !== "");
    const longestFirst = this.#all.toSorted((one, other) => other.length - one.length);
    const spellings = longestFirst.flatMap(spellingsOf);
    const wholes = spellings.map(({ parts }) => parts.join(""));
    const cuts = spellings.map(
      ({ parts, least }) => parts.slice(0, least).join("") + asFarAsItGoes(parts.slice(least)),
    );
    const open = spellings.map(({ parts }) => asFarAsItGoes(parts.slice(0, -1)));
    // Most characters of a text begin nothing, which is found out first.
    const firsts = [...new Set(spellings.map((it) => it.firsts).join(""))];
    const codes = firsts.map((it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0")}`);
    // Without secrets, patterns that are found nowhere, and at the end.
    const begins = `(?=[${codes.join("")}])`;
    this.#pattern = new RegExp(`${begins}(?:${[...wholes, ...cuts].join("|")})`, "g");
    this.#open = new RegExp(`(?:${begins}(?:${open.join("|")})${CUT_ESCAPE})?$`);
    this.#longest = LONGEST_PART * Math.max(0, ...spellings.map(({ parts }) => parts.length));
  }

  /** These secrets and one more. */
  and(secret: string): Secrets {
    return this.#all.includes(secret) ? this : new Secrets([...this.#all, secret]);
  }

  /** A whole text, without secrets. */
  redact(text: string): string {
    return text.replace(this.#pattern, REDACTED);
  }

  /** A text on one line, without secrets, cut to so many characters. */
  oneLine(text: string, maxLength: number): string {
    // White space may be part of a secret, and to join it may complete one.
    const line = this.redact(this.redact(text).replace(/\s+/g, " ").trim());
    return line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
  }

  /** A value of JSON, with no secret in any string, number or name in it. */
  redactValue(value: unknown, depth = 0): unknown {
    if (typeof value === "string") return this.redact(value);
    if (typeof value === "number") {
      return this.redact(String(value)) === String(value) ? value : REDACTED;
    }
    if (typeof value !== "object" || value === null) return value;
    if (depth === MAX_DEPTH) return null;
    if (Array.isArray(value)) return value.map((it) => this.redactValue(it, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, it]) => [
        this.redact(name),
        this.redactValue(it, depth + 1),
      ]),
    );
  }

  /** Takes the secrets out of a text that comes in pieces. */
  redactor(): Redactor {
    let held = "";
    return {
      feed: (piece) => {
        const { shown, rest } = this.#redactOpen(held + piece);
        held = rest;
        return shown;
      },
      end: () => {
        const shown = this.redact(held);
        held = "";
        return shown;
      },
    };
  }

  /** What can be shown of a text that goes on, and the end of it, which has to wait for what follows. */
  #redactOpen(text: string): { shown: string; rest: string } {
    let shown = "";
    let from = 0;
    let open = this.#firstOpen(text, 0);
    for (const { 0: secret, index } of text.matchAll(this.#pattern)) {
      if (index >= open) break;
      shown += text.slice(from, index) + REDACTED;
      from = index + secret.length;
      if (from > open) open = this.#firstOpen(text, from);
    }
    return { shown: shown + text.slice(from, open), rest: text.slice(open) };
  }

  /** Where a secret may begin that the text does not end; the text's length for nowhere. */
  #firstOpen(text: string, from: number): number {
    const start = Math.max(from, text.length - this.#longest);
    return start + text.slice(start).search(this.#open);
  }
}

/** What may be the beginning of a secret is held back until the next piece tells. */
interface Redactor {
  /** As much of the text so far, and not yet handed out, as can be shown. */
  feed(piece: string): string;
  /** What was held back, without what is a secret or the beginning of one that was cut. */
  end(): string;
}

/** A secret as one encoding writes it. */
interface Spelling {
  /** Patterns for its parts, in order. */
  parts: readonly string[];
  /** So many of them are taken out even where the others do not follow. */
  least: number;
  /** The characters that it may begin with. */
  firsts: string;
}

/** As many of the parts as there are, from the first on. */
function asFarAsItGoes(parts: readonly string[]): string {
  return parts.reduceRight((rest, part) => `(?:${part}${rest})?`, "");
}

/** The ways in which a secret is looked for: as text, of which any character may be escaped, and packed. */
function spellingsOf(secret: string): Spelling[] {
  const characters = Array.from(secret);
  const head = characters.slice(0, MIN_BEGINNING).join("");
  const packed = PACKINGS.map((pack) => ({
    parts: pack(secret),
    least: pack(head).length,
    firsts: pack(secret)[0] ?? "",
  }));
  return [
    { parts: characters.map(escapable), least: MIN_BEGINNING, firsts: `%\\${secret.charAt(0)}` },
    // What is packed of a short text may stand anywhere.
    ...packed.filter(({ parts }) => parts.length >= MIN_BEGINNING),
  ];
}

/** A character as it is, and as it is written in an address and in JSON. */
function escapable(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = (length: number) => hexadecimal(code.toString(16).padStart(length, "0"));
  const ways: string[] = [];
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
