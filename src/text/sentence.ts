/** Ends a sentence, with whatever closes around it. */
const END = /[.!?…。！？]["'”’»)\]*_`]*$/u;

/** Text that others follow on the same line: with a full stop, unless it has an end of its own. */
export function sentence(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === "" || END.test(trimmed) ? trimmed : `${trimmed}.`;
}
