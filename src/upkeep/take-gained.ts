import { attributeCommits, mayBePulls, rebased, splitEntry } from "../github/attribution.ts";
import { type ChangeDetails, detailsOfCommit, detailsOfPull } from "../github/change-details.ts";
import { formerOf, isAgents, isSameDifference, passedOver } from "../github/change-filters.ts";
import type { BranchCursor, Gained } from "../github/gained.ts";
import type { History } from "../github/history.ts";
import type { Commit, Pull } from "../github/history-records.ts";
import type { Group, PassedOver, Source } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import { namesOf, sourceKey } from "../ledger/model/names.ts";
import type { FindParts, Found } from "./find-changes.ts";

/** A pull request may have changed last a little before the cursor by the clock of whoever pushed that. */
const CLOCK_SKEW = 24 * 60 * 60_000;

interface TakeParts {
  head: string;
  history: History;
  parts: FindParts;
  found: Found;
}

/**
 * Takes up what a branch gained, oldest first: each pull request once, any other commit by itself.
 *
 * @returns up to where all is decided
 */
export async function takeGained(
  edit: LedgerEdit,
  source: Source,
  gained: Gained,
  { head, history, parts, found }: TakeParts,
): Promise<BranchCursor> {
  let cursor: BranchCursor = { sha: source.sha, date: source.date };
  const { commits, isRewritten, dropped } = gained;
  if (commits.length === 0) return cursor;
  const from = Math.min(Date.parse(source.date) || 0, edit.now) - CLOCK_SKEW;
  const { pulls, isComplete } = await history.mergedPulls(from);
  const open = attributeCommits({ commits, head, pulls, isRewritten });
  const known = await knownKeys(edit, source, isRewritten, parts);
  const taken: ChangeDetails[] = [];
  const left: PassedOver[] = [];
  let agent: Promise<{ links: string[]; branches: string[] }> | null = null;
  for (let entry = open.shift(); entry !== undefined; entry = open.shift()) {
    const { landing, undecided } = entry;
    let { pull } = entry;
    const mayBeLate = pull === undefined && (!isComplete || mayBePulls(landing, edit.now));
    if ((mayBeLate || undecided.length > 0) && parts.requestsLeft() <= 0) break;
    if (pull !== undefined && undecided.length > 0) {
      const own = await history.pullCommits(pull.number);
      open.unshift(...splitEntry(entry, rebased(entry, own)));
      continue;
    }
    if (mayBeLate) pull = await history.pullOf(landing.sha);
    const details =
      pull === undefined ? detailsOfCommit(source, landing) : detailsOfPull(source, pull, landing);
    const { change } = details;
    if (!known.has(change.key)) {
      known.add(change.key);
      if (pull !== undefined) agent ??= agentsOf(edit, parts);
      const isOwn =
        pull !== undefined && agent !== null && isAgents(pull, await agent, source.branch);
      const why = isOwn
        ? "opened by the documentation agent"
        : (passedOver(details, parts.inputs) ?? (await sameAs(landing, pull, dropped, history)));
      if (why === null) taken.push(details);
      else left.push({ change, why });
    }
    // If a commit brought in several changes, the cursor moves past it only with the last one.
    if (open[0]?.landing !== landing) cursor = cursorAt(landing, cursor, edit.now);
  }
  for (const details of taken) found.details.set(details.change.key, details);
  addWaiting(edit, source, taken, parts.inputs.after !== "release");
  edit.passOver(left);
  return cursor;
}

/** Keys that are not to be handed over again. All that ever ended is read only where it can come again. */
async function knownKeys(
  edit: LedgerEdit,
  { id, branch }: Source,
  isRewritten: boolean,
  { readEnded }: FindParts,
): Promise<Set<string>> {
  const { waiting, batches, sources } = edit.ledger;
  const held = [...waiting, ...batches].flatMap(({ changes }) => changes.map(({ key }) => key));
  const own = sources.filter((it) => it.id === id);
  const isOnly = own.length === 1 && own[0]?.branch === branch;
  return new Set([...held, ...(isRewritten || !isOnly ? await readEnded() : [])]);
}

async function agentsOf(edit: LedgerEdit, { readOtherAgents }: FindParts) {
  const own = edit.ledger.agent;
  const { links, branches } = await readOtherAgents();
  return { links: [...own.links, ...links], branches: [...own.branches, ...branches] };
}

/** Whether a commit is another one made anew, with the same changes. */
async function sameAs(
  landing: Commit,
  pull: Pull | undefined,
  dropped: readonly Commit[],
  history: History,
): Promise<string | null> {
  const former = pull === undefined ? formerOf(landing, dropped) : undefined;
  if (former === undefined) return null;
  if (former.tree !== landing.tree) {
    const before = await history.commitWithFiles(former.sha);
    const now = await history.commitWithFiles(landing.sha);
    if (before === undefined || now === undefined) return null;
    if (!isSameDifference(before.files, now.files)) return null;
  }
  return `same as ${former.sha.slice(0, 7)} from before the branch was rewritten`;
}

/** The oldest first, behind what was handed over before. */
function addWaiting(
  edit: LedgerEdit,
  source: Source,
  taken: readonly ChangeDetails[],
  isReleased: boolean,
): void {
  if (taken.length === 0) return;
  const fresh = taken.map(
    ({ change }): Group => ({
      ...{ changes: [change], attempts: 0, source: sourceKey(source), isReleased },
    }),
  );
  const { waiting } = edit.ledger;
  const again = waiting.filter((it) => it.attempts > 0);
  const first = [...waiting.filter((it) => it.attempts === 0), ...fresh];
  first.sort((one, other) => landedAt(one) - landedAt(other));
  const names = namesOf(taken.map(({ change }) => change));
  edit.change({ waiting: [...again, ...first] }, `Found ${names} in ${source.repository}`);
}

function landedAt({ changes: [first] }: Group): number {
  return first?.kind === "change" ? Date.parse(first.landedAt) || 0 : 0;
}

/** The date never goes back, nor into the future, whatever clocks the commits were made by. */
function cursorAt({ sha, committedAt }: Commit, { date }: BranchCursor, now: number): BranchCursor {
  const at = Math.min(Date.parse(committedAt) || 0, now);
  return { sha, date: new Date(Math.max(at, Date.parse(date) || 0)).toISOString() };
}
