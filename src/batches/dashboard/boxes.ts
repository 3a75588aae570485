/** The boxes of a dashboard, and the decisions that people make by ticking them. */

import { shortHash } from "../../text/short-hash.ts";
import type { Tick } from "../model/decisions.ts";

/**
 * A box: `- [ ] <!-- again:ID -->`, `- [ ] <!-- leave:ID -->`, `- [ ] <!-- go-on:ID -->`,
 * `- [ ] <!-- hand-over:ID -->`; any text may follow.
 */
const BOX = /^( *- \[)([ xX])(\] <!-- (again|leave|go-on|hand-over):([A-Za-z0-9_-]+) -->)/gm;

/** Begins the ID of the boxes for all entries, before the short hashes of those that were shown with them. */
const ALL = "all ";

const CHOICES = ["again", "leave", "go-on", "hand-over"] as const;

/** The ticked boxes of a body, each once. A box for all entries counts as one: see {@link spellOut}. */
export function readTicks(body: string): Tick[] {
  const choices = new Map<string, Tick["choice"]>();
  for (const [, , sign, , word, id = ""] of body.matchAll(BOX)) {
    const name = Buffer.from(id, "base64url").toString("utf8");
    // If both boxes of an entry are ticked, the careful one counts. It can still be handed over by hand.
    if (sign === " " || choices.get(name) === "leave") continue;
    choices.set(name, CHOICES.find((choice) => choice === word) ?? "again");
  }
  return [...choices].map(([id, choice]) => ({ id, choice }));
}

/**
 * The ticks of a dashboard in a run that an edit of it triggered. Another run may have written the dashboard after that
 * edit without knowing of it, so the ticks of the edit count, too. They do not if the two bodies have only other ticks:
 * then no run has written it, and whoever removed a tick since then has changed their mind.
 *
 * @param body the dashboard's body as it was read
 * @param edited its body after the edit; null if none triggered the run
 */
export function ticksAfterEdit(body: string, edited: string | null): Tick[] {
  const isOnlyTicked = edited === null || withoutTicks(body) === withoutTicks(edited);
  return readTicks(isOnlyTicked ? body : `${body}\n${edited}`);
}

function withoutTicks(body: string): string {
  return body.replaceAll("\r\n", "\n").trim().replace(BOX, "$1 $3");
}

/**
 * Replaces decisions for all entries by one for each that was shown. A decision for a single entry takes precedence.
 */
export function spellOut(decisions: readonly Tick[], entries: readonly { id: string }[]): Tick[] {
  const single = decisions.filter(({ id }) => !id.startsWith(ALL));
  const all = decisions
    .filter(({ id }) => id.startsWith(ALL))
    .map(({ id, choice }) => ({ shown: new Set(id.slice(ALL.length).split(" ")), choice }));
  const others = entries.filter(({ id }) => single.every((decision) => decision.id !== id));
  const meant = others.flatMap(({ id }): Tick[] => {
    const choices = all.filter(({ shown }) => shown.has(shortHash(id))).map(({ choice }) => choice);
    if (choices.length === 0) return [];
    return [{ id, choice: choices.includes("leave") ? "leave" : "again" }];
  });
  return [...single, ...meant];
}

/** The two boxes of an entry. */
export function boxesOf(id: string, ticked: readonly Tick[]): string[] {
  return boxes(id, ticked, "");
}

/** The box that hands over again what a docs pull request documented that a person closed. */
export function boxToRepeat(id: string, ticked: readonly Tick[]): string {
  return boxOf(id, "again", ticked, "Hand over again");
}

/** The two boxes for all entries that are shown with them; none for fewer than two entries. */
export function boxesOfAll(shown: readonly string[]): string[] {
  if (shown.length < 2) return [];
  return boxes(`${ALL}${shown.map(shortHash).join(" ")}`, [], " all of these");
}

/** The box that goes on after failures. @param id of the halt */
export function boxToGoOn(id: string, ticked: readonly Tick[]): string {
  return boxOf(id, "go-on", ticked, "Go on");
}

/** The box that hands over what was passed over. @param key of the change */
export function boxToHandOver(key: string, ticked: readonly Tick[]): string {
  return boxOf(key, "hand-over", ticked, "Hand over");
}

/** @param which the entries, such as ` all of these`; empty for a single one */
function boxes(id: string, ticked: readonly Tick[], which: string): string[] {
  return [
    boxOf(id, "again", ticked, `Hand over${which} again`),
    boxOf(id, "leave", ticked, `Leave${which || " it"}`),
  ];
}

function boxOf(id: string, choice: Tick["choice"], ticked: readonly Tick[], words: string): string {
  const code = Buffer.from(id).toString("base64url");
  const isTicked = ticked.some((tick) => tick.id === id && tick.choice === choice);
  return `- [${isTicked ? "x" : " "}] <!-- ${choice}:${code} --> ${words}`;
}
