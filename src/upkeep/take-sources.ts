/** Takes what each source gained into the ledger, and what is no longer read out of it. */

import type { Source } from "../batches/model/ledger.ts";
import { sourceKey } from "../batches/model/names.ts";
import type { BatchRevision } from "../batches/model/revision.ts";
import { hideChanges, noteUnreadSources } from "../batches/model/unread.ts";
import { repositoryIdIn } from "../github/changes/change-details.ts";
import type { BranchPlace } from "../github/changes/history-records.ts";
import { type Unread, whyUnknown } from "../runtime/fact.ts";
import { lineOf, type SourceRepository, type UpkeepInputs } from "./inputs.ts";
import { dropUnread } from "./left-sources.ts";
import { nameOfReleases, type WaitingSource } from "./releases.ts";
import type { SourceReads } from "./source-reader.ts";
import {
  inReadingOrder,
  knownSource,
  noteReads,
  releaseAll,
  takeRelease,
  takeSource,
  waitingForRelease,
} from "./sources.ts";

/** Minimum number of requests to read what one source gained. */
const LEAST = 4;

/** The sources as a run found them. */
export interface TakenSources {
  readonly revision: BatchRevision;
  /** Present names of the repositories whose changes may be shown, by their IDs. */
  readonly names: ReadonlyMap<number, string>;
  /** Those that could not be read. */
  readonly unread: readonly { readonly wanted: SourceRepository; readonly unread: Unread }[];
  /** Those that fewer people can read, or may, than what shows their changes. */
  readonly hidden: readonly {
    readonly wanted: SourceRepository;
    readonly id: number;
    readonly isCertain: boolean;
  }[];
  /** Names of the repositories that gained more commits than one run can read. */
  readonly unfinished: readonly string[];
  /** How many more runs it takes to read all that moved; null for none. */
  readonly runsLeft: number | null;
}

interface Found {
  readonly wanted: SourceRepository;
  readonly place: BranchPlace;
}

/** Takes what each source gained. One that cannot be read does not stop the others. */
export async function takeSources(
  settled: BatchRevision,
  reads: SourceReads,
  inputs: UpkeepInputs,
): Promise<TakenSources> {
  const { found, hidden, unread, late } = await findPlaces(settled, reads, inputs);
  const taken = await takeEach(releaseAll(settled, inputs), found, reads, inputs);
  const released = await takeReleases(taken.revision, taken.read, reads, inputs);
  const notYet = [...late, ...taken.notYet, ...released.notYet];
  const failed = [...unread, ...taken.unread, ...released.unread];
  const open = [...failed, ...hidden].map(({ wanted }) => wanted);
  // What was read in part goes on in the next run.
  const left = notYet.length + taken.unfinished.length;
  const isHidden = hiddenIds(released.revision, hidden, unread);
  // What waits is passed over only for what is known: a visibility that GitHub does not say may be another one again.
  const certain = hidden.filter(({ isCertain }) => isCertain);
  const kept = dropUnread(released.revision, {
    found: found.map(({ place }) => place),
    hidden: certain.map(({ id }) => id),
    open: [...open, ...notYet].filter((wanted) => !certain.some((one) => one.wanted === wanted)),
  });
  const noted = noteUnreadSources(
    hideChanges(kept, ({ key }) => isHidden.has(repositoryIdIn(key) ?? 0)),
    failed.map(({ wanted, unread: { reason } }) => ({ source: lineOf(wanted), reason })),
  );
  return {
    // The time of the last read matters only if a run cannot read all sources.
    revision:
      left > 0
        ? noteReads(
            noted,
            taken.read.map(({ place }) => place),
          )
        : noted,
    names: new Map(found.map(({ place }) => [place.repository.id, place.repository.fullName])),
    unread: failed,
    hidden,
    unfinished: taken.unfinished,
    runsLeft: left === 0 ? null : Math.ceil(left / Math.max(1, taken.moved)),
  };
}

/** `late`: those that the run's requests were not enough for. */
async function findPlaces({ ledger }: BatchRevision, reads: SourceReads, inputs: UpkeepInputs) {
  const found: Found[] = [];
  const hidden: TakenSources["hidden"][number][] = [];
  const unread: TakenSources["unread"][number][] = [];
  const late: SourceRepository[] = [];
  for (const wanted of inReadingOrder(inputs.repositories, ledger)) {
    const place = await reads.place(wanted);
    if (place.type === "known") found.push({ wanted, place: place.value });
    else if (place.type === "hidden") hidden.push({ wanted, ...place });
    else if (place.cause === "incomplete") late.push(wanted);
    else unread.push({ wanted, unread: place });
  }
  return { found, hidden, unread, late };
}

/** `moved`: how many of those that were read had gained something, or were new. */
async function takeEach(
  begun: BatchRevision,
  found: readonly Found[],
  reads: SourceReads,
  inputs: UpkeepInputs,
) {
  let revision = begun;
  const read: Found[] = [];
  const unread: TakenSources["unread"][number][] = [];
  const notYet: SourceRepository[] = [];
  const unfinished: string[] = [];
  let moved = 0;
  for (const { wanted, place } of found) {
    const isMoved = hasMoved(revision, place);
    if (isMoved && reads.readsLeft() < LEAST) {
      notYet.push(wanted);
      continue;
    }
    const fact = await reads.source(wanted, place, revision);
    if (fact.type !== "known") {
      unread.push({ wanted, unread: unreadOf(fact) });
      continue;
    }
    if (isMoved) moved += 1;
    read.push({ wanted, place });
    revision = takeSource(revision, fact.value, inputs);
    const isCut = reads.readsLeft() <= 0 && hasMoved(revision, place);
    if (fact.value.target !== null || isCut) unfinished.push(place.repository.fullName);
  }
  return { revision, read, unread, notYet, unfinished, moved };
}

function hasMoved({ ledger }: BatchRevision, { repository, branch, head }: BranchPlace): boolean {
  const known = knownSource(ledger, repository.id, branch);
  return known === null || known.sha !== head || known.target !== null;
}

/** Releases what a release contains of the changes that wait for one. */
async function takeReleases(
  begun: BatchRevision,
  found: readonly Found[],
  reads: SourceReads,
  { after }: UpkeepInputs,
) {
  const unread: TakenSources["unread"][number][] = [];
  const notYet: SourceRepository[] = [];
  let revision = begun;
  if (after === "merge") return { revision, unread, notYet };
  const waiting = found.filter(({ place }) => waitingOf(revision, place) !== null);
  const lists = await Promise.all(
    waiting.map(async ({ wanted, place }) => {
      return { wanted, place, tags: await reads.releaseTags(place) };
    }),
  );
  for (const { wanted, place, tags } of lists) {
    const known = waitingOf(revision, place);
    if (tags.type === "unread") unread.push({ wanted, unread: tags });
    if (tags.type !== "known" || known === null) continue;
    if (nameOfReleases(tags.value, known.waiting) === known.source.release) continue;
    if (reads.readsLeft() < LEAST) {
      notYet.push(wanted);
      continue;
    }
    const fact = await reads.release(place, known.waiting, tags.value);
    if (fact.type === "unread") unread.push({ wanted, unread: fact });
    if (fact.type === "known") revision = takeRelease(revision, known.source, fact.value);
  }
  return { revision, unread, notYet };
}

/** What waits for a release of a source; null for nothing. */
function waitingOf(
  { ledger }: BatchRevision,
  { repository, branch, head }: BranchPlace,
): { source: Source; waiting: WaitingSource } | null {
  const source = knownSource(ledger, repository.id, branch);
  const waiting = source === null ? [] : waitingForRelease(ledger, sourceKey(source));
  if (source === null || waiting.length === 0) return null;
  return { source, waiting: { head, waiting, wasRewritten: source.wasRewritten } };
}

/**
 * The repositories whose changes are not named: those that fewer people can read, and those that GitHub does not show
 * any more, which may be such. A branch that is gone, or what fails in any other way, says nothing about who can read.
 *
 * @param lost those that were not found
 */
function hiddenIds(
  { ledger }: BatchRevision,
  hidden: TakenSources["hidden"],
  lost: TakenSources["unread"],
): ReadonlySet<number> {
  const gone = lost.filter(({ unread }) => unread.status === 404);
  const isGone = ({ repository }: Source) =>
    gone.some(({ wanted }) => wanted.repository.toLowerCase() === repository.toLowerCase());
  return new Set([...hidden, ...ledger.sources.filter(isGone)].map(({ id }) => id));
}

function unreadOf(fact: { readonly type: "absent" } | Unread): Unread {
  if (fact.type === "unread") return fact;
  const reason = whyUnknown(fact);
  return { type: "unread", cause: "refused", reason, isPassing: false, status: null };
}
