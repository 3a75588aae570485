/** The log of a step: lines as they arrive, and what the runner reads from them. */

import { StringDecoder } from "node:string_decoder";
import type { StepLog } from "./step.ts";
import { type Annotation, parseLog } from "./workflow-commands.ts";

/** Reads a stream as text, and line by line where the runner ends a line. */
export function readLines(
  stream: NodeJS.ReadableStream,
  on: { onText: (text: string) => void; onLine: (line: string) => void },
): void {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const take = (text: string) => {
    on.onText(text);
    rest += text;
    // A `\r` at the end may be half of `\r\n`: it waits for what follows.
    for (let match = lineEnd(rest); match !== undefined; match = lineEnd(rest)) {
      on.onLine(rest.slice(0, match.index));
      rest = rest.slice(match.index + match.length);
    }
  };
  stream.on("data", (chunk: Buffer) => take(decoder.write(chunk)));
  stream.on("end", () => {
    take(decoder.end());
    if (rest !== "") on.onLine(rest.replace(/\r$/, ""));
  });
}

function lineEnd(text: string): { index: number; length: number } | undefined {
  const match = /\r\n|\r(?!$)|\n/.exec(text);
  return match === null ? undefined : { index: match.index, length: match[0].length };
}

/** What the runner reads from the lines of a log. */
export function readLog(lines: readonly string[]): StepLog {
  const log = parseLog(lines);
  const annotations = (kind: Annotation["kind"]) =>
    log.flatMap((entry) => (entry.kind === kind ? [entry.message] : []));
  return {
    log,
    errors: annotations("error"),
    warnings: annotations("warning"),
    notices: annotations("notice"),
    debug: log.flatMap((entry) => (entry.kind === "debug" ? [entry.message] : [])),
    masks: log.flatMap((entry) => (entry.kind === "mask" ? [entry.value] : [])),
    visible: log.flatMap((entry) => {
      if (entry.kind === "line") return [entry.text];
      if (entry.kind === "group") return [entry.title];
      return "message" in entry && entry.kind !== "debug" ? [entry.message] : [];
    }),
  };
}
