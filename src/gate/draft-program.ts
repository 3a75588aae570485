/** Requests the documentation of an open pull request, once, even if many runs try: the drafts in upkeep's ledger. */

import { expireBatches, isIntended, onTop, recordBatchAct } from "../batches/batch-program.ts";
import {
  checkDashboard,
  type DashboardPlace,
  type LedgerProblem,
} from "../batches/dashboard-issue.ts";
import type { StartedJob } from "../batches/model/batches.ts";
import { draftOf, intendDraft } from "../batches/model/drafts.ts";
import { isHalted } from "../batches/model/failures.ts";
import type { Draft, Ledger } from "../batches/model/ledger.ts";
import { revisionOf } from "../batches/model/revision.ts";
import type { LedgerAddress } from "../batches/settings.ts";
import { type MergedChange, repositoryIdIn } from "../github/changes/change-details.ts";
import type { Issue } from "../github/conversation/labelled-issue.ts";
import type { Revision } from "../ledger/file.ts";
import type { ActKey, Moment, Planned, Program } from "../ledger/program.ts";
import type { Head } from "../ledger/store.ts";
import { type Delivery, type NotSent, notSent } from "../runtime/delivery.ts";
import { ActionError, valueOrError } from "../runtime/errors.ts";
import { ABSENT, type Fact, whyUnknown } from "../runtime/fact.ts";
import type { Approval } from "./gate-reader.ts";
import type { GateNote } from "./reasons.ts";

/** What requesting a draft depends on, beside the ledger. */
export interface DraftReads {
  approval(): Promise<Fact<Approval>>;
  /** The commit of the ledger that is planned on; null for none. */
  commit(): string | null;
  /** The default branch, which upkeep reads unless its ledger says otherwise. */
  defaultBranch(): Promise<Fact<string>>;
  /** The issue that shows a ledger. */
  dashboard(ledger: Ledger): Promise<Fact<Issue>>;
}

/** What the ledger has, or why nothing is requested; null for a request. */
export type DraftNotes =
  | { readonly type: "draft"; readonly draft: Draft }
  /** `why`: null if there is nothing to say. */
  | { readonly type: "none"; readonly why: GateNote | null }
  | null;

export interface DraftTerms {
  ledger: Ledger;
  reads: DraftReads;
  /** Starts a job. `id`: of the draft. */
  act: { readonly type: "start"; readonly id: string; readonly prompt: string };
  value: StartedJob;
}

export class DraftProgram implements Program<DraftTerms> {
  readonly #port: ConstructorParameters<typeof DraftProgram>[0];
  readonly #change: MergedChange;
  readonly #prompt: string | null;
  readonly #base: string;

  /**
   * @param port what the program needs of a run
   * @param change the pull request, with its head as `sha`
   * @param base the branch that it is to be merged into
   * @param prompt null if no draft is to be requested
   */
  constructor(
    port: {
      address: LedgerAddress;
      place: DashboardPlace;
      reads(): DraftReads;
      /** Whether the inputs ignore the pull request with these labels. */
      isPassedOver(labels: readonly string[]): boolean;
      start(prompt: string): Promise<Delivery<StartedJob>>;
    },
    change: MergedChange,
    base: string,
    prompt: string | null,
  ) {
    this.#port = port;
    this.#change = change;
    this.#base = base;
    this.#prompt = prompt;
  }

  reads(): DraftReads {
    return this.#port.reads();
  }

  /** Takes the draft that the ledger has, or requests one. */
  async plan(
    from: Revision<Ledger>,
    reads: DraftReads,
    { now, name }: Moment,
  ): Promise<Planned<DraftTerms, DraftNotes>> {
    const change = this.#change;
    const draft = draftOf(from.ledger, change.key);
    if (draft !== undefined) return { type: "stopped", notes: { type: "draft", draft } };
    const prompt = this.#prompt;
    if (prompt === null) return none(null);

    const obstacle = await this.#obstacle(from.ledger, reads);
    if (obstacle !== null) return "code" in obstacle ? none(obstacle) : obstacle;

    const id = `${name}.0`;
    const revision = intendDraft(
      revisionOf(from.ledger, now, this.#port.address.rules),
      id,
      change,
    );
    const acts = [{ type: "start", id, prompt }] as const;
    return { type: "plan", plan: { ...onTop(from, revision), acts, notes: null } };
  }

  /** The same decision right before the request. */
  async confirm(_act: DraftTerms["act"], { ledger }: Head<Ledger>, reads: DraftReads) {
    const obstacle = await valueOrError(this.#obstacle(ledger, reads), ActionError);
    if (obstacle instanceof ActionError) return notSent("changed", obstacle);
    return obstacle === null ? null : notConfirmed(obstacle);
  }

  /**
   * Why no draft is requested; null for no reason.
   *
   * @throws ActionError the dashboard could not be read
   */
  async #obstacle(ledger: Ledger, reads: DraftReads): Promise<GateNote | LedgerProblem | null> {
    const { waiting, batches, reviews } = ledger;
    const held = [...waiting, ...batches, ...reviews].flatMap(({ changes }) => changes);
    if (held.some(({ key }) => key === this.#change.key)) return { code: "merged" };
    if (isHalted(ledger)) return { code: "halted" };

    const approval = await reads.approval();
    if (approval.type !== "known") return notRead("The reviews", approval);
    const { isReady, head, labels, approving, objecting } = approval.value;
    const isMeant = isReady && head === this.#change.sha && !this.#port.isPassedOver(labels);
    if (!isMeant) return { code: "changed" };
    if (approving.length === 0) return { code: "unapproved" };
    const [login] = objecting;
    if (login !== undefined) return { code: "objection", login };
    const base = await this.#baseObstacle(ledger, reads);
    if (base !== null) return base;

    const issue = await reads.dashboard(ledger);
    const checked = checkDashboard(issue, ledger, reads.commit(), this.#port.place);
    if (checked.type !== "dashboard") return checked;
    return checked.dashboard.issue?.isClosed ? { code: "dashboard-closed" } : null;
  }

  /** Upkeep takes a draft up only where the pull request is merged into a branch that it reads. */
  async #baseObstacle({ sources }: Ledger, reads: DraftReads): Promise<GateNote | null> {
    const id = repositoryIdIn(this.#change.key);
    const isRead = sources.some(({ id: of, branch }) => of === id && branch === this.#base);
    if (isRead) return null;
    // Upkeep has not run yet.
    const isNew = sources.length === 0;
    const usual = isNew ? await reads.defaultBranch() : ABSENT;
    if (usual.type === "unread") return notRead("The default branch", usual);
    const isUsual = usual.type === "known" && usual.value === this.#base;
    return isUsual ? null : { code: "other-base", base: this.#base };
  }

  async perform({ prompt }: DraftTerms["act"]): Promise<Delivery<StartedJob>> {
    return await this.#port.start(prompt);
  }

  record(from: Revision<Ledger>, act: ActKey, delivery: Delivery<StartedJob>, now: number) {
    return recordBatchAct(from, act, delivery, now, this.#port.address);
  }

  expire(from: Revision<Ledger>, isDead: (writtenAt: string) => boolean): Revision<Ledger> {
    return expireBatches(from, isDead, this.#port.address.rules);
  }

  hasIntent({ drafts }: Ledger, act: ActKey): boolean {
    return isIntended(drafts, act);
  }

  shouldRun(): boolean {
    return true;
  }
}

function none(why: GateNote | null): Planned<DraftTerms, DraftNotes> {
  return { type: "stopped", notes: { type: "none", why } };
}

function notRead(what: string, fact: Exclude<Fact<unknown>, { type: "known" }>): GateNote {
  return { code: "no-draft", message: `${what} could not be read: ${whyUnknown(fact)}.` };
}

/** What could not be read is said; what has changed, the next run says. */
function notConfirmed(obstacle: GateNote | LedgerProblem): NotSent {
  if (!("code" in obstacle) || obstacle.code !== "no-draft") return notSent("changed");
  const { message: problem } = obstacle;
  return notSent("changed", { kind: "github-unavailable", problem, advice: null });
}
