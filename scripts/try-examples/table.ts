/** The table that `npm run try:examples` prints, a row as soon as it is known. */

export interface Row {
  workflow: string;
  trigger: string;
  /** What was seen, or what is wrong. */
  result: string;
  isPassed: boolean;
  seconds: number;
}

/** Widths of the first two columns, in characters. */
export type Widths = readonly [workflow: number, trigger: number];

const TITLES = ["workflow", "trigger"] as const;

export function widthsOf(rows: Pick<Row, "workflow" | "trigger">[]): Widths {
  const width = (name: keyof (typeof rows)[number] & string) =>
    Math.max(name.length, ...rows.map((row) => String(row[name]).length));
  return [width("workflow"), width("trigger")];
}

export function headOf(widths: Widths): string {
  return line([...TITLES], widths, "   s", "result");
}

export function lineOf(
  { workflow, trigger, result, isPassed, seconds }: Row,
  widths: Widths,
): string {
  const shown = `${isPassed ? "ok" : "FAILED"}: ${result.replaceAll(/\s+/g, " ")}`;
  return line([workflow, trigger], widths, seconds.toFixed(1).padStart(4), shown);
}

function line(cells: string[], widths: Widths, seconds: string, result: string): string {
  const columns = cells.map((cell, index) => cell.padEnd(widths[index] ?? 0));
  return [...columns, seconds, result].join("  ");
}
