/** The drafts in upkeep's ledger: documentation that was requested before the merge. */

import { batchReads } from "../batches/batch-reads.ts";
import { BatchRun } from "../batches/batch-run.ts";
import type { StartedJob } from "../batches/model/batches.ts";
import type { Draft } from "../batches/model/ledger.ts";
import { saveBatches } from "../batches/post-step.ts";
import { entryText } from "../batches/reasons.ts";
import { type ChangeDetails, passedOver } from "../github/changes/change-details.ts";
import { promptFor } from "../github/changes/change-prompt.ts";
import { USUAL_MAX_FAILURES } from "../inputs/ledger.ts";
import { deliver, errorOf } from "../job/send.ts";
import { Engine } from "../ledger/engine.ts";
import { unrecordedText } from "../ledger/record-saved.ts";
import { INTENT_LIFETIME } from "../ledger/store.ts";
import type { Delivery } from "../runtime/delivery.ts";
import { once } from "../runtime/dependencies.ts";
import { ActionError, valueOrError } from "../runtime/errors.ts";
import { known } from "../runtime/fact.ts";
import { githubTime, pollDocsJob, withPullRequest } from "./docs-jobs.ts";
import { DraftProgram, type DraftReads, type DraftTerms } from "./draft-program.ts";
import type { Approval } from "./gate-reader.ts";
import type { GateRun, KeyedRun } from "./gate-run.ts";
import type { GateNote } from "./reasons.ts";
import type { DocsJob, PullDraft } from "./verdict.ts";

const OF_UPKEEP = {
  maxAttempts: 1,
  // One lost request keeps no other pull request from its draft.
  maxFailures: USUAL_MAX_FAILURES,
  jobDeadline: 0,
  dashboard: null,
  decisions: [],
  dryRun: false,
  comment: false,
};

/** A pull request whose draft is read. */
export interface DraftSubject {
  details: ChangeDetails;
  /** The branch that it is to be merged into. */
  base: string;
  approval: Approval;
  /** Whether to request it, if there is none. */
  mayRequest: boolean;
}

/**
 * Requests the draft of a pull request, unless it has one by now.
 *
 * @throws ActionError for a key that is refused, when the draft is polled or requested
 */
export async function requestDraft(subject: DraftSubject, gate: KeyedRun): Promise<PullDraft> {
  const taken = await valueOrError(takeDraft(subject, gate), ActionError);
  if (taken instanceof ActionError) return none({ code: "no-draft", message: taken.message });
  switch (taken.type) {
    case "draft":
      return await draftInLedger(taken.draft, gate);
    case "none":
      return taken;
    case "delivery":
      return draftAfter(taken.delivery);
  }
}

/** @throws ActionError if the ledger could not be read or written */
async function takeDraft(subject: DraftSubject, gate: KeyedRun) {
  const { inputs, service, context, dependencies } = gate;
  const { log, clock, cancellation } = dependencies;
  const { details, approval, mayRequest } = subject;
  const run = new BatchRun(
    "upkeep",
    { ...inputs, ...service, ...OF_UPKEEP },
    context,
    dependencies,
  );
  const prompt = await promptFor(inputs.prompt ?? DRAFT_PROMPT, [details], false);
  const program = programOf(subject, mayRequest ? prompt : null, run, gate);
  const engine = new Engine<DraftTerms>({
    program,
    store: run.store,
    clock,
    stop: cancellation.stop,
    save: (saved) => saveBatches(run, saved),
  });
  // The verdict has asked for the approval already.
  const reads = { ...program.reads(), approval: async () => known(approval) };
  const result = await engine.run((from, _, moment) => program.plan(from, reads, moment));
  for (const warning of result.warnings) log.warning(warning);
  switch (result.type) {
    case "stopped":
      return result.notes ?? none(null);
    case "busy":
    case "planned":
      return none({ code: "others-first" });
    case "done": {
      if (result.unrecorded !== null) log.warning(unrecordedText(result.unrecorded));
      return { type: "delivery", delivery: result.done[0]?.delivery ?? null } as const;
    }
  }
}

function programOf(
  { details, base }: DraftSubject,
  prompt: string | null,
  run: BatchRun,
  { inputs, reader, dependencies }: KeyedRun,
): DraftProgram {
  const number = details.change.number ?? 0;
  const { agent, address, dashboard } = run;
  const port = {
    address,
    place: dashboard.place,
    reads: (): DraftReads => ({
      ...batchReads(run),
      approval: once(() => reader.approval(number)),
      defaultBranch: reader.defaultBranch,
    }),
    isPassedOver: (labels: readonly string[]) =>
      passedOver({ ...details, labels: [...labels] }, inputs) !== null,
    start: async (text: string): Promise<Delivery<StartedJob>> => {
      const delivery = await deliver(agent, null, text, IF_UNCERTAIN, dependencies);
      if (delivery.type !== "accepted") return delivery;
      return { type: "accepted", value: { job: delivery.value, isFollowUp: false } };
    },
  };
  return new DraftProgram(port, details.change, base, prompt);
}

/** The state of a draft that the ledger has. Without a key, its job is not polled, and counts as not failed. */
export async function draftInLedger(draft: Draft, gate: GateRun): Promise<PullDraft> {
  switch (draft.state) {
    case "uncertain":
      return none({ code: "uncertain", words: entryText(draft.reason) });
    case "intended":
      return isLiving(draft.at, gate)
        ? { type: "requesting" }
        : none({ code: "uncertain", words: entryText({ code: "run-ended" }) });
    case "failed": {
      if (draft.job === null) return { type: "refused" };
      const { id: jobId, prLink } = draft.job;
      return { type: "job", job: { jobId, prLink, ended: "failed" } };
    }
    case "done":
    case "running": {
      const { id: jobId, prLink } = draft.job;
      const { service } = gate.inputs;
      const job: DocsJob = { jobId, prLink, ended: null };
      const isPolled = draft.state === "running" && service !== null;
      const polled = isPolled
        ? await pollDocsJob({ ...job, api: "v2", askedAt: null }, { ...gate, service })
        : await withPullRequest(job, gate);
      return { type: "job", job: polled };
    }
  }
}

/** Whether the run that is about to request a draft may still do so. @param writtenAt ISO 8601 */
function isLiving(writtenAt: string, gate: GateRun): boolean {
  return githubTime(gate) - Date.parse(writtenAt) < INTENT_LIFETIME;
}

/**
 * The draft after its request. @param delivery null if the run ended before it
 *
 * @throws ActionError for a key that is refused
 */
function draftAfter(delivery: Delivery<StartedJob> | null): PullDraft {
  if (delivery?.type === "accepted") {
    return { type: "job", job: { jobId: delivery.value.job.id, prLink: null, ended: null } };
  }
  if (delivery?.type === "limited") return none({ code: "limited" });
  const error = errorOf(delivery);
  if (error === null) {
    const isChanged = delivery?.type === "not-sent" && delivery.code === "changed";
    return none({ code: isChanged ? "changed" : "unsent" });
  }
  if (delivery?.type === "refused" && delivery.by === "key") throw error;
  return none({ code: "no-draft", message: error.message });
}

function none(why: GateNote | null): Extract<PullDraft, { type: "none" }> {
  return { type: "none", why };
}

/** The instruction for a pull request that is not merged yet, unless the workflow gives one. */
const DRAFT_PROMPT =
  "Prepare the documentation for the pull request below, which is approved, but not merged " +
  "into the code yet. Change only what it makes incorrect or incomplete. If nothing in the " +
  "documentation needs a change, change nothing.";

const IF_UNCERTAIN =
  "Look for its job on Mintlify's dashboard. After the merge, upkeep's dashboard asks " +
  "whether to hand it over again.";
