/** What could not be read: since when a source or a change waits for that, and what nobody reads any more. */

import { withFields } from "../../ledger/file.ts";
import type { Unread } from "../../runtime/fact.ts";
import { counted } from "../../text/sentence.ts";
import { isOverdue } from "../waits.ts";
import type { Change, Group, Ledger } from "./ledger.ts";
import { namesOf, without } from "./names.ts";
import { type BatchRevision, timeOf, withEvent } from "./revision.ts";

/** How many entries about repositories that are no longer read are kept. */
const MOST_DROPPED = 20;

/** Notes the sources that this run could not read, each since the first run that could not. */
export function noteUnreadSources(
  revision: BatchRevision,
  found: readonly { source: string; reason: string }[],
): BatchRevision {
  const { sources: before } = revision.ledger.unread;
  const sources = found.map(({ source, reason }) => {
    return (
      before.find((entry) => entry.source === source) ?? { source, since: timeOf(revision), reason }
    );
  });
  return withUnread(revision, { sources });
}

/** The sources that nobody could read for so long that a person has to see to it. */
export function sourcesToSee(revision: BatchRevision): Ledger["unread"]["sources"] {
  return revision.ledger.unread.sources.filter(({ since }) =>
    isOverdue("source-unread", since, revision),
  );
}

/** Whether a group waits because one of its changes could not be read. */
export function isHeldUnread({ unread }: Ledger, { changes }: Group): boolean {
  return changes.some(({ key }) => unread.changes.some((entry) => entry.key === key));
}

/** A revision in which every change may be read again. */
export function ignoringUnread(revision: BatchRevision): BatchRevision {
  return withUnread(revision, { changes: [] });
}

/** Whether a person wants a change handed over with what can be read of it. */
export function isAcceptedUnread({ unread }: Ledger, { key }: Change): boolean {
  return unread.accepted.includes(key);
}

/** Notes that a person wants changes handed over with what can be read of them. */
export function acceptUnread(revision: BatchRevision, changes: readonly Change[]): BatchRevision {
  const { accepted } = revision.ledger.unread;
  return withUnread(revision, { accepted: [...accepted, ...changes.map(({ key }) => key)] });
}

/**
 * Notes which of the waiting changes that a run looked at could not be read. What could not be read for too long needs
 * a decision, with the group that it waits in.
 *
 * @param nameOf names a new entry
 */
export function noteUnreadChanges(
  revision: BatchRevision,
  looked: readonly { readonly change: Change; readonly unread: Unread | null }[],
  nameOf: (nth: number) => string,
): BatchRevision {
  const { changes: before, accepted } = revision.ledger.unread;
  const keys = new Set(looked.map(({ change }) => change.key));
  const known = new Map(before.map(({ key, since }) => [key, since]));
  const failed = looked.flatMap(({ change: { key }, unread }) => {
    if (unread === null) return [];
    return { key, since: known.get(key) ?? timeOf(revision), words: unread.reason };
  });
  const others = before.filter(({ key }) => !keys.has(key));
  const isWaiting = ({ key }: { key: string }) =>
    revision.ledger.waiting.some(({ changes }) => changes.some((change) => change.key === key));
  const changes = [...others, ...failed.map(({ key, since }) => ({ key, since }))];
  const kept = [...revision.ledger.waiting, ...revision.ledger.batches].flatMap((entry) =>
    entry.changes.map(({ key }) => key),
  );
  const noted = withUnread(revision, {
    changes: changes.filter(isWaiting),
    accepted: accepted.filter((key) => kept.includes(key)),
  });
  return failed
    .filter(({ since }) => isOverdue("change-unread", since, revision))
    .reduce((from, { key, words }, nth) => askAbout(from, key, words, nameOf(nth)), noted);
}

/** Lets a person decide about the group that a change waits in. */
function askAbout(revision: BatchRevision, key: string, words: string, id: string): BatchRevision {
  const { waiting, batches } = revision.ledger;
  const group = waiting.find(({ changes }) => changes.some((change) => change.key === key));
  if (group === undefined) return revision;
  const { changes, followUp, attempts: attempt } = group;
  const origin = group.origin ?? { id, hasSucceeded: false };
  const asked: Ledger["batches"][number] = {
    id,
    changes,
    origin,
    followUp,
    isOutdated: false,
    attempt,
    at: timeOf(revision),
    state: "failed",
    job: null,
    reason: { code: "unreadable", words },
  };
  const fields = {
    waiting: waiting.filter((other) => other !== group),
    batches: [...batches, asked],
  };
  const event = `Ask about ${namesOf(changes)}, which could not be read`;
  const { changes: noted } = revision.ledger.unread;
  const own = new Set(changes.map((change) => change.key));
  return withUnread(withFields(revision, fields, event), {
    changes: noted.filter((entry) => !own.has(entry.key)),
  });
}

/** Passes over waiting changes of repositories that are no longer read, without naming them. */
export function dropWaiting(
  revision: BatchRevision,
  isDropped: (group: Group, change: Change) => boolean,
): BatchRevision {
  const { waiting, noLongerRead } = revision.ledger;
  const keys = waiting.flatMap((group) =>
    group.changes.filter((change) => isDropped(group, change)).map(({ key }) => key),
  );
  if (keys.length === 0) return revision;
  const entry = { at: timeOf(revision), count: keys.length };
  const fields = {
    waiting: without(waiting, new Set(keys)),
    noLongerRead: [entry, ...noLongerRead].slice(0, MOST_DROPPED),
  };
  const event = `Pass over ${counted(keys.length, "change")} of repositories that are no longer read`;
  return withEvent(withFields(revision, fields), event);
}

/** Takes what others wrote from the changes of repositories that fewer people may read than the ledger. */
export function hideChanges(
  revision: BatchRevision,
  isHidden: (change: Change) => boolean,
): BatchRevision {
  const { waiting, batches, drafts, reviews, followed, done, passedOver, pendingComments } =
    revision.ledger;
  const hidden = <C extends Change>(change: C): C =>
    isHidden(change) ? { ...change, title: "", url: "", author: "" } : change;
  const inEach = <E extends { readonly changes: readonly Change[] }>(entries: readonly E[]) =>
    entries.map((entry) => ({ ...entry, changes: entry.changes.map(hidden) }));
  return {
    ...withFields(revision, {
      waiting: inEach(waiting),
      batches: inEach(batches),
      drafts: inEach(drafts),
      reviews: inEach(reviews).map((entry) => ({ ...entry, others: entry.others.map(hidden) })),
      followed: inEach(followed),
      done: inEach(done),
      passedOver: passedOver.filter(({ change }) => !isHidden(change)),
      pendingComments: pendingComments.map((entry) => ({
        ...entry,
        change: hidden(entry.change),
      })),
    }),
    history: inEach(revision.history),
    newlyDone: inEach(revision.newlyDone),
  };
}

function withUnread(revision: BatchRevision, fields: Partial<Ledger["unread"]>): BatchRevision {
  return withFields(revision, { unread: { ...revision.ledger.unread, ...fields } });
}
