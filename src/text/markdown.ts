/** Invisible characters, which can mislead readers. */
const UNSEEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFFF9-\uFFFB]|\p{Default_Ignorable_Code_Point}/gu;

/**
 * Text without control, zero-width, bidirectional, tag and other invisible characters; line ends become
 * `\n`, and half a character becomes the sign for one that is broken.
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

/** A text that is no longer than so many characters, with a sign where it was cut. */
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
 * Text from outside as inline code: GitHub neither mentions, links nor closes anything from inside it,
 * and no run of backticks in it is as long as the ones around it.
 */
export function inlineCode(text: string, length = 200): string {
  const line = cut(oneLine(text), length);
  if (line === "") return "";
  const ticks = "`".repeat(longestRun(line) + 1);
  const pad = /^`|`$/.test(line) ? " " : "";
  return `${ticks}${pad}${breakComments(line)}${pad}${ticks}`;
}

/**
 * Text from outside as a code block, whose fence is longer than any in it.
 *
 * @param language of the action's own choice, or checked: it stands outside of the code
 */
export function codeBlock(text: string, length = 4000, language = "text"): string {
  const body = cut(
    visible(text)
      .replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd(),
    length,
  );
  const fence = "`".repeat(Math.max(3, longestRun(body) + 1));
  return `${fence}${language}\n${breakComments(body)}\n${fence}`;
}

/** Text from outside as code: in the line if it has only one, so that a narrow page can wrap it; else as a block. */
export function quotation(text: string, length = 4000): string {
  const isLine = !/[\r\n\u2028\u2029]/.test(text.trim());
  return isLine ? inlineCode(text, length) : codeBlock(text, length);
}

/** A hidden comment cannot begin in text from outside, wherever that text ends up. */
function breakComments(text: string): string {
  return text.replaceAll("<!--", "< !--");
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** The first of a list's items, one a line, and how many there are beside those. @param more that are not given */
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
