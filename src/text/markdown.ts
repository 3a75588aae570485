/** Invisible characters, which can mislead readers. */
const UNSEEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFFF9-\uFFFB]|\p{Default_Ignorable_Code_Point}/gu;

/**
 * Removes control, zero-width, bidirectional, tag and other invisible characters. Line ends become `\n`, and a lone
 * surrogate becomes the replacement character.
 */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(UNSEEN, "");
}

/** Visible text without line ends, and with single spaces. */
export function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, " ").trim();
}

/** Cuts a text to a maximum number of characters, and ends it with `…` if it was cut. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}

/** The beginning of a text, up to a number of bytes of UTF-8, in whole characters. */
export function cutToBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  let end = Math.max(0, Math.min(bytes, encoded.length));
  // A byte of this form continues a character.
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return encoded.subarray(0, end).toString("utf8");
}

/**
 * Text from outside as inline code: GitHub does not mention, link or close anything that is inside code. The backticks
 * around it are longer than any run of backticks in the text.
 */
export function inlineCode(text: string, length = 200): string {
  const line = cut(oneLine(text), length);
  if (line === "") return "";
  const ticks = "`".repeat(longestRun(line) + 1);
  const pad = /^`|`$/.test(line) ? " " : "";
  return `${ticks}${pad}${breakComments(line)}${pad}${ticks}`;
}

/** Text from outside as a code block. Its fence is longer than any run of backticks in the text. */
export function codeBlock(text: string, length = 4000): string {
  const body = cut(
    visible(text)
      .replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd(),
    length,
  );
  const fence = "`".repeat(Math.max(3, longestRun(body) + 1));
  return `${fence}text\n${breakComments(body)}\n${fence}`;
}

/** Text from outside as code: inline if it is one line, so that a narrow page can wrap it; otherwise a block. */
export function quotation(text: string, length = 4000): string {
  const isLine = !/[\r\n\u2028\u2029]/.test(text.trim());
  return isLine ? inlineCode(text, length) : codeBlock(text, length);
}

/** Makes sure that no hidden comment begins in text from outside. */
function breakComments(text: string): string {
  return text.replaceAll("<!--", "< !--");
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/**
 * The first items of a list, one per line, and the number of the others.
 *
 * @param more the number of items that are not in `items`
 */
export function listed(items: readonly string[], most: number, more = 0): string[] {
  const rest = Math.max(0, items.length - most) + more;
  return [...items.slice(0, most), ...(rest > 0 ? [`- … and ${rest} more`] : [])];
}

/** A duration for people: `48 s`, `30 min`, `3 min 12 s`, `1 h 4 min`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const [large, small, units] =
    minutes < 60
      ? [minutes, seconds % 60, ["min", "s"]]
      : [Math.floor(minutes / 60), minutes % 60, ["h", "min"]];
  const parts = [large, small].map((count, nth) => (count === 0 ? "" : `${count} ${units[nth]}`));
  return parts.filter((part) => part !== "").join(" ") || "0 s";
}
