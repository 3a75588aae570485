import { LineCutter } from "../text/lines.ts";
import { cutToBytes } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";

/** The most of a stream that is read, in bytes. */
export const MAX_STREAM = 8 * 1024 * 1024;

export interface Following {
  /** Without secrets. */
  text: AsyncIterable<string>;
  /** Server-sent events: of each line only the data is shown. */
  isEventStream: boolean;
  /** Nothing is shown any more once this is aborted. */
  over: AbortSignal;
  /** Shows what came: lines of the agent's, or a word about the stream itself. */
  show: (text: string) => void;
  /** Told the first line that says anything, without the key. */
  onFirst?: ((line: string) => void) | undefined;
}

/**
 * Shows the stream of a session as it comes, up to 8 MiB of it. Returns when it is over, whichever way:
 * the job goes on without it. Never throws.
 */
export async function followStream(following: Following): Promise<void> {
  const { text, over, show } = following;
  const lines = new StreamLines(following);
  let left = MAX_STREAM;
  try {
    for await (const piece of text) {
      if (over.aborted) return;
      const length = Buffer.byteLength(piece);
      lines.push(length > left ? cutToBytes(piece, left) : piece);
      left -= length;
      if (left >= 0) continue;
      lines.end();
      show("The agent's stream is longer than 8 MiB, so the rest is not shown. The job continues.");
      return;
    }
    lines.end();
  } catch (error) {
    lines.end();
    const why = error instanceof Error ? error.message : String(error);
    const said = sentence(`The agent's stream was interrupted: ${why}`);
    if (!over.aborted) show(`${said} The job continues.`);
  }
}

/** Shows a text as lines. */
class StreamLines {
  readonly #following: Following;
  readonly #cutter = new LineCutter();
  #isFirst = true;

  constructor(following: Following) {
    this.#following = following;
  }

  push(piece: string): void {
    this.#show(this.#cutter.push(piece));
  }

  end(): void {
    this.#show(this.#cutter.end());
  }

  #show(lines: readonly string[]): void {
    const { isEventStream, over, show, onFirst } = this.#following;
    const shown = (isEventStream ? lines.map(dataOf) : lines).filter((line) => line.trim() !== "");
    const [first] = shown;
    if (this.#isFirst && first !== undefined) {
      this.#isFirst = false;
      onFirst?.(first);
    }
    // The mark tells the agent's words from the action's own.
    if (shown.length > 0 && !over.aborted) show(shown.map((line) => `> ${line}`).join("\n"));
  }
}

/** The data of a line of server-sent events; comments, names, ids and the closing mark are none. */
function dataOf(line: string): string {
  const [, data = ""] = /^data: ?(.*)$/s.exec(line) ?? [];
  return data === "[DONE]" ? "" : data;
}
