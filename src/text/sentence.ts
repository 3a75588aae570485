/** The end of a sentence, with closing quotes and brackets. */
const END = /[.!?…。！？]["'”’»)\]*_`]*$/u;

/** Removes the full stop, so that the text can be part of another sentence. */
export function clause(text: string): string {
  return text.trimEnd().replace(/(?<!\.)\.{1,2}$/, "");
}

/** A number and its noun: `1 job`, `2 jobs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Adds a full stop if the text does not end in a punctuation mark. */
export function sentence(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === "" || END.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** A time for people: `2026-11-22 14:05 UTC`. */
export function minuteText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** A text with a capital letter at its beginning. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The lines of a list, without empty ones. */
export function linesOf(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** A value for a message: in quotes, and at most 80 characters. */
export function quote(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return text === "" ? "an empty value" : JSON.stringify(shown);
}
