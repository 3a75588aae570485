import { isAgents, passedOver } from "../github/changes/change-details.ts";
import type { History } from "../github/changes/history.ts";
import { type BranchCursor, type Gained, landedChanges } from "../github/changes/landed-changes.ts";
import { takeMerged } from "../ledger/model/batches.ts";
import type { Change, Group, PassedOver, Source } from "../ledger/model/ledger.ts";
import { BY_AGENT, namesOf, sourceKey } from "../ledger/model/names.ts";
import { invalidInput } from "../runtime/errors.ts";
import { parsePathPattern } from "../text/path-filter.ts";
import { quote } from "../text/sentence.ts";
import type { Search } from "./find-changes.ts";

/** Maximum number of matching tags that are tried, because the branch may not contain the newest one. */
const MOST_TAGS = 5;

/**
 * Records what a branch gained: as waiting, or as passed over if a filter excludes it.
 *
 * @returns the cursor up to which everything is decided
 */
export async function takeGained(
  source: Source,
  gained: Gained,
  history: History,
  search: Search,
): Promise<BranchCursor> {
  const { edit, inputs } = search;
  if (gained.line.length === 0) return gained.start;
  const keys = await knownKeys(source, search);
  const agents = [edit.ledger.agent, await search.readOtherAgents()];
  const found = { attempts: 0, source: sourceKey(source), isReleased: inputs.after !== "release" };
  const taken: Group[] = [];
  const left: PassedOver[] = [];
  let { start: cursor } = gained;
  const mayAsk = () => search.requestsLeft() > 0;
  // If GitHub fails in between, nothing is recorded: what is before the cursor would be found again.
  const all = await Array.fromAsync(landedChanges(history, gained, source, edit.now, mayAsk));
  for (const landed of all) {
    const { details, pull, former } = landed;
    const { change } = details;
    cursor = landed.cursor;
    if (keys.has(change.key)) continue;
    keys.add(change.key);
    if (pull !== undefined && takeMerged(edit, change, pull.head)) continue;
    const isByAgent = pull && agents.some((agent) => isAgents(pull, agent, source.branch));
    let why = isByAgent ? BY_AGENT : passedOver(details, inputs);
    if (former !== "") why ??= `same as ${former.slice(0, 7)} from before the branch was rewritten`;
    if (why === null) {
      taken.push({ ...found, changes: [change] });
      search.details.set(change.key, details);
    } else left.push({ change, why });
  }
  if (taken.length > 0) {
    // Oldest first, after the groups that were handed over before.
    const waiting = [...edit.ledger.waiting, ...taken];
    waiting.sort((one, other) => orderOf(one) - orderOf(other));
    const names = namesOf(taken.flatMap(({ changes }) => changes));
    edit.change({ waiting }, `Found ${names} in ${source.repository}`);
  }
  edit.passOver(left);
  return cursor;
}

function orderOf({ changes: [first], attempts }: Group): number {
  return attempts === 0 && first?.kind === "change" ? Date.parse(first.landedAt) || 0 : 0;
}

/** Keys that are not handed over again. Finished changes are read only if they can appear again. */
async function knownKeys(
  { id, branch, wasRewritten }: Source,
  { edit, readEnded }: Search,
): Promise<Set<string>> {
  const { waiting, batches, sources } = edit.ledger;
  // The batches whose end this run found are not in the files yet.
  const held = [...waiting, ...batches, ...edit.history].flatMap(({ changes }) => changes);
  const own = sources.filter((one) => one.id === id);
  const isAlone = own.length > 0 && own.every((one) => one.branch === branch);
  const ended = wasRewritten || !isAlone ? await readEnded() : [];
  return new Set([...held.map(({ key }) => key), ...ended]);
}

/**
 * Marks the waiting changes that are in the newest published release, or in the branch's newest tag that matches
 * `release-tag`.
 *
 * @param head tip of the source's branch
 * @returns the name of the release, together with the tip; the source's own if there is no new one
 * @throws ActionError `invalid-input` if there are tags, and none matches
 */
export async function markReleased(
  source: Source,
  head: string,
  history: History,
  { edit, inputs: { releaseTag } }: Search,
): Promise<string> {
  const key = sourceKey(source);
  if (edit.ledger.waiting.every((it) => it.isReleased || it.source !== key)) return source.release;
  const tags =
    releaseTag === ""
      ? (await history.releases()).slice(0, 1)
      : matchingTags(await history.newestTags(), releaseTag, history.repository);
  const name = `${tags[0] ?? ""} ${head}`;
  if (tags.length === 0 || name === source.release) return source.release;
  for (const tag of tags) {
    const comparison = await history.compare(tag, head);
    if (comparison === undefined || (releaseTag !== "" && comparison.isDiverged)) continue;
    const after = new Set(comparison.commits.map(({ sha }) => sha));
    const isIn = (change: Change) => change.kind === "change" && !after.has(change.sha);
    if (comparison.isComplete) {
      edit.release(({ source, changes }) => source === key && changes.every(isIn));
    }
    break;
  }
  return name;
}

function matchingTags(tags: readonly string[], pattern: string, repository: string): string[] {
  const parsed = parsePathPattern(pattern);
  const matching = "problem" in parsed ? [] : tags.filter((tag) => parsed.matches(tag));
  if (tags.length === 0 || matching.length > 0) return matching.slice(0, MOST_TAGS);
  throw invalidInput(
    `release-tag: none of the newest 100 tags of ${repository} matches ${quote(pattern)}.`,
  );
}
