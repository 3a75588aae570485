/** A longer line is cut, in characters: whatever never ends a line is not kept in memory. */
const LONGEST = 16 * 1024;

/** Cuts a text that arrives in pieces into lines. */
export class LineCutter {
  /** The pieces of a line whose end has not come; joined once, so that many small pieces stay cheap. */
  #pending: string[] = [];
  #length = 0;
  /** A CR at the very end may be half of a CRLF: it waits for what follows. */
  #isAtReturn = false;

  /** The lines that are complete with this piece, without line ends. */
  push(piece: string): string[] {
    if (piece === "") return [];
    const text = this.#isAtReturn ? `\r${piece}` : piece;
    this.#isAtReturn = text.endsWith("\r");
    const [first = "", ...others] = text
      .slice(0, this.#isAtReturn ? -1 : undefined)
      .split(/\r\n|[\r\n]/);
    this.#keep(first);
    const lines: string[] = [];
    for (const next of others) {
      lines.push(this.#take());
      this.#keep(next);
    }
    if (this.#length > LONGEST) lines.push(this.#take());
    return lines;
  }

  /** What was left when the text ended. */
  end(): string[] {
    const isLine = this.#length > 0 || this.#isAtReturn;
    this.#isAtReturn = false;
    const rest = this.#take();
    return isLine ? [rest] : [];
  }

  #keep(piece: string): void {
    if (piece !== "") this.#pending.push(piece);
    this.#length += piece.length;
  }

  #take(): string {
    const line = this.#pending.join("");
    this.#pending = [];
    this.#length = 0;
    return line;
  }
}
