/**
 * The log of a step as GitHub's runner reads it: every line of standard output and standard error
 * is either plain text or a workflow command. This follows the runner's parser, not the documentation's examples,
 * because tests have to know which lines the runner executes.
 */

import { StringDecoder } from "node:string_decoder";

/** The commands that the runner executes, and their kinds. It prints all others like any other text. */
const COMMANDS = {
  error: "error",
  warning: "warning",
  notice: "notice",
  debug: "debug",
  "add-mask": "mask",
  group: "group",
  endgroup: "endgroup",
  "add-matcher": "command",
  "add-path": "command",
  echo: "command",
  "internal-set-repo-path": "command",
  "remove-matcher": "command",
  "save-state": "command",
  "set-env": "command",
  "set-output": "command",
  "stop-commands": "command",
} as const;

type Kind = (typeof COMMANDS)[keyof typeof COMMANDS];

/** One line of a step's log, after the runner has read it. */
export interface LogEntry {
  kind: "line" | Kind;
  /** The line, or the command's text: a message, a title, a value. */
  text: string;
  /** Of a command. */
  properties?: Record<string, string>;
}

interface Command {
  name: keyof typeof COMMANDS;
  properties: Record<string, string>;
  message: string;
}

/** Splits text into lines where the runner does: at `\n`, at `\r\n` and at a lone `\r`. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Reads the lines of a log in order; `stop-commands` and its end token are honoured. */
export function parseLog(lines: Iterable<string>): LogEntry[] {
  let stopToken: string | undefined;
  return [...lines].map((line) => {
    const command = stopToken === undefined ? parseCommand(line) : undefined;
    if (line.trim() === `::${stopToken}::`) stopToken = undefined;
    if (command === undefined) return { kind: "line", text: line };
    const { name, message: text, properties } = command;
    if (name === "stop-commands") stopToken = text;
    return { kind: COMMANDS[name], text, properties };
  });
}

/** The forms of commands, what separates their properties, and what is escaped in properties and in the message. */
const FORMS: [form: RegExp, separator: string, inProperty: RegExp, inMessage: RegExp][] = [
  // `::name key=value,key=value::message`, at the start of the line but for white space.
  [/^\s*::(.*?)::(.*)$/s, ",", /%(0D|0A|3A|2C|25)/g, /%(0D|0A|25)/g],
  // `##[name key=value;key=value]message`, anywhere in a line: old, but still executed.
  [/##\[(.*?)\](.*)$/s, ";", /%(3B|0D|0A|5D)/g, /%(3B|0D|0A|5D)/g],
];

function isCommand(name: string): name is Command["name"] {
  return Object.hasOwn(COMMANDS, name);
}

/** The command that the runner sees in a line, if any. */
export function parseCommand(line: string): Command | undefined {
  for (const [form, separator, inProperty, inMessage] of FORMS) {
    const [, info = "", message = ""] = form.exec(line) ?? [];
    const [word = "", ...rest] = info.split(" ");
    const name = word.toLowerCase();
    if (!isCommand(name)) continue;
    const pairs = [...rest.join(" ").trim().split(separator)].flatMap((pair) => {
      const [, key, value = ""] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      return key === undefined ? [] : [[key, value.replaceAll(inProperty, decodeURIComponent)]];
    });
    const properties = Object.fromEntries(pairs);
    const text = message.replaceAll(inMessage, decodeURIComponent);
    return { name, properties, message: text };
  }
  return undefined;
}

/** Reads a stream as text and as lines, which end where the runner ends them. */
export function readLines(
  stream: NodeJS.ReadableStream,
  on: { onText: (text: string) => void; onLine: (line: string) => void },
): void {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const take = (text: string) => {
    on.onText(text);
    // A `\r` at the end may be half of `\r\n`: it waits for what follows.
    const lines = `${rest}${text}`.split(/\r\n|\r(?!$)|\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) on.onLine(line);
  };
  stream.on("data", (chunk: Buffer) => take(decoder.write(chunk)));
  stream.on("end", () => {
    take(decoder.end());
    if (rest !== "") on.onLine(rest.replace(/\r$/, ""));
  });
}

/** What the runner reads from the log of a step. */
export interface StepLog {
  /** Standard output and standard error, line by line. */
  log: LogEntry[];
  /** The messages of `::error::`, and so on, in order. */
  errors: string[];
  warnings: string[];
  notices: string[];
  debug: string[];
  /** Values given to `::add-mask::`. */
  masks: string[];
  /** The lines that a person sees in the log: plain lines, and the texts of annotations and groups. */
  visible: string[];
}

export function readLog(lines: readonly string[]): StepLog {
  const log = parseLog(lines);
  const of = (kind: Kind) => log.filter((entry) => entry.kind === kind).map(({ text }) => text);
  const visible = log.filter(({ kind }) => !["debug", "mask", "endgroup"].includes(kind));
  return {
    log,
    errors: of("error"),
    warnings: of("warning"),
    notices: of("notice"),
    debug: of("debug"),
    masks: of("mask"),
    visible: visible.map(({ text }) => text),
  };
}
