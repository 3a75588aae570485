/** The parts of a dashboard's body that the action reads: its mark, and the boxes that people tick. */

import type { Decision } from "../model/batch-ends.ts";

/** The ledger that a body shows. */
export interface DashboardMark {
  /** The ledger's ref. */
  ref: string;
  sha: string;
  writes: number;
}

const MARK = /<!-- docs-agent-ledger (refs\/\S+) ([0-9a-f]{40,64}) (\d+) -->/;

/** A box: `- [ ] <!-- again:ID -->`, `- [ ] <!-- leave:ID -->`; any text may follow. */
const BOX = /^ *- \[([ xX])\] <!-- (again|leave):([A-Za-z0-9_-]+) -->/gm;

export function markText({ ref, sha, writes }: DashboardMark): string {
  return `<!-- docs-agent-ledger ${ref} ${sha} ${writes} -->`;
}

/** Null if the body has no mark. */
export function readMark(body: string): DashboardMark | null {
  const [, ref, sha, writes] = MARK.exec(body) ?? [];
  return ref === undefined || sha === undefined ? null : { ref, sha, writes: Number(writes) };
}

/** The decisions of a body's ticked boxes, each once. */
export function readTicks(body: string): Decision[] {
  const decisions = new Map<string, Decision["what"]>();
  for (const [, sign, what, id = ""] of body.matchAll(BOX)) {
    const name = Buffer.from(id, "base64url").toString("utf8");
    // If both boxes of an entry are ticked, the careful one counts. It can still be handed over by hand.
    if (sign === " " || decisions.get(name) === "leave") continue;
    decisions.set(name, what as Decision["what"]);
  }
  return [...decisions].map(([id, what]) => ({ id, what }));
}

/** The beginning of a line with a box. */
export function boxText({ id, what }: Decision, ticked: readonly Decision[]): string {
  const isTicked = ticked.some((tick) => tick.id === id && tick.what === what);
  return `- [${isTicked ? "x" : " "}] <!-- ${what}:${Buffer.from(id).toString("base64url")} -->`;
}

const ALL = "all ";

/**
 * The ID of the box for all entries. It contains the time of the newest one, so that a tick does not include later ones.
 */
export function allId(newest: string): string {
  return `${ALL}${newest}`;
}

/** Replaces the decision for all entries by one for each. A decision for a single entry takes precedence. */
export function spellOut(
  decisions: readonly Decision[],
  entries: readonly { id: string; at: string }[],
): Decision[] {
  const all = decisions.find(({ id }) => id.startsWith(ALL));
  if (all === undefined) return [...decisions];
  const single = decisions.filter(({ id }) => !id.startsWith(ALL));
  const newest = all.id.slice(ALL.length);
  const meant = entries.filter(
    ({ id, at }) => at <= newest && single.every((one) => one.id !== id),
  );
  return [...single, ...meant.map(({ id }) => ({ id, what: all.what }))];
}
