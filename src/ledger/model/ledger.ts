/** The file `ledger.json`: what the next run of an action needs to know. Times are ISO 8601, by GitHub's clock. */

import * as z from "zod/mini";
import {
  fieldsOf,
  type LedgerFormat,
  type LedgerIdentity,
  ledgerFile,
  parseLedger,
} from "./file.ts";

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

/** What is handed over. */
export const change = z.discriminatedUnion("kind", [mergedChange, task]);
const changes = z.array(change);

/** The job for a follow-up, and its docs pull request; null if it opened none. */
const followUp = z.object({ jobId: z.string(), prLink: z.nullable(z.string()) });

/** Changes that wait to be handed over together. */
const group = z.object({
  changes,
  /** Set for a change that has a draft, if another head was merged. */
  followUp: z.optional(followUp),
  /** The number of earlier attempts. */
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
 * - `done`: only for a draft. Other batches are removed when they are done.
 */
const batchState = z.enum(["intended", "running", "uncertain", "failed", "done"]);

/** The changes that one request hands to the agent. */
const batch = z.object({
  id: z.string(),
  state: batchState,
  changes,
  /** From its group. */
  followUp: z.optional(followUp),
  /** Whether the job drafted another head than the one that was merged. */
  isOutdated: z.optional(z.boolean()),
  /** The number of attempts for its changes, including this one. */
  attempt: z.number(),
  /** When its intent was written. */
  at: z.string(),
  /** When the service accepted it; null if that is not known. */
  acceptedAt: z.nullable(z.string()),
  jobId: z.nullable(z.string()),
  /** Whether the batch is a follow-up to an existing job. */
  isFollowUp: z.boolean(),
  /** Only for a draft, as soon as it is known. */
  prLink: z.nullable(z.string()),
  /** Why it needs a decision; otherwise empty. */
  why: z.string(),
  /** The number of consecutive runs in which the service did not know the job. */
  unknown: z.number(),
  /** Of a follow-up: the docs pull request was merged or closed while its job was running. */
  isTooLate: z.optional(z.boolean()),
});

/** A docs pull request that is open, and the changes that it documents. */
const review = z.object({
  prLink: z.string(),
  jobId: z.string(),
  changes,
  /** The number of consecutive runs in which it could not be read. */
  unread: z.number(),
  /** Whether its job failed on a follow-up, so that the next batch starts another job. */
  isClosedToBatches: z.boolean(),
});

/** A finished batch, as the dashboard shows it. */
const done = z.object({
  /** `none`: nothing had to change. `unread`: the docs pull request could not be read. */
  result: z.enum(["merged", "closed", "none", "left", "unread"]),
  prLink: z.nullable(z.string()),
  changes,
  /** The number of its other changes. */
  more: z.number(),
});

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
  /** The time of the last read; empty if it was never read. */
  readAt: z.string(),
  /** Whether its history was ever rewritten, so that any merge can bring old commits back. */
  wasRewritten: z.boolean(),
  /** The newest release that its waiting changes were compared with; empty for none. */
  release: z.string(),
});

/** Pull requests and branches of the agent, the newest last. */
const agent = z.object({ links: z.array(z.string()), branches: z.array(z.string()) });

const passedOver = z.object({ change: mergedChange, why: z.string() });

const ledger = z.extend(ledgerFile, {
  /** The workflow file that writes it, and a hash of its filters. */
  keeper: z.object({ workflow: z.string(), run: z.string(), filters: z.string() }),
  /** `until`: before this time, only the run that claimed the dashboard opens it. */
  dashboard: z.object({ number: z.nullable(z.number()), claim: z.string(), until: z.string() }),
  sources: z.array(source),
  waiting: z.array(group),
  /** Open batches, oldest first. */
  batches: z.array(batch),
  reviews: z.array(review),
  /**
   * The drafts of open pull requests, oldest first, with the drafted head as `sha`. The merge turns a draft into a batch,
   * unless it failed.
   */
  drafts: z.array(batch),
  /** The newest first. */
  done: z.array(done),
  /** The newest first. */
  passedOver: z.array(passedOver),
  /** How many changes were finished, and how, by the day on which they landed (`2026-11-22`). */
  days: z.record(z.string(), z.object({ documented: z.number(), not: z.number() })),
  /** When requests went out, or may have, in the last 24 hours. */
  starts: z.array(z.object({ batch: z.string(), at: z.string() })),
  /** Merged pull requests that need a comment about their docs pull request. */
  untold: z.array(z.object({ change, prLink: z.nullable(z.string()), job: z.string() })),
  agent,
  /** For a queue: hashes of the keys of all finished tasks. */
  ended: z.array(z.string()),
});

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
  const begin: Ledger = {
    version: 1,
    ...identity,
    writes: 0,
    historyFiles: [],
    keeper: { workflow: "", run: "", filters: "" },
    dashboard: { number: null, claim: "", until: "" },
    sources: [],
    waiting: [],
    batches: [],
    reviews: [],
    drafts: [],
    done: [],
    passedOver: [],
    days: {},
    starts: [],
    untold: [],
    agent: { links: [], branches: [] },
    ended: [],
  };
  return { begin, schema: ledger };
}

/** The agent's pull requests and branches in a ledger of any action or version. */
export function parseAgent(text: string): Ledger["agent"] {
  const { data } = z.object({ agent }).safeParse(fieldsOf(text));
  return data?.agent ?? { links: [], branches: [] };
}

/**
 * The open docs pull requests in another action's ledger, if it belongs to this project. `codePull`: the pull request that
 * it drafts; empty for none.
 */
export function parseDocsPulls(text: string | null, project: string) {
  const action = String(fieldsOf(text ?? "").action);
  const parsed = parseLedger(text, batchFormat({ action, project }));
  if (!("ledger" in parsed)) return [];
  const { reviews, drafts } = parsed.ledger;
  const drafted = drafts.flatMap(({ changes, jobId, prLink }) => {
    const [change] = changes;
    if (jobId === null || prLink === null || change?.kind !== "change") return [];
    return [{ prLink, jobId, changes, codePull: change.url }];
  });
  return [...drafted, ...reviews.map((review) => ({ ...review, codePull: "" }))];
}

/** A line of a history file: a finished batch. */
export interface HistoryLine extends Pick<Batch, "jobId" | "prLink" | "attempt" | "changes"> {
  batch: string;
  at: string;
  /** `again`: a person had its changes handed over again. `left`: a person decided to leave it. */
  state: "done" | "failed" | "again" | "left";
}

/** The lines of a file in `history/`. An unreadable line is ignored. */
export function parseHistory(text: string): HistoryLine[] {
  return text.split("\n").flatMap((line) => {
    const value = fieldsOf(line);
    // A schema would take longer than all else in a run of a queue that has worked through hundreds of tasks.
    const isLine =
      Array.isArray(value.changes) && value.changes.every((it) => typeof it?.key === "string");
    return isLine ? [value as unknown as HistoryLine] : [];
  });
}
