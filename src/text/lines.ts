/** Escape sequences of terminals, which can hide or change parts of a log. None continues on the next line. */
// biome-ignore lint/complexity/useRegexLiterals: the escape characters read better spelled out.
const TERMINAL = new RegExp(
  "[\\u001B\\u009B](?:\\[[0-?]*[ -/]*[@-~]|\\][^\\n\\u0007\\u001B]*(?:\\u0007|\\u001B\\\\)?|[ -~])?",
  "g",
);
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;
const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
/** At the start of a line. Some programs also start a line after the Unicode line separators. */
const COMMAND = /^([^\S\n\u2028\u2029]*):(?=:)/gmu;

/**
 * Makes text from outside safe for the log. The runner ends lines at LF, CR and CRLF. It executes a line that begins
 * with `::` as a command, and also the older form `##[…]` anywhere in a line. Both are divided by a space. Terminal
 * escapes, control and bidirectional characters are removed.
 *
 * It replaces in the whole text at once, because the text may have millions of lines.
 */
export function logText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(TERMINAL, "")
    .replace(CONTROLS, "")
    .replace(DIRECTIONS, "")
    .replace(/##\[/g, "# #[")
    .replace(COMMAND, "$1: ");
}
