import {
  beginningOf,
  firstCharacters,
  longestBeginning,
  match,
  type Secret,
  spell,
} from "./spelled-secret.ts";

/** What stands in place of a secret. */
const REDACTED = "***";
/**
 * Minimum length of a secret's prefix, in characters, that is removed like the secret itself:
 * the other side may repeat a truncated secret. The prefixes that the service's keys have in common are shorter.
 */
const MIN_BEGINNING = 10;
/** Deeper values of JSON are left out: nobody asks for them. */
const MAX_DEPTH = 100;

/** What can be shown of a text, and the end of it, which has to wait for what follows. */
interface Redacted {
  shown: string;
  held: string;
}

/**
 * The run's secrets. Whatever comes from outside goes through here before it is cut, shown or kept.
 *
 * A secret is found as it is, and as it is written in an address (`%2F`), in JSON (`\u002f`) or in HTML
 * (`&#47;`), any of its characters in any of these ways.
 */
export class Secrets {
  readonly #secrets: readonly Secret[];
  /** Finds the beginning of any of them. */
  readonly #beginning: RegExp;
  /** What a secret may begin with. */
  readonly #firsts: ReadonlySet<string>;
  /** The most characters of a text that such a beginning takes. */
  readonly #longest: number;

  readonly #all: readonly string[];

  /** @param secrets empty ones are none */
  constructor(secrets: Iterable<string>) {
    this.#all = [...new Set(secrets)].filter((it) => it !== "");
    this.#secrets = this.#all.map(spell);
    const patterns = this.#secrets.map((it) => beginningOf(it, MIN_BEGINNING));
    // Without secrets, a pattern that is found nowhere.
    this.#beginning = new RegExp(patterns.join("|") || "(?!)", "g");
    this.#firsts = new Set(this.#secrets.flatMap(firstCharacters));
    this.#longest = Math.max(0, ...this.#secrets.map((it) => longestBeginning(it, MIN_BEGINNING)));
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
      if (hit.index >= open) break;
      const { end, isWhole, isOpen } = this.#at(text, hit.index);
      if (isOpen && !isEnd) {
        open = hit.index;
        break;
      }
      if (onlyWhole && !isWhole) {
        beginning.lastIndex = hit.index + 1;
        continue;
      }
      shown += text.slice(from, hit.index) + REDACTED;
      from = end;
      beginning.lastIndex = end;
      if (!isEnd && end > open) open = this.#firstOpen(text, end);
    }
    return { shown: shown + text.slice(from, open), held: text.slice(open) };
  }

  /** Where a secret may begin whose beginning is not there yet; the text's length for nowhere. */
  #firstOpen(text: string, from: number): number {
    for (let at = Math.max(from, text.length - this.#longest); at < text.length; at++) {
      if (this.#firsts.has(text.charAt(at)) && this.#at(text, at).isOpen) return at;
    }
    return text.length;
  }

  /** The longest secret, or else the longest beginning of one, that stands at a place of a text. */
  #at(text: string, at: number): { end: number; isWhole: boolean; isOpen: boolean } {
    const found = this.#secrets.map((secret) => ({ secret, ...match(secret, text, at) }));
    const whole = found.filter(({ secret, length }) => length === secret.spelled.length);
    const cut = found.filter(({ length }) => length >= MIN_BEGINNING);
    return {
      end: Math.max(at, ...[...whole, ...cut].map(({ end }) => end)),
      isWhole: whole.length > 0,
      isOpen: found.some(({ isOpen }) => isOpen),
    };
  }
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
