/** The table of the gate's reasons in docs/gate.md. */

import { GATE_REASONS } from "../src/gate/reasons.ts";
import type { ReasonEntry } from "../src/runtime/reason.ts";
import { duration } from "../src/text/markdown.ts";
import { table } from "./markdown-table.ts";

type Reasons = Readonly<Record<string, ReasonEntry<object> & { verdict: string | null }>>;

export function gateReasonsTable(): string {
  const reasons: Reasons = GATE_REASONS;
  const rows = Object.values(reasons).map(({ verdict, waitsFor, longest, text, wayOut }) => [
    verdict === null ? "" : `\`${verdict}\``,
    text(NAMES),
    waitsFor === "nobody" ? "" : waitsFor,
    longest === null ? "" : duration(longest),
    waitsFor === "nobody" ? "" : wayOut,
  ]);
  return table(["verdict", "reason", "waits for", "at most", "what ends it"], rows);
}

/** Parameters that are shown by their names, such as `JOB-ID`. */
const NAMES = new Proxy(
  {},
  {
    get: (_, name) => String(name).replaceAll(/[A-Z]/g, "-$&").toUpperCase(),
  },
);
