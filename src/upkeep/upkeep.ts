import {
  type BatchAction,
  type Choice,
  type HandOver,
  type Reason,
  sentOf,
} from "../batches/batch-program.ts";
import { BatchRun, readAgents } from "../batches/batch-run.ts";
import { progressText } from "../batches/dashboard/progress.ts";
import { renderDashboard } from "../batches/dashboard/render.ts";
import type { CommentResult } from "../batches/model/comments.ts";
import type { Decision } from "../batches/model/decisions.ts";
import type { OwnerWorkflow, PendingComment } from "../batches/model/ledger.ts";
import type { BatchRevision, BatchRules } from "../batches/model/revision.ts";
import {
  type BatchReport,
  DECIDE,
  lastDelivery,
  type ResultWord,
  reportBatches,
} from "../batches/report.ts";
import {
  type BatchClosing,
  type BatchResult,
  type Handed,
  runBatches,
  type WaitedJob,
} from "../batches/run-batches.ts";
import {
  explainRefusal,
  type GitHubKind,
  kindOfRefusal,
  type TokenPermissions,
} from "../github/api/refusal.ts";
import { presentNames } from "../github/api/repository.ts";
import { promptFor } from "../github/changes/change-details.ts";
import { histories } from "../github/changes/history.ts";
import {
  inRepository,
  type RepositoryContext,
  type RunContext,
} from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { type Delivery, deliver, errorOf, SERVICE_LIMIT } from "../job/send.ts";
import type { BasicResult } from "../ledger/program.ts";
import { ALL_RECORDED } from "../ledger/unavailable.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError, cancelledRun } from "../runtime/errors.ts";
import { sentence } from "../text/sentence.ts";
import { chooseBatch, decideHandOver } from "./choose-batch.ts";
import { parseUpkeepInputs, type UpkeepInputs } from "./inputs.ts";
import { checkOwnerWorkflow, ownWorkflow, takeOwnerWorkflow } from "./owner-workflow.ts";
import { releaseAll, SourceReader, type UnreadSource, type UpkeepFacts } from "./read-sources.ts";
import { commentOnPull, coverageOf, DAYS, outputsOf } from "./results.ts";
import { SourceProblem } from "./source-problem.ts";
import { noteReads, takeSource } from "./sources.ts";
import { waitForJob } from "./wait-for-job.ts";

const PERMISSIONS: TokenPermissions = ["contents: read", "pull-requests: read"];

/**
 * Keeps the documentation in step with the code: finishes what earlier runs started, collects what has landed since,
 * and hands it to the agent.
 */
export async function upkeep(
  read: ReadInput,
  runContext: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const inputs = parseUpkeepInputs(read, runContext);
  const context = inRepository(runContext);
  const run = new BatchRun("upkeep", inputs, context, dependencies);
  const action = new Upkeep({ inputs, context, run });
  const result = await runBatches(run, action);
  for (const repository of result.decided?.notes.unfinished ?? []) {
    dependencies.log.info(
      `${repository} gained more commits than one run can read. The next runs go on with them.`,
    );
  }
  reportBatches(run, result, reportOf(result, inputs));
}

interface UpkeepParts {
  inputs: UpkeepInputs;
  context: RepositoryContext;
  run: BatchRun;
}

/** What upkeep has to say about what it chose. */
export interface UpkeepNotes {
  warning: string | null;
  unread: readonly UnreadSource[];
  /** Names of the repositories that gained more commits than one run can read. */
  unfinished: readonly string[];
}

type Accepted = Extract<Delivery, { type: "accepted" }>;

/** Upkeep's part in a run of its ledger: the changes of its sources. */
class Upkeep implements BatchAction<UpkeepFacts, UpkeepNotes>, BatchClosing {
  readonly rules: BatchRules;
  readonly #parts: UpkeepParts;
  readonly #ownWorkflow: OwnerWorkflow;
  readonly #nameOf: (id: number) => Promise<string>;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
    this.rules = parts.run.address.rules;
    this.#ownWorkflow = ownWorkflow(parts.inputs, parts.context);
    this.#nameOf = presentNames(parts.run.connect);
  }

  async read(settled: BatchRevision): Promise<UpkeepFacts> {
    const { inputs, context, run } = this.#parts;
    const { stop } = run.dependencies.cancellation;
    if (stop.aborted) throw cancelledRun(ALL_RECORDED);
    run.logFirst("it begins at `since`");
    await checkOwnerWorkflow(settled.ledger.ownerWorkflow, this.#ownWorkflow, run.store.git);
    const reader = new SourceReader({
      inputs,
      repository: context.repository,
      historyOf: histories(run.connect),
      stop,
      clock: run.dependencies.clock,
      requests: run.requests,
      readEnded: () => run.readEnded(),
      readOtherAgents: () => readAgents(run.store.git, run.store.options.ref),
    });
    return await reader.read(settled);
  }

  choose(settled: BatchRevision, facts: UpkeepFacts): Choice<UpkeepNotes> {
    return chooseChanges(takeOwnerWorkflow(settled, this.#ownWorkflow), facts, this.#parts.inputs);
  }

  async deliver({ jobId, prompt }: HandOver): Promise<Delivery> {
    const { run } = this.#parts;
    const { dependencies } = run;
    const delivery = await deliver(run.agent, jobId, prompt, DECIDE, dependencies);
    if (delivery.type !== "refused" || delivery.by !== "job") return delivery;
    dependencies.log.info(`Job ${jobId} does not accept the follow-up, so a new job is started.`);
    return await deliver(run.agent, null, prompt, DECIDE, dependencies);
  }

  readonly sent = sentOf;

  /** A run of upkeep hands over one batch. */
  goesOn(_act: HandOver, deliveries: readonly (Delivery | BasicResult)[]): boolean {
    return deliveries.length === 0;
  }

  async wait({ job, isFollowUp }: Accepted): Promise<WaitedJob | null> {
    const { inputs, run } = this.#parts;
    if (!inputs.wait) return null;
    return await waitForJob(job, isFollowUp, run.agent, inputs, run.dependencies);
  }

  comment(pendingComment: PendingComment): Promise<CommentResult> {
    const { connect, dependencies } = this.#parts.run;
    return commentOnPull(pendingComment, { connect, nameOf: this.#nameOf, log: dependencies.log });
  }

  render(revision: BatchRevision, ticked: readonly Decision[]): string {
    const progress = coverageOf(revision);
    return renderDashboard(revision, ticked, {
      introduction: `This issue shows which merged changes are documented. [Docs Upkeep](${this.#parts.inputs.pages}/upkeep.md) keeps it up to date. Close it to pause upkeep, and reopen it to resume.`,
      headline: `Last ${DAYS} days: ${progressText(progress, "change")}.`,
      progress,
      chart: `Coverage of the last ${DAYS} days`,
      waiting: revision.ledger.waiting,
    });
  }
}

/** The instruction about merged changes, unless the workflow gives one. */
const PROMPT =
  "Bring the documentation up to date with the changes below, which were merged into the code. Change only what they make incorrect or incomplete. If nothing in the documentation needs a change, change nothing.";

/** Records what was found in the sources, and chooses what to hand over. Pure. */
export function chooseChanges(
  settled: BatchRevision,
  { sources, unread, isShort, details }: UpkeepFacts,
  inputs: UpkeepInputs,
): Choice<UpkeepNotes> {
  let revision = releaseAll(settled, inputs);
  for (const source of sources) revision = takeSource(revision, source, inputs);
  // The time of the last read matters only if a run cannot read all sources.
  if (isShort) revision = noteReads(revision, sources);
  const decision = decideHandOver(revision, inputs);
  const beyond = sources.filter(({ target }) => target !== null);
  const unfinished = beyond.map(({ repository }) => repository.fullName);
  const notes = { warning: decision.warning, unread, unfinished };
  if (decision.type === "wait") {
    return { revision, handOvers: [], reason: decision.reason, notes };
  }
  const { revision: filtered, chosen, candidates } = chooseBatch(revision, details, inputs);
  if (chosen.length === 0) return { revision: filtered, handOvers: [], reason: "idle", notes };
  const handOver = {
    changes: chosen.map(({ change }) => change),
    attempt: candidates.attempts + 1,
    followUp: candidates.followUp,
    jobId: decision.jobId,
    prompt: promptFor(inputs.prompt ?? PROMPT, chosen, inputs.includeDiff),
  };
  return { revision: filtered, handOvers: [handOver], reason: "idle", notes };
}

function reportOf({ decided }: BatchResult<UpkeepNotes>, { dryRun }: UpkeepInputs): BatchReport {
  const { notes = null, handed = [], waited = null } = decided ?? {};
  const delivery = dryRun ? null : lastDelivery(handed);
  const error = errorOf(delivery) ?? waited?.error ?? unreadError(notes?.unread ?? []);
  const job = delivery?.type === "accepted" ? (waited?.job ?? delivery.job) : null;
  const limit = delivery?.type === "limited" ? SERVICE_LIMIT : null;
  return {
    noun: "change",
    verb: "handed over",
    warnings: [notes?.warning ?? null, limit].filter((warning) => warning !== null),
    error,
    result: decided && (dryRun ? "dry-run" : resultOf(delivery, decided.reason, error)),
    outputs: outputsOf(decided, job),
    prompts: dryRun && handed.length > 0 ? promptsOf(handed) : null,
  };
}

function promptsOf(handed: readonly Handed[]): string {
  return handed.map(({ act }) => act.prompt).join("\n\n");
}

/** The output `result`; null if nothing is known to have been started. */
function resultOf(
  delivery: Delivery | BasicResult | null,
  reason: Reason,
  error: ActionError | null,
): ResultWord | null {
  switch (delivery?.type) {
    case undefined:
      return error !== null && reason === "idle" ? null : reason;
    case "accepted":
      return delivery.isFollowUp ? "continued" : "started";
    case "limited":
    case "busy":
      return delivery.type;
    default:
      return null;
  }
}

function unreadError(unread: readonly UnreadSource[]): ActionError | null {
  if (unread.length === 0) return null;
  const problems = unread.map(({ repository, error }) => {
    const { kind, reason } = problemOf(error);
    return { kind, text: sentence(`${repository} could not be read: ${reason}`) };
  });
  const cause = unread[0]?.error;
  const advice = "The other repositories were handled.";
  // A repository that can be read later needs nothing to be corrected.
  const isRefused = problems.every(({ kind }) => kind === "github-refused");
  const kind = isRefused ? "github-refused" : "github-unavailable";
  return new ActionError(kind, problems.map(({ text }) => text).join(" "), advice, { cause });
}

/** Why a source could not be read: GitHub's error, or a problem that the action found. */
function problemOf(error: unknown): { kind: GitHubKind; reason: string } {
  if (error instanceof SourceProblem) return { kind: error.kind, reason: error.message };
  const refusal = explainRefusal(error, PERMISSIONS);
  return { kind: kindOfRefusal(refusal), reason: refusal.reason };
}
