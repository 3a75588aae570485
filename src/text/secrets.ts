const REDACTED = "***";
/** Maximum depth of a JSON value. Deeper values are removed: the action uses none of them. */
const MAX_DEPTH = 100;
/**
 * Minimum length of a secret's prefix, in characters, that is removed like the secret itself:
 * the other side may repeat a truncated secret. The prefixes that the service's keys have in common are shorter.
 */
const MIN_BEGINNING = 10;
/** Length of a hint, in characters. The first four of the service's keys are also in its name. */
const HINT = 5;
/** A character that is escaped as in a URL or in JSON. */
const ESCAPED = String.raw`%[\da-fA-F]{2}|\\u[\da-fA-F]{4}`;

/**
 * The run's secrets. They are removed from all text from outside before it is cut, shown or stored.
 *
 * Secrets are found as plain text, with any character escaped as in a URL (`%2F`) or in JSON (`\u002f`), in hexadecimal
 * digits, and in Base64, also as a part of a longer encoded text.
 */
export class Secrets {
  readonly #secrets: readonly string[];
  /** Finds a secret, or a prefix of it. */
  readonly #pattern: RegExp;
  /**
   * Finds the beginning of a spelling, or any escaped character. Most texts contain neither, so that most runs do not
   * compile the pattern, which takes 10 ms.
   */
  readonly #hint: RegExp;

  /** @param secrets empty ones are ignored */
  constructor(secrets: Iterable<string>) {
    this.#secrets = [...new Set(secrets)].filter((secret) => secret !== "");
    const longestFirst = this.#secrets.toSorted((first, second) => second.length - first.length);
    const spellings = longestFirst.flatMap(spellingsOf);
    const wholes = spellings.map(({ parts }) => parts.join(""));
    const cuts = spellings.map(
      ({ parts, least }) => parts.slice(0, least).join("") + asFarAsItGoes(parts.slice(least)),
    );
    // Without secrets, the pattern matches nothing.
    this.#pattern = new RegExp([...wholes, ...cuts].join("|") || "(?!)", "g");
    this.#hint = new RegExp([ESCAPED, ...spellings.map(({ hint }) => hint)].join("|"));
  }

  and(secret: string): Secrets {
    return this.#secrets.includes(secret) ? this : new Secrets([...this.#secrets, secret]);
  }

  /** Removes the secrets from a complete text. */
  redact(text: string): string {
    return this.#hint.test(text) ? text.replace(this.#pattern, REDACTED) : text;
  }

  /** Removes the secrets from all strings, numbers and names in a JSON value. */
  redactValue(value: unknown, depth = 0): unknown {
    if (typeof value === "string") return this.redact(value);
    if (typeof value === "number") {
      return this.redact(String(value)) === String(value) ? value : REDACTED;
    }
    if (typeof value !== "object" || value === null) return value;
    if (depth === MAX_DEPTH) return null;
    if (Array.isArray(value)) return value.map((item) => this.redactValue(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        this.redact(name),
        this.redactValue(field, depth + 1),
      ]),
    );
  }

  /** Removes the secrets from names and values, such as those of headers. */
  redactFields(fields: Readonly<Record<string, string>>): Record<string, string> {
    const entries = Object.entries(fields);
    return Object.fromEntries(
      entries.map(([name, text]) => [this.redact(name), this.redact(text)]),
    );
  }

  /**
   * Removes the secrets from a text that arrives in pieces. No secret contains a line end.
   *
   * @returns `feed` adds a piece, and returns the lines that it completes; `end` returns the text that was held back
   */
  redactor(): { feed(piece: string): string; end(): string } {
    let held = "";
    return {
      feed: (piece) => {
        const end = piece.lastIndexOf("\n") + 1;
        const lines = end === 0 ? "" : this.redact(held + piece.slice(0, end));
        held = end === 0 ? held + piece : piece.slice(end);
        return lines;
      },
      end: () => {
        const rest = this.redact(held);
        held = "";
        return rest;
      },
    };
  }
}

/** A pattern for the first parts, as many as follow each other. */
function asFarAsItGoes(parts: readonly string[]): string {
  return parts.map((part) => `(?:${part}`).join("") + ")?".repeat(parts.length);
}

/**
 * The encodings of a secret: as text with escaped characters, in hexadecimal digits, and in Base64. The first `least`
 * parts are removed even if the others do not follow. `hint` is a pattern for the first characters, if none is escaped.
 */
function spellingsOf(secret: string) {
  const characters = Array.from(secret);
  const head = characters.slice(0, MIN_BEGINNING).join("");
  const packed = PACKINGS.map((pack) => {
    const parts = pack(secret);
    return { parts, least: pack(head).length, hint: parts.slice(0, HINT).join("") };
  });
  // A quote or slash can be escaped as `\"` or `\/`, so the hint ends before it.
  const [plain = ""] = secret.slice(0, HINT).split(/["\\/]/);
  return [
    { parts: characters.map(escapable), least: MIN_BEGINNING, hint: literal(plain) },
    // The encoding of a short text may occur by chance.
    ...packed.filter(({ parts }) => parts.length >= MIN_BEGINNING),
  ];
}

/** A pattern for a character: plain, and escaped as in a URL and in JSON. */
function escapable(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = (length: number) => hexadecimal(code.toString(16).padStart(length, "0"));
  const ways: string[] = [];
  if (code < 0x10000) ways.push(`\\\\u${digits(4)}`);
  if (code < 0x80) ways.push(`%${digits(2)}`);
  if (`"\\/`.includes(character)) ways.push(literal(`\\${character}`));
  // This is last, because it may be the beginning of an escaped form.
  return `(?:${[...ways, literal(character)].join("|")})`;
}

/** Encodings that do not encode character by character. A longer text only adds to the end. */
const PACKINGS: ((text: string) => string[])[] = [
  (text) => Array.from(Buffer.from(text).toString("hex"), hexadecimal),
  ...[0, 1, 2].map((before) => (text: string) => base64(text, before)),
];

/** Patterns for the digits that differ in the alphabet for URLs. */
const OTHER_ALPHABET: Record<string, string> = { "+": "[+-]", "/": "[/_]" };

/** The Base64 digits, in either alphabet, that depend only on the text, after a number of unknown bytes. */
function base64(text: string, before: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  const [from, to] = [Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3)];
  const digits = bytes.toString("base64").slice(from, to);
  return Array.from(digits, (digit) => OTHER_ALPHABET[digit] ?? digit);
}

function hexadecimal(digits: string): string {
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
