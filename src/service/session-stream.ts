import { LineCutter } from "../text/lines.ts";
import type { Redactor } from "../text/redactor.ts";
import { sentence } from "../text/sentence.ts";

/** The most of a stream that is read, in bytes. */
export const MAX_STREAM = 8 * 1024 * 1024;

export interface Following {
  body: AsyncIterable<Uint8Array>;
  /** Server-sent events: of each line only the data is shown. */
  isEventStream: boolean;
  /** Takes the key out of all that is shown. */
  redactor: Redactor;
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
  const { body, over, show } = following;
  const lines = new StreamLines(following);
  let left = MAX_STREAM;
  try {
    for await (const chunk of body) {
      if (over.aborted) return;
      lines.push(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left >= 0) continue;
      lines.end();
      show(
        "The agent's stream is longer than 8 MiB: the rest of it is not shown. The job goes on.",
      );
      return;
    }
    lines.end();
  } catch (error) {
    lines.end();
    const why = error instanceof Error ? error.message : String(error);
    const said = sentence(`The agent's stream broke off: ${why}`);
    if (!over.aborted) show(`${said} The job goes on without it.`);
  }
}

/** Shows bytes as lines, the key taken out before they are cut. */
class StreamLines {
  readonly #following: Following;
  readonly #decoder = new TextDecoder();
  readonly #cutter = new LineCutter();
  #isFirst = true;

  constructor(following: Following) {
    this.#following = following;
  }

  push(chunk: Uint8Array): void {
    const text = this.#decoder.decode(chunk, { stream: true });
    this.#show(this.#cutter.push(this.#following.redactor.feed(text)));
  }

  end(): void {
    const { redactor } = this.#following;
    const text = redactor.feed(this.#decoder.decode()) + redactor.end();
    this.#show([...this.#cutter.push(text), ...this.#cutter.end()]);
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
