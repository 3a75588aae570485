/** The schema of `ledger.json`, as upkeep and a queue write it. */

import * as z from "zod/mini";
import { ledgerFile, link } from "../../ledger/file.ts";

/** A `MergedChange`. */
export const mergedChange = z.object({
  kind: z.literal("change"),
  key: z.string(),
  title: z.string(),
  url: z.string(),
  repository: z.string(),
  number: z.nullable(z.number()),
  sha: z.string(),
  author: z.string(),
  landedAt: z.string(),
});

const task = z.object({
  kind: z.literal("task"),
  key: z.string(),
  title: z.string(),
  isPlain: z.boolean(),
});

const change = z.discriminatedUnion("kind", [mergedChange, task]);
export const changes = z.array(change);
const followUp = z.object({ jobId: z.string(), prLink: z.nullable(link) });

const group = z.object({
  changes,
  followUp: z.optional(followUp),
  attempts: z.number(),
  source: z.string(),
  isReleased: z.boolean(),
});

/** Why it is not known whether the service has received a request. `words`: of whoever answered. */
const uncertainReason = z.discriminatedUnion("code", [
  z.object({ code: z.literal("unanswered"), words: z.string() }),
  z.object({ code: z.literal("run-ended") }),
]);
export type UncertainReason = z.infer<typeof uncertainReason>;

const failedReason = z.discriminatedUnion("code", [
  z.object({ code: z.literal("job-failed"), jobId: z.string() }),
  /** The service does not know the job. */
  z.object({ code: z.literal("job-unknown"), jobId: z.string() }),
  /** The docs pull request was merged or closed before the agent was done. */
  z.object({ code: z.literal("ended-early"), jobId: z.string() }),
  /** The service refused the content, with these words. */
  z.object({ code: z.literal("refused"), words: z.string() }),
]);
export type FailedReason = z.infer<typeof failedReason>;

const passedReason = z.discriminatedUnion("code", [
  z.object({ code: z.literal("label"), label: z.string() }),
  z.object({ code: z.literal("author"), author: z.string() }),
  z.object({ code: z.literal("no-files") }),
  /** None of its files matches `paths`. */
  z.object({ code: z.literal("no-path") }),
  z.object({ code: z.literal("by-agent") }),
  /** It is the commit with this SHA, from before the branch was rewritten. */
  z.object({ code: z.literal("same-commit"), sha: z.string() }),
  /** The branch, which was rewritten, no longer has it. */
  z.object({ code: z.literal("rewritten"), branch: z.string() }),
]);
export type PassedReason = z.infer<typeof passedReason>;

/** All states have all fields. Those that a state does not use are null, empty, 0 or left out. */
const batch = z.object({
  id: z.string(),
  state: z.enum(["intended", "running", "uncertain", "failed"]),
  changes,
  followUp: z.optional(followUp),
  isOutdated: z.optional(z.boolean()),
  attempt: z.number(),
  at: z.string(),
  acceptedAt: z.nullable(z.string()),
  jobId: z.nullable(z.string()),
  isFollowUp: z.boolean(),
  prLink: z.nullable(link),
  /** Null for a state that needs none. */
  reason: z.nullable(z.union([uncertainReason, failedReason])),
  unknown: z.number(),
  isTooLate: z.optional(z.boolean()),
});

const draft = z.extend(batch, {
  state: z.enum(["intended", "running", "uncertain", "failed", "done"]),
});

/** Left out if nothing has failed. */
const failures = z.object({
  jobs: z.number(),
  refusals: z.number(),
  /** `jobId`: of the last failed job; left out after refusals. */
  halt: z.optional(z.object({ id: z.string(), count: z.number(), jobId: z.optional(z.string()) })),
});

export const agentTraces = z.object({ links: z.array(z.string()), branches: z.array(z.string()) });

export const batchLedgerFile = z.extend(ledgerFile, {
  keeper: z.object({ workflow: z.string(), run: z.string(), filters: z.string() }),
  dashboard: z.object({ number: z.nullable(z.number()), claim: z.string(), until: z.string() }),
  sources: z.array(
    z.object({
      id: z.number(),
      repository: z.string(),
      branch: z.string(),
      sha: z.nullable(z.string()),
      date: z.string(),
      target: z.optional(z.string()),
      readAt: z.string(),
      wasRewritten: z.boolean(),
      release: z.string(),
    }),
  ),
  waiting: z.array(group),
  batches: z.array(batch),
  reviews: z.array(
    z.object({
      prLink: link,
      jobId: z.string(),
      changes,
      unread: z.number(),
      isClosedToBatches: z.boolean(),
    }),
  ),
  drafts: z.array(draft),
  done: z.array(
    z.object({
      result: z.enum(["merged", "closed", "none", "left", "unread"]),
      prLink: z.nullable(link),
      changes,
      more: z.number(),
    }),
  ),
  passedOver: z.array(z.object({ change: mergedChange, reason: passedReason })),
  days: z.record(z.string(), z.object({ documented: z.number(), not: z.number() })),
  starts: z.array(z.object({ batch: z.string(), at: z.string() })),
  /** None in ledgers of earlier versions. */
  requests: z._default(z.record(z.string(), z.number()), {}),
  untold: z.array(
    z.object({
      change,
      prLink: z.nullable(link),
      job: z.string(),
      claim: z.optional(z.object({ id: z.string(), at: z.string() })),
      /** Whether a run may have written it. */
      isTried: z.optional(z.boolean()),
      /** In how many runs; left out for one. */
      tries: z.optional(z.number()),
      refusals: z.optional(z.number()),
    }),
  ),
  agent: agentTraces,
  ended: z.array(z.string()),
  failures: z.optional(failures),
});

export type BatchLedgerFile = z.infer<typeof batchLedgerFile>;
export type FailuresFile = z.infer<typeof failures>;
export type BatchFile = z.infer<typeof batch>;
export type DraftFile = z.infer<typeof draft>;
