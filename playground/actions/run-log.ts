/** The log of a run as GitHub shows it: workflow commands read, secrets masked. */

import { type LogEntry, parseLog } from "../../emulator/runner/workflow-commands.ts";

export interface LogLine {
  kind: "plain" | "error" | "warning" | "notice" | "group";
  text: string;
}

/** Enough for any run; a bound on memory for a playground that stays up for days. */
const MAX_LINES = 2000;

export class RunLog {
  readonly lines: LogLine[] = [];
  readonly #masks: string[] = [];

  /** Takes a line as the step wrote it. */
  take(line: string): void {
    for (const entry of parseLog([line])) {
      if (entry.kind === "mask" && entry.value !== "") this.#masks.push(entry.value);
      const shown = shownLine(entry);
      if (shown !== undefined) this.add(shown);
    }
  }

  /** Adds a line of the runner's own. */
  add({ kind, text }: LogLine): void {
    if (this.lines.length === MAX_LINES) this.lines.shift();
    this.lines.push({ kind, text: this.masked(text) });
  }

  /** A text without the values that the step declared secret. */
  masked(text: string): string {
    return this.#masks.reduce((result, mask) => result.replaceAll(mask, "***"), text);
  }
}

function shownLine(entry: LogEntry): LogLine | undefined {
  switch (entry.kind) {
    case "line":
      return { kind: "plain", text: entry.text };
    case "error":
    case "warning":
    case "notice":
      return { kind: entry.kind, text: entry.message };
    case "group":
      return { kind: "group", text: entry.title };
    default:
      return undefined;
  }
}
