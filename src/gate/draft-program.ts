import {
  expireBatches,
  type HandOver,
  isIntended,
  onTop,
  recordDelivery,
  sentOf,
} from "../batches/batch-program.ts";
import type { LedgerAddress } from "../batches/batch-run.ts";
import type { DashboardIssue } from "../batches/dashboard-issue.ts";
import { draftOf, intendDraft } from "../batches/model/drafts.ts";
import { isHalted } from "../batches/model/failures.ts";
import type { Draft, Ledger } from "../batches/model/ledger.ts";
import { revisionOf } from "../batches/model/revision.ts";
import type { MergedChange } from "../github/changes/change-details.ts";
import type { Delivery } from "../job/send.ts";
import type { Revision } from "../ledger/file.ts";
import type { ActKey, BasicResult, Moment, Plan, Program, Reading } from "../ledger/program.ts";
import type { Head } from "../ledger/store.ts";

type DraftNotes =
  /** Another run has requested it. */
  | { type: "existing"; draft: Draft }
  /** Upkeep has found its merge. */
  | { type: "merged" }
  | { type: "requested" };

export interface DraftTerms {
  ledger: Ledger;
  facts: null;
  /** Why nothing is requested: the rest of a sentence. */
  stop: string;
  act: HandOver;
  result: Delivery;
  notes: DraftNotes;
}

/** What the program needs of a run. */
interface DraftPort {
  dashboard: Pick<DashboardIssue, "read">;
  address: Pick<LedgerAddress, "rules" | "runName">;
}

/** The program that requests the documentation of an open pull request. */
export class DraftProgram implements Program<DraftTerms> {
  readonly #run: DraftPort;
  readonly #change: MergedChange;
  readonly #prompt: string;
  readonly #deliver: (act: HandOver) => Promise<Delivery>;

  /** @param change the pull request, with its head as `sha` */
  constructor(
    run: DraftPort,
    change: MergedChange,
    prompt: string,
    deliver: (act: HandOver) => Promise<Delivery>,
  ) {
    this.#run = run;
    this.#change = change;
    this.#prompt = prompt;
    this.#deliver = deliver;
  }

  async read(head: Head<Ledger>): Promise<Reading<DraftTerms>> {
    const read = await this.#run.dashboard.read(head);
    if (read.type !== "dashboard") return read;
    const isPaused = read.dashboard.issue?.isClosed ?? false;
    if (isPaused) return { type: "stopped", stop: "the dashboard is closed" };
    if (isHalted(head.ledger)) return { type: "stopped", stop: "too many jobs in a row failed" };
    return { type: "facts", facts: null };
  }

  decide(from: Revision<Ledger>, _facts: null, { now, name }: Moment): Plan<DraftTerms> {
    const change = this.#change;
    const { waiting, batches, reviews } = from.ledger;
    const draft = draftOf(from.ledger, change.key);
    if (draft !== undefined) return { ...from, acts: [], notes: { type: "existing", draft } };
    const held = [...waiting, ...batches, ...reviews].flatMap(({ changes }) => changes);
    if (held.some(({ key }) => key === change.key)) {
      return { ...from, acts: [], notes: { type: "merged" } };
    }
    const id = `${name}.0`;
    const revision = intendDraft(revisionOf(from.ledger, now, this.#run.address.rules), id, change);
    const act: HandOver = {
      type: "hand over",
      id,
      changes: [change],
      jobId: null,
      prompt: this.#prompt,
    };
    return { ...onTop(from, revision), acts: [act], notes: { type: "requested" } };
  }

  perform(act: HandOver): Promise<Delivery> {
    return this.#deliver(act);
  }

  record(from: Revision<Ledger>, { id }: ActKey, result: Delivery | BasicResult, now: number) {
    return recordDelivery(from, id, sentOf(result), now, this.#run.address);
  }

  expire(from: Revision<Ledger>, isDead: (writtenAt: string) => boolean): Revision<Ledger> {
    return expireBatches(from, isDead, this.#run.address.rules);
  }

  holds({ drafts }: Ledger, act: ActKey): boolean {
    return isIntended(drafts, act);
  }

  goesOn(): boolean {
    return true;
  }
}
