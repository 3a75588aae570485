/** Reads what the sources gained since the ledger's cursors, and the details of changes. */

import { asked, oncePer } from "../batches/batch-reads.ts";
import type { Ledger, Source } from "../batches/model/ledger.ts";
import type { BatchRevision } from "../batches/model/revision.ts";
import { readFact } from "../github/api/read-fact.ts";
import type { TokenPermissions } from "../github/api/refusal.ts";
import {
  type AgentTraces,
  type ChangeDetails,
  detailsOfKnown,
  type MergedChange,
  readDetails,
} from "../github/changes/change-details.ts";
import { type BranchCursor, gainedSince } from "../github/changes/gained-commits.ts";
import type { History } from "../github/changes/history.ts";
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
import type { Fact } from "../runtime/fact.ts";
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

const PERMISSIONS: TokenPermissions = ["contents: read", "pull-requests: read"];

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
  /** What is known of a change without a question. */
  known(change: MergedChange): ChangeDetails;
}

interface ReaderParts {
  inputs: UpkeepInputs;
  /** Of the workflow. */
  repository: string;
  historyOf(repository: string): Promise<History>;
  /** Aborted when the run is cancelled. */
  stop: AbortSignal;
  clock: Clock;
  /** How many requests the run has made to GitHub. */
  requests(): number;
  /** Keys of all finished changes. */
  readEnded(): Promise<ReadonlySet<string>>;
  /** The agent's traces in other ledgers. */
  readOtherAgents(): Promise<AgentTraces>;
}

/** Reads the sources of upkeep, each once for each state of the ledger's sources. */
export class SourceReader implements SourceReads {
  readonly #parts: ReaderParts;
  readonly #readOtherAgents: () => Promise<AgentTraces>;
  readonly #gained = new Map<string, Promise<BranchGain>>();
  readonly #tips = new Map<string, Promise<string | undefined>>();
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
    return this.#asFact(() => this.#readSource(wanted, revision));
  }

  release(wanted: SourceRepository, waiting: WaitingSource): Promise<Fact<ReleaseFacts>> {
    const { historyOf, inputs } = this.#parts;
    const read = async () => {
      return await readRelease(await historyOf(wanted.repository), waiting, inputs.releaseTag);
    };
    const key = JSON.stringify([wanted, waiting]);
    return asked(this.#releases, key, () => this.#asFact(read));
  }

  details(change: MergedChange): Promise<Fact<ChangeDetails>> {
    return this.#details(change);
  }

  known(change: MergedChange): ChangeDetails {
    return this.#landed.get(change.key) ?? detailsOfKnown(change);
  }

  async #asFact<T>(read: () => Promise<Fact<T>>): Promise<Fact<T>> {
    const fact = await readFact(read, PERMISSIONS);
    if (fact.type === "known") return fact.value;
    // Requests that a signal interrupted say nothing about GitHub.
    if (this.#parts.stop.aborted) throw cancelledRun(ALL_RECORDED);
    return fact;
  }

  async #readSource(wanted: SourceRepository, revision: BatchRevision): Promise<Fact<SourceFacts>> {
    const history = await this.#parts.historyOf(wanted.repository);
    const repository = await this.#readFacts(wanted, history);
    const branch = wanted.branch ?? repository.defaultBranch;
    const tipKey = `${repository.id}@${branch}`;
    const head = await asked(this.#tips, tipKey, () => history.tip(branch));
    if (head === undefined) {
      const reason = `it has no branch ${branch}`;
      return { type: "unread", cause: "refused", reason, isPassing: false, status: null };
    }
    const { ledger } = revision;
    const own = knownSource(ledger, repository.id, branch);
    const former = own === null ? await this.#formerSource(wanted, head, history, ledger) : null;
    const at = { repository, branch, head, known: own ?? former };
    const gainedKey = JSON.stringify([repository.id, branch, at.known]);
    const gained = await asked(this.#gained, gainedKey, () => {
      return this.#readGained(history, at, revision.now);
    });
    for (const { details } of gained.landed) this.#landed.set(details.change.key, details);
    const isRepeating = gained.isRewritten || mayRepeat(ledger, repository, at.known);
    const isNew = gained.landed.length > 0;
    const facts: SourceFacts = {
      repository,
      branch,
      head,
      formerBranch: former?.branch ?? null,
      ...gained,
      endedKeys: isNew && isRepeating ? await this.#parts.readEnded() : NONE,
      otherAgents: isNew ? await this.#readOtherAgents() : NO_AGENTS,
    };
    return { type: "known", value: facts };
  }

  async #readGained(
    history: History,
    {
      repository,
      branch,
      head,
      known,
    }: {
      repository: RepositoryFacts;
      branch: string;
      /** SHA of its last commit. */
      head: string;
      /** The ledger's entry for it; null if it is new. */
      known: Source | null;
    },
    now: number,
  ): Promise<BranchGain> {
    const start = known ?? (await firstCursor(history, this.#parts.inputs.since, now));
    const gained = await gainedSince(history, start, head, known?.target ?? null);
    const { start: begin, isRewritten, target } = gained;
    const found = { start: begin, isRewritten, target };
    if (gained.line.length === 0) return { ...found, landed: [] };
    const place = { id: repository.id, repository: repository.fullName, branch };
    const mayAsk = () => this.requestsLeft() > 0;
    const landed = await Array.fromAsync(landedChanges(history, gained, place, now, mayAsk));
    return { ...found, landed };
  }

  /** The ledger's entry for the branch that this one goes on from, which the ledger does not know; null for none. */
  async #formerSource(
    wanted: SourceRepository,
    head: string,
    history: History,
    ledger: Ledger,
  ): Promise<Source | null> {
    const { inputs, clock, stop } = this.#parts;
    const left = leftSources(ledger, await history.facts(), inputs.repositories);
    const branch = { head, isDefault: wanted.branch === null };
    return await formerSource(left, branch, history, (time) => clock.sleep(time, stop));
  }

  /** Reads the facts about a repository, if the workflow's repository may show its changes. */
  async #readFacts(wanted: SourceRepository, history: History): Promise<RepositoryFacts> {
    const { repository } = this.#parts;
    const facts = await history.facts();
    if (isSame(facts.fullName, repository)) return facts;
    const own = await (await this.#parts.historyOf(repository)).facts();
    if (!isLessVisible(facts, own)) return facts;
    const areKnown = facts.visibility !== null && own.visibility !== null;
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
async function commitOfRef(history: History, ref: string): Promise<Commit | undefined> {
  const tagged = /^[0-9a-f]{40}$/.test(ref) ? undefined : await history.commit(`tags/${ref}`);
  return tagged ?? (await history.commit(ref));
}

/** Where the first read of a source begins. */
async function firstCursor(
  history: History,
  since: UpkeepInputs["since"],
  now: number,
): Promise<BranchCursor> {
  if (since.kind === "ref") {
    const commit = await commitOfRef(history, since.ref);
    if (commit !== undefined) return { sha: commit.sha, date: commit.committedAt };
    throw invalidInput(`since: ${history.repository} has no commit or tag ${quote(since.ref)}.`);
  }
  const date = since.kind === "time" ? since.at : new Date(now - DEFAULT_SPAN).toISOString();
  if (Date.parse(date) <= now) return { sha: null, date };
  throw invalidInput(`since: ${quote(date)} is not allowed: it must be a time in the past.`);
}
