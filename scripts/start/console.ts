/** How `npm start` looks: headings, indented text, and runs of workflows in a few lines. */

import { styleText } from "node:util";
import type { WorkflowRun } from "../../playground/actions/workflow-runs.ts";

const INDENT = "  ";
const WIDTH = 110;

/** Lines as they are. */
export function say(...lines: string[]): void {
  for (const line of lines) console.log(line);
}

/** The title of a part. */
export function heading(title: string): void {
  say("", styleText("bold", title));
}

/** What happens, in a sentence. */
export function happens(text: string): void {
  say(`${INDENT}${text}`);
}

/** Lines of a text, with a bar on their left. A long one is cut. */
export function quote(lines: readonly string[]): void {
  for (const line of lines) {
    const shown = line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line;
    say(`${INDENT}${styleText("dim", "│")} ${shown}`);
  }
}

/** What a reader of Markdown sees on GitHub, without empty lines: no hidden markers, no links, nothing that is closed. */
export function seen(markdown: string): string[] {
  return markdown
    .replaceAll(/<!--[\s\S]*?-->|<details>[\s\S]*?<\/details>|<sub>.*?<\/sub>/g, "")
    .replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, "$1")
    .replaceAll(/\*\*([^*`]+)\*\*/g, "$1")
    .replaceAll(/^#+ |^ *```.*$/gm, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
}

/** A run: of each of several actions the last line of its log, and of doctor, if it is to be shown, the verdict. */
export function report({ workflow, event, log, steps }: WorkflowRun, showsDoctor: boolean): void {
  happens(`The workflow ${workflow.name} runs (${event.name}):`);
  let name = "";
  const last = new Map<string, string>();
  for (const { kind, text } of log.lines) {
    if (kind === "group") name = text;
    else last.set(name, withoutHost(text));
  }
  const verdict = steps.find((step) => step.name === "doctor")?.outputs.verdict;
  if (verdict !== undefined) last.set("doctor", `The set-up is ${verdict}.`);
  if (!showsDoctor) last.delete("doctor");
  quote([...last].map(([step, text]) => (step === "" ? text : `${step.padEnd(7)}  ${text}`)));
}

/** The services are closed at the end, so their addresses lead nowhere. */
function withoutHost(text: string): string {
  return text.replaceAll(/https?:\/\/127\.0\.0\.1:\d+\/[\w-]+\/[\w-]+\/pull\//g, "#");
}
