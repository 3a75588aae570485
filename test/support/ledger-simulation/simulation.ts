import type { LedgerState } from "../../../src/ledger/model/read-ledger.ts";
import {
  type Batch,
  batchId,
  type Change,
  type Claim,
  EMPTY_CHECKPOINT,
  type LedgerRecord,
  tickId,
} from "../../../src/ledger/model/record.ts";
import type { FoundChange } from "../../../src/ledger/model/select-changes.ts";
import { Chooser } from "./chooser.ts";
import { type SimulatedBody, SimulatedIssue } from "./github.ts";
import type { SimulatedRun } from "./run.ts";
import { SimulatedService } from "./service.ts";
import { SimulatedSources } from "./sources.ts";

/** What may happen in a history. */
export interface Profile {
  /** Tasks without a cursor, up to three at a time, instead of changes in one batch at a time. */
  isQueue: boolean;
  /** Requests fail, are answered by nobody, or come to effect later. */
  hasFaults: boolean;
  /** Answers of GitHub are up to two minutes behind. */
  isBehind: boolean;
  /** People tick boxes. */
  hasTicks: boolean;
  /** People delete, overwrite, copy and restore comments, and empty and restore the body. */
  hasDamage: boolean;
  /** Runs do not see the claims of other runs at work: to prove that the model notices. */
  isBlind: boolean;
}

type Writing = "done" | "done-unheard" | "late" | "lost" | "refused";
type Sending =
  | "accepted"
  | "accepted-unheard"
  | "accepted-late"
  | "unheard"
  | "rejected"
  | "refused";

/** A change in a batch that was sent. */
export interface Sent {
  key: string;
  batch: string;
}

function sentIn(claim: Claim<Change>, index: number): Sent[] {
  const batch = batchId(claim.id, index);
  return (claim.batches[index]?.handed ?? []).map(({ change: { key } }) => ({ key, batch }));
}

/** How far an answer may be behind, in milliseconds. */
export const MOST_BEHIND = 120_000;

/** Everything a history is about. */
export class Simulation {
  readonly profile: Profile;
  readonly chooser: Chooser;
  readonly issue: SimulatedIssue;
  readonly service = new SimulatedService();
  readonly sources: SimulatedSources;
  /** The key that the next runs sign with. */
  key = 1;
  runs: SimulatedRun[] = [];
  /** What comes to effect later, although nobody waits for it any more. */
  later: (() => unknown)[] = [];
  /** Every box that was ever ticked. */
  readonly everTicked = new Set<string>();
  /** By source, the first comment that says where it begins, and where. */
  readonly beginnings = new Map<string, { sha: string; comment: number }>();
  /** For each batch and change, the batch before it. */
  readonly before = new Map<string, string | null>();
  /** How often the last memory of something was about to be taken away. */
  forgotten = 0;
  /** How many runs were started. */
  started = 0;
  /** Batches, with a change each, in requests that were received or will be. */
  readonly #received: Sent[] = [];
  /** What happened, a line each. */
  readonly story: string[] = [];
  readonly #isTold: boolean;
  /** The last that a run wrote. */
  #lastBody: SimulatedBody;
  /** What has gone wrong. */
  readonly problems: string[] = [];
  isCalm = false;

  constructor(profile: Profile, numbers: readonly number[], isTold = false) {
    this.#isTold = isTold;
    this.profile = profile;
    this.chooser = new Chooser(numbers);
    this.sources = new SimulatedSources(profile.isQueue ? [""] : ["o/a@main", "o/b@main"]);
    const signed = { value: EMPTY_CHECKPOINT, key: this.key };
    this.issue = new SimulatedIssue({ signed, ticked: [], isClosed: false });
    this.#lastBody = this.issue.now.body;
  }

  get writing(): Partial<Record<Writing, number>> {
    return this.hasFaults
      ? { done: 88, "done-unheard": 4, late: 3, lost: 3, refused: 2 }
      : { done: 1 };
  }

  get sending(): Partial<Record<Sending, number>> {
    return this.hasFaults
      ? {
          accepted: 60,
          "accepted-unheard": 10,
          "accepted-late": 6,
          unheard: 8,
          rejected: 6,
          refused: 10,
        }
      : { accepted: 1 };
  }

  get hasFaults(): boolean {
    return this.profile.hasFaults && !this.isCalm;
  }

  /** Whether a reading fails. */
  fails(): boolean {
    return this.hasFaults && this.chooser.chance(2);
  }

  tell(what: () => string): void {
    if (!this.#isTold) return;
    this.story.push(`${new Date(this.issue.time).toISOString().slice(8, 19)} ${what()}`);
  }

  /** How far an answer is behind, in milliseconds. */
  lag(): number {
    const isBehind = this.profile.isBehind && !this.isCalm && this.chooser.chance(30);
    return isBehind ? this.chooser.number(MOST_BEHIND) : 0;
  }

  /** Claims that a run does not see. */
  hiddenFrom(name: string): string[] {
    if (!this.profile.isBlind) return [];
    return this.runs.map((run) => run.name).filter((other) => other !== name);
  }

  /** Where sources may begin that the ledger has no cursor for. */
  begin({ cursors }: LedgerState<Change>): Record<string, string> {
    const missing = this.sources.names.filter((source) => source !== "" && !cursors.has(source));
    const begin = (source: string): string =>
      this.chooser.one(this.sources.beginnings(source)) ?? "start";
    return Object.fromEntries(missing.map((source) => [source, begin(source)]));
  }

  /** Takes down what stands in a comment that is now there. */
  noteRecord(record: LedgerRecord<Change>, comment: number): void {
    if (record.kind === "claim") {
      for (const [index, { handed }] of record.batches.entries()) {
        const batch = batchId(record.id, index);
        for (const { change, after } of handed) this.before.set(tickId(batch, change.key), after);
      }
      return;
    }
    for (const [source, { sha }] of Object.entries(record.cursors)) {
      if (!this.beginnings.has(source)) this.beginnings.set(source, { sha, comment });
    }
  }

  /** What lies after the ledger's cursors. */
  found({ cursors }: LedgerState<Change>): FoundChange<Change>[] {
    return this.sources.names.flatMap((source) =>
      this.sources.after(source, cursors.get(source)?.sha ?? "start"),
    );
  }

  /** Changes that landed after the beginning and count. */
  get expected(): Change[] {
    return this.sources.names.flatMap((source) => {
      const beginning = source === "" ? "start" : this.beginnings.get(source)?.sha;
      if (beginning === undefined) return [];
      return this.sources
        .after(source, beginning)
        .filter(({ passedOver }) => !passedOver)
        .map(({ change }) => change);
    });
  }

  /** The boxes that the dashboard shows. */
  boxes({ open }: LedgerState<Change>): string[] {
    return [...open.values()]
      .filter(({ batch: { stateNow } }) => stateNow === "failed" || stateNow === "uncertain")
      .map(({ batch, handed }) => tickId(batch.id, handed.change.key));
  }

  noteReceived(claim: Claim<Change>, index: number): void {
    this.#received.push(...sentIn(claim, index));
  }

  /** What is in requests that were received, will be, or are right before being sent. */
  get sent(): Sent[] {
    const sending = this.runs.flatMap(({ effect, memory: last }) => {
      const memory = effect?.type === "remember" ? effect.memory : last;
      return memory?.sending == null ? [] : sentIn(memory.claim, memory.sending);
    });
    return [...this.#received, ...sending];
  }

  accept(claim: Claim<Change>, batch: Batch<Change>): string {
    return this.service.accept(claim, batch, this.issue.time).id;
  }

  /** A run's write of the body. */
  writeBody(body: Partial<SimulatedBody>): void {
    this.issue.writeBody(body);
    this.#lastBody = this.issue.now.body;
  }

  /** What a person does who is told that the body has to be restored. */
  restoreBody(): void {
    this.issue.writeBody(this.#lastBody);
  }
}
