/** The lines of a list, without empty ones. */
export function linesOf(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** A value as a message shows it: in quotes, and cut. */
export function quote(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return text === "" ? "an empty value" : JSON.stringify(shown);
}
