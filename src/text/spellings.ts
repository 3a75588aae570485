/** The characters that HTML and JSON have names of their own for. */
const NAMES: Record<string, readonly string[]> = {
  '"': ["&quot;", '\\"'],
  "&": ["&amp;"],
  "'": ["&apos;"],
  "<": ["&lt;"],
  ">": ["&gt;"],
  "/": ["\\/"],
  "\\": ["\\\\"],
};

/** Every way in which a character may be written: as it is, in an address, in JSON and in HTML. */
export function spellings(character: string): string[] {
  const code = character.codePointAt(0) ?? 0;
  const ways = [character, `&#${code};`, ...(NAMES[character] ?? [])];
  const hex = code.toString(16);
  for (const digits of new Set([hex, hex.toUpperCase()])) {
    ways.push(`&#x${digits};`, `&#X${digits};`);
    if (code < 0x80) ways.push(`%${digits.padStart(2, "0")}`);
    if (code < 0x10000) ways.push(`\\u${digits.padStart(4, "0")}`);
  }
  return ways;
}
