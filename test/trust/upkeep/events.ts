import fc from "fast-check";
import type { RepositoryEvent } from "../../support/repository-events.ts";
import type { LedgerEvent, LedgerRunEvent, LedgerSetting } from "../ledger-history.ts";
import { faults, kill, plain, plans, runsOf } from "../memory-events.ts";

/** A run, and how it is disturbed. */
export interface RunEvent extends LedgerRunEvent {
  /** `max-changes` */
  max: number;
  inputs: { wait?: "true"; "dry-run"?: "true" };
}

type Method = "merge" | "squash" | "rebase";

/** What happens to a repository and to the agent's pull requests. */
export type OtherEvent =
  | RepositoryEvent
  | { kind: "forget"; back: number }
  | { kind: "docs"; does: "merge" | "close"; method: Method };

/** What happens to a repository, its dashboard and its runs, one after the other. */
export type Event = LedgerEvent<RunEvent> | OtherEvent;

/** What is the same for a whole history. */
export interface Setting extends LedgerSetting {
  mode: "continue" | "hold" | "new";
  comment: boolean;
}

const method = fc.constantFrom<Method>("merge", "squash", "rebase");
const person = fc.constantFrom("writer", "maintainer");
const dependabot = "dependabot[bot]";

const run: fc.Arbitrary<RunEvent> = fc.record({
  max: fc.integer({ min: 1, max: 4 }),
  kill,
  post: fc.boolean(),
  inputs: fc.oneof(
    { weight: 8, arbitrary: fc.constant<RunEvent["inputs"]>({}) },
    fc.constantFrom<RunEvent["inputs"]>({ wait: "true" }, { "dry-run": "true" }),
  ),
  faults,
});

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("push" as const),
      author: fc.oneof({ weight: 5, arbitrary: person }, fc.constant(dependabot)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("land" as const),
      method,
      commits: fc.integer({ min: 1, max: 4 }),
      by: person,
      label: fc.integer({ min: 0, max: 5 }).map((it) => it === 5),
    }),
  },
  plain("open"),
  fc.record({ kind: fc.constant("merge open" as const), method }),
  plain("close open"),
  fc.record({ kind: fc.constant("pull" as const), back: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant("drop" as const), commits: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant("rewrite" as const), commits: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant("forget" as const), back: fc.integer({ min: 0, max: 4 }) }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      minutes: fc.constantFrom(1, 6, 12, 60, 60 * 25, 60 * 24 * 31),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("docs" as const),
      does: fc.constantFrom("merge" as const, "merge" as const, "close" as const),
      method,
    }),
  },
  fc.record({ kind: fc.constant("tick" as const), box: fc.nat({ max: 3 }) }),
  plain("rotate the key"),
  plain("close dashboard"),
  plain("empty body"),
  plain("take the label off"),
  plain("say something"),
  plain("quote a marker"),
  ...runsOf(run),
);

export const events = fc.array(event, { maxLength: 40 });

export const setting: fc.Arbitrary<Setting> = fc.record({
  mode: fc.constantFrom("continue" as const, "hold" as const, "new" as const),
  comment: fc.integer({ min: 0, max: 3 }).map((it) => it === 3),
  plans,
  seed: fc.nat(),
});
