/** The file `ledger.json`: what the next run of an action needs to know. Times are ISO 8601, by GitHub's clock. */

import * as z from "zod/mini";
import type { MergedChange } from "../../github/change-details.ts";
import { type LedgerFormat, type LedgerIdentity, parseJson, parseLedger } from "./file.ts";

/** A `MergedChange`. */
export const mergedChange = z.object({
  ...{ kind: z.literal("change"), key: z.string(), title: z.string(), url: z.string() },
  ...{ repository: z.string(), number: z.nullable(z.number()), sha: z.string() },
  ...{ author: z.string(), landedAt: z.string() },
});

/** A task of a queue. */
const task = z.object({
  kind: z.literal("task"),
  key: z.string(),
  /** The first line of its prompt. */
  title: z.string(),
  id: z.string(),
  /** Its ID is only a hash of its prompt. */
  isPlain: z.boolean(),
});

/** What is handed over. */
export const change = z.discriminatedUnion("kind", [mergedChange, task]);

/** A job that a change goes to as a follow-up, and its docs pull request; null: it opened none. */
const followUp = z.object({ jobId: z.string(), prLink: z.nullable(z.string()) });

/** Changes that wait to be handed over together. */
const group = z.object({
  changes: z.array(change),
  /** Of a change whose draft the gate asked for, if another head was merged. */
  followUp: z.optional(followUp),
  /** How often they were handed over before. */
  attempts: z.number(),
  /** Key of the source that they come from; empty for none. */
  source: z.string(),
  /** Whether a release contains them; counts only with `after: release`. */
  isReleased: z.boolean(),
});

/**
 * - `intended`: written before the request goes out
 * - `running`: the service took the request
 * - `uncertain`: the service may have received it
 * - `failed`: it is not handed over again automatically
 * - `done`: only of a draft. Other batches that are done are no longer among the open ones.
 */
const batchState = z.enum(["intended", "running", "uncertain", "failed", "done"]);

/** The changes that one request hands to the agent. */
const batch = z.object({
  id: z.string(),
  state: batchState,
  changes: z.array(change),
  /** As of the group that it was. */
  followUp: z.optional(followUp),
  /**
   * A pull request that the gate has documented before its merge, with the head that was drafted as `sha`. The
   * merge makes it a batch like any other, unless it failed.
   */
  isDraft: z.optional(z.boolean()),
  /** The job works on a draft of another head than the one that was merged. */
  isOutdated: z.optional(z.boolean()),
  /** How often its changes have been handed over, this time included. */
  attempt: z.number(),
  /** When its intent was written. */
  at: z.string(),
  /** When the service took it; null: not known to have. */
  acceptedAt: z.nullable(z.string()),
  jobId: z.nullable(z.string()),
  /** Whether the job was there before: the batch went to it as a follow-up. */
  isFollowUp: z.boolean(),
  /** Of a draft: as soon as it is known. */
  prLink: z.nullable(z.string()),
  /** Why it needs a decision; else empty. */
  why: z.string(),
  /** In how many runs, one after the other, the service has not known the job. */
  unknown: z.number(),
  /** Of a follow-up: the docs pull request was merged or closed while its job was running. */
  isTooLate: z.optional(z.boolean()),
});

/** A docs pull request that is open, and the changes that it documents. */
const review = z.object({
  prLink: z.string(),
  jobId: z.string(),
  changes: z.array(change),
  at: z.string(),
  /** In how many runs, one after the other, it could not be read. */
  unread: z.number(),
  /** Its job failed on a follow-up: the next batch starts another. */
  isClosedToBatches: z.boolean(),
});

/** A finished batch, as the dashboard shows it. */
const done = z.object({
  /** `none`: nothing had to change. `unread`: nobody could read what became of the docs pull request. */
  result: z.enum(["merged", "closed", "none", "left", "unread"]),
  prLink: z.nullable(z.string()),
  changes: z.array(change),
  /** How many changes it has beside those. */
  more: z.number(),
});

/** A branch in which changes are found. */
const source = z.object({
  /** Of the repository. */
  id: z.number(),
  repository: z.string(),
  branch: z.string(),
  /** All up to this commit is decided; null: nothing of the branch is. */
  sha: z.nullable(z.string()),
  /** Where to go on if GitHub no longer has the commit. */
  date: z.string(),
  /** When it was read last; empty: never. */
  readAt: z.string(),
  /** Its history was rewritten once: what it had before can come back with any merge. */
  wasRewritten: z.boolean(),
  /** The newest release that its waiting changes were compared with; empty: none. */
  release: z.string(),
});

/** Pull requests and branches of the agent, the newest last. */
const agent = z.object({ links: z.array(z.string()), branches: z.array(z.string()) });

const passedOver = z.object({ change: mergedChange, why: z.string() });

const ledger = z.object({
  version: z.literal(1),
  action: z.string(),
  /** The beginning of the SHA-256 of the project's ID. */
  project: z.string(),
  /** How often it was written. */
  writes: z.number(),
  /** The workflow file that keeps it, and a hash of the filters with which it does. */
  keeper: z.object({ workflow: z.string(), run: z.string(), filters: z.string() }),
  /** `until`: nobody but the run that claimed it opens a dashboard before. */
  dashboard: z.object({ number: z.nullable(z.number()), claim: z.string(), until: z.string() }),
  sources: z.array(source),
  waiting: z.array(group),
  /** Those that are not at their end, oldest first. */
  batches: z.array(batch),
  reviews: z.array(review),
  /** Oldest first. A ledger from before there were drafts has none. */
  drafts: z._default(z.array(batch), []),
  /** The newest first. */
  done: z.array(done),
  /** The newest first. */
  passedOver: z.array(passedOver),
  /** How many changes were finished, and how, by the day on which they landed (`2026-11-22`). */
  days: z.record(z.string(), z.object({ documented: z.number(), not: z.number() })),
  /** When requests went out, or may have, in the last 24 hours. */
  starts: z.array(z.object({ batch: z.string(), at: z.string() })),
  /** Merged pull requests that are to be told of their docs pull request. */
  untold: z.array(z.object({ change, prLink: z.nullable(z.string()), job: z.string() })),
  agent,
  /** Of a queue: hashes of the keys of all tasks at their end. */
  ended: z.array(z.string()),
  /** Paths of the files in `history/`, oldest first. */
  historyFiles: z.array(z.string()),
});

export type { MergedChange };
export type Task = z.infer<typeof task>;
export type Change = z.infer<typeof change>;
export type Group = z.infer<typeof group>;
export type Batch = z.infer<typeof batch>;
export type FollowUp = z.infer<typeof followUp>;
export type Review = z.infer<typeof review>;
export type Done = z.infer<typeof done>;
export type Source = z.infer<typeof source>;
export type PassedOver = z.infer<typeof passedOver>;
export type Ledger = z.infer<typeof ledger>;

/** The ledger of changes and batches that upkeep and the queue keep. */
export function batchFormat(identity: LedgerIdentity): LedgerFormat<Ledger> {
  return { begin: beginLedger(identity), schema: ledger };
}

export function beginLedger({ action, project }: LedgerIdentity): Ledger {
  return {
    ...{ version: 1, action, project, writes: 0 },
    keeper: { workflow: "", run: "", filters: "" },
    dashboard: { number: null, claim: "", until: "" },
    ...{ sources: [], waiting: [], batches: [], reviews: [], drafts: [], done: [], passedOver: [] },
    ...{ days: {}, starts: [], untold: [], agent: { links: [], branches: [] } },
    ...{ ended: [], historyFiles: [] },
  };
}

/** What another action's ledger, or another version's, knows of the agent. */
export function parseAgent(text: string): Ledger["agent"] {
  const { data } = z.object({ agent }).safeParse(parseJson(text));
  return data?.agent ?? { links: [], branches: [] };
}

/** A docs pull request, and what it documents. `codePull` is the pull request that it drafts; empty for none. */
export type DocsPullRequest = Pick<Review, "prLink" | "jobId" | "changes"> & { codePull: string };

/** The docs pull requests that another action's ledger knows to be open, if it is of this project. */
export function parseDocsPulls(text: string | null, project: string): DocsPullRequest[] {
  const action = String(parseJson(text ?? "")?.action);
  if (action !== "upkeep" && action !== "queue") return [];
  const parsed = parseLedger(text, batchFormat({ action, project }));
  if (!("ledger" in parsed)) return [];
  const { reviews, drafts } = parsed.ledger;
  const drafted = drafts.flatMap(({ changes, jobId, prLink }) => {
    const [change] = changes;
    return jobId === null || prLink === null || change?.kind !== "change"
      ? []
      : [{ prLink, jobId, changes, codePull: change.url }];
  });
  return [...drafted, ...reviews.map((it) => ({ ...it, codePull: "" }))];
}

/** A line of a history file: a finished batch. */
export interface HistoryLine extends Pick<Batch, "jobId" | "prLink" | "attempt" | "changes"> {
  batch: string;
  at: string;
  /** `again`: a person had its changes handed over again. `left`: a person decided to leave it. */
  state: "done" | "failed" | "again" | "left";
}

/** The lines of a file in `history/`. One that cannot be read is passed over. */
export function parseHistory(text: string): HistoryLine[] {
  return text.split("\n").flatMap((line) => {
    const value = parseJson(line);
    const { success } = z.array(change).safeParse(value?.changes);
    return success ? [value as unknown as HistoryLine] : [];
  });
}
