/** What few readers need: the IDs of what a list names, folded below it. */

import { inlineCode } from "../../text/markdown.ts";
import { shortId } from "../model/answers.ts";
import type { Change } from "../model/ledger.ts";
import { namesOf } from "../model/names.ts";

/** An entry of a list. */
export interface Item {
  readonly text: string;
  /** A list item with the IDs of it, which few readers need; null for none. */
  readonly details: string | null;
}

export const withoutDetails = (text: string): Item => ({ text, details: null });

/** A paragraph that is shown if a reader opens it; none without lines. */
export function foldedDetails(lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [`<details><summary>Details</summary>\n\n${lines.join("\n")}\n\n</details>`];
}

/** @param facts about the changes; those that are null are left out */
export function detailsOf(
  changes: readonly Change[],
  ...facts: readonly (string | null)[]
): string | null {
  const known = facts.filter((fact) => fact !== null);
  return known.length === 0 ? null : `- ${inlineCode(namesOf(changes), 100)}: ${known.join(", ")}`;
}

export const idDetails = (id: string) => `ID \`${shortId(id)}\``;

export function jobDetails(id: string | null): string | null {
  return id === null ? null : `job ${inlineCode(id, 80)}`;
}
