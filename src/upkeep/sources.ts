/** Records in the ledger what a branch gained. Pure: everything was read before. */

import { takeMerged } from "../batches/model/drafts.ts";
import type { Change, Group, Ledger, PassedOver, Source } from "../batches/model/ledger.ts";
import { namesOf, sourceKey } from "../batches/model/names.ts";
import { type BatchRevision, passOver, releaseGroups, timeOf } from "../batches/model/revision.ts";
import {
  type AgentTraces,
  type MergedChange,
  passedOver,
} from "../github/changes/change-details.ts";
import type { BranchCursor } from "../github/changes/gained-commits.ts";
import type { BranchPlace, RepositoryFacts } from "../github/changes/history-records.ts";
import type { LandedChange } from "../github/changes/landed-changes.ts";
import { isAgents } from "../github/trigger/agents-own.ts";
import { withFields } from "../ledger/file.ts";
import type { SourceRepository, UpkeepInputs } from "./inputs.ts";
import { inLandingOrder } from "./landing-order.ts";

const BY_AGENT = { code: "by-agent" } as const;

/** What a branch has gained. */
export interface BranchGain {
  isRewritten: boolean;
  /** It merged its own past from beside its line, so that a pull request may come in once more. */
  isAside: boolean;
  /** Everything up to this commit is decided. */
  cursor: BranchCursor;
  /** The commit up to which it is read, because one run cannot read all of it; null for its tip. */
  target: string | null;
  /** The changes that landed on it since, oldest first. */
  landed: readonly LandedChange[];
}

/** What was read of a branch. */
export interface SourceFacts extends BranchGain, BranchPlace {
  /** Whether it is read as the default branch, without its name. */
  isDefault: boolean;
  /** The former name of the branch, by which the ledger knows it; null if it knows it by this one, or not. */
  formerBranch: string | null;
  /** Keys of finished changes that may appear again. */
  endedKeys: ReadonlySet<string>;
  /** The agent's traces in other ledgers. */
  otherAgents: AgentTraces;
}

export interface ReleaseFacts {
  /** What was compared: releases, the branch's tip and what waits; null if GitHub did not know all of it. */
  name: string | null;
  /** The waiting changes that are released: their commits. */
  released: ReadonlySet<string>;
  /** Those that neither the release nor the branch contains any more. */
  dropped: ReadonlySet<string>;
}

/** The ledger's entry for a branch; null if it has none. */
export function knownSource({ sources }: Ledger, id: number, branch: string): Source | null {
  return sources.find((source) => source.id === id && source.branch === branch) ?? null;
}

/**
 * The ledger's entries for branches of a repository that the inputs no longer name: one that they newly name may be one
 * of these under another name.
 */
export function leftSources(
  { sources }: Ledger,
  { id, defaultBranch }: RepositoryFacts,
  wanted: readonly SourceRepository[],
): Source[] {
  const isWanted = (known: Source) =>
    wanted.some(
      (other) =>
        isSame(other.repository, known.repository) &&
        (other.branch ?? defaultBranch) === known.branch,
    );
  return sources.filter((source) => source.id === id && !isWanted(source));
}

export function isSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

/** Whether finished changes of a branch may appear again, so that their keys have to be read. */
export function mayRepeat(
  { sources }: Ledger,
  { id }: RepositoryFacts,
  known: Source | null,
): boolean {
  const own = sources.filter((source) => source.id === id);
  const isAlone = known !== null && own.length === 1;
  return !isAlone || known.wasRewritten;
}

/** If `after` was changed, earlier changes no longer wait for a release. */
export function releaseAll(revision: BatchRevision, { after }: UpkeepInputs): BatchRevision {
  return after === "merge" ? releaseGroups(revision, () => true) : revision;
}

/** Those that were read longest ago come first. */
export function inReadingOrder(
  wanted: readonly SourceRepository[],
  { sources }: Ledger,
): SourceRepository[] {
  const isNamed = ({ repository, branch }: Source) =>
    wanted.some((line) => isSame(line.repository, repository) && line.branch === branch);
  // Which branch is the default is not known yet: it is the one that no other line names.
  const isOf = ({ repository, branch }: SourceRepository, source: Source) =>
    isSame(source.repository, repository) &&
    (branch === null ? !isNamed(source) : source.branch === branch);
  const readAt = (line: SourceRepository) => {
    const at = sources.find((source) => isOf(line, source))?.readAt ?? null;
    // An invalid date counts as never, too.
    return at === null ? 0 : Date.parse(at) || 0;
  };
  const timed = wanted.map((line) => ({ line, at: readAt(line) }));
  return timed.toSorted((one, other) => one.at - other.at).map(({ line }) => line);
}

/** Records what a branch gained: as waiting, or as passed over if a filter excludes it. */
export function takeSource(
  revision: BatchRevision,
  facts: SourceFacts,
  inputs: UpkeepInputs,
): BatchRevision {
  const { repository, branch, formerBranch, isRewritten, target, cursor } = facts;
  const known = knownSource(revision.ledger, repository.id, formerBranch ?? branch);
  const begun = known === null ? adopt(revision, facts, inputs) : rename(revision, known, branch);
  const source: Source = {
    id: repository.id,
    repository: repository.fullName,
    branch,
    sha: cursor.sha,
    date: cursor.date,
    target: target === cursor.sha ? null : target,
    readAt: known?.readAt ?? null,
    wasRewritten: (known?.wasRewritten ?? false) || isRewritten,
    release: known?.release ?? null,
  };
  const landed = inLandingOrder(facts.landed, known?.date ?? null, revision);
  return takeLanded(putSource(begun, known, source), source, { ...facts, landed }, inputs);
}

/** The commits of a source's changes that wait for a release. */
export function waitingForRelease({ waiting }: Ledger, source: string): string[] {
  return waiting
    .filter((group) => group.source === source && !group.isReleased)
    .flatMap(({ changes }) => changes)
    .flatMap((change) => (change.kind === "change" ? [change.sha] : []));
}

/**
 * Releases what a release contains. What a rewritten branch no longer has will be in none: if it lands again, it is
 * new.
 */
export function takeRelease(
  revision: BatchRevision,
  known: Source,
  { name, released, dropped }: ReleaseFacts,
): BatchRevision {
  const { branch } = known;
  const source = sourceKey(known);
  const noted = name === null ? revision : putSource(revision, known, { ...known, release: name });
  const isIn = (change: Change) => change.kind === "change" && released.has(change.sha);
  const reason = { code: "rewritten", branch } as const;
  const lost = revision.ledger.waiting
    .filter((group) => group.source === source && !group.isReleased)
    .flatMap(({ changes }) => changes)
    .filter((change) => change.kind === "change")
    .filter(({ sha }) => dropped.has(sha))
    .map((change): PassedOver => ({ change, reason }));
  return releaseGroups(
    passOver(noted, lost),
    (group) => group.source === source && group.changes.every(isIn),
  );
}

/** Another default branch takes over what waits from the one before it. */
function adopt(
  revision: BatchRevision,
  { repository, branch, isDefault }: SourceFacts,
  { repositories }: UpkeepInputs,
): BatchRevision {
  if (!isDefault) return revision;
  const left = leftSources(revision.ledger, repository, repositories);
  return left.reduce((from, known) => rename(from, known, branch), revision);
}

/** Moves what waits from a branch's former name to its new one. */
function rename(revision: BatchRevision, known: Source, branch: string): BatchRevision {
  if (known.branch === branch) return revision;
  const [former, current] = [sourceKey(known), sourceKey({ ...known, branch })];
  const waiting = revision.ledger.waiting.map((group) =>
    group.source === former ? { ...group, source: current } : group,
  );
  const event = `Continue with ${branch} in place of ${known.branch}`;
  return withFields(revision, { waiting }, event);
}

function putSource(revision: BatchRevision, before: Source | null, after: Source): BatchRevision {
  const { sources } = revision.ledger;
  const isBefore = ({ id, branch }: Source) => id === before?.id && branch === before.branch;
  return withFields(revision, {
    sources:
      before === null
        ? [...sources, after]
        : sources.map((source) => (isBefore(source) ? after : source)),
  });
}

function takeLanded(
  begun: BatchRevision,
  source: Source,
  { landed, endedKeys, otherAgents }: SourceFacts,
  inputs: UpkeepInputs,
): BatchRevision {
  if (landed.length === 0) return begun;
  const agents = [begun.ledger.agent, otherAgents];
  const own = begun.ledger.sources.filter(({ id }) => id === source.id);
  const branches = own.map(({ branch }) => branch);
  const keys = new Set([...heldKeys(begun), ...endedKeys]);
  const taken: MergedChange[] = [];
  const passed: PassedOver[] = [];
  let revision = begun;
  for (const { details, pull, former } of landed) {
    const { change } = details;
    const formerKey = former === null ? change.key : `${source.id}@${former}`;
    const anew = landedAnew(revision, formerKey, change);
    if (anew !== null) revision = anew;
    if (anew !== null || keys.has(change.key)) continue;
    keys.add(change.key);
    if (pull !== undefined) {
      const merged = takeMerged(revision, change, pull.head);
      revision = merged.revision;
      if (merged.isTaken) continue;
    }
    const isByAgent = pull && agents.some((agent) => isAgents(pull, agent, branches));
    const excluded = isByAgent ? BY_AGENT : passedOver(details, inputs);
    const reason = excluded ?? formerReason(former);
    if (reason === null) taken.push(change);
    else passed.push({ change, reason });
  }
  return passOver(addWaiting(revision, source, taken, inputs.after !== "release"), passed);
}

/**
 * A waiting change that landed anew, because the branch was rewritten, waits by its new commit: it is released with
 * that.
 *
 * @returns null if no change with the key waits by another commit
 */
function landedAnew(
  revision: BatchRevision,
  key: string,
  change: MergedChange,
): BatchRevision | null {
  const isFormer = (waiting: Change) =>
    waiting.kind === "change" && waiting.key === key && waiting.sha !== change.sha;
  if (!revision.ledger.waiting.some(({ changes }) => changes.some(isFormer))) return null;
  const waiting = revision.ledger.waiting.map((group) =>
    group.changes.some(isFormer)
      ? { ...group, changes: group.changes.map((each) => (isFormer(each) ? change : each)) }
      : group,
  );
  return withFields(revision, { waiting });
}

/** @param former SHA of the same commit before the branch was rewritten; null for none */
function formerReason(former: string | null): PassedOver["reason"] | null {
  return former === null ? null : { code: "same-commit", sha: former };
}

/** Keys of the changes that the ledger holds, or that this revision has finished. */
function heldKeys({ ledger, history }: BatchRevision): string[] {
  const held = [...ledger.waiting, ...ledger.batches, ...history];
  return held.flatMap(({ changes }) => changes.map(({ key }) => key));
}

/** Oldest first, after the groups that were handed over before. */
function addWaiting(
  revision: BatchRevision,
  source: Source,
  changes: readonly MergedChange[],
  isReleased: boolean,
): BatchRevision {
  if (changes.length === 0) return revision;
  const key = sourceKey(source);
  const added = changes.map((change): Group => {
    return {
      changes: [change],
      origin: null,
      followUp: null,
      attempts: 0,
      source: key,
      isReleased,
    };
  });
  const all = [...revision.ledger.waiting, ...added];
  const waiting = all.toSorted((group, other) => orderOf(group) - orderOf(other));
  return withFields(revision, { waiting }, `Found ${namesOf(changes)} in ${source.repository}`);
}

function orderOf({ changes: [first], attempts }: Group): number {
  return attempts === 0 && first?.kind === "change" ? Date.parse(first.landedAt) || 0 : 0;
}

/** Notes when sources were read, if a run cannot read all of them. */
export function noteReads(revision: BatchRevision, read: readonly BranchPlace[]): BatchRevision {
  const isRead = ({ id, branch }: Source) =>
    read.some((facts) => facts.repository.id === id && facts.branch === branch);
  const sources = revision.ledger.sources.map((source) =>
    isRead(source) ? { ...source, readAt: timeOf(revision) } : source,
  );
  return withFields(revision, { sources });
}
