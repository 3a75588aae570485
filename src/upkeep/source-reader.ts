/** Reads what the sources gained since the ledger's cursors, and the details of changes. */

import { asked } from "../batches/batch-reads.ts";
import type { PastBatch } from "../batches/model/excerpts.ts";
import type { Ledger, Source } from "../batches/model/ledger.ts";
import type { BatchRevision } from "../batches/model/revision.ts";
import {
  type AgentTraces,
  type ChangeDetails,
  type MergedChange,
  readDetails,
  readFiles,
} from "../github/changes/change-details.ts";
import { type BranchCursor, gainedSince } from "../github/changes/gained-commits.ts";
import type { HistoryReader } from "../github/changes/history-reader.ts";
import type { BranchPlace, Commit, FileList, Tag } from "../github/changes/history-records.ts";
import { landedChanges } from "../github/changes/landed-changes.ts";
import { ALL_RECORDED } from "../ledger/unavailable.ts";
import { type Clock, DAY } from "../runtime/clock.ts";
import { once } from "../runtime/dependencies.ts";
import { cancelledRun, invalidInput } from "../runtime/errors.ts";
import { ABSENT, type Fact, known, mapFact } from "../runtime/fact.ts";
import { quote } from "../text/sentence.ts";
import { formerSource } from "./former-branches.ts";
import type { SourceRepository, UpkeepInputs } from "./inputs.ts";
import { listReleases } from "./release-tags.ts";
import { readRelease, type WaitingSource } from "./releases.ts";
import { SourcePlaces } from "./source-places.ts";
import {
  type BranchGain,
  knownSource,
  leftSources,
  mayRepeat,
  type ReleaseFacts,
  type SourceFacts,
} from "./sources.ts";

/** Maximum number of requests that a run makes to GitHub before it hands over. */
const BUDGET = 300;
/** How many of them may be spent on what the sources gained: the rest belongs to what is handed over. */
const MOST_READS = BUDGET / 2;
/** Maximum number of pages of a list: 5,000 commits. */
const MOST_PAGES = 50;
/** How far a first run looks back by default, in milliseconds. */
const DEFAULT_SPAN = 7 * DAY;

/** What upkeep reads of its sources. */
export interface SourceReads {
  /** How many requests to GitHub the run may still make to read what its sources gained. */
  readsLeft(): number;
  /** How many it may still make to read what it hands over. */
  requestsLeft(): number;
  /** A branch as it is now. Those of all sources are read together. */
  place(wanted: SourceRepository): ReturnType<SourcePlaces["find"]>;
  /**
   * What a source gained since the ledger's cursor. If GitHub fails in between, nothing of it is known.
   *
   * @throws ActionError `invalid-input` for a wrong `since`
   */
  source(
    wanted: SourceRepository,
    place: BranchPlace,
    revision: BatchRevision,
  ): Promise<Fact<SourceFacts>>;
  /** The tags that count as releases. Those of several sources are read together. */
  releaseTags(place: BranchPlace): Promise<Fact<readonly Tag[]>>;
  /** Which waiting changes of a source are released. */
  release(
    place: BranchPlace,
    waiting: WaitingSource,
    tags: readonly Tag[],
  ): Promise<Fact<ReleaseFacts>>;
  /** The description and the labels of a change. @param repository its present name */
  details(change: MergedChange, repository: string): Promise<Fact<ChangeDetails>>;
  files(change: MergedChange, repository: string): Promise<Fact<FileList>>;
  /** What documented a change, by its key, in an earlier batch that has ended; null if none had it. */
  handedOver(key: string): Promise<{ prLink: string | null } | null>;
}

/** Reads the sources of upkeep, each once for each state of the ledger's sources. */
export class SourceReader implements SourceReads {
  readonly #parts: ConstructorParameters<typeof SourceReader>[0];
  readonly #places: SourcePlaces;
  readonly #readOtherAgents: () => Promise<AgentTraces>;
  readonly #gained = new Map<string, Promise<Fact<BranchGain>>>();
  readonly #releaseTags = new Map<number, Promise<Fact<readonly Tag[]>>>();
  readonly #releases = new Map<string, Promise<Fact<ReleaseFacts>>>();
  readonly #details = new Map<string, Promise<Fact<ChangeDetails>>>();
  readonly #files = new Map<string, Promise<Fact<FileList>>>();
  /** Details of the changes that this run found. */
  readonly #landed = new Map<string, ChangeDetails>();

  constructor(parts: {
    inputs: UpkeepInputs;
    /** Of the workflow. */
    repository: string;
    historyOf(repository: string): Promise<HistoryReader>;
    /** Aborted when the run is cancelled. */
    stop: AbortSignal;
    clock: Clock;
    /** How many requests the run has made to GitHub. */
    requests(): number;
    /** Keys of all finished changes. */
    readEnded(): Promise<ReadonlySet<string>>;
    /** The agent's traces in other ledgers. */
    readOtherAgents(): Promise<AgentTraces>;
    /** Finished batches. */
    readHistory(): Promise<readonly PastBatch[]>;
  }) {
    this.#parts = parts;
    this.#readOtherAgents = once(() => parts.readOtherAgents());
    const { inputs, repository, historyOf } = parts;
    const readsLeft = () => this.readsLeft();
    const wanted = inputs.repositories;
    this.#places = new SourcePlaces({ wanted, repository, historyOf, readsLeft });
  }

  readsLeft(): number {
    return MOST_READS - this.#parts.requests();
  }

  /** How many pages of a list may be read now: it takes up to three lists to read a source. */
  mostPages(): number {
    return Math.max(1, Math.min(MOST_PAGES, Math.floor(this.readsLeft() / 3)));
  }

  requestsLeft(): number {
    return BUDGET - this.#parts.requests();
  }

  place(wanted: SourceRepository): ReturnType<SourcePlaces["find"]> {
    return this.#unlessStopped(() => this.#places.find(wanted));
  }

  source(
    wanted: SourceRepository,
    place: BranchPlace,
    revision: BatchRevision,
  ): Promise<Fact<SourceFacts>> {
    return this.#unlessStopped(() => this.#readSource(wanted, place, revision));
  }

  releaseTags({ repository }: BranchPlace): Promise<Fact<readonly Tag[]>> {
    const { historyOf, inputs } = this.#parts;
    const read = async () => {
      return await listReleases(await historyOf(repository.fullName), inputs.releaseTag);
    };
    return asked(this.#releaseTags, repository.id, () => this.#unlessStopped(read));
  }

  release(
    { repository }: BranchPlace,
    waiting: WaitingSource,
    tags: readonly Tag[],
  ): Promise<Fact<ReleaseFacts>> {
    const read = async () => {
      return await readRelease(await this.#parts.historyOf(repository.fullName), waiting, tags);
    };
    const key = JSON.stringify([repository.id, waiting]);
    return asked(this.#releases, key, () => this.#unlessStopped(read));
  }

  details(change: MergedChange, repository: string): Promise<Fact<ChangeDetails>> {
    return asked(this.#details, keyOf(change), async () => {
      const landed = this.#landed.get(change.key);
      if (landed !== undefined) return known(landed);
      return await readDetails(change, await this.#parts.historyOf(repository));
    });
  }

  files(change: MergedChange, repository: string): Promise<Fact<FileList>> {
    return asked(this.#files, keyOf(change), async () => {
      return await readFiles(change, await this.#parts.historyOf(repository));
    });
  }

  async handedOver(key: string): Promise<{ prLink: string | null } | null> {
    const lines = await this.#parts.readHistory();
    const line = lines.findLast(
      ({ state, changes }) => state === "done" && changes.some((change) => change.key === key),
    );
    return line === undefined ? null : { prLink: line.prLink };
  }

  async #unlessStopped<F extends { readonly type: string }>(read: () => Promise<F>): Promise<F> {
    const fact = await read();
    // Requests that a signal interrupted say nothing about GitHub.
    if (fact.type === "unread" && this.#parts.stop.aborted) throw cancelledRun(ALL_RECORDED);
    return fact;
  }

  async #readSource(
    wanted: SourceRepository,
    place: BranchPlace,
    { ledger, now }: BatchRevision,
  ): Promise<Fact<SourceFacts>> {
    const { repository, branch } = place;
    const history = await this.#parts.historyOf(repository.fullName);
    const own = knownSource(ledger, repository.id, branch);
    const replaced =
      own === null ? await this.#formerSource(wanted, place, history, ledger) : ABSENT;
    if (replaced.type === "unread") return replaced;
    const former = replaced.type === "known" ? replaced.value : null;
    const source = own ?? former;
    const gainedKey = JSON.stringify([repository.id, branch, source]);
    const read = await asked(this.#gained, gainedKey, () => {
      return this.#readGained(history, place, source, now);
    });
    if (read.type !== "known") return read;
    const gained = read.value;
    for (const { details } of gained.landed) this.#landed.set(details.change.key, details);
    const { isRewritten, isAside } = gained;
    const isRepeating = isRewritten || isAside || mayRepeat(ledger, repository, source);
    const isNew = gained.landed.length > 0;
    return known({
      ...place,
      formerBranch: former?.branch ?? null,
      isDefault: wanted.branch === null,
      ...gained,
      endedKeys: isNew && isRepeating ? await this.#parts.readEnded() : NONE,
      otherAgents: isNew ? await this.#readOtherAgents() : NO_AGENTS,
    });
  }

  /** @param source the ledger's entry for it; null if it is new */
  async #readGained(
    history: HistoryReader,
    { repository, branch, head }: BranchPlace,
    source: Source | null,
    now: number,
  ): Promise<Fact<BranchGain>> {
    const { since } = this.#parts.inputs;
    const cursor = source === null ? await firstCursor(history, since, now) : known(source);
    if (cursor.type !== "known") return cursor;
    const gained = await gainedSince(history, cursor.value, head, source?.target ?? null);
    if (gained.type !== "known") return gained;
    const { start, isRewritten, target, line } = gained.value;
    const [first] = line;
    if (first === undefined) {
      return known({ isRewritten, isAside: false, target, landed: [], cursor: start });
    }
    const isAside = start.sha !== null && first.parents[0] !== start.sha;
    const found = { isAside, target };
    const place = { id: repository.id, repository: repository.fullName, branch };
    const mayAsk = () => this.readsLeft() > 0;
    const landed = await landedChanges(history, gained.value, place, now, mayAsk);
    return mapFact(landed, (changes) => {
      // Beside its past, which what comes next will bring in once more.
      const isBeside = isAside && changes.cursor.sha !== line.at(-1)?.sha;
      return { ...found, isRewritten: isRewritten || isBeside, ...changes };
    });
  }

  /** The ledger's entry for the branch that this one goes on from, which the ledger does not know. */
  async #formerSource(
    { branch }: SourceRepository,
    { repository, head }: BranchPlace,
    history: HistoryReader,
    ledger: Ledger,
  ): Promise<Fact<Source>> {
    const { inputs, clock, stop } = this.#parts;
    const left = leftSources(ledger, repository, inputs.repositories);
    const isDefault = branch === null;
    return await formerSource(left, { head, isDefault }, history, (time) =>
      clock.sleep(time, stop),
    );
  }
}

function keyOf({ key, sha }: MergedChange): string {
  return `${key} ${sha}`;
}

const NONE: ReadonlySet<string> = new Set();
const NO_AGENTS: AgentTraces = { links: [], branches: [] };

/** GitHub prefers a branch to a tag of the same name. */
async function commitOfRef(history: HistoryReader, ref: string): Promise<Fact<Commit>> {
  const tagged = /^[0-9a-f]{40}$/.test(ref) ? ABSENT : await history.commit(`tags/${ref}`);
  return tagged.type === "absent" ? await history.commit(ref) : tagged;
}

/** Where the first read of a source begins. */
async function firstCursor(
  history: HistoryReader,
  since: UpkeepInputs["since"],
  now: number,
): Promise<Fact<BranchCursor>> {
  if (since.kind === "ref") {
    const commit = await commitOfRef(history, since.ref);
    if (commit.type !== "absent") {
      return mapFact(commit, ({ sha, committedAt: date }) => ({ sha, date }));
    }
    throw invalidInput(`since: ${history.repository} has no commit or tag ${quote(since.ref)}.`);
  }
  const date = since.kind === "time" ? since.at : new Date(now - DEFAULT_SPAN).toISOString();
  if (Date.parse(date) <= now) return known({ sha: null, date });
  throw invalidInput(`since: ${quote(date)} is not allowed: it must be a time in the past.`);
}
