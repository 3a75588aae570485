import { CUT_ESCAPE, type Spelling, spellingsOf } from "./spelled-secret.ts";

/** What stands in place of a secret. */
const REDACTED = "***";
/** Deeper values of JSON are left out: nobody asks for them. */
const MAX_DEPTH = 100;
/** The most characters that one part of a secret takes: `&#x10FFFF;`. */
const LONGEST_PART = 10;

/** What can be shown of a text, and the end of it, which has to wait for what follows. */
interface Redacted {
  shown: string;
  held: string;
}

/**
 * The run's secrets. Whatever comes from outside goes through here before it is cut, shown or kept.
 *
 * A secret is found as it is, with any of its characters escaped as in an address (`%2F`), in JSON (`\u002f`)
 * or in HTML (`&#47;`), in hexadecimal digits, and in Base64, there also inside of a longer text.
 */
export class Secrets {
  readonly #all: readonly string[];
  /** Finds as much of any of them as is taken out. */
  readonly #beginning: RegExp;
  /** What there is of one at a place, as a whole in the first group. */
  readonly #secret: RegExp;
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
    const beginnings = spellings.map(({ parts, least }) => parts.slice(0, least).join(""));
    const open = spellings.map(({ parts }) => asFarAsItGoes(parts.slice(0, -1)));
    // Most characters of a text begin nothing, which is found out first.
    const firsts = new Set(spellings.map(({ firsts }) => firsts).join(""));
    const first = Array.from(
      firsts,
      (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    // Without secrets, patterns that are found nowhere, and at the end.
    const begins = `(?=[${first.join("")}])`;
    this.#beginning = new RegExp(`${begins}(?:${beginnings.join("|")})`, "g");
    this.#secret = new RegExp([`(${wholes.join("|")})`, ...spellings.map(cut)].join("|"), "y");
    this.#open = new RegExp(`(?:${begins}(?:${open.join("|")})${CUT_ESCAPE})?$`);
    this.#longest = LONGEST_PART * Math.max(0, ...spellings.map(({ parts }) => parts.length));
  }

  /** These secrets and one more. */
  and(secret: string): Secrets {
    return this.#all.includes(secret) ? this : new Secrets([...this.#all, secret]);
  }

  /** A whole text, without secrets. */
  redact(text: string): string {
    return this.#redact(text, { isEnd: true, onlyWhole: false }).shown;
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

  /**
   * For a text that comes in pieces.
   *
   * @param onlyWhole leaves the beginning of a secret alone that does not go on: there may be a reader who
   *   knows better where the text goes on
   */
  redactor({ onlyWhole = false } = {}): Redactor {
    return new Redactor((text, isEnd) => this.#redact(text, { isEnd, onlyWhole }));
  }

  #redact(text: string, { isEnd, onlyWhole }: { isEnd: boolean; onlyWhole: boolean }): Redacted {
    const beginning = this.#beginning;
    let shown = "";
    let from = 0;
    let open = isEnd ? text.length : this.#firstOpen(text, 0);
    beginning.lastIndex = 0;
    for (let hit = beginning.exec(text); hit !== null; hit = beginning.exec(text)) {
      const { index } = hit;
      if (index >= open) break;
      this.#secret.lastIndex = index;
      const [secret = "", whole] = this.#secret.exec(text) ?? [];
      beginning.lastIndex = index + 1;
      if (onlyWhole && whole === undefined) continue;
      shown += text.slice(from, index) + REDACTED;
      from = index + secret.length;
      beginning.lastIndex = from;
      if (from > open) open = this.#firstOpen(text, from);
    }
    return { shown: shown + text.slice(from, open), held: text.slice(open) };
  }

  /** Where a secret may begin that the text does not end; the text's length for nowhere. */
  #firstOpen(text: string, from: number): number {
    const start = Math.max(from, text.length - this.#longest);
    return start + text.slice(start).search(this.#open);
  }
}

/** The beginning of a secret, as much of it as there is, but no less than counts as one. */
function cut({ parts, least }: Spelling): string {
  return parts.slice(0, least).join("") + asFarAsItGoes(parts.slice(least));
}

/** As many of the parts as there are, from the first on. */
function asFarAsItGoes(parts: readonly string[]): string {
  return parts.reduceRight((rest, part) => `(?:${part}${rest})?`, "");
}

/**
 * Takes the secrets out of a text that comes in pieces. What may be the beginning of one is held back
 * until the next piece tells.
 */
export class Redactor {
  readonly #redact: (text: string, isEnd: boolean) => Redacted;
  #held = "";

  /** @param redact see {@link Secrets.redactor} */
  constructor(redact: (text: string, isEnd: boolean) => Redacted) {
    this.#redact = redact;
  }

  /** As much of the text so far, and not yet handed out, as can be shown. */
  feed(piece: string): string {
    const { shown, held } = this.#redact(this.#held + piece, false);
    this.#held = held;
    return shown;
  }

  /** What was held back, without what is a secret or the beginning of one that was cut. */
  end(): string {
    const { shown } = this.#redact(this.#held, true);
    this.#held = "";
    return shown;
  }
}
