/** How `npm start` looks: headings, indented text, and a step's log as GitHub shows it. */

import { styleText } from "node:util";
import { type LogEntry, parseLog } from "../../emulator/runner/workflow-commands.ts";

const INDENT = "  ";

/** Lines as they are. */
export function say(...lines: string[]): void {
  for (const line of lines) console.log(line);
}

/** The title of a section. */
export function heading(title: string): void {
  say("", styleText("bold", title));
}

/** Names and values, one a line, with the values aligned. */
export function details(values: Record<string, string>): void {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  for (const [name, value] of Object.entries(values)) {
    const [first = "", ...rest] = value.split("\n");
    say(`${INDENT}${styleText("dim", name.padEnd(width))}  ${first}`);
    for (const line of rest) say(`${INDENT}${" ".repeat(width)}  ${line}`);
  }
}

/** A text of several lines, with a bar on its left. */
export function text(body: string): void {
  for (const line of body.trimEnd().split("\n")) say(`${INDENT}${styleText("dim", "│")} ${line}`);
}

/** Markdown without what a reader on GitHub does not see: hidden markers, and the source of charts. */
export function withoutHidden(markdown: string): string {
  return markdown
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/^```mermaid\n[\s\S]*?^```$/gm, "(GitHub shows a pie chart here.)")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** A listener for a step's lines, which shows what a person would see of them on GitHub. */
export function log(): (line: string) => void {
  const masks: string[] = [];
  return (line) => {
    for (const entry of parseLog([line])) {
      if (entry.kind === "mask") masks.push(entry.value);
      const shown = shownLine(entry);
      if (shown === undefined) continue;
      const masked = masks.reduce((result, mask) => result.replaceAll(mask, "***"), shown);
      text(masked);
    }
  };
}

function shownLine(entry: LogEntry): string | undefined {
  switch (entry.kind) {
    case "line":
      return entry.text;
    case "error":
      return `${styleText("red", "Error:")} ${entry.message}`;
    case "warning":
      return `${styleText("yellow", "Warning:")} ${entry.message}`;
    case "notice":
      return `${styleText("blue", "Notice:")} ${entry.message}`;
    case "group":
      return `▼ ${entry.title}`;
    default:
      return undefined;
  }
}
