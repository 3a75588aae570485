/** A longer line is cut, in characters: whatever never ends a line is not kept in memory. */
const LONGEST = 16 * 1024;

/** Cuts a text that arrives in pieces into lines. */
export class LineCutter {
  #rest = "";

  /** The lines that are complete with this piece, without line ends. */
  push(piece: string): string[] {
    // A CR at the very end may be half of a CRLF: it waits for what follows.
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length > LONGEST) {
      lines.push(this.#rest);
      this.#rest = "";
    }
    return lines;
  }

  /** What was left when the text ended. */
  end(): string[] {
    const rest = this.#rest.replace(/\r$/, "");
    const isLine = this.#rest !== "";
    this.#rest = "";
    return isLine ? [rest] : [];
  }
}
