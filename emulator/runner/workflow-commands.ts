/**
 * The log of a step as GitHub's runner reads it: every line of standard output and standard error
 * is either plain text or a workflow command. What the runner would obey has to be told apart from
 * what it would print, so this follows the runner's parser and not the documentation's examples.
 */

/** One line of a step's log, after the runner has read it. */
export type LogEntry =
  | { kind: "line"; text: string }
  | Annotation
  | { kind: "debug"; message: string }
  | { kind: "mask"; value: string }
  | { kind: "group"; title: string }
  | { kind: "endgroup" }
  | { kind: "command"; name: string; properties: Record<string, string>; message: string };

/** An error, warning or notice that GitHub shows on the page of the run. */
export interface Annotation {
  kind: "error" | "warning" | "notice";
  message: string;
  properties: Record<string, string>;
}

/** Everything the runner obeys; a name that is not here is printed like any other text. */
const COMMANDS = new Set([
  "add-mask",
  "add-matcher",
  "add-path",
  "debug",
  "echo",
  "endgroup",
  "error",
  "group",
  "internal-set-repo-path",
  "notice",
  "remove-matcher",
  "save-state",
  "set-env",
  "set-output",
  "stop-commands",
  "warning",
]);

interface Command {
  name: string;
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
  const entries: LogEntry[] = [];
  let stopToken: string | undefined;
  for (const line of lines) {
    if (stopToken !== undefined) {
      if (line.trim() === `::${stopToken}::`) stopToken = undefined;
      entries.push({ kind: "line", text: line });
      continue;
    }
    const command = parseCommand(line);
    if (command?.name === "stop-commands") stopToken = command.message;
    entries.push(command === undefined ? { kind: "line", text: line } : toEntry(command));
  }
  return entries;
}

/** The command that the runner sees in a line, in either of its two forms, if any. */
export function parseCommand(line: string): Command | undefined {
  return parseCurrentForm(line) ?? parseLegacyForm(line);
}

/** `::name key=value,key=value::message`, at the start of the line but for white space. */
function parseCurrentForm(line: string): Command | undefined {
  const text = line.trimStart();
  if (!text.startsWith("::")) return undefined;
  const end = text.indexOf("::", 2);
  if (end < 0) return undefined;
  const { name, rest } = splitInfo(text.slice(2, end));
  if (!COMMANDS.has(name)) return undefined;
  return {
    name,
    properties: parseProperties(rest, ",", unescapeProperty),
    message: unescapeData(text.slice(end + 2)),
  };
}

/** `##[name key=value;key=value]message`, anywhere in a line: old, and still obeyed. */
function parseLegacyForm(line: string): Command | undefined {
  const start = line.indexOf("##[");
  if (start < 0) return undefined;
  const end = line.indexOf("]", start);
  if (end < 0) return undefined;
  const { name, rest } = splitInfo(line.slice(start + 3, end));
  if (!COMMANDS.has(name)) return undefined;
  return {
    name,
    properties: parseProperties(rest, ";", unescapeLegacy),
    message: unescapeLegacy(line.slice(end + 1)),
  };
}

function splitInfo(info: string): { name: string; rest: string } {
  const space = info.indexOf(" ");
  const name = space < 0 ? info : info.slice(0, space);
  return { name: name.toLowerCase(), rest: space < 0 ? "" : info.slice(space + 1).trim() };
}

function parseProperties(
  text: string,
  separator: string,
  decode: (value: string) => string,
): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const pair of text.split(separator)) {
    const equals = pair.indexOf("=");
    if (equals > 0) properties[pair.slice(0, equals)] = decode(pair.slice(equals + 1));
  }
  return properties;
}

function unescapeData(text: string): string {
  return text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%");
}

function unescapeProperty(text: string): string {
  return text
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%25", "%");
}

function unescapeLegacy(text: string): string {
  return text
    .replaceAll("%3B", ";")
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n")
    .replaceAll("%5D", "]");
}

function toEntry({ name, properties, message }: Command): LogEntry {
  switch (name) {
    case "error":
    case "warning":
    case "notice":
      return { kind: name, message, properties };
    case "debug":
      return { kind: "debug", message };
    case "add-mask":
      return { kind: "mask", value: message };
    case "group":
      return { kind: "group", title: message };
    case "endgroup":
      return { kind: "endgroup" };
    default:
      return { kind: "command", name, properties, message };
  }
}
