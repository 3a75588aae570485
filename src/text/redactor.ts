/** What stands in place of a secret. */
const REDACTED = "***";

/**
 * Takes a secret out of a text that comes in pieces. What may be the beginning of the secret is held
 * back until the next piece tells.
 */
export class Redactor {
  readonly #secret: string;
  #held = "";

  /** @param secret at least a character */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /** As much of the text so far, and not yet handed out, as can be shown. */
  feed(piece: string): string {
    let rest = this.#held + piece;
    let shown = "";
    for (let at = rest.indexOf(this.#secret); at >= 0; at = rest.indexOf(this.#secret)) {
      shown += rest.slice(0, at) + REDACTED;
      rest = rest.slice(at + this.#secret.length);
    }
    const held = this.#beginningAtEndOf(rest);
    this.#held = rest.slice(rest.length - held);
    return shown + rest.slice(0, rest.length - held);
  }

  /** What was held back and turned out to be no secret. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }

  /** Length of the longest beginning of the secret that the text ends with. */
  #beginningAtEndOf(text: string): number {
    for (let length = Math.min(this.#secret.length - 1, text.length); length > 0; length--) {
      if (text.endsWith(this.#secret.slice(0, length))) return length;
    }
    return 0;
  }
}
