/** Takes out what was reverted while it still waited, and says of other reverts what they revert. */

import type { Change, Group, Ledger, PassedOver } from "../batches/model/ledger.ts";
import { type BatchRevision, passOver } from "../batches/model/revision.ts";
import { isAcceptedUnread } from "../batches/model/unread.ts";
import {
  changePlace,
  type MergedChange,
  type Reverted,
  repositoryIdIn,
} from "../github/changes/change-details.ts";
import { isRevertOf } from "../github/changes/reverts.ts";
import { withFields } from "../ledger/file.ts";
import { type Fact, known, mapFact } from "../runtime/fact.ts";
import type { UpkeepInputs } from "./inputs.ts";
import type { SourceReads } from "./source-reader.ts";

/**
 * Passes over each revert and what it reverts, if both still wait and were never handed over; the newest first, so that
 * the revert of a revert brings the first back.
 *
 * @param names present names of the repositories, by their IDs
 * @returns also the keys of changes that may be reverted, which could not be read
 */
export async function takeReverts(
  begun: BatchRevision,
  reads: Pick<SourceReads, "files">,
  { after }: Pick<UpkeepInputs, "after">,
  names: ReadonlyMap<number, string>,
): Promise<{ revision: BatchRevision; unread: ReadonlySet<string> }> {
  let revision = begun;
  const unread = new Set<string>();
  // Whether a release contains what was passed over is not known.
  const filtered = after === "release" ? [] : filteredReverts(begun.ledger);
  for (const revert of [...filtered, ...newWaiting(begun.ledger).reverse()]) {
    const isFiltered = filtered.includes(revert);
    // A revert of it may have taken it out.
    if (!isFiltered && !newWaiting(revision.ledger).includes(revert)) continue;
    if (revert.reverts === null) continue;
    const waiting = newWaiting(revision.ledger).find((change) => isMeantBy(revert, change));
    const target = waiting ?? (isFiltered ? undefined : formerRevert(revision.ledger, revert));
    if (target === undefined) continue;
    const isReverted = await isRevert(revert, target, reads, names);
    if (isReverted.type !== "known") {
      if (!isAcceptedUnread(begun.ledger, target)) unread.add(target.key);
    } else if (isReverted.value) {
      const restored = waiting === undefined ? bringBack(revision, target, revert) : revision;
      const by = { code: "reverted", by: changePlace(revert) } as const;
      const reverts = { code: "reverts", place: changePlace(target) } as const;
      revision = passOver(restored, [
        ...(waiting === undefined ? [] : [{ change: target, reason: by }]),
        ...(isFiltered ? [] : [{ change: revert, reason: reverts }]),
      ]);
    }
  }
  return { revision, unread };
}

/** Reverts that a filter excluded: what they revert is not in the branch any more all the same. */
function filteredReverts({ passedOver }: Ledger): MergedChange[] {
  return passedOver
    .filter(({ reason }) => ["label", "author", "no-label"].includes(reason.code))
    .map(({ change }) => change);
}

/** The revert that another one reverts, which took out a change in an earlier run. */
function formerRevert({ passedOver }: Ledger, revert: MergedChange): MergedChange | undefined {
  const former = passedOver.find(
    ({ change, reason }) => reason.code === "reverts" && isMeantBy(revert, change),
  );
  return former?.change;
}

/** The released changes that wait and were never handed over, in their order. */
function newWaiting({ waiting }: Ledger): MergedChange[] {
  return waiting
    .filter(({ attempts, followUp, isReleased }) => isReleased && attempts === 0 && !followUp)
    .flatMap(({ changes }) => changes)
    .filter((change) => change.kind === "change");
}

/** Whether a change is the one that another reverts, by its number or its commit. */
function isMeantBy({ reverts }: MergedChange, { key, sha }: MergedChange): boolean {
  return reverts === key || reverts === `${key.replace(/[#@].*/, "")}@${sha}`;
}

async function isRevert(
  revert: MergedChange,
  target: MergedChange,
  reads: Pick<SourceReads, "files">,
  names: ReadonlyMap<number, string>,
): Promise<Fact<boolean>> {
  const name = names.get(repositoryIdIn(target.key) ?? 0);
  // Neither of them is handed over then.
  if (name === undefined) return known(false);
  const of = await reads.files(revert, name);
  if (of.type !== "known") return of.type === "absent" ? known(false) : of;
  const isOfCommitInPull = target.number !== null && revert.reverts !== target.key;
  const before = await reads.files(target, name);
  if (before.type === "absent") return known(false);
  return mapFact(before, (files) => isRevertOf(of.value, files, isOfCommitInPull));
}

/** Lets the change wait that a revert had taken out, which is now reverted itself. */
function bringBack(
  revision: BatchRevision,
  revert: MergedChange,
  again: MergedChange,
): BatchRevision {
  const { waiting, passedOver } = revision.ledger;
  const isFirst = ({ change, reason }: PassedOver) =>
    reason.code === "reverted" && reason.by === changePlace(revert) && isMeantBy(revert, change);
  const first = passedOver.find(isFirst);
  const group = waiting.find(({ changes }) => changes.includes(again));
  if (first === undefined || group === undefined) return revision;
  const back: Group = { ...group, changes: [first.change] };
  return withFields(
    revision,
    {
      // In the place of the one that brings it back.
      waiting: waiting.flatMap((other) => (other === group ? [back, group] : [other])),
      passedOver: passedOver.filter((entry) => entry !== first),
    },
    `Let ${changePlace(first.change)} wait again`,
  );
}

/** What the prompt says of a revert: what was reverted, and where that was documented; null for no revert. */
export async function revertedBy(
  change: MergedChange,
  ledger: Ledger,
  handedOver: SourceReads["handedOver"],
): Promise<Reverted | null> {
  const { reverts, repository } = change;
  if (reverts === null) return null;
  const place = placeOf(reverts, repository);
  const isMeant = (other: Change) => other.kind === "change" && isMeantBy(change, other);
  const held = [
    ...ledger.waiting,
    ...ledger.passedOver.map((entry) => ({ changes: [entry.change] })),
  ];
  if (held.some(({ changes }) => changes.some(isMeant))) return { place, docs: null };
  const documents = [...ledger.reviews, ...ledger.done].find(({ changes }) =>
    changes.some(isMeant),
  );
  if (documents !== undefined) return { place, docs: { prLink: documents.prLink } };
  const isAtWork = ledger.batches.some(({ changes }) => changes.some(isMeant));
  return { place, docs: isAtWork ? { prLink: null } : await handedOver(reverts) };
}

function placeOf(key: string, repository: string): string {
  const [, sign = "", name = ""] = /^\d+([#@])(.*)$/.exec(key) ?? [];
  return `${repository}${sign}${sign === "@" ? name.slice(0, 7) : name}`;
}
