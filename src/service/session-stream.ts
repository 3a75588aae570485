import { LineCutter } from "../text/lines.ts";

/** The most of a stream that is read, in bytes. */
export const MAX_STREAM = 8 * 1024 * 1024;

export interface Following {
  body: AsyncIterable<Uint8Array>;
  /** Server-sent events: of each line only the data is shown. */
  isEventStream: boolean;
  /** Taken out of all that is shown. */
  secret: string;
  /** Nothing is shown any more once this is aborted. */
  over: AbortSignal;
  /** Shows what came: lines of the agent's, or a word about the stream itself. */
  show: (text: string) => void;
}

/**
 * Shows the stream of a session as it comes, up to 8 MiB of it. Returns when it is over, whichever way:
 * the job lives on without it. Never throws.
 */
export async function followStream(following: Following): Promise<void> {
  const { body, isEventStream, secret, over, show } = following;
  const cutter = new LineCutter(secret);
  const showLines = (lines: string[]) => {
    const shown = (isEventStream ? lines.map(dataOf) : lines).filter((line) => line.trim() !== "");
    // The mark tells the agent's words from the action's own.
    if (shown.length > 0 && !over.aborted) show(shown.map((line) => `> ${line}`).join("\n"));
  };
  let left = MAX_STREAM;
  try {
    for await (const chunk of body) {
      if (over.aborted) return;
      showLines(cutter.push(chunk.subarray(0, left)));
      left -= chunk.byteLength;
      if (left >= 0) continue;
      showLines(cutter.end());
      show(
        "The agent's stream is longer than 8 MiB: the rest of it is not shown. The job goes on.",
      );
      return;
    }
    showLines(cutter.end());
  } catch (error) {
    showLines(cutter.end());
    const why = error instanceof Error ? error.message : String(error);
    if (!over.aborted) show(`The agent's stream broke off: ${why}. The job goes on without it.`);
  }
}

/** The data of a line of server-sent events; comments, names, ids and the closing mark are none. */
function dataOf(line: string): string {
  const [, data = ""] = /^data: ?(.*)$/s.exec(line) ?? [];
  return data === "[DONE]" ? "" : data;
}
