import { type AgentTraces, isAgents, passedOver } from "../github/change-details.ts";
import type { BranchCursor, Gained } from "../github/gained.ts";
import type { History } from "../github/history.ts";
import { type LandedChange, landedChanges } from "../github/landed-changes.ts";
import { takeMerged } from "../ledger/model/batch-requests.ts";
import type { Group, PassedOver, Source } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import { BY_AGENT, namesOf, sourceKey } from "../ledger/model/names.ts";
import type { FindParts } from "./find-changes.ts";

/**
 * Records what a branch gained: as waiting, or as passed over if a filter excludes it.
 *
 * @param head tip of the branch
 * @returns the cursor up to which everything is decided
 */
export async function takeGained(
  edit: LedgerEdit,
  source: Source,
  gained: Gained,
  parts: FindParts & { head: string; history: History },
): Promise<BranchCursor> {
  const { head, history } = parts;
  let cursor: BranchCursor = { sha: source.sha, date: source.date };
  if (gained.commits.length === 0) return cursor;
  const keys = await knownKeys(edit, source, parts);
  const [own, others] = [edit.ledger.agent, await parts.readOtherAgents()];
  const links = [...own.links, ...others.links];
  const agent = { links, branches: [...own.branches, ...others.branches] };
  const taken: LandedChange[] = [];
  const left: PassedOver[] = [];
  const mayAsk = () => parts.requestsLeft() > 0;
  const options = { place: source, head, now: edit.now, mayAsk };
  for await (const landed of landedChanges(history, gained, options)) {
    ({ cursor } = landed);
    const { change } = landed.details;
    if (keys.has(change.key)) continue;
    keys.add(change.key);
    if (landed.pull !== null && takeMerged(edit, change, landed.pull.head)) continue;
    const why = await whyNot(landed, source, agent, parts);
    if (why === null) taken.push(landed);
    else left.push({ change, why });
  }
  for (const { details } of taken) parts.details.set(details.change.key, details);
  addWaiting(edit, source, taken, parts.inputs.after !== "release");
  edit.passOver(left);
  return cursor;
}

/** Keys that are not handed over again. Finished changes are read only if they can appear again. */
async function knownKeys(
  edit: LedgerEdit,
  { id, branch, wasRewritten }: Source,
  { readEnded }: FindParts,
): Promise<Set<string>> {
  const { waiting, batches, sources } = edit.ledger;
  // The batches whose end this run found are not in the files yet.
  const held = [...waiting, ...batches, ...edit.history].flatMap(({ changes }) => changes);
  const isOnly = sources.every((one) => one.id !== id || one.branch === branch);
  const isKnown = sources.length === 0 || sources.some((one) => one.id === id);
  const ended = wasRewritten || !isOnly || !isKnown ? await readEnded() : [];
  return new Set([...held.map(({ key }) => key), ...ended]);
}

async function whyNot(
  { pull, details, former }: LandedChange,
  { branch }: Source,
  agent: AgentTraces,
  { inputs }: FindParts,
): Promise<string | null> {
  if (pull !== null && isAgents(pull, agent, branch)) return BY_AGENT;
  const why = passedOver(details, inputs);
  if (why !== null) return why;
  const sha = await former();
  return sha === "" ? null : `same as ${sha.slice(0, 7)} from before the branch was rewritten`;
}

/** Oldest first, after the groups that were handed over before. */
function addWaiting(
  edit: LedgerEdit,
  source: Source,
  taken: readonly LandedChange[],
  isReleased: boolean,
): void {
  if (taken.length === 0) return;
  const changes = taken.map(({ details }) => details.change);
  const key = sourceKey(source);
  const fresh = changes.map((change) => ({
    changes: [change],
    attempts: 0,
    source: key,
    isReleased,
  }));
  const waiting = [...edit.ledger.waiting, ...fresh];
  waiting.sort((one, other) => orderOf(one) - orderOf(other));
  edit.change({ waiting }, `Found ${namesOf(changes)} in ${source.repository}`);
}

function orderOf({ changes: [first], attempts }: Group): number {
  return attempts === 0 && first?.kind === "change" ? Date.parse(first.landedAt) || 0 : 0;
}
