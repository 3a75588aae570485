/**
 * Why land waits with a docs pull request, leaves it to a person, or closes it: codes with their parameters. Decisions
 * and the ledger hold nothing else; the sentences are made where they are shown. The table in docs/land.md is this one.
 */

import * as z from "zod/mini";
import type { Unread } from "../runtime/fact.ts";
import { type ReasonOf, textOfReason } from "../runtime/reason.ts";
import { CODE_REASONS } from "./code-reasons.ts";
import { MERGE_REASONS } from "./merge-reasons.ts";
import { RULE_REASONS } from "./rule-reasons.ts";
import { WORK_REASONS } from "./work-reasons.ts";

export const LAND_REASONS = { ...WORK_REASONS, ...CODE_REASONS, ...RULE_REASONS, ...MERGE_REASONS };

export type LandReasonCode = keyof typeof LAND_REASONS;

/** A code with its parameters. */
export type LandReason<C extends LandReasonCode = LandReasonCode> = ReasonOf<
  typeof LAND_REASONS,
  C
>;

export function reasonText(reason: LandReason): string {
  return textOfReason(LAND_REASONS, reason);
}

/** What is said of it where its repository may not be named; null if its comment says it. */
export function plainText({ code }: Pick<LandReason, "code">): string | null {
  switch (code) {
    case "unread":
    case "unread-for-now":
      return "It cannot be read: check that the token can read its repository.";
    case "by-person":
      return "Its author is a person and not the agent, so it is left as it is.";
    case "elsewhere":
      return reasonText({ code });
    default:
      return null;
  }
}

/** A code as a ledger holds it. */
export const reasonCode = z.custom<LandReasonCode>(
  (value) => typeof value === "string" && Object.hasOwn(LAND_REASONS, value),
);

/** How long the wait for it may take, in milliseconds. */
export function longestWait(code: LandReasonCode): number {
  return LAND_REASONS[code].longest ?? Number.POSITIVE_INFINITY;
}

/** A reason as a ledger holds it. */
export const reasonSchema = z.custom<LandReason>((value) => {
  const fields = z.record(z.string(), z.unknown()).safeParse(value).data;
  const kind = Object.entries(LAND_REASONS).find(([code]) => code === fields?.code)?.[1];
  if (fields === undefined || kind === undefined) return false;
  return Object.entries(kind.example).every(
    ([key, example]) => typeof fields[key] === typeof example,
  );
});

/** What fails in passing needs nobody, unless it goes on. */
export function unreadReason({ reason: words, isPassing }: Unread): LandReason {
  return { code: isPassing ? "unread-for-now" : "unread", words };
}
