// The table of land's reasons in its page.
import { exampleText } from "../src/land/reason-kinds.ts";
import { REASONS } from "../src/land/reasons.ts";
import { DAY, HOUR, MINUTE } from "../src/runtime/clock.ts";
import { counted } from "../src/text/sentence.ts";
import { table } from "./markdown-table.ts";

/** A reason, with what its table needs of it. */
interface Shown {
  waitsFor: string;
  /** In milliseconds; null for as long as it takes. */
  within: number | null;
  /** What is said of it, with the parameters of an example. */
  text: string;
  wayOut: string;
}

function landReasons(): Record<string, Shown> {
  const reasons = Object.entries(REASONS).map(([code, reason]) => {
    return [code, { ...reason, text: exampleText(reason) }] as const;
  });
  return Object.fromEntries(reasons);
}

export function landReasonsTable(): string {
  const rows = Object.entries(landReasons()).map(([code, { waitsFor, within, text, wayOut }]) => [
    `\`${code}\``,
    `\`${waitsFor}\``,
    within === null ? "" : durationText(within),
    text,
    wayOut,
  ]);
  return table(["code", "waits for", "at most", "what is said", "what ends it"], rows);
}

function durationText(milliseconds: number): string {
  if (milliseconds % DAY === 0) return counted(milliseconds / DAY, "day");
  if (milliseconds % HOUR === 0) return counted(milliseconds / HOUR, "hour");
  return counted(milliseconds / MINUTE, "minute");
}
