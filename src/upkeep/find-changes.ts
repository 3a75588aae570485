import { isOfGitHub } from "../github/api/refusal.ts";
import type { ChangeDetails } from "../github/changes/change-details.ts";
import { type History, histories } from "../github/changes/history.ts";
import type { RepositoryFacts } from "../github/changes/history-records.ts";
import { gainedSince } from "../github/changes/landed-changes.ts";
import type { SourceRepository, UpkeepInputs } from "../inputs/upkeep.ts";
import type { Source } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import { sourceKey } from "../ledger/model/names.ts";
import { type LedgerRun, readAgents } from "../ledger/run/ledger-run.ts";
import { DAY } from "../runtime/clock.ts";
import { once } from "../runtime/dependencies.ts";
import { invalidInput } from "../runtime/errors.ts";
import { quote } from "../text/sentence.ts";
import { markReleased, takeGained } from "./take-gained.ts";

/** Maximum number of requests to GitHub to read sources and changes. */
const BUDGET = 300;
/** Minimum number of requests to read one source. */
const LEAST = 4;
/** How far a first run looks back by default, in milliseconds. */
const DEFAULT_SPAN = 7 * DAY;

/** Why a source cannot be read, though GitHub answered: the end of a sentence. */
export class SourceProblem extends Error {}

/** A search for changes in all sources: what it needs, and what it finds. */
export type Search = ReturnType<typeof newSearch>;

/** @param edit gets the changes */
export function newSearch(
  edit: LedgerEdit,
  inputs: UpkeepInputs,
  ownRepository: string,
  run: LedgerRun,
) {
  return {
    edit,
    inputs,
    ownRepository,
    historyOf: histories(run.connect),
    requestsLeft: () => BUDGET - run.requests(),
    readEnded: once(() => run.readEnded()),
    readOtherAgents: once(() => readAgents(run.store.git, run.store.options.ref)),
    /** By key, of the changes that are found in this run. */
    details: new Map<string, ChangeDetails>(),
    /** The sources that cannot be read, with their errors. */
    unread: [] as { repository: string; error: unknown }[],
  };
}

/**
 * Reads what the sources gained since the ledger's cursors, and records it in the edit: as waiting, or as passed over if
 * a filter excludes it.
 *
 * @throws ActionError `invalid-input` for a wrong `since` or `release-tag`, or a source that is less visible
 */
export async function findChanges(search: Search): Promise<void> {
  const { edit, inputs, unread } = search;
  const { sources } = edit.ledger;
  // If `after` was changed, earlier changes no longer wait for a release.
  if (inputs.after === "merge") edit.release(() => true);
  const read: Source[] = [];
  // Those that were read longest ago come first.
  const readAt = (wanted: SourceRepository) =>
    sources.find(({ repository }) => isSame(repository, wanted.repository))?.readAt ?? "";
  const wanted = inputs.repositories.toSorted((a, b) => readAt(a).localeCompare(readAt(b)));
  for (const source of wanted) {
    // To read the files of the chosen changes takes requests, too.
    if (search.requestsLeft() < LEAST) break;
    try {
      read.push(await readSource(source, search));
    } catch (error) {
      if (!(error instanceof SourceProblem || isOfGitHub(error))) throw error;
      unread.push({ repository: source.repository, error });
    }
  }
  // The time of the last read matters only if a run cannot read all sources.
  const isShort = read.length + unread.length < wanted.length;
  for (const source of isShort ? read : []) source.readAt = edit.time;
}

async function readSource(wanted: SourceRepository, search: Search): Promise<Source> {
  const { edit, inputs } = search;
  const history = await search.historyOf(wanted.repository);
  const facts = await readFacts(wanted, history, search);
  const branch = wanted.branch ?? facts.defaultBranch;
  const head = await history.tip(branch);
  if (head === undefined) throw new SourceProblem(`it has no branch ${branch}`);
  const source = sourceOf(facts, branch, search);
  const isNew = source.date === "";
  const start = isNew ? await firstCursor(history, inputs.since, edit.now) : source;
  const gained = await gainedSince(history, start, head);
  if (gained === undefined) {
    const way = isNew
      ? "set a later `since`"
      : `to leave them, set the branch's \`sha\` in ledger.json to ${head}`;
    throw new SourceProblem(`it gained more commits at once than can be read: ${way}`);
  }
  source.repository = facts.fullName;
  source.wasRewritten ||= gained.isRewritten;
  Object.assign(source, await takeGained(source, gained, history, search));
  if (isNew) edit.ledger.sources.push(source);
  if (inputs.after === "release") {
    source.release = await markReleased(source, head, history, search);
  }
  return source;
}

/** Reads the facts about a repository, if the workflow's repository may show its changes. */
async function readFacts(
  wanted: SourceRepository,
  history: History,
  { ownRepository, historyOf }: Search,
): Promise<RepositoryFacts> {
  const facts = await history.facts();
  if (isSame(facts.fullName, ownRepository)) return facts;
  const own = await (await historyOf(ownRepository)).facts();
  if (facts.privacy <= own.privacy) return facts;
  throw invalidInput(
    `repositories: ${wanted.repository} can be read by fewer people than ${ownRepository}, where the ledger and the dashboard would show its changes: run upkeep in a private repository.`,
  );
}

/**
 * The ledger's entry for a branch. A renamed branch, or a new default branch, continues at the cursor of the old one, so
 * that no change is repeated.
 */
function sourceOf(
  { id, fullName, defaultBranch }: RepositoryFacts,
  branch: string,
  { edit, inputs }: Search,
): Source {
  const { sources, waiting } = edit.ledger;
  const own = sources.filter((source) => source.id === id);
  const existing = own.find((source) => source.branch === branch);
  if (existing !== undefined) return existing;
  const isWanted = (source: Source) =>
    inputs.repositories.some(
      ({ repository, branch }) =>
        isSame(repository, source.repository) && (branch ?? defaultBranch) === source.branch,
    );
  const former = own.findLast((source) => !isWanted(source));
  if (former === undefined) {
    return {
      id,
      repository: fullName,
      branch,
      sha: null,
      date: "",
      readAt: "",
      wasRewritten: false,
      release: "",
    };
  }
  edit.events.push(`Go on with ${branch} in place of ${former.branch}`);
  const itsGroups = waiting.filter((group) => group.source === sourceKey(former));
  former.branch = branch;
  for (const group of itsGroups) group.source = sourceKey(former);
  return former;
}

/** Where the first read of a source begins. */
async function firstCursor(history: History, since: UpkeepInputs["since"], now: number) {
  if (since.kind === "ref") {
    const commit = await history.commit(since.ref);
    if (commit !== undefined) return { sha: commit.sha, date: commit.committedAt };
    throw invalidInput(`since: ${history.repository} has no commit or tag ${quote(since.ref)}.`);
  }
  const date = since.kind === "time" ? since.at : new Date(now - DEFAULT_SPAN).toISOString();
  if (Date.parse(date) <= now) return { sha: null, date };
  throw invalidInput(`since: ${quote(date)} is not allowed: it must be a time in the past.`);
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
