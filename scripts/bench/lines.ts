/** One line of what was measured. */
export interface Line {
  text: string;
  isWithin: boolean;
}

export function line(what: string, value: number, bound: number): Line {
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(2);
  return { text: `${what}: ${shown} (bound ${bound})`, isWithin: value <= bound };
}

/** Prints what was measured, and returns whether all of it stays within its bounds. */
export function printLines(lines: readonly Line[]): boolean {
  for (const { text, isWithin } of lines) console.log(`  ${isWithin ? "ok  " : "PAST"} ${text}`);
  return lines.every(({ isWithin }) => isWithin);
}
