/** The log of a run as GitHub shows it: workflow commands read, secrets masked. */

import { parseLog } from "../../emulator/runner/workflow-commands.ts";

export interface LogLine {
  kind: "plain" | "error" | "warning" | "notice" | "group";
  text: string;
}

/** The beginning of a line, by its kind. */
export const NAMES: Record<LogLine["kind"], string> = {
  plain: "",
  error: "Error: ",
  warning: "Warning: ",
  notice: "Notice: ",
  group: "▼ ",
};

/** More than any run needs; limits the memory of a playground that runs for days. */
const MAX_LINES = 2000;

export class RunLog {
  readonly lines: LogLine[] = [];
  readonly #masks: string[] = [];

  /** Takes a line as the step wrote it. */
  take(line: string): void {
    for (const entry of parseLog([line])) {
      const { kind, text } = entry;
      if (kind === "mask" && text !== "") this.#masks.push(text);
      if (kind === "line") this.add("plain", text);
      if (kind === "group" || kind === "error" || kind === "warning" || kind === "notice")
        this.add(kind, text);
    }
  }

  /** Adds a line of the runner's own. */
  add(kind: LogLine["kind"], text: string): void {
    if (this.lines.length === MAX_LINES) this.lines.shift();
    this.lines.push({ kind, text: this.masked(text) });
  }

  /** A text without the values that the step declared secret. */
  masked(text: string): string {
    return this.#masks.reduce((result, mask) => result.replaceAll(mask, "***"), text);
  }
}
