/** What is known of a docs pull request, by what rules it is judged, and what can follow. */

import type { Check, DocsPull, OpenComment, Review } from "../github/docs-pull.ts";
import type { PathFilter } from "../text/path-filter.ts";

type What = "follow-up" | "ignore";

/** The inputs that decide what becomes of a docs pull request; durations in milliseconds, 0 for never. */
export interface LandRules {
  checks: What;
  reviews: What;
  conflicts: What;
  /** Whether the service builds a preview of each head. */
  preview: boolean;
  maxFollowUps: number;
  allowedPaths: PathFilter;
  /** Null: as many as it likes. */
  maxFiles: number | null;
  maxDeletedLines: number | null;
  merge: "never" | "approved" | "checks";
  requiredChecks: readonly string[];
  mergeDelay: number;
  remindAfter: number;
  closeAfter: number;
}

/** What a poll says of a docs pull request's job. */
export interface JobFacts {
  /** `unknown`: the service has forgotten it. `unread`: the poll told nothing. */
  state: "active" | "ended" | "unknown" | "unread";
  /** The pull request that its record names. */
  prLink: string | null;
}

export interface Facts {
  pull: DocsPull;
  job: JobFacts;
  /** Paths of its files, old names of renamed ones included; null: not read, or too many to read. */
  paths: readonly string[] | null;
  /** The code pull request whose draft it documents; null: it documents none. */
  codePull: "open" | "merged" | "closed" | "unread" | null;
}

/** Something that the agent can mend. */
export type News =
  | { type: "check"; id: string; check: Check }
  | { type: "build"; id: string; log: string }
  | { type: "review"; id: string; review: Review }
  | { type: "comment"; id: string; comment: OpenComment }
  | { type: "conflict"; id: string };

/** What to do now, and why, as a sentence. */
export type Step =
  | { type: "ended" }
  /** Nothing. */
  | { type: "wait"; why: string }
  | { type: "follow-up"; news: News[] }
  | { type: "merge" }
  | { type: "close"; why: string }
  /** Nothing: a person has to. */
  | { type: "person"; why: string };

export interface Decision {
  step: Step;
  /** Whether its reviewers are reminded. */
  isReminder: boolean;
}
