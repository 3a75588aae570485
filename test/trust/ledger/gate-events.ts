/** What happens to pull requests in a history of the gate, and what is the same for a whole history. */

import fc from "fast-check";
import type { Plan } from "../../../emulator/local-world/memory-servers.ts";
import { often, one, plans } from "./events.ts";

/** Things that happen to the pull request number `at`, of those that there are. The next run is about it. */
export type GateEvent = Happening & {
  /** Whether the run that GitHub starts for it follows at once. Not for what happens beside a run. */
  hasRun?: boolean;
};

type Happening =
  | { kind: "open"; path: Path; author: "writer" | "outsider" | "renovate[bot]" }
  | { kind: "push"; path: Path; at: number }
  | { kind: "label" | "unlabel" | "merge" | "close" | "reopen" | "too large"; at: number }
  | { kind: "review"; is: "APPROVE" | "REQUEST_CHANGES"; by: Person; at: number }
  /** A line that excuses the pull request. */
  | { kind: "say"; by: Person; at: number }
  /** A job by comment. `before`: by an earlier version of the action, which knows a repository only by its name. */
  | { kind: "ask"; version: "now" | "before"; at: number }
  /** What people do to all comments on it. `copied`: by an outsider, to all pull requests. */
  | { kind: "comments"; are: "copied" | "annotated" | "emptied" | "deleted"; at: number }
  /** A docs pull request. */
  | { kind: "docs"; is: "merged" | "closed" | "reopened" }
  /** The queue tests those that are open together. */
  | { kind: "group" }
  /** A run of upkeep. */
  | { kind: "upkeep" }
  /** Troubles end. While there are any, less is certain. */
  | { kind: "relief" }
  /** What names the repository before it still leads to it. */
  | { kind: "rename" };

type Person = "maintainer" | "writer" | "reader" | "outsider";
type Path = "src" | "docs" | "other";

export interface GateSetting {
  plans: Plan[];
  seed: number;
  draft: "never" | "approved";
  ifNeeded: "error" | "warn";
  comment: boolean;
}

/** Mostly one of them: its approvals, objections, pushes and runs have to meet. */
const at = fc.constantFrom(0, 0, 0, 1, 2);
const person = one("maintainer", "writer", "maintainer", "writer", "reader", "outsider");
const path = one("src", "src", "src", "docs", "other");
const author = one("writer", "writer", "outsider", "renovate[bot]");

const happening = fc.oneof<fc.MaybeWeightedArbitrary<Happening>[]>(
  often(2, fc.record({ kind: one("open"), path, author })),
  often(3, fc.record({ kind: one("push"), path, at })),
  often(3, fc.record({ kind: one("label", "unlabel"), at })),
  often(1, fc.record({ kind: one("merge", "close", "reopen", "reopen", "too large"), at })),
  often(
    6,
    fc.record({
      kind: one("review"),
      is: one("APPROVE", "APPROVE", "REQUEST_CHANGES"),
      by: person,
      at,
    }),
  ),
  often(1, fc.record({ kind: one("say"), by: person, at })),
  often(3, fc.record({ kind: one("ask"), version: one("now", "now", "before"), at })),
  often(
    2,
    fc.record({ kind: one("comments"), are: one("copied", "annotated", "emptied", "deleted"), at }),
  ),
  often(3, fc.record({ kind: one("docs"), is: one("merged", "closed", "closed", "reopened") })),
  often(2, fc.record({ kind: one("group") })),
  often(2, fc.record({ kind: one("upkeep") })),
  often(3, fc.record({ kind: one("relief", "relief", "rename") })),
);

export const gateEvent: fc.Arbitrary<GateEvent> = fc
  .tuple(happening, fc.constantFrom(true, true, false))
  .map(([what, hasRun]) => ({ ...what, hasRun }));

export const gateSetting: fc.Arbitrary<GateSetting> = fc.record({
  plans,
  seed: fc.nat(),
  draft: fc.constantFrom("approved", "approved", "approved", "never"),
  ifNeeded: fc.constantFrom("error", "error", "error", "warn"),
  comment: fc.constantFrom(true, true, false),
});
