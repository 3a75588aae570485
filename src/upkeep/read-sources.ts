/** Reads what the sources gained since the ledger's cursors, and the details of the changes that may be handed over. */

import type { Ledger, Source } from "../batches/model/ledger.ts";
import { sourceKey } from "../batches/model/names.ts";
import { type BatchRevision, releaseGroups } from "../batches/model/revision.ts";
import { isOfGitHub } from "../github/api/refusal.ts";
import type { AgentTraces, ChangeDetails } from "../github/changes/change-details.ts";
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
import { quote } from "../text/sentence.ts";
import { formerSource } from "./former-branches.ts";
import type { SourceRepository, UpkeepInputs } from "./inputs.ts";
import { readCandidates } from "./read-candidates.ts";
import { readRelease } from "./releases.ts";
import { SourceProblem } from "./source-problem.ts";
import {
  isSame,
  knownSource,
  leftSources,
  mayRepeat,
  type ReleaseFacts,
  type SourceFacts,
  takeSource,
} from "./sources.ts";

/** Maximum number of requests to GitHub to read sources and changes. */
const BUDGET = 300;
/** Minimum number of requests to read one source. */
const LEAST = 4;
/** How far a first run looks back by default, in milliseconds. */
const DEFAULT_SPAN = 7 * DAY;

/** A source that cannot be read, with GitHub's error or a `SourceProblem`. */
export interface UnreadSource {
  repository: string;
  error: unknown;
}

/** What upkeep reads before it decides. */
export interface UpkeepFacts {
  /** In the order in which they were read. */
  sources: readonly SourceFacts[];
  unread: readonly UnreadSource[];
  /** Whether the requests of a run are too few for all sources. */
  isShort: boolean;
  /** By key, of the changes that may be handed over. */
  details: ReadonlyMap<string, ChangeDetails>;
}

/** A branch as GitHub has it. */
interface BranchTip {
  repository: RepositoryFacts;
  branch: string;
  /** SHA of its last commit. */
  head: string;
  /** The ledger's entry for it; null if it is new. */
  known: Source | null;
}

/** What a branch has gained. */
type GainedFacts = Pick<
  SourceFacts,
  "start" | "isRewritten" | "target" | "landed" | "endedKeys" | "otherAgents"
>;

interface ReaderParts {
  inputs: UpkeepInputs;
  /** Of the workflow. */
  repository: string;
  historyOf(repository: string): Promise<History>;
  /** Aborted when the run is cancelled. */
  stop: AbortSignal;
  clock: Pick<Clock, "sleep">;
  /** How many requests the run has made to GitHub. */
  requests(): number;
  /** Keys of all finished changes. */
  readEnded(): Promise<ReadonlySet<string>>;
  /** The agent's traces in other ledgers. */
  readOtherAgents(): Promise<AgentTraces>;
}

/** Reads the sources of upkeep. One that cannot be read does not stop the others. */
export class SourceReader {
  readonly #parts: ReaderParts;
  readonly #readEnded: () => Promise<ReadonlySet<string>>;
  readonly #readOtherAgents: () => Promise<AgentTraces>;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.#readEnded = once(() => parts.readEnded());
    this.#readOtherAgents = once(() => parts.readOtherAgents());
  }

  get #requestsLeft(): number {
    return BUDGET - this.#parts.requests();
  }

  /**
   * @param settled the ledger before its sources are read
   * @throws ActionError `invalid-input` for a wrong `since`, or a source that is less visible
   */
  async read(settled: BatchRevision): Promise<UpkeepFacts> {
    const { inputs, historyOf } = this.#parts;
    const sources: SourceFacts[] = [];
    const unread: UnreadSource[] = [];
    const landed = new Map<string, ChangeDetails>();
    let revision = releaseAll(settled, inputs);
    const wanted = inReadingOrder(inputs.repositories, settled.ledger);
    for (const source of wanted) {
      // To read the files of the chosen changes takes requests, too.
      if (this.#requestsLeft < LEAST) break;
      try {
        const facts = await this.#readSource(source, revision);
        sources.push(facts);
        revision = takeSource(revision, facts, inputs);
        for (const { details } of facts.landed) landed.set(details.change.key, details);
      } catch (error) {
        // Requests that a signal interrupted say nothing about GitHub.
        if (this.#parts.stop.aborted && isOfGitHub(error)) throw cancelledRun(ALL_RECORDED);
        if (!(error instanceof SourceProblem || isOfGitHub(error))) throw error;
        unread.push({ repository: source.repository, error });
      }
    }
    const isShort = sources.length + unread.length < wanted.length;
    const mayAsk = () => this.#requestsLeft > 0;
    const details = await readCandidates(revision, landed, { inputs, historyOf, mayAsk });
    return { sources, unread, isShort, details };
  }

  async #readSource(wanted: SourceRepository, revision: BatchRevision): Promise<SourceFacts> {
    const history = await this.#parts.historyOf(wanted.repository);
    const repository = await this.#readFacts(wanted, history);
    const branch = wanted.branch ?? repository.defaultBranch;
    const head = await history.tip(branch);
    if (head === undefined) throw new SourceProblem("github-refused", `it has no branch ${branch}`);
    const { ledger } = revision;
    const own = knownSource(ledger, repository.id, branch);
    const former = own === null ? await this.#formerSource(wanted, head, history, ledger) : null;
    const at: BranchTip = { repository, branch, head, known: own ?? former };
    const gained = await this.#readGained(history, at, revision);
    const formerBranch = former?.branch ?? null;
    const facts: SourceFacts = { repository, branch, formerBranch, ...gained, release: null };
    return { ...facts, release: await this.#readRelease(history, at, facts, revision) };
  }

  /** If GitHub fails in between, nothing is recorded, and the next run finds all of it again. */
  async #readGained(
    history: History,
    { repository, branch, head, known }: BranchTip,
    { ledger, now }: BatchRevision,
  ): Promise<GainedFacts> {
    const start = known ?? (await firstCursor(history, this.#parts.inputs.since, now));
    const gained = await gainedSince(history, start, head, known?.target ?? null);
    const { start: begin, isRewritten, target } = gained;
    const found = { start: begin, isRewritten, target };
    if (gained.line.length === 0) {
      return { ...found, landed: [], endedKeys: NONE, otherAgents: NO_AGENTS };
    }
    const place = { id: repository.id, repository: repository.fullName, branch };
    const mayAsk = () => this.#requestsLeft > 0;
    const isRepeating = isRewritten || mayRepeat(ledger, repository, known);
    return {
      ...found,
      endedKeys: isRepeating ? await this.#readEnded() : NONE,
      otherAgents: await this.#readOtherAgents(),
      landed: await Array.fromAsync(landedChanges(history, gained, place, now, mayAsk)),
    };
  }

  /** Reads what a release contains of the changes that wait for one; null if none does. */
  async #readRelease(
    history: History,
    { repository, branch, head, known }: BranchTip,
    facts: SourceFacts,
    revision: BatchRevision,
  ): Promise<ReleaseFacts | null> {
    const { inputs } = this.#parts;
    if (inputs.after === "merge") return null;
    const { ledger } = takeSource(revision, facts, inputs);
    const waiting = waitingFor(ledger, sourceKey({ id: repository.id, branch }));
    if (waiting.length === 0) return null;
    const wasRewritten = facts.isRewritten || (known?.wasRewritten ?? false);
    const compared = { head, waiting, last: known?.release ?? null, wasRewritten };
    return await readRelease(history, compared, inputs.releaseTag);
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
      `repositories: ${wanted.repository} ${areKnown ? "can" : "may"} be read by fewer people than ${repository}, where the ledger and the dashboard would show its changes: run upkeep in a private repository.`,
    );
  }
}

/** The commits of a source's changes that wait for a release. */
function waitingFor({ waiting }: Ledger, source: string): string[] {
  return waiting
    .filter((group) => group.source === source && !group.isReleased)
    .flatMap(({ changes }) => changes)
    .flatMap((change) => (change.kind === "change" ? [change.sha] : []));
}

const NONE: ReadonlySet<string> = new Set();
const NO_AGENTS: AgentTraces = { links: [], branches: [] };

/** If `after` was changed, earlier changes no longer wait for a release. */
export function releaseAll(
  revision: BatchRevision,
  { after }: Pick<UpkeepInputs, "after">,
): BatchRevision {
  return after === "merge" ? releaseGroups(revision, () => true) : revision;
}

/** Those that were read longest ago come first. */
function inReadingOrder(
  wanted: readonly SourceRepository[],
  { sources }: Ledger,
): SourceRepository[] {
  const isNamed = ({ repository, branch }: Source) =>
    wanted.some((line) => isSame(line.repository, repository) && line.branch === branch);
  // Which branch is the default is not known yet: it is the one that no other line names.
  const isOf = ({ repository, branch }: SourceRepository, source: Source) =>
    isSame(source.repository, repository) &&
    (branch === null ? !isNamed(source) : source.branch === branch);
  const readAt = (line: SourceRepository) => {
    const at = sources.find((source) => isOf(line, source))?.readAt ?? null;
    // An invalid date counts as never, too.
    return at === null ? 0 : Date.parse(at) || 0;
  };
  return wanted.toSorted((line, other) => readAt(line) - readAt(other));
}

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
