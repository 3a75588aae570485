/** A docs pull request in a run: what was read, and what was decided. */

import type { ActionError } from "../runtime/errors.ts";
import { commentText, digestOf } from "./comment.ts";
import { decide } from "./decide.ts";
import type { Decision, Facts, LandRules } from "./facts.ts";
import type { LandRun } from "./land-run.ts";
import type { Entry, LandEdit, LandLedger } from "./ledger.ts";
import type { PullRead } from "./read.ts";
import { endPull, isHeld, type Result, takeRead, takeUnread } from "./record.ts";

/** A docs pull request as a run leaves it. */
export interface Standing {
  entry: Entry;
  /** Null: it could not be read. */
  facts: Facts | null;
  /** Null: it could not be read, or another run is at work on it. */
  decision: Decision | null;
  /** What it needs a person for; empty: nothing. */
  needs: string;
  /** What this run did. */
  result: Result;
}

/** The result of a run. */
export interface LandOutcome {
  ledger: LandLedger;
  sha: string | null;
  /** GitHub's time, in milliseconds since 1970. */
  now: number;
  standings: Standing[];
  /** Why the step fails; null: it does not. */
  error: ActionError | null;
}

/** Decides about one, and takes up what was read of it. */
export function standingOf(
  known: Entry,
  reads: ReadonlyMap<string, PullRead>,
  edit: LandEdit,
  { inputs, dependencies }: LandRun,
): Standing {
  const { url } = known;
  const read = reads.get(url) ?? { unread: "It was not read." };
  if ("unread" in read) takeUnread(edit, url);
  else takeRead(edit, url, read.facts, read.preview);
  // One that cannot be read for long is given up.
  const entry = edit.entry(url) ?? known;
  const facts = "unread" in read ? null : read.facts;
  const decision = facts === null || isHeld(entry) ? null : decide(facts, entry, inputs, edit.now);
  const { step } = decision ?? {};
  const needs = "unread" in read ? read.unread : step?.type === "person" ? step.why : "";
  // Whether GitHub merges it is known when it was tried.
  if (needs !== entry.needs && step?.type !== "merge" && !isHeld(entry)) {
    edit.changeEntry(url, { needs });
    if (needs !== "") dependencies.log.warning(`${url}: ${needs}`);
  }
  if (facts !== null && step?.type === "ended") {
    endPull(edit, url, facts.pull.state === "merged" ? "merged" : "closed", facts.pull);
  }
  const told = step?.type === "merge" ? entry.needs : needs;
  return {
    ...{ entry: { ...entry, needs: told }, facts, decision, needs },
    result: { url, entry: {} },
  };
}

export function hasWork({ entry, facts, decision }: Standing, { inputs }: LandRun): boolean {
  if (facts === null || decision === null || decision.step.type === "ended") return false;
  const isSetUp =
    entry.isSetUp ||
    [inputs.labels, inputs.assignees, inputs.reviewers].every((it) => it.length === 0);
  const isStep = ["follow-up", "merge", "close"].includes(decision.step.type);
  const shown = { entry, facts, decision, rules: inputs };
  const isShown = !inputs.comment || entry.comment?.digest === digestOf(commentText(shown));
  return (
    isStep || decision.isReminder || !isSetUp || !isShown || needsPreview(entry, facts, inputs)
  );
}

/** Whether its branch has new commits that no preview shows, and the agent is done with them. */
export function needsPreview({ preview }: Entry, { pull, job }: Facts, rules: LandRules): boolean {
  return rules.preview && job.state === "ended" && preview?.head !== pull.head;
}
