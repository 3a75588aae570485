/** Which sources of the ledger nobody reads any more: their waiting changes are neither handed over nor named. */

import type { Change, Group, Ledger, Source } from "../batches/model/ledger.ts";
import { sourceKey } from "../batches/model/names.ts";
import type { BatchRevision } from "../batches/model/revision.ts";
import { dropWaiting } from "../batches/model/unread.ts";
import { repositoryIdIn } from "../github/changes/change-details.ts";
import type { BranchPlace } from "../github/changes/history-records.ts";
import type { SourceRepository } from "./inputs.ts";
import { isSame } from "./sources.ts";

/** Passes over what waits from sources that are no longer read. */
export function dropUnread(
  revision: BatchRevision,
  sources: {
    readonly found: readonly BranchPlace[];
    /** IDs of repositories that fewer people can read than what shows their changes. */
    readonly hidden: readonly number[];
    /** Lines that could not be read, or not yet: each may be any source that the ledger knows by its name. */
    readonly open: readonly SourceRepository[];
  },
): BatchRevision {
  const { ledger } = revision;
  const left = ledger.sources.filter((source) => isLeft(source, ledger, sources));
  const leftKeys = new Set(left.map(sourceKey));
  const kept = new Set(
    ledger.sources.filter((source) => !left.includes(source)).map(({ id }) => id),
  );
  // What was handed over before has no branch.
  const isOfLeft = ({ key }: Change) => {
    const id = repositoryIdIn(key);
    return left.some((source) => source.id === id) && !kept.has(id ?? 0);
  };
  const isDropped = ({ source }: Group, change: Change) =>
    source === null ? isOfLeft(change) : leftKeys.has(source);
  return dropWaiting(revision, isDropped);
}

function isLeft(
  source: Source,
  ledger: Ledger,
  { found, hidden, open }: Parameters<typeof dropUnread>[1],
): boolean {
  if (hidden.includes(source.id)) return true;
  const isFound = found.some(
    ({ repository, branch }) => repository.id === source.id && branch === source.branch,
  );
  if (isFound) return false;
  const isNamedBy = ({ repository, branch }: SourceRepository, other: Source) =>
    isSame(repository, other.repository) && (branch === null || branch === other.branch);
  if (open.some((line) => isNamedBy(line, source))) return false;
  // A line that the ledger does not know may be this source by another name.
  return open.every((line) => ledger.sources.some((other) => isNamedBy(line, other)));
}
