/**
 * The ledger of changes and batches that upkeep and a queue keep in `ledger.json`: what the next run needs to know.
 * The value is the file: what is read is checked by the schema, and what is written is its JSON, so that the fields of
 * an entry are named in the order of its schema wherever one is made. Times are ISO 8601, by GitHub's clock.
 */

import * as z from "zod/mini";
import { agentTraces, mergedChange } from "../../github/changes/change-details.ts";
import { ledgerFile, link, type Stored } from "../../ledger/file.ts";

/** A task of a queue. */
const task = z.object({
  kind: z.literal("task"),
  /** Its ID. */
  key: z.string(),
  /** The first line of its prompt. */
  title: z.string(),
  /** Its ID is only a hash of its prompt. */
  isPlain: z.boolean(),
});
export type Task = Stored<typeof task>;

/** What is handed over. */
const change = z.discriminatedUnion("kind", [mergedChange, task]);
export type Change = Stored<typeof change>;
const changes = z.array(change);

/** The job for a follow-up, and its docs pull request; null if it opened none. */
const followUp = z.object({ jobId: z.string(), prLink: z.nullable(link) });

/** The batch in which changes were first handed over: all that comes of it counts once for `max-failures`. */
const origin = z.object({
  /** Its ID. */
  id: z.string(),
  /** Whether a part of it came to a good end, so that the rest does not count. */
  hasSucceeded: z.boolean(),
});

/** Changes that wait to be handed over. */
const group = z.object({
  changes,
  /** For a part of a batch, which is handed over by itself; null for new changes, and where a person decided so. */
  origin: z.nullable(origin),
  /** For a change that has a draft, if another head was merged; otherwise null. */
  followUp: z.nullable(followUp),
  /** The number of earlier attempts. */
  attempts: z.number(),
  /** Key of the source that they come from; null for none. */
  source: z.nullable(z.string()),
  /** Whether a release contains them; counts only with `after: release`. */
  isReleased: z.boolean(),
});
export type Group = Stored<typeof group>;

/** A job that accepted a batch. */
const job = z.object({
  id: z.string(),
  acceptedAt: z.string(),
  /** Whether the batch is a follow-up to an existing job. */
  isFollowUp: z.boolean(),
  /** Only for a draft, as soon as it is known. */
  prLink: z.nullable(link),
  /** When a poll first did not find it, since one that did; null for never. */
  missingSince: z.nullable(z.string()),
  /** When a poll first found it completed without a docs pull request, which may come late; null for never. */
  withoutPullSince: z.nullable(z.string()),
  /** Of a follow-up: the docs pull request was merged or closed while the job was running. */
  isTooLate: z.boolean(),
});

const anyBatch = z.object({
  id: z.string(),
  changes,
  origin,
  /** From its group. */
  followUp: z.nullable(followUp),
  /** Whether the job drafted another head than the one that was merged. */
  isOutdated: z.boolean(),
  /** The number of attempts for its changes, including this one. */
  attempt: z.number(),
  /** When its intent was written. */
  at: z.string(),
});

/** Written before the request goes out. */
const intended = z.extend(anyBatch, {
  state: z.literal("intended"),
  /** The job for a follow-up; null for a new one. */
  sentTo: z.nullable(z.string()),
});

/** The service accepted the request. */
const running = z.extend(anyBatch, { state: z.literal("running"), job });
export type RunningBatch = Stored<typeof running>;

/** The service may have received the request. */
const uncertain = z.extend(anyBatch, {
  state: z.literal("uncertain"),
  reason: z.discriminatedUnion("code", [
    /** `words`: of whoever answered. */
    z.object({ code: z.literal("unanswered"), words: z.string() }),
    z.object({ code: z.literal("run-ended") }),
  ]),
});

/** It is not handed over again automatically. */
const failed = z.extend(anyBatch, {
  state: z.literal("failed"),
  /** Null if the service refused the request, or none was made. */
  job: z.nullable(job),
  reason: z.discriminatedUnion("code", [
    z.object({ code: z.literal("job-failed"), jobId: z.string() }),
    /** The service does not know the job, so it is unknown what became of it. */
    z.object({ code: z.literal("job-unknown"), jobId: z.string() }),
    /** The job was archived, and has no docs pull request. */
    z.object({ code: z.literal("archived"), jobId: z.string() }),
    /** The job ended with a docs pull request whose link is not safe to show. */
    z.object({ code: z.literal("hidden-pull"), jobId: z.string() }),
    /** The docs pull request was merged or closed before the agent was done. */
    z.object({ code: z.literal("ended-early"), jobId: z.string() }),
    /** The docs pull request was closed without merging, by `land` or a bot; `by`: its login, or `land`. */
    z.object({ code: z.literal("docs-pull-closed"), prLink: link, by: z.string() }),
    /** Of an entry that stands for a docs pull request in review, which GitHub has failed to show since a time. */
    z.object({ code: z.literal("docs-pull-unread"), prLink: link, since: z.string() }),
    /** The service refused the content, with these words. */
    z.object({ code: z.literal("refused"), words: z.string() }),
    /** It was not handed over, because it could not be read for too long. `words`: why. */
    z.object({ code: z.literal("unreadable"), words: z.string() }),
  ]),
});

/** A draft whose job is done. Other batches are removed then. */
const done = z.extend(anyBatch, { state: z.literal("done"), job });

/** The changes that one request hands to the agent. */
const batch = z.discriminatedUnion("state", [intended, running, uncertain, failed]);
export type Batch = Stored<typeof batch>;
export type FailedBatch = Extract<Batch, { readonly state: "failed" }>;

/** The same for an open pull request, with the drafted head as `sha` of its only change. */
const draft = z.discriminatedUnion("state", [intended, running, uncertain, failed, done]);
export type Draft = Stored<typeof draft>;

/** A job that a person no longer waited for. It is polled on: a docs pull request that it opens is in review. */
const followedJob = z.object({
  /** Of its batch. */
  id: z.string(),
  changes,
  attempt: z.number(),
  job,
  /** What the person decided, and when. */
  decision: z.enum(["again", "left"]),
  since: z.string(),
});
export type FollowedJob = Stored<typeof followedJob>;

/** A docs pull request that is open, and the changes that it documents. */
const inReview = z.object({
  prLink: link,
  jobId: z.string(),
  changes,
  /** Changes that it documents, too, and that count elsewhere: a person had them handed over again. */
  others: changes,
  /** When its job first came to its end. */
  endedAt: z.string(),
  /** Since when it cannot be read, and whether GitHub fails in passing; null if it can be read. */
  unread: z.nullable(z.object({ since: z.string(), isPassing: z.boolean() })),
  /** Whether its job failed on a follow-up, so that the next batch starts another job. */
  isClosedToBatches: z.boolean(),
});
export type InReview = Stored<typeof inReview>;

/** How a docs pull request ended. `unread`: it could not be read. */
const reviewEnd = z.object({ result: z.enum(["merged", "closed", "unread"]), prLink: link });

/** How a batch without a docs pull request ended. `none`: nothing had to change. `left`: a person left it. */
const otherEnd = z.object({ result: z.enum(["none", "left"]), prLink: z.null() });
export type DocsEnd = Stored<typeof reviewEnd> | Stored<typeof otherEnd>;

/** Some of the changes that ended, and the number of the others. */
const endedChanges = { changes, more: z.number() };

/** Changes whose docs pull request has ended, as the dashboard shows them. */
const reviewed = z.extend(reviewEnd, endedChanges);
export type Reviewed = Stored<typeof reviewed>;

/** A finished batch, as the dashboard shows it. */
const finished = z.discriminatedUnion("result", [reviewed, z.extend(otherEnd, endedChanges)]);
export type Finished = Stored<typeof finished>;

/** A branch in which changes are found. */
const source = z.object({
  /** Of the repository. */
  id: z.number(),
  repository: z.string(),
  branch: z.string(),
  /** Everything up to this commit is decided; null if nothing is. */
  sha: z.nullable(z.string()),
  /** Where to continue if GitHub no longer has the commit. */
  date: z.string(),
  /** The commit up to which it is read, while it has more than one run can read; null for its tip. */
  target: z.nullable(z.string()),
  /** The time of the last read, if runs cannot read all sources; otherwise null. */
  readAt: z.nullable(z.string()),
  /** Whether its history was ever rewritten, so that any merge can bring old commits back. */
  wasRewritten: z.boolean(),
  /** The newest release, and the branch's tip, that its waiting changes were compared with; null for none. */
  release: z.nullable(z.string()),
});
export type Source = Stored<typeof source>;

const passedOver = z.object({
  change: mergedChange,
  reason: z.discriminatedUnion("code", [
    z.object({ code: z.literal("label"), label: z.string() }),
    z.object({ code: z.literal("author"), author: z.string() }),
    /** It has none of `only-labels`. */
    z.object({ code: z.literal("no-label") }),
    z.object({ code: z.literal("no-files") }),
    /** None of its files matches `paths`. */
    z.object({ code: z.literal("no-path") }),
    z.object({ code: z.literal("by-agent") }),
    /** It is the commit with this SHA, from before the branch was rewritten. */
    z.object({ code: z.literal("same-commit"), sha: z.string() }),
    /** Another change reverted it while it waited. */
    z.object({ code: z.literal("reverted"), by: z.string() }),
    /** It reverted a change that waited. */
    z.object({ code: z.literal("reverts"), place: z.string() }),
    /** The branch, which was rewritten, no longer has it. */
    z.object({ code: z.literal("rewritten"), branch: z.string() }),
  ]),
});
export type PassedOver = Stored<typeof passedOver>;

/** What waits because it could not be read, and since when. */
const unread = z.object({
  /** Lines of `repositories`. `reason`: the end of a sentence. */
  sources: z.array(z.object({ source: z.string(), since: z.string(), reason: z.string() })),
  /** Waiting changes, by their keys. */
  changes: z.array(z.object({ key: z.string(), since: z.string() })),
  /** Keys of the changes that a person wants handed over with what can be read of them. */
  accepted: z.array(z.string()),
});

/** The workflow job that keeps the ledger. */
const ownerWorkflow = z.object({
  /** Path of its file; null if it is not known. */
  workflow: z.nullable(z.string()),
  /** Its name in the file; null if it is not known. */
  job: z.nullable(z.string()),
  /** The commit at which its file was read last; null if it was not. */
  commit: z.nullable(z.string()),
  /** A hash of the file there; null if it is not known. */
  digest: z.nullable(z.string()),
  /** Its filters as the file gives them, by their inputs, without those at their defaults. */
  filters: z.record(z.string(), z.string()),
});
export type OwnerWorkflow = Stored<typeof ownerWorkflow>;

const dashboard = z.discriminatedUnion("type", [
  z.object({ type: z.literal("none") }),
  /** Before this time, only the run that claimed it opens it. */
  z.object({ type: z.literal("claimed"), by: z.string(), until: z.string() }),
  /** GitHub refused it; before this time, no run tries again. */
  z.object({ type: z.literal("refused"), until: z.string() }),
  z.object({ type: z.literal("open"), number: z.number() }),
]);

/** A merged pull request that needs a comment about its docs pull request; null if none was needed. */
const pendingComment = z.object({
  change,
  prLink: z.nullable(link),
  job: z.string(),
  /** The run that is about to write it, and since when; null for none. */
  claim: z.nullable(z.object({ id: z.string(), at: z.string() })),
  /** How many earlier runs may have written it. */
  tries: z.number(),
  /** In how many runs the token was not allowed to write it. */
  refusals: z.number(),
});
export type PendingComment = Stored<typeof pendingComment>;

/** Something that came to nothing. */
const failure = z.object({
  /** The batch that it is from, or the run that was lost: each counts once. */
  cause: z.string(),
  /** `unknown`: what became of it is not known. */
  how: z.enum(["failed", "refused", "unknown"]),
  /** Null if none accepted it, or that is not known. */
  jobId: z.nullable(z.string()),
});

/** Why nothing more is handed over until a person goes on. `id`: for the box that does so. */
const halt = z.object({ id: z.string(), inRow: z.array(failure) });
export type Halt = Stored<typeof halt>;

const failures = z.object({
  /** What came to nothing since something came to a good end. */
  inRow: z.array(failure),
  /** Null if nothing holds the changes back. */
  halt: z.nullable(halt),
});

export const ledgerSchema = z.extend(ledgerFile, {
  /** Null for a queue, and before the first write. */
  ownerWorkflow: z.nullable(ownerWorkflow),
  dashboard,
  /** Which bot closed the dashboard last, so that it was opened again; null for none. */
  closedByBot: z.nullable(z.object({ by: z.string(), at: z.nullable(z.string()) })),
  sources: z.array(source),
  waiting: z.array(group),
  /** Open batches, oldest first. */
  batches: z.array(batch),
  reviews: z.array(inReview),
  /** Oldest first. */
  followed: z.array(followedJob),
  /** The drafts of open pull requests, oldest first. The merge turns a draft into a batch, unless it failed. */
  drafts: z.array(draft),
  /** The newest first. */
  done: z.array(finished),
  /** The newest first. */
  passedOver: z.array(passedOver),
  /** How many waiting changes of repositories that are no longer read were passed over, the newest first. */
  noLongerRead: z.array(z.object({ at: z.string(), count: z.number() })),
  unread,
  /** How many changes were finished, and how, by the day on which they landed (`2026-11-22`). */
  days: z.record(
    z.string(),
    /** `unseen`: their docs pull request cannot be read. */
    z.object({ documented: z.number(), not: z.number(), unseen: z.number() }),
  ),
  /** When requests went out, or may have, in the last 24 hours. */
  starts: z.array(z.object({ batch: z.string(), at: z.string() })),
  /** How many requests went out, or may have, by day, for the cost of 30 days. */
  requests: z.record(z.string(), z.number()),
  failures,
  /** Since when the service's hourly limit has let nothing through; null if it did. */
  limitedSince: z.nullable(z.string()),
  /** Jobs that accept no message for now, and since when. */
  busyJobs: z.array(z.object({ jobId: z.string(), since: z.string() })),
  /** The last runs by hand whose answers in `decisions` counted. */
  answeredRuns: z.array(z.string()),
  pendingComments: z.array(pendingComment),
  /** Pull requests and branches of the agent, the newest last. */
  agent: agentTraces,
  /** Hashes of the keys of all finished tasks. */
  ended: z.array(z.string()),
});
export type Ledger = Stored<typeof ledgerSchema>;

/** A line of a history file: a finished batch. */
export const historyLine = z.object({
  batch: z.string(),
  at: z.string(),
  /**
   * `again`: a person had its changes handed over again. `left`: a person decided to leave it. `late`: after such a
   * decision, its job opened a docs pull request.
   */
  state: z.enum(["done", "failed", "again", "left", "late"]),
  jobId: z.nullable(z.string()),
  prLink: z.nullable(z.string()),
  attempt: z.number(),
  changes,
});
export type HistoryLine = Stored<typeof historyLine>;

/** The ID of a batch's job; null if none has accepted it. */
export function jobIdOf(batch: Draft): string | null {
  return "job" in batch ? (batch.job?.id ?? null) : null;
}
