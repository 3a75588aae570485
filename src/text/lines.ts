/** A longer line is cut, in characters: whatever never ends a line is not kept in memory. */
const LONGEST = 16 * 1024;

/**
 * Cuts a stream into lines, and takes a secret out of them even where it arrives in pieces. The
 * secret holds no white space, so it never runs over the end of a line.
 */
export class LineCutter {
  readonly #decoder = new TextDecoder();
  readonly #secret: string;
  #rest = "";

  /** @param secret empty when there is none in the stream any more */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /**
   * The lines that are complete with this chunk, without line ends.
   *
   * @param chunk UTF-8, or text that was decoded before; a stream is all of the one or all of the other
   */
  push(chunk: Uint8Array | string): string[] {
    return this.#take(
      typeof chunk === "string" ? chunk : this.#decoder.decode(chunk, { stream: true }),
    );
  }

  /** What was left when the stream ended. */
  end(): string[] {
    const lines = this.#take(this.#decoder.decode());
    if (this.#rest !== "") lines.push(this.#redact(this.#rest.replace(/\r$/, "")));
    this.#rest = "";
    return lines;
  }

  #take(text: string): string[] {
    // A CR at the very end may be half of a CRLF: it waits for what follows.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    const whole = lines.map((line) => this.#redact(line));
    if (this.#rest.length > LONGEST) whole.push(this.#cutRest());
    return whole;
  }

  /** All of the rest but its end, in which the secret may have begun. */
  #cutRest(): string {
    const rest = this.#redact(this.#rest);
    const kept = Math.max(1, this.#secret.length - 1);
    this.#rest = rest.slice(-kept);
    return rest.slice(0, -kept);
  }

  #redact(line: string): string {
    return this.#secret === "" ? line : line.replaceAll(this.#secret, "***");
  }
}
