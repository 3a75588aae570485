/** How `npm start` looks: headings, indented text, and a step's log as GitHub shows it. */

import { styleText } from "node:util";
import { type LogLine, NAMES, RunLog } from "../../playground/actions/run-log.ts";

const INDENT = "  ";
const COLORS = {
  error: "red",
  warning: "yellow",
  notice: "blue",
  group: "reset",
  plain: "reset",
} as const;

/** Lines as they are. */
export function say(...lines: string[]): void {
  for (const line of lines) console.log(line);
}

/** The title of a section. */
export function heading(title: string): void {
  say("", styleText("bold", title));
}

/** Names and values, one a line, with the values aligned. */
export function details(values: Record<string, string | undefined>): void {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  for (const [name, value = ""] of Object.entries(values)) {
    const lines = value.replaceAll("\n", `\n${INDENT}${" ".repeat(width)}  `);
    say(`${INDENT}${styleText("dim", name.padEnd(width))}  ${lines}`);
  }
}

/** A text of several lines, with a bar on its left. */
export function text(body: string): void {
  for (const line of body.trimEnd().split("\n")) say(`${INDENT}${styleText("dim", "│")} ${line}`);
}

/** Markdown without what a reader on GitHub does not see: hidden markers, and the source of charts. */
export function withoutHidden(markdown: string): string {
  return markdown
    .replaceAll(/<!--[\s\S]*?--> ?/g, "")
    .replaceAll(/^```mermaid\n[\s\S]*?^```$/gm, "(GitHub shows a pie chart here.)")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** A listener for a step's lines, which shows what a person would see of them on GitHub. */
export function log(): (line: string) => void {
  const log = new RunLog(({ kind, text: shown }: LogLine) => {
    text(`${styleText(COLORS[kind], NAMES[kind])}${shown}`);
  });
  return (line) => log.take(line);
}
