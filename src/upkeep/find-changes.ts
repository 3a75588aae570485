import type { ChangeDetails } from "../github/change-details.ts";
import { type Gained, gainedSince, gainedSinceDate, readReleased } from "../github/gained.ts";
import type { History } from "../github/history.ts";
import type { RepositoryFacts } from "../github/history-records.ts";
import type { SourceRepository, UpkeepInputs } from "../inputs/upkeep.ts";
import type { Ledger, Source } from "../ledger/model/ledger.ts";
import type { LedgerEdit } from "../ledger/model/ledger-edit.ts";
import { sourceKey } from "../ledger/model/names.ts";
import { ActionError, invalidInput } from "../runtime/errors.ts";
import { quote } from "../text/sentence.ts";
import { takeGained } from "./take-gained.ts";

/** Maximum number of requests to GitHub to read sources and changes. */
export const BUDGET = 300;
/** Minimum number of requests to read one source. */
const LEAST = 4;
/** How far a first run looks back by default, in milliseconds. */
const DEFAULT_SPAN = 7 * 24 * 60 * 60_000;

/** The parts of a run that are needed to find changes. */
export interface FindParts {
  inputs: UpkeepInputs;
  /** `owner/name` of the workflow's own repository. */
  ownRepository: string;
  historyOf(repository: string): Promise<History>;
  /** The number of requests that are left. */
  requestsLeft(): number;
  /** Keys of all finished changes. */
  readEnded(): Promise<Set<string>>;
  /** The agent's pull requests and branches in other ledgers. */
  readOtherAgents(): Promise<Ledger["agent"]>;
  /** By key, of the changes that are found in this run. */
  details: Map<string, ChangeDetails>;
  /** Gets the sources that cannot be read, with their errors. */
  unread: { repository: string; error: unknown }[];
}

/**
 * Reads what the sources gained since the ledger's cursors, and records it in the edit: as waiting, or as passed over if
 * a filter excludes it.
 *
 * @throws ActionError `invalid-input` if the workflow names something that GitHub does not know
 */
export async function findChanges(edit: LedgerEdit, parts: FindParts): Promise<void> {
  const { unread } = parts;
  // If `after` was changed, earlier changes no longer wait for a release.
  if (parts.inputs.after === "merge") edit.release(() => true);
  const read: Source[] = [];
  const wanted = inTurn(parts.inputs.repositories, edit.ledger.sources);
  for (const source of wanted) {
    // To read the files of the chosen changes takes requests, too.
    if (parts.requestsLeft() < LEAST) break;
    try {
      read.push(await readSource(edit, source, parts));
    } catch (error) {
      if (error instanceof ActionError) throw error;
      unread.push({ repository: source.repository, error });
    }
  }
  // The time of the last read matters only if a run cannot read all sources.
  const isShort = read.length + unread.length < wanted.length;
  for (const source of isShort ? read : []) putSource(edit, { ...source, readAt: edit.time });
}

/** The sources by the time of their last read, oldest first. */
function inTurn(wanted: readonly SourceRepository[], sources: readonly Source[]) {
  const readAt = (one: SourceRepository) =>
    sources.find(({ repository }) => isSame(repository, one.repository))?.readAt ?? "";
  return wanted.toSorted((a, b) => readAt(a).localeCompare(readAt(b)));
}

async function readSource(
  edit: LedgerEdit,
  wanted: SourceRepository,
  parts: FindParts,
): Promise<Source> {
  const { after, since, releaseTag } = parts.inputs;
  const history = await parts.historyOf(wanted.repository);
  const facts = await readFacts(edit, wanted, history, parts);
  const branch = wanted.branch ?? facts.defaultBranch;
  const head = await history.tip(branch);
  if (head === undefined) throw missing(edit, wanted, `has no branch ${branch}`);
  const source = sourceOf(edit, facts, branch, parts.inputs.repositories);
  const gained =
    source.date === ""
      ? await firstGained(history, since, head, edit.now, wanted)
      : await gainedSince(history, source, head);
  const wasRewritten = source.wasRewritten || gained.isRewritten;
  const before = { ...source, ...gained.start, repository: facts.fullName, wasRewritten };
  if (gained.tooMany !== null) throw tooMany(gained.tooMany, source, head);
  const cursor = await takeGained(edit, before, gained, { ...parts, head, history });
  const read = putSource(edit, { ...before, ...cursor });
  const key = sourceKey(read);
  const { waiting } = edit.ledger;
  if (after !== "release" || waiting.every((it) => it.isReleased || it.source !== key)) return read;
  const released = await readReleased(history, head, releaseTag, read.release);
  if (released === null) return read;
  edit.release(
    ({ source, changes }) =>
      source === key &&
      changes.every((change) => change.kind === "change" && released.contains(change.sha)),
  );
  return putSource(edit, { ...read, release: released.name });
}

/** Reads the facts about a repository, if the workflow's repository may show its changes. */
async function readFacts(
  edit: LedgerEdit,
  wanted: SourceRepository,
  history: History,
  { ownRepository, historyOf }: FindParts,
): Promise<RepositoryFacts> {
  const facts = await history.facts().catch((error) => {
    const what = "does not exist, or `github-token` cannot read it";
    throw error.status === 404 ? missing(edit, wanted, what) : error;
  });
  if (isSame(facts.fullName, ownRepository)) return facts;
  const own = await (await historyOf(ownRepository)).facts();
  if (facts.privacy <= own.privacy) return facts;
  throw refused(
    wanted,
    `can be read by fewer people than ${ownRepository}, where the ledger and the dashboard would show its changes: run upkeep in a private repository`,
  );
}

/**
 * The ledger's entry for a branch. A renamed branch, or a new default branch, continues at the cursor of the old one, so
 * that no change is repeated.
 */
function sourceOf(
  edit: LedgerEdit,
  { id, fullName, defaultBranch }: RepositoryFacts,
  branch: string,
  wanted: readonly SourceRepository[],
): Source {
  const { sources } = edit.ledger;
  const own = sources.filter((source) => source.id === id);
  const existing = own.find((source) => source.branch === branch);
  if (existing !== undefined) return existing;
  const isWanted = (source: Source) =>
    wanted.some(
      (other) =>
        isSame(other.repository, source.repository) &&
        (other.branch ?? defaultBranch) === source.branch,
    );
  const former = own.findLast((source) => !isWanted(source));
  if (former !== undefined) {
    const renamed = { ...former, branch };
    const [before, after] = [sourceKey(former), sourceKey(renamed)];
    edit.change(
      {
        sources: sources.map((source) => (source === former ? renamed : source)),
        waiting: edit.ledger.waiting.map((group) =>
          group.source === before ? { ...group, source: after } : group,
        ),
      },
      `Go on with ${branch} in place of ${former.branch}`,
    );
    return renamed;
  }
  return {
    ...{ id, repository: fullName, branch, sha: null, date: "", readAt: "" },
    ...{ wasRewritten: false, release: "" },
  };
}

/** Reads a source for the first time. */
async function firstGained(
  history: History,
  since: UpkeepInputs["since"],
  head: string,
  now: number,
  { repository }: SourceRepository,
): Promise<Gained> {
  if (since.kind === "ref") {
    const commit = await history.commit(since.ref);
    if (commit === undefined) {
      throw invalidInput(`since: ${repository} has no commit or tag ${quote(since.ref)}.`);
    }
    return await gainedSince(history, { sha: commit.sha, date: commit.committedAt }, head);
  }
  const at = since.kind === "time" ? since.at : new Date(now - DEFAULT_SPAN).toISOString();
  if (Date.parse(at) <= now) return await gainedSinceDate(history, at, head);
  throw invalidInput(`since: ${quote(at)} is not allowed: it must be a time in the past.`);
}

function putSource(edit: LedgerEdit, source: Source): Source {
  const { sources } = edit.ledger;
  const at = sources.findIndex(({ id, branch }) => id === source.id && branch === source.branch);
  edit.change({ sources: at < 0 ? [...sources, source] : sources.with(at, source) });
  return source;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function tooMany(commits: number, { date }: Source, head: string): Error {
  const way =
    date === ""
      ? "set a later `since`"
      : `to leave them, set the branch's \`sha\` in ledger.json to ${head}`;
  return new Error(`it gained at least ${commits} commits at once, more than can be read: ${way}`);
}

/** Something that is gone does not stop the other sources. Something that never existed is an invalid input. */
function missing(edit: LedgerEdit, wanted: SourceRepository, what: string): Error {
  const isKnown = edit.ledger.sources.some((source) =>
    isSame(source.repository, wanted.repository),
  );
  return isKnown ? new Error(`it ${what}`) : refused(wanted, what);
}

function refused({ repository }: SourceRepository, what: string): ActionError {
  return invalidInput(`repositories: ${repository} ${what}.`);
}
