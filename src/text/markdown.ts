/** Invisible characters, which can mislead readers. */
const UNSEEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFFF9-\uFFFB]|\p{Default_Ignorable_Code_Point}/u;

/** The scripts in whose words a joiner, or a mark against joining, changes what a reader sees. */
const JOINING = [
  ["Arabic", "Syriac", "Mandaic", "Mongolian", "Nko", "Phags_Pa", "Adlam", "Hanifi_Rohingya"],
  ["Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada"],
  ["Malayalam", "Sinhala", "Thai", "Khmer", "Myanmar", "Tibetan", "Balinese", "Javanese"],
]
  .flat()
  // Marks that several scripts share, such as the vowels of Arabic, are of each of them.
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join("");

/** Invisible characters that writing needs where they are. */
const NEEDED = [
  // Between the letters of a word, and after its last one.
  `(?<=(?!\\p{Default_Ignorable_Code_Point})[${JOINING}])[\\u200C\\u200D]`,
  // Within an emoji of several, and for its form.
  "(?<=\\p{Extended_Pictographic}[\\uFE0F\\p{Emoji_Modifier}]?)\\u200D(?=\\p{Extended_Pictographic})",
  "(?<=\\p{Emoji})[\\uFE0E\\uFE0F]",
  // Han, Myanmar, Phags-pa and mathematical operators.
  "(?<=[\\p{Script=Han}\\p{Script=Myanmar}\\p{Script=Phags_Pa}\\u2200-\\u22FF\\u2A00-\\u2AFF])[\\uFE00-\\uFE0F]",
  // The forms of Han and Mongolian letters.
  "(?<=\\p{Script=Han})[\\u{E0100}-\\u{E01EF}]",
  "(?<=(?!\\p{Default_Ignorable_Code_Point})\\p{Script=Mongolian})[\\u180B-\\u180F]",
  // The flags of England, Scotland and Wales.
  ...["gbeng", "gbsct", "gbwls"].map((region) => {
    const tags = Array.from(region, (letter) =>
      String.fromCodePoint(0xe0000 + letter.charCodeAt(0)),
    );
    return `(?<=\\u{1F3F4})${tags.join("")}\\u{E007F}`;
  }),
];

const NEEDED_OR_UNSEEN = new RegExp(`(${NEEDED.join("|")})|${UNSEEN.source}`, "gu");

/**
 * Removes control, zero-width, bidirectional, tag and other invisible characters, but not those that writing needs.
 * Line ends become `\n`, and a lone surrogate becomes the replacement character.
 */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(NEEDED_OR_UNSEEN, "$1");
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
  const beginning = Buffer.from(text).subarray(0, Math.max(0, bytes));
  // As in a stream, an incomplete character at the end is not returned.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(beginning, { stream: true });
}

/**
 * Text from outside as inline code: GitHub does not mention, link or close anything that is inside code. The backticks
 * around it are longer than any run of backticks in the text.
 */
export function inlineCode(text: string, length = 200): string {
  const line = cut(oneLine(text), length);
  if (line === "") return "";
  const ticks = "`".repeat(longestBackticks(line) + 1);
  const pad = /^`|`$/.test(line) ? " " : "";
  return `${ticks}${pad}${breakComments(line)}${pad}${ticks}`;
}

/** Text from outside as a code block. Its fence is longer than any run of backticks in the text. */
export function codeBlock(text: string, length = 4000): string {
  const lines = visible(text).replace(/^(?:[ \t]*\n)+/, "");
  const body = cut(lines.trimEnd(), length);
  const fence = "`".repeat(Math.max(3, longestBackticks(body) + 1));
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

function longestBackticks(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([backticks]) => backticks.length));
}

/** The first items of a list, and the number of the others. @param others those that are not in `items` */
export function listed(items: readonly string[], limit: number, others = 0): string[] {
  const shown = items.slice(0, limit);
  const remaining = items.length - shown.length + others;
  if (remaining > 0) shown.push(`- … and ${remaining} more`);
  return shown;
}

/** A duration for people: `48 s`, `30 min`, `3 min 12 s`, `1 h 4 min`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const parts = [hours && `${hours} h`, minutes && `${minutes} min`];
  if (hours === 0) parts.push(seconds % 60 && `${seconds % 60} s`);
  return parts.filter(Boolean).join(" ") || "0 s";
}

/** Maximum number of lines that the parser may read again, in total. It takes a second for about ten times as many. */
const MAX_LINES = 500_000;

/** The marks of quotations and lists at the start of a line. */
const PREFIX = /^(?:[\s>]|[-+*]\s|\d{1,9}[.)]\s)*/;

/**
 * Whether the parser may need much time for the quotations of a Markdown text. If a line continues a quotation without
 * its mark, the parser reads on, at most to the end of the text, and then continues where the quotation ended.
 */
export function areQuotationsCostly(lines: readonly string[]): boolean {
  const depths = lines.map(depthOf);
  const continued = lines.filter(
    (line, index) => line.trim() !== "" && (depths[index] ?? 0) < (depths[index - 1] ?? 0),
  );
  return continued.length * lines.length > MAX_LINES;
}

/** The number of quotation marks at the start of a line. */
function depthOf(line: string): number {
  const [prefix = ""] = PREFIX.exec(line) ?? [];
  return prefix.split(">").length - 1;
}
