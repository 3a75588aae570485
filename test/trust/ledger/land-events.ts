/** What happens to docs pull requests in a history of land, and what is the same for a whole history. */

import fc from "fast-check";
import type { MergeRule } from "../../../emulator/github/store.ts";
import type { Plan } from "../../../emulator/local-world/memory-servers.ts";
import { often, one } from "./events.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Things that happen to the docs pull request number `at`, of those that there are. */
export type LandEvent =
  | { kind: "document"; by: "ledger" | "comment" }
  | { kind: "code" }
  | { kind: "push"; by: "agent" | "writer"; path: "docs" | "src"; at: number }
  | { kind: "check"; is: "success" | "failure" | "timed_out" | "cancelled" | ""; at: number }
  | { kind: "review"; is: "APPROVE" | "REQUEST_CHANGES"; by: Reviewer; at: number }
  | { kind: "comment"; by: Reviewer; at: number }
  | {
      kind: "resolve" | "unresolve" | "conflict" | "merge" | "close" | "ready" | "draft";
      at: number;
    }
  /** What it takes to be merged: green checks, approvals, no open comment. */
  | { kind: "accept"; at: number }
  /** Somebody pushes right before the next merge. */
  | { kind: "race" }
  | { kind: "other link"; at: number };

type Reviewer = "maintainer" | "writer" | "reader";

export interface LandSetting {
  plans: Plan[];
  seed: number;
  merge: "never" | "approved" | "checks";
  maxFollowUps: number;
  delayHours: number;
  required: boolean;
  rule: MergeRule;
  /** Inputs that decide about no merge. */
  inputs: Record<string, string>;
  isMergeabilityLate: boolean;
}

const at = fc.nat({ max: 2 });
const reviewer = one("maintainer", "writer", "reader");

export const landEvent: fc.Arbitrary<LandEvent> = fc.oneof<fc.MaybeWeightedArbitrary<LandEvent>[]>(
  often(2, fc.record({ kind: one("document"), by: one("ledger", "comment") })),
  often(1, fc.record({ kind: one("code", "race") })),
  often(
    4,
    fc.record({
      kind: one("push"),
      by: one("agent", "agent", "writer"),
      path: one("docs", "docs", "docs", "docs", "docs", "src"),
      at,
    }),
  ),
  often(
    3,
    fc.record({
      kind: one("check"),
      is: one("success", "failure", "timed_out", "cancelled", ""),
      at,
    }),
  ),
  often(
    3,
    fc.record({ kind: one("review"), is: one("APPROVE", "REQUEST_CHANGES"), by: reviewer, at }),
  ),
  often(2, fc.record({ kind: one("comment"), by: reviewer, at })),
  often(
    2,
    fc.record({ kind: one("resolve", "unresolve", "conflict", "close", "ready", "draft"), at }),
  ),
  often(7, fc.record({ kind: one("accept"), at })),
  often(1, fc.record({ kind: one("merge", "other link", "ready"), at })),
);

const plan: fc.Arbitrary<Plan> = fc.record({
  outcome: fc.constantFrom<Plan["outcome"][]>(
    "completed",
    "completed",
    "completed",
    "no-changes",
    "failed",
  ),
  takes: fc.constantFrom(0, 0, 30 * MINUTE, 3 * HOUR),
  steering: fc.record({
    checks: fc.constantFrom(
      ...(["none", "none", "none", "green", "green", "red", "stuck"] as const),
    ),
    conflict: fc.constantFrom(false, false, false, false, true),
    build: fc.constantFrom(...(["green", "green", "green", "red"] as const)),
  }),
});

const word = fc.constantFrom("follow-up", "follow-up", "ignore");

export const landSetting: fc.Arbitrary<LandSetting> = fc.record({
  plans: fc.array(plan, { minLength: 1, maxLength: 6 }),
  seed: fc.nat(),
  merge: fc.constantFrom(
    ...(["never", "approved", "approved", "approved", "checks", "checks", "checks"] as const),
  ),
  maxFollowUps: fc.constantFrom(0, 1, 2, 3, 3, 4),
  delayHours: fc.constantFrom(0, 0, 2),
  required: fc.boolean(),
  rule: fc.constantFrom<MergeRule[]>(
    {},
    {},
    {},
    { approvals: 1 },
    { approvals: 1 },
    { upToDate: true },
    { queue: true },
  ),
  inputs: fc.record({
    checks: word,
    reviews: word,
    conflicts: word,
    comment: fc.constantFrom("true", "true", "false"),
    preview: fc.constantFrom("true", "false"),
    deploy: fc.constantFrom("true", "false"),
    labels: fc.constantFrom("", "docs"),
    reviewers: fc.constantFrom("", "authors\nmaintainer\nnobody"),
    "remind-after-days": fc.constantFrom("0", "1"),
    "close-after-days": fc.constantFrom("0", "0", "0", "20"),
  }),
  isMergeabilityLate: fc.constantFrom(false, false, true),
});
