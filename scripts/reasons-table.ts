/** The tables of reasons in docs/: made from the tables that the actions decide by. */

import { GATE_REASONS } from "../src/gate/reasons.ts";
import type { ReasonEntry } from "../src/runtime/reason.ts";
import { duration } from "../src/text/markdown.ts";
import { table } from "./markdown-table.ts";

/** The reasons of an action by their codes; `verdict` only of the gate. */
type Reasons = Readonly<Record<string, ReasonEntry<object> & { verdict?: string | null }>>;

const REASONS: Readonly<Record<string, Reasons>> = { gate: GATE_REASONS };

export function reasonsTable(action: string): string {
  const reasons = REASONS[action];
  if (reasons === undefined) throw new Error(`There are no reasons of ${action}.`);
  const rows = Object.values(reasons).map(({ verdict, waitsFor, longest, text, wayOut }) => [
    ...(verdict === undefined ? [] : [verdict === null ? "" : `\`${verdict}\``]),
    text(NAMES),
    waitsFor === "nobody" ? "" : waitsFor,
    longest === null ? "" : duration(longest),
    waitsFor === "nobody" ? "" : wayOut,
  ]);
  const hasVerdicts = Object.values(reasons).some(({ verdict }) => verdict !== undefined);
  const head = ["reason", "waits for", "at most", "what ends it"];
  return table(hasVerdicts ? ["verdict", ...head] : head, rows);
}

/** Parameters that are shown by their names, such as `JOB-ID`. */
const NAMES = new Proxy(
  {},
  {
    get: (_, name) => String(name).replaceAll(/[A-Z]/g, "-$&").toUpperCase(),
  },
);
