/** Ends a sentence, with whatever closes around it. */
const END = /[.!?…。！？]["'”’»)\]*_`]*$/u;

/** Text for the end of another sentence: without its own full stop. */
export function clause(text: string): string {
  return text.trimEnd().replace(/(?<!\.)\.{1,2}$/, "");
}

/** So many of something: `1 job`, `2 jobs`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** Text that other text follows on the same line: with a full stop, unless it has its own end. */
export function sentence(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === "" || END.test(trimmed) ? trimmed : `${trimmed}.`;
}

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
