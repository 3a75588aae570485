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

/** Requests to GitHub that a run may make to read sources and changes. */
export const BUDGET = 300;
/** What reading one source takes at least. */
const LEAST = 4;
/** What a first run looks back when it is not told otherwise, in milliseconds. */
const DEFAULT_SPAN = 7 * 24 * 60 * 60_000;

/** What finding changes needs of a run. */
export interface FindParts {
  inputs: UpkeepInputs;
  /** `owner/name` of the workflow's own repository. */
  ownRepository: string;
  historyOf(repository: string): Promise<History>;
  /** How many requests may still be made. */
  requestsLeft(): number;
  /** Keys of all changes that are at their end. */
  readEnded(): Promise<Set<string>>;
  /** What other ledgers know of the agent's pull requests. */
  readOtherAgents(): Promise<Ledger["agent"]>;
  /** By key, of the changes that are found in this run. */
  details: Map<string, ChangeDetails>;
  /** Gets the sources that cannot be read, and what was thrown. */
  unread: { repository: string; error: unknown }[];
}

/**
 * Reads what the sources gained since the ledger's cursors, and writes it into the edit: what may count
 * waits, what a filter leaves out is passed over.
 *
 * @throws ActionError `invalid-input` for what the workflow names and GitHub does not know
 */
export async function findChanges(edit: LedgerEdit, parts: FindParts): Promise<void> {
  const { unread } = parts;
  // With another `after` than before, what waited for a release waits no longer.
  if (parts.inputs.after === "merge") edit.release(() => true);
  const read: Source[] = [];
  const wanted = inTurn(parts.inputs.repositories, edit.ledger.sources);
  for (const source of wanted) {
    // The files of the changes that are handed over take some, too.
    if (parts.requestsLeft() < LEAST) break;
    try {
      read.push(await readSource(edit, source, parts));
    } catch (error) {
      if (error instanceof ActionError) throw error;
      unread.push({ repository: source.repository, error });
    }
  }
  // Only where a run cannot read all of them, it matters which was read last.
  const isShort = read.length + unread.length < wanted.length;
  for (const source of isShort ? read : []) putSource(edit, { ...source, readAt: edit.time });
}

/** Those read longest ago first. */
function inTurn(wanted: readonly SourceRepository[], known: readonly Source[]): SourceRepository[] {
  const readAt = (it: SourceRepository) =>
    known.find(({ repository }) => isSame(repository, it.repository))?.readAt ?? "";
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
    (it) =>
      it.source === key &&
      it.changes.every((one) => one.kind === "change" && released.contains(one.sha)),
  );
  return putSource(edit, { ...read, release: released.name });
}

/** What is known of a repository, if the workflow's own may show it. */
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
 * The ledger's entry for a branch. A branch that was renamed goes on from its cursor, and so does a default
 * branch that another one took the place of: what both have is not repeated.
 */
function sourceOf(
  edit: LedgerEdit,
  { id, fullName, defaultBranch }: RepositoryFacts,
  branch: string,
  wanted: readonly SourceRepository[],
): Source {
  const { sources } = edit.ledger;
  const own = sources.filter((it) => it.id === id);
  const known = own.find((it) => it.branch === branch);
  if (known !== undefined) return known;
  const isWanted = (it: Source) =>
    wanted.some(
      (other) =>
        isSame(other.repository, it.repository) && (other.branch ?? defaultBranch) === it.branch,
    );
  const former = own.findLast((it) => !isWanted(it));
  if (former !== undefined) {
    const renamed = { ...former, branch };
    const [before, after] = [sourceKey(former), sourceKey(renamed)];
    edit.change(
      {
        sources: sources.map((it) => (it === former ? renamed : it)),
        waiting: edit.ledger.waiting.map((it) =>
          it.source === before ? { ...it, source: after } : it,
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

/** What there is when a source is read for the first time. */
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

/** The others go on. */
function tooMany(commits: number, { date }: Source, head: string): Error {
  const way =
    date === ""
      ? "set a later `since`"
      : `to leave them, set the branch's \`sha\` in ledger.json to ${head}`;
  return new Error(`it gained at least ${commits} commits at once, more than can be read: ${way}`);
}

/** What was there before does not keep the others from going on; what never was is a mistake. */
function missing(edit: LedgerEdit, wanted: SourceRepository, what: string): Error {
  const isKnown = edit.ledger.sources.some((it) => isSame(it.repository, wanted.repository));
  return isKnown ? new Error(`it ${what}`) : refused(wanted, what);
}

function refused({ repository }: SourceRepository, what: string): ActionError {
  return invalidInput(`repositories: ${repository} ${what}.`);
}
