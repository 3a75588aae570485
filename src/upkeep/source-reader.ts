/** Reads what the sources gained since the ledger's cursors, and the details of changes. */

import { asked, oncePer } from "../batches/batch-reads.ts";
import type { PastBatch } from "../batches/model/excerpts.ts";
import type { Ledger, Source } from "../batches/model/ledger.ts";
import type { BatchRevision } from "../batches/model/revision.ts";
import {
  type AgentTraces,
  type ChangeDetails,
  detailsOfKnown,
  type MergedChange,
  readDetails,
} from "../github/changes/change-details.ts";
import { type BranchCursor, gainedSince } from "../github/changes/gained-commits.ts";
import type { HistoryReader } from "../github/changes/history-reader.ts";
import {
  type Commit,
  isLessVisible,
  type RepositoryFacts,
} from "../github/changes/history-records.ts";
import { landedChanges } from "../github/changes/landed-changes.ts";
import { ALL_RECORDED } from "../ledger/unavailable.ts";
import { type Clock, DAY } from "../runtime/clock.ts";
import { once } from "../runtime/dependencies.ts";
import { cancelledRun, invalidInput } from "../runtime/errors.ts";
import { ABSENT, type Fact, known, mapFact } from "../runtime/fact.ts";
import { quote } from "../text/sentence.ts";
import { formerSource } from "./former-branches.ts";
import type { SourceRepository, UpkeepInputs } from "./inputs.ts";
import { readRelease, type WaitingSource } from "./releases.ts";
import {
  type BranchGain,
  isSame,
  knownSource,
  leftSources,
  mayRepeat,
  type ReleaseFacts,
  type SourceFacts,
} from "./sources.ts";

/** Maximum number of requests to GitHub to read sources and changes. */
const BUDGET = 300;
/** How far a first run looks back by default, in milliseconds. */
const DEFAULT_SPAN = 7 * DAY;

/** What upkeep reads of its sources. */
export interface SourceReads {
  /** How many requests to GitHub the run may still make to read. */
  requestsLeft(): number;
  /**
   * What a source gained since the ledger's cursor. If GitHub fails in between, nothing of it is known.
   *
   * @throws ActionError `invalid-input` for a wrong `since`, or a source that is less visible
   */
  source(wanted: SourceRepository, revision: BatchRevision): Promise<Fact<SourceFacts>>;
  /** Which waiting changes of a source are released; absent if there is nothing new to say of it. */
  release(wanted: SourceRepository, waiting: WaitingSource): Promise<Fact<ReleaseFacts>>;
  details(change: MergedChange): Promise<Fact<ChangeDetails>>;
  /** What documented a change, by its key, in an earlier batch that has ended; null if none had it. */
  handedOver(key: string): Promise<{ prLink: string | null } | null>;
  /** What is known of a change without a question. */
  known(change: MergedChange): ChangeDetails;
}

interface ReaderParts {
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
}

/** Reads the sources of upkeep, each once for each state of the ledger's sources. */
export class SourceReader implements SourceReads {
  readonly #parts: ReaderParts;
  readonly #readOtherAgents: () => Promise<AgentTraces>;
  readonly #gained = new Map<string, Promise<Fact<BranchGain>>>();
  readonly #tips = new Map<string, Promise<Fact<string>>>();
  readonly #releases = new Map<string, Promise<Fact<ReleaseFacts>>>();
  readonly #details: (change: MergedChange) => Promise<Fact<ChangeDetails>>;
  /** Details of the changes that this run found, without files. */
  readonly #landed = new Map<string, ChangeDetails>();

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.#readOtherAgents = once(() => parts.readOtherAgents());
    this.#details = oncePer(
      async (change: MergedChange) => {
        const history = await parts.historyOf(change.repository);
        return await readDetails(this.#landed.get(change.key), change, history);
      },
      ({ key, sha }) => `${key} ${sha}`,
    );
  }

  requestsLeft(): number {
    return BUDGET - this.#parts.requests();
  }

  source(wanted: SourceRepository, revision: BatchRevision): Promise<Fact<SourceFacts>> {
    return this.#unlessStopped(() => this.#readSource(wanted, revision));
  }

  release(wanted: SourceRepository, waiting: WaitingSource): Promise<Fact<ReleaseFacts>> {
    const { historyOf, inputs } = this.#parts;
    const read = async () => {
      return await readRelease(await historyOf(wanted.repository), waiting, inputs.releaseTag);
    };
    const key = JSON.stringify([wanted, waiting]);
    return asked(this.#releases, key, () => this.#unlessStopped(read));
  }

  details(change: MergedChange): Promise<Fact<ChangeDetails>> {
    return this.#details(change);
  }

  async handedOver(key: string): Promise<{ prLink: string | null } | null> {
    const lines = await this.#parts.readHistory();
    const line = lines.findLast(
      ({ state, changes }) => state === "done" && changes.some((change) => change.key === key),
    );
    return line === undefined ? null : { prLink: line.prLink };
  }

  known(change: MergedChange): ChangeDetails {
    return this.#landed.get(change.key) ?? detailsOfKnown(change);
  }

  async #unlessStopped<T>(read: () => Promise<Fact<T>>): Promise<Fact<T>> {
    const fact = await read();
    // Requests that a signal interrupted say nothing about GitHub.
    if (fact.type === "unread" && this.#parts.stop.aborted) throw cancelledRun(ALL_RECORDED);
    return fact;
  }

  async #readSource(wanted: SourceRepository, revision: BatchRevision): Promise<Fact<SourceFacts>> {
    const history = await this.#parts.historyOf(wanted.repository);
    const facts = await this.#readFacts(wanted, history);
    if (facts.type !== "known") return facts;
    const repository = facts.value;
    const branch = wanted.branch ?? repository.defaultBranch;
    const tipKey = `${repository.id}@${branch}`;
    const tip = await asked(this.#tips, tipKey, () => history.tip(branch));
    if (tip.type === "unread") return tip;
    if (tip.type === "absent") {
      const reason = `it has no branch ${branch}`;
      return { type: "unread", cause: "refused", reason, isPassing: false, status: null };
    }
    const head = tip.value;
    const { ledger } = revision;
    const own = knownSource(ledger, repository.id, branch);
    const replaced =
      own === null ? await this.#formerSource(wanted, head, history, ledger) : ABSENT;
    if (replaced.type === "unread") return replaced;
    const former = replaced.type === "known" ? replaced.value : null;
    const at = { repository, branch, head, known: own ?? former };
    const gainedKey = JSON.stringify([repository.id, branch, at.known]);
    const read = await asked(this.#gained, gainedKey, () => {
      return this.#readGained(history, at, revision.now);
    });
    if (read.type !== "known") return read;
    const gained = read.value;
    for (const { details } of gained.landed) this.#landed.set(details.change.key, details);
    const { isRewritten, isAside } = gained;
    const isRepeating = isRewritten || isAside || mayRepeat(ledger, repository, at.known);
    const isNew = gained.landed.length > 0;
    return known({
      repository,
      branch,
      head,
      formerBranch: former?.branch ?? null,
      ...gained,
      endedKeys: isNew && isRepeating ? await this.#parts.readEnded() : NONE,
      otherAgents: isNew ? await this.#readOtherAgents() : NO_AGENTS,
    });
  }

  async #readGained(
    history: HistoryReader,
    {
      repository,
      branch,
      head,
      known: source,
    }: {
      repository: RepositoryFacts;
      branch: string;
      /** SHA of its last commit. */
      head: string;
      /** The ledger's entry for it; null if it is new. */
      known: Source | null;
    },
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
    const mayAsk = () => this.requestsLeft() > 0;
    const landed = await landedChanges(history, gained.value, place, now, mayAsk);
    return mapFact(landed, (changes) => {
      // Beside its past, which what comes next will bring in once more.
      const isBeside = isAside && changes.cursor.sha !== line.at(-1)?.sha;
      return { ...found, isRewritten: isRewritten || isBeside, ...changes };
    });
  }

  /** The ledger's entry for the branch that this one goes on from, which the ledger does not know. */
  async #formerSource(
    wanted: SourceRepository,
    head: string,
    history: HistoryReader,
    ledger: Ledger,
  ): Promise<Fact<Source>> {
    const { inputs, clock, stop } = this.#parts;
    const facts = await history.facts();
    if (facts.type !== "known") return facts;
    const left = leftSources(ledger, facts.value, inputs.repositories);
    const branch = { head, isDefault: wanted.branch === null };
    return await formerSource(left, branch, history, (time) => clock.sleep(time, stop));
  }

  /** Reads the facts about a repository, if the workflow's repository may show its changes. */
  async #readFacts(
    wanted: SourceRepository,
    history: HistoryReader,
  ): Promise<Fact<RepositoryFacts>> {
    const { repository } = this.#parts;
    const facts = await history.facts();
    if (facts.type !== "known" || isSame(facts.value.fullName, repository)) return facts;
    const own = await (await this.#parts.historyOf(repository)).facts();
    if (own.type !== "known") return own;
    if (!isLessVisible(facts.value, own.value)) return facts;
    const areKnown = facts.value.visibility !== null && own.value.visibility !== null;
    throw invalidInput(
      `repositories: ${wanted.repository} ${areKnown ? "can" : "may"} be read by fewer people ` +
        `than ${repository}, where the ledger and the dashboard would show its changes: run ` +
        "upkeep in a private repository.",
    );
  }
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
