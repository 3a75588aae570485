/** The file `ledger.json` of land: what the next run needs to know. Times are ISO 8601, by GitHub's clock. */

import * as z from "zod/mini";
import {
  FileEdit,
  type LedgerFormat,
  type LedgerIdentity,
  timeText,
} from "../ledger/model/file.ts";
import { mergedChange } from "../ledger/model/ledger.ts";

/** A follow-up that went to the job of a docs pull request. */
const followUp = z.object({
  at: z.string(),
  /** What it was about, in words of the action's own. */
  about: z.string(),
  /** The head that it was about. */
  head: z.string(),
  /** The service may not have received it. */
  isUncertain: z.boolean(),
});

/** What a run is about to do. Until it is over, no other run touches the docs pull request. */
const intent = z.object({
  run: z.string(),
  at: z.string(),
  /** The follow-up that it sends; null: none. */
  followUp: z.nullable(
    z.object({ about: z.string(), head: z.string(), news: z.array(z.string()) }),
  ),
});

const preview = z.object({
  head: z.string(),
  statusId: z.string(),
  url: z.string(),
  state: z.enum(["building", "built", "failed", "refused"]),
  /** The end of the log of a build that failed; why a preview was refused. */
  log: z.string(),
});

/** An open docs pull request. */
const entry = z.object({
  url: z.string(),
  jobId: z.string(),
  /** The merged changes that it documents. */
  changes: z.array(mergedChange),
  /** Where the job was asked for; empty: in a ledger. */
  askedAt: z.string(),
  /** The code pull request whose draft it documents, as long as that is open; empty for none. */
  codePull: z.string(),
  /** When it was opened; empty: it has not been read yet. */
  openedAt: z.string(),
  head: z.string(),
  /** When a run first saw it, and first saw its head. */
  foundAt: z.string(),
  headAt: z.string(),
  /** Since when it cannot be read; empty: it can. */
  unreadFrom: z.string(),
  /** E-mail address of the author of its first commit when it was first read: the agent. */
  agent: z.string(),
  isEditedByOthers: z.boolean(),
  /** Whether labels, assignees and reviewers were set. */
  isSetUp: z.boolean(),
  /** Who was asked for a review. */
  asked: z.array(z.string()),
  comment: z.nullable(z.object({ id: z.number(), digest: z.string() })),
  preview: z.nullable(preview),
  followUps: z.array(followUp),
  /** What the follow-ups told of: IDs of checks, reviews and comments. What is gone may come back. */
  sent: z.array(z.string()),
  /** The job takes no follow-ups. */
  isClosedToFollowUps: z.boolean(),
  isReminded: z.boolean(),
  /** What it needs a person for, as the last warning said it; empty: nothing. */
  needs: z.string(),
  intent: z.nullable(intent),
});

/** A docs pull request that was merged or closed. */
const ended = z.object({
  ...{ url: z.string(), state: z.enum(["merged", "closed"]), openedAt: z.string() },
  ...{ endedAt: z.string(), isEditedByOthers: z.boolean(), changes: z.number() },
  /** When each went out. */
  followUps: z.array(z.string()),
});

const ledger = z.object({
  ...{ version: z.literal(1), action: z.string(), project: z.string(), writes: z.number() },
  historyFiles: z.array(z.string()),
  /** The commits at which the other ledgers were read, by their refs. */
  ledgers: z.record(z.string(), z.string()),
  /** Status comments that were written before are known. */
  commentsFrom: z.string(),
  /** Jobs of status comments that have opened no pull request yet, where and when they were asked for. */
  jobs: z.array(z.object({ id: z.string(), askedAt: z.string(), at: z.string() })),
  open: z.array(entry),
  /** Those of the last 31 days, and the last ten, oldest first. */
  ended: z.array(ended),
});

export type Entry = z.infer<typeof entry>;
export type Ended = z.infer<typeof ended>;
export type Preview = z.infer<typeof preview>;
export type LandLedger = z.infer<typeof ledger>;

export function landFormat({ action, project }: LedgerIdentity): LedgerFormat<LandLedger> {
  return {
    begin: {
      ...{ version: 1, action, project, writes: 0, historyFiles: [], ledgers: {} },
      ...{ commentsFrom: "", jobs: [], open: [], ended: [] },
    },
    schema: ledger,
  };
}

/** What is known of a docs pull request before it is read. */
export type KnownPull = Pick<Entry, "url" | "jobId" | "changes" | "askedAt" | "codePull">;

export function newEntry(known: KnownPull, now: number): Entry {
  const at = timeText(now);
  return {
    ...known,
    ...{ openedAt: "", head: "", foundAt: at, headAt: at, unreadFrom: "" },
    ...{ agent: "", isEditedByOthers: false, isSetUp: false, asked: [], comment: null },
    ...{ preview: null, followUps: [], sent: [] },
    ...{ isClosedToFollowUps: false, isReminded: false, needs: "", intent: null },
  };
}

/** Land's ledger, and what a run changes in it. */
export class LandEdit extends FileEdit<LandLedger, Ended> {
  entry(url: string): Entry | undefined {
    return this.ledger.open.find((it) => it.url === url);
  }

  changeEntry(url: string, fields: Partial<Entry>, event = ""): void {
    const { open } = this.ledger;
    this.change({ open: open.map((it) => (it.url === url ? { ...it, ...fields } : it)) }, event);
  }
}
