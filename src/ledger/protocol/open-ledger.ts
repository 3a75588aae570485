import { type CheckpointLimits, makeCheckpoint } from "../model/checkpoint.ts";
import type { Dashboard, Thread } from "../model/issue-answers.ts";
import { type LedgerState, readLedger, unreportedClaims } from "../model/read-ledger.ts";
import type {
  Change,
  Checkpoint,
  Claim,
  Cursor,
  DatedClaim,
  LedgerComment,
} from "../model/record.ts";

/** The ledger as one run has read it, with what the run has added. */
export class OpenLedger<C extends Change> {
  /** Ids of the boxes that were ticked when the body was last read. */
  ticked: string[] = [];
  comments: LedgerComment<C>[] = [];
  readonly #limits: CheckpointLimits;
  readonly #own = new Map<string, DatedClaim<C>>();
  #moved: Record<string, Cursor> = {};
  #checkpoints: Checkpoint<C>[] = [];
  #now = 0;
  /** What `state()` answers, as long as nothing is added. */
  #state: LedgerState<C> | null = null;

  constructor(limits: CheckpointLimits) {
    this.#limits = limits;
  }

  /** From when on comments are to be read: what came before is in the checkpoint read first. */
  get since(): number | null {
    return this.#checkpoints[0]?.since ?? null;
  }

  /** What the ledger says. */
  state(): LedgerState<C> {
    this.#state ??= this.stateWithout(null);
    return this.#state;
  }

  /** What the ledger says, leaving out one claim. */
  stateWithout(without: string | null): LedgerState<C> {
    return readLedger({
      checkpoints: this.#checkpoints,
      comments: this.comments,
      own: [...this.#own.values()],
      moved: this.#moved,
      now: this.#now,
      without,
    });
  }

  checkpoint(): Checkpoint<C> {
    return makeCheckpoint(this.state(), this.#limits);
  }

  takeDashboard({ checkpoint, ticked }: Dashboard<C>): void {
    if (checkpoint !== null) this.#checkpoints = [...this.#checkpoints.slice(0, 1), checkpoint];
    this.ticked = ticked;
    this.#state = null;
  }

  takeThread({ comments, now }: Thread<C>): void {
    this.comments = comments;
    this.#now = now;
    this.#state = null;
  }

  /** Takes down what this run knows of a claim, whether or not its comment can be written. */
  note(dated: DatedClaim<C>): void {
    this.#own.set(dated.claim.id, dated);
    this.#state = null;
  }

  /** Takes down what has become of this run's own claim. */
  noteOwn(claim: Claim<C>): void {
    this.note({ claim, createdAt: this.#now, updatedAt: this.#now });
  }

  /**
   * Moves cursors on. Claims without an end that hold a change on the way are taken as uncertain from
   * now on: should they be withdrawn late, nobody would look for their changes again.
   *
   * @param moved by source, the commit up to which every change is decided
   */
  moveCursors(moved: Record<string, string>): void {
    const state = this.state();
    for (const taken of unreportedClaims(state)) this.note(taken);
    for (const [source, sha] of Object.entries(moved)) {
      const cursor = state.cursors.get(source);
      if (cursor !== undefined && cursor.sha !== sha) {
        this.#moved[source] = { ...cursor, sha, moved: cursor.moved + 1 };
      }
    }
    this.#state = null;
  }
}
