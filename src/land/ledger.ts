/** The file `ledger.json` of land, and what happens to docs pull requests in it. Times are ISO 8601, by GitHub's clock. */

import * as z from "zod/mini";
import type { DocsPull } from "../github/changes/docs-pull.ts";
import type { Sent } from "../job/send.ts";
import { FileEdit, type LedgerFormat, ledgerFile, timeText } from "../ledger/model/file.ts";
import { mergedChange } from "../ledger/model/ledger.ts";
import { INTENT_LIFETIME } from "../ledger/model/ledger-edit.ts";
import { DAY } from "../runtime/clock.ts";

/** How long ended docs pull requests are kept, in milliseconds, and how many at least. */
const ENDED_KEPT = 31 * DAY;
const LEAST_ENDED = 10;
/** How long an unreadable docs pull request is kept, in milliseconds. */
const UNREAD_KEPT = 30 * DAY;

const text = z._default(z.string(), "");
const flag = z._default(z.boolean(), false);

/** A follow-up that went to the job of a docs pull request. */
const followUp = z.object({
  at: z.string(),
  /** Its problems, in the action's words. */
  about: z.string(),
  /** The head with these problems. */
  head: z.string(),
  /** Whether the service may not have received it. */
  isUncertain: z.boolean(),
});

/** The intent of a run. Until the run ends, no other run acts on the docs pull request. */
const intent = z.object({
  run: z.string(),
  at: z.string(),
  /** The follow-up that it sends; null for none. */
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
  /** The comment in which the job was requested; empty for a job from a ledger. */
  askedAt: z.string(),
  /** The code pull request for which it is a draft; empty for none. */
  codePull: z.string(),
  /** When it was opened; empty if it was not read yet. */
  openedAt: text,
  head: text,
  /** When a run first saw it, and first saw its head. */
  foundAt: z.string(),
  headAt: z.string(),
  /** Since when it cannot be read; empty if it can. */
  unreadFrom: text,
  /** E-mail address of the author of its first commit when it was first read: the agent. */
  agent: text,
  isEditedByOthers: flag,
  /** Whether labels, assignees and reviewers were set. */
  isSetUp: flag,
  /** The reviewers. */
  asked: z._default(z.array(z.string()), []),
  /** The state of its comment. */
  comment: z._default(z.nullable(z.object({ digest: z.string() })), null),
  preview: z._default(z.nullable(preview), null),
  followUps: z._default(z.array(followUp), []),
  /** IDs of the checks, reviews and comments in follow-ups, even if they are gone: they may come back. */
  sent: z._default(z.array(z.string()), []),
  /** Whether the job accepts no follow-ups. */
  isClosedToFollowUps: flag,
  isReminded: flag,
  /** Why it needs a person, as in the last warning; empty if it does not. */
  needs: text,
  intent: z._default(z.nullable(intent), null),
});

/** A docs pull request that was merged or closed. */
const ended = z.object({
  url: z.string(),
  state: z.enum(["merged", "closed"]),
  openedAt: z.string(),
  endedAt: z.string(),
  isEditedByOthers: z.boolean(),
  changes: z.number(),
  /** The time of each. */
  followUps: z.array(z.string()),
});

const ledger = z.extend(ledgerFile, {
  /** The commits at which other ledgers were read, by ref. */
  ledgers: z.record(z.string(), z.string()),
  /** All status comments before this time were read. */
  commentsFrom: z.string(),
  /** Jobs of status comments that have not opened a pull request yet, with the comment and its time. */
  jobs: z.array(z.object({ id: z.string(), askedAt: z.string(), at: z.string() })),
  open: z.array(entry),
  /** Those of the last 31 days, and at least ten, oldest first. */
  ended: z.array(ended),
});

export type Entry = z.infer<typeof entry>;
export type Ended = z.infer<typeof ended>;
export type Preview = z.infer<typeof preview>;
export type LandLedger = z.infer<typeof ledger>;

export function landFormat(project: string): LedgerFormat<LandLedger> {
  return {
    begin: {
      version: 1,
      action: "land",
      project,
      writes: 0,
      historyFiles: [],
      ledgers: {},
      commentsFrom: "",
      jobs: [],
      open: [],
      ended: [],
    },
    schema: ledger,
  };
}

/** The facts about a docs pull request before it is read. */
type FoundPull = Pick<Entry, "url" | "jobId" | "changes" | "askedAt" | "codePull">;

export function newEntry(found: FoundPull, now: number): Entry {
  const at = timeText(now);
  return entry.parse({ ...found, foundAt: at, headAt: at });
}

/** What a run did about a docs pull request. Plain data, for the post step, too. */
export interface Result {
  url: string;
  ended?: "merged" | "closed";
  /** Whether the follow-up of the intent was sent. */
  sent: Sent["type"];
  /** The other fields that changed. */
  entry: Partial<Entry>;
}

/** An entry after its intent: with the follow-up, if it was or may have been sent, and the fields that changed. */
export function afterRun(entry: Entry, { sent, entry: fields }: Omit<Result, "url">): Entry {
  const { intent, followUps } = entry;
  const after = { ...entry, ...fields, intent: null };
  if (!intent?.followUp || sent === "withdrawn") return after;
  const { news, ...facts } = intent.followUp;
  const followUp = { at: intent.at, ...facts, isUncertain: sent === "uncertain" };
  return { ...after, followUps: [...followUps, followUp], sent: [...entry.sent, ...news] };
}

/** Land's ledger, and a run's changes to it. Entries are changed in place. */
export class LandEdit extends FileEdit<LandLedger, Ended> {
  /** Adds a docs pull request that was found, unless it has ended. A ledger's facts about it take precedence. */
  add(found: FoundPull): void {
    const { open, ended } = this.ledger;
    const { url, jobId, changes, codePull } = found;
    const before = open.find((pull) => pull.url === url);
    if (before !== undefined && changes.length > 0) {
      Object.assign(before, { jobId, changes, codePull });
    } else if (before === undefined && ended.every((pull) => pull.url !== url)) {
      this.change({ open: [...open, newEntry(found, this.now)] }, `Found ${url}`);
    }
  }

  /** Records what was read about a docs pull request; null if it cannot be read. */
  takeRead(entry: Entry, pull: DocsPull | null): void {
    if (pull === null) {
      entry.unreadFrom ||= this.time;
      const open = this.ledger.open.filter((one) => one !== entry);
      const isOld = this.now - Date.parse(entry.unreadFrom) >= UNREAD_KEPT;
      if (isOld) this.change({ open }, `Give up ${entry.url}, which cannot be read`);
      return;
    }
    const agent = entry.agent || pull.firstAuthor;
    if (entry.head !== pull.head) entry.headAt = entry.head === "" ? entry.foundAt : this.time;
    Object.assign(entry, {
      head: pull.head,
      openedAt: pull.createdAt,
      unreadFrom: "",
      agent,
      // If the first commit has another author now, the branch was force-pushed.
      isEditedByOthers: pull.isEditedByOthers || pull.firstAuthor !== agent,
    });
  }

  /** Records the intent of a run. @param news IDs of the problems in its follow-up; empty for none */
  intend(entry: Entry, run: string, about: string, news: string[]): void {
    const { url, head } = entry;
    const followUp = news.length === 0 ? null : { about, head, news };
    entry.intent = { run, at: this.time, followUp };
    this.events.push(followUp ? `Tell the agent of ${about}: ${url}` : `Look after ${url}`);
  }

  /** Records what a run did about the docs pull requests for which it had an intent. */
  takeResults(run: string, results: readonly Result[]): void {
    for (const result of results) {
      const entry = this.ledger.open.find(({ url }) => url === result.url);
      if (entry?.intent?.run !== run) continue;
      this.#endIntent(entry, result);
      if (result.ended !== undefined) this.end(entry, result.ended);
    }
  }

  /** Ends the intents of dead runs. Their follow-ups may have been sent, so they count as sent. */
  ageIntents(): void {
    for (const entry of this.ledger.open) {
      const isDead = entry.intent && this.now - Date.parse(entry.intent.at) >= INTENT_LIFETIME;
      if (isDead) this.#endIntent(entry, { sent: "uncertain", entry: {} });
    }
  }

  #endIntent(entry: Entry, result: Omit<Result, "url">): void {
    const { length } = entry.followUps;
    Object.assign(entry, afterRun(entry, result));
    if (entry.followUps.length === length) return;
    const told = result.sent === "uncertain" ? "may have been" : "was";
    this.events.push(`The agent ${told} told: ${entry.url}`);
  }

  /** Moves a docs pull request that was merged or closed to the ended ones. */
  end(entry: Entry, state: Ended["state"], endedAt = this.time): void {
    const { url, openedAt, isEditedByOthers } = entry;
    const followUps = entry.followUps.map(({ at }) => at);
    const changes = entry.changes.length;
    const line = { url, state, openedAt, endedAt, isEditedByOthers, changes, followUps };
    const all = [...this.ledger.ended.filter((pull) => pull.url !== url), line];
    const isKept = (pull: Ended, at: number) =>
      this.now - Date.parse(pull.endedAt) < ENDED_KEPT || at >= all.length - LEAST_ENDED;
    this.history.push(line);
    const open = this.ledger.open.filter((pull) => pull !== entry);
    const event = `${state === "merged" ? "Merged" : "Closed"}: ${url}`;
    this.change({ open, ended: all.filter(isKept) }, event);
  }
}
