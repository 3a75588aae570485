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

/** Escape sequences of terminals: they can hide or repaint what a log says. None goes on in the next line. */
// biome-ignore lint/complexity/useRegexLiterals: the escape characters read better spelled out.
const TERMINAL = new RegExp(
  "[\\u001B\\u009B](?:\\[[0-?]*[ -/]*[@-~]|\\][^\\n\\u0007\\u001B]*(?:\\u0007|\\u001B\\\\)?|[ -~])?",
  "g",
);
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;
const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
/** At the start of a line, for which other programs also take what follows these separators. */
const COMMAND = /^([^\S\n\u2028\u2029]*):(?=:)/gmu;

/**
 * Text from outside, made safe for the log: the runner ends lines at LF, CR and CRLF, takes a line for a
 * command when `::` is the first thing in it, and an older form, `##[…]`, anywhere in a line. Both are
 * broken up with a space. Terminal escapes, control and bidirectional characters are taken out.
 *
 * The whole text is done at once: it may have millions of lines.
 */
export function logText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(TERMINAL, "")
    .replace(CONTROLS, "")
    .replace(DIRECTIONS, "")
    .replace(/##\[/g, "# #[")
    .replace(COMMAND, "$1: ");
}
