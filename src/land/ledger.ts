/**
 * What land knows about docs pull requests, in `ledger.json`. The value is the file: what is read is checked by the
 * schema, and what is written is its JSON. Times are ISO 8601, by GitHub's clock.
 */

import * as z from "zod/mini";
import { mergedChange } from "../github/changes/change-details.ts";
import { type LedgerFormat, ledgerFile, link, type Stored, timeText } from "../ledger/file.ts";
import { PROBLEM_TYPES } from "./reason-kinds.ts";
import { reasonCode, reasonSchema } from "./reasons.ts";

/** How many problems there are, by their types. */
const problemCounts = z.partialRecord(z.enum(PROBLEM_TYPES), z.number());

/** A follow-up that went to the job of a docs pull request. */
const sentFollowUp = z.object({
  at: z.string(),
  /** Its problems. */
  about: problemCounts,
  /** The head with these problems. */
  head: z.string(),
  /** Whether the service may not have received it. */
  isUncertain: z.boolean(),
});

/** A follow-up that a run is about to send. */
const intendedFollowUp = z.object({
  about: problemCounts,
  head: z.string(),
  /** IDs of its problems. */
  problems: z.array(z.string()),
});

/** What a run is about to do. Until it is done, no other run acts on the docs pull request. */
const intent = z.object({
  /** The name of the decision that it follows from: no other decision of any run has it. */
  decision: z.string(),
  at: z.string(),
  /** Null for none, and as soon as its result is recorded. */
  followUp: z.nullable(intendedFollowUp),
  /** A hash of what GitHub's refusal of a merge or closing may depend on; null for other acts. */
  circumstances: z.nullable(z.string()),
});

/** A merge or closing that GitHub refused. */
const refused = z.object({
  act: z.enum(["merge", "close"]),
  at: z.string(),
  /** A hash of what was read then. */
  circumstances: z.string(),
  /** Whether it is about the pull request, and not about the token or the request. */
  isOfState: z.boolean(),
  reason: reasonSchema,
});

/** A preview of a head. The log of a build is in no ledger: who sees the ledger may not be allowed to see it. */
const preview = z.discriminatedUnion("state", [
  z.object({
    head: z.string(),
    state: z.enum(["building", "built", "failed"]),
    statusId: z.string(),
    /** Null if the service names no address. */
    url: z.nullable(z.string()),
  }),
  /** The service builds none of this head. `words`: its own. */
  z.object({ head: z.string(), state: z.literal("refused"), words: z.string() }),
  /** The service no longer knows the build. */
  z.object({ head: z.string(), state: z.literal("forgotten") }),
]);
export type Preview = Stored<typeof preview>;

/** An open docs pull request. */
const entry = z.object({
  url: link,
  /** Its repository's ID, which stays when that is renamed or transferred; null if not known. */
  repositoryId: z.nullable(z.int()),
  jobId: z.string(),
  /** Since when the service does not know its job; null if it does. */
  jobMissingSince: z.nullable(z.string()),
  /** The merged changes that it documents. */
  changes: z.array(mergedChange),
  /** Link to the comment in which the job was requested; null for a job from a ledger. */
  askedAt: z.nullable(link),
  /**
   * The code pull request for which it is a draft, until upkeep's ledger says that it has landed; null for none.
   * `branch`: the one that upkeep reads; null if not known.
   */
  codePull: z.nullable(z.object({ url: z.string(), branch: z.nullable(z.string()) })),
  /** What was read of it last; null if it was not read yet. `openedAt`: when it was opened. */
  lastRead: z.nullable(z.object({ openedAt: z.string(), head: z.string() })),
  /** When a run first saw it, and first saw its head. */
  foundAt: z.string(),
  headAt: z.string(),
  /** What it waits for, and since when; null if something is done about it. */
  waiting: z.nullable(z.object({ code: reasonCode, from: z.string() })),
  /** A time before which it counts as active, because it did not wait for people; null for none. */
  idleFrom: z.nullable(z.string()),
  /** E-mail address of the author of its first commit when it was first read: the agent. Null if not known. */
  agent: z.nullable(z.string()),
  isEditedByOthers: z.boolean(),
  /** Whether labels, assignees and reviewers were set. */
  isSetUp: z.boolean(),
  /** The reviewers. */
  asked: z.array(z.string()),
  /** Hash of the text of its comment; null if it has none. */
  comment: z.nullable(z.object({ digest: z.string() })),
  preview: z.nullable(preview),
  followUps: z.array(sentFollowUp),
  /** IDs of the checks, reviews and comments in follow-ups, even if they are gone: they may come back. */
  sent: z.array(z.string()),
  /** Whether the job accepts no follow-ups. */
  isClosedToFollowUps: z.boolean(),
  /** Whether GitHub refused a comment because its conversation is locked, and it still is. */
  isClosedToComments: z.boolean(),
  /** The last merge or closing that GitHub refused; null for none. */
  refused: z.nullable(refused),
  isReminded: z.boolean(),
  /** Why land closes it, until the comment that says so is written; null if it does not. */
  closing: z.nullable(reasonSchema),
  /** Whether somebody has reopened it. */
  isReopened: z.boolean(),
  /** The heads from which GitHub was asked to bring its branch up to date with the base. `headAt`: as above. */
  updated: z.array(z.object({ head: z.string(), headAt: z.string() })),
  /** The head that was put into the merge queue last; null for none. */
  queued: z.nullable(z.string()),
  /** Why it needs a person, as in the last warning; null if it does not. */
  needs: z.nullable(reasonSchema),
  intent: z.nullable(intent),
});
export type PullEntry = Stored<typeof entry>;

/** A docs pull request that was merged or closed, also as a line of the history. */
const ended = z.object({
  url: link,
  state: z.enum(["merged", "closed"]),
  /** Whether land merged or closed it. */
  isByLand: z.boolean(),
  openedAt: z.nullable(z.string()),
  endedAt: z.string(),
  isEditedByOthers: z.boolean(),
  /** How many changes it documents. */
  changes: z.number(),
  /** The time of each. */
  followUps: z.array(z.string()),
});
export type Ended = Stored<typeof ended>;

/** What a run is about to do about a build. Until it is done, no other run starts one for the same merge. */
const buildIntent = z.object({ decision: z.string(), at: z.string() });

/** A merge that no build of the documentation was started for, although `deploy` asked for one. */
const unbuiltMerge = z.object({
  /** The docs pull request. */
  url: link,
  /** How often a build was asked for in vain. */
  tries: z.number(),
  /** Null if no run is about to start a build. */
  intent: z.nullable(buildIntent),
});

/** The job of a status comment. */
const askedJob = z.object({
  id: z.string(),
  /** Link to the comment; null if it is not safe to show. */
  askedAt: z.nullable(link),
  /** When the comment was last edited. */
  at: z.string(),
  /** When a poll first did not find it, since one that did; null for never. */
  missingSince: z.nullable(z.string()),
  /** When a poll first found it at its end without a docs pull request; null for never. */
  withoutPullSince: z.nullable(z.string()),
});
export type AskedJob = Stored<typeof askedJob>;

/** How many requests a ledger's actions sent to the agent, by day. */
const dailyRequests = z.record(z.string(), z.number());

const landLedger = z.extend(ledgerFile, {
  /** The commits at which other ledgers were read, by ref. */
  ledgers: z.record(z.string(), z.string()),
  /** The requests of these ledgers, by ref. */
  requests: z.record(z.string(), dailyRequests),
  /** All status comments before this time were read; null before the first run. */
  commentsFrom: z.nullable(z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text))))),
  /** Those that have not opened a pull request yet. */
  jobs: z.array(askedJob),
  open: z.array(entry),
  /** Those of the last 31 days, and at least ten, oldest first. */
  ended: z.array(ended),
  /** The newest of them that were closed, oldest first: they are looked after again once they are reopened. */
  closed: z.array(z.object({ at: z.string(), entry })),
  unbuilt: z.array(unbuiltMerge),
});
export type LandLedger = Stored<typeof landLedger>;

export function landFormat(project: string): LedgerFormat<LandLedger> {
  const begin: LandLedger = {
    version: 1,
    action: "land",
    project,
    writes: 0,
    historyFiles: [],
    ledgers: {},
    requests: {},
    commentsFrom: null,
    jobs: [],
    open: [],
    ended: [],
    closed: [],
    unbuilt: [],
  };
  return { begin, schema: landLedger, recent: (ledger) => ledger };
}

/** The facts about a docs pull request before it is read, as its entry has them. */
export interface FoundPull {
  readonly url: string;
  readonly jobId: string;
  readonly changes: PullEntry["changes"];
  readonly askedAt: string | null;
  readonly codePull: PullEntry["codePull"];
}

/** @param now GitHub's time, in milliseconds since 1970 */
export function newEntry(
  { url, jobId, changes, askedAt, codePull }: FoundPull,
  now: number,
): PullEntry {
  const at = timeText(now);
  return {
    url,
    repositoryId: null,
    jobId,
    jobMissingSince: null,
    changes,
    askedAt,
    codePull,
    lastRead: null,
    foundAt: at,
    headAt: at,
    waiting: null,
    idleFrom: null,
    agent: null,
    isEditedByOthers: false,
    isSetUp: false,
    asked: [],
    comment: null,
    preview: null,
    followUps: [],
    sent: [],
    isClosedToFollowUps: false,
    isClosedToComments: false,
    refused: null,
    isReminded: false,
    closing: null,
    isReopened: false,
    updated: [],
    queued: null,
    needs: null,
    intent: null,
  };
}
