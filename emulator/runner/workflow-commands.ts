/**
 * The log of a step as GitHub's runner reads it: every line of standard output and standard error
 * is either plain text or a workflow command. What the runner would obey has to be told apart from
 * what it would print, so this follows the runner's parser and not the documentation's examples.
 */

import { StringDecoder } from "node:string_decoder";

/** What the runner does with the commands that it obeys; a name that is not here is printed like any other text. */
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
  /** The line, or what the command says: a message, a title, a value. */
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
  // `##[name key=value;key=value]message`, anywhere in a line: old, and still obeyed.
  [/##\[(.*?)\](.*)$/s, ";", /%(3B|0D|0A|5D)/g, /%(3B|0D|0A|5D)/g],
];

/** The command that the runner sees in a line, if any. */
export function parseCommand(line: string): Command | undefined {
  for (const [form, separator, inProperty, inMessage] of FORMS) {
    const [, info = "", message = ""] = form.exec(line) ?? [];
    const [given = "", ...rest] = info.split(" ");
    const name = given.toLowerCase();
    if (!Object.hasOwn(COMMANDS, name)) continue;
    const pairs = [...rest.join(" ").trim().split(separator)].flatMap((pair) => {
      const [, key, value = ""] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      return key === undefined ? [] : [[key, value.replaceAll(inProperty, decodeURIComponent)]];
    });
    const properties = Object.fromEntries(pairs);
    const text = message.replaceAll(inMessage, decodeURIComponent);
    return { name: name as Command["name"], properties, message: text };
  }
  return undefined;
}

/** Reads a stream as text, and line by line where the runner ends a line. */
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
  /** What a person reads in the log: plain lines, and the texts of annotations and groups. */
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
