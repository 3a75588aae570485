/** The drafts in upkeep's ledger: documentation that was requested before the merge. */

import { expireBatches, sentOf } from "../batches/batch-program.ts";
import { BatchRun } from "../batches/batch-run.ts";
import { draftOf } from "../batches/model/drafts.ts";
import type { Draft } from "../batches/model/ledger.ts";
import { saveBatches } from "../batches/post-step.ts";
import { type ChangeDetails, promptFor } from "../github/changes/change-details.ts";
import type { ReviewResult } from "../github/changes/history-records.ts";
import { checkPermission } from "../github/trigger/permission.ts";
import { deliver, errorOf } from "../job/send.ts";
import { Engine } from "../ledger/engine.ts";
import { unchanged } from "../ledger/file.ts";
import type { Done } from "../ledger/program.ts";
import { unrecordedText } from "../ledger/record-saved.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import { pollDocsJob, withPullRequest } from "./docs-jobs.ts";
import { DraftProgram, type DraftTerms } from "./draft-program.ts";
import type { KeyedRun } from "./run.ts";
import type { DocsJob, DraftRequest } from "./verdict.ts";

/** Maximum number of reviewers of each opinion whose permission is read. */
const MOST_REVIEWERS = 10;

const OF_UPKEEP = {
  maxAttempts: 1,
  maxFailures: 1,
  jobDeadline: 0,
  dashboard: null,
  dryRun: false,
  comment: false,
};

/** The draft of a pull request. */
export type DraftResult =
  | DraftRequest
  /** There is none: nobody has approved the pull request, or this run may not request one. */
  | { type: "none" }
  /** There is none while somebody with write permission asks for changes. `login`: who. */
  | { type: "held"; login: string }
  /** There is none although there could be. `reason`: the rest of a sentence, with words from outside. */
  | { type: "failed"; reason: string }
  /** There is none, because of an error that is not the key's. */
  | { type: "error"; error: ActionError };

/**
 * Reads the draft of a pull request.
 *
 * @param reviews to request it now, if somebody with write permission approved the pull request; null if none is
 *   to be requested
 * @throws ActionError for a key that is refused, when the draft is polled or requested
 */
export async function readDraft(
  details: ChangeDetails,
  reviews: readonly ReviewResult[] | null,
  gate: KeyedRun,
): Promise<DraftResult> {
  const { inputs, service, context, dependencies } = gate;
  const upkeep = { ...inputs, ...service, ...OF_UPKEEP };
  const run = new BatchRun("upkeep", upkeep, context, dependencies);
  const draft = await findDraft(details, reviews ?? [], gate, run).catch((error: unknown) => {
    if (error instanceof ActionError) return { type: "error", error } as const;
    throw error;
  });
  if ("state" in draft) return await resultOfDraft(draft, gate);
  if (draft.type === "key refused") throw draft.error;
  return draft;
}

/** The draft in the ledger, or why there is none. */
type Found = Draft | DraftResult | { type: "key refused"; error: ActionError };

/** Reads the draft in the ledger, or requests it. In the living ledger, the intents of dead runs are uncertain. */
async function findDraft(
  details: ChangeDetails,
  reviews: readonly ReviewResult[],
  gate: KeyedRun,
  run: BatchRun,
): Promise<Found> {
  const { store, address } = run;
  const { ledger } = await store.read();
  const living = expireBatches(unchanged(ledger), store.isDead, address.rules).ledger;
  const draft = draftOf(living, details.change.key);
  return draft ?? (await requestIfApproved(details, reviews, gate, run));
}

/** The state of a draft that the ledger has. */
async function resultOfDraft(draft: Draft, gate: KeyedRun): Promise<DraftResult> {
  switch (draft.state) {
    case "uncertain":
      return failed(`the service may have received the request (${draft.reason})`);
    case "intended":
      return { type: "requesting" };
    case "failed": {
      if (draft.job === null) return { type: "refused" };
      const { id: jobId, prLink } = draft.job;
      return { type: "job", job: { jobId, prLink, ended: "failed" } };
    }
    case "done":
    case "running": {
      const { id: jobId, prLink, acceptedAt } = draft.job;
      const job: DocsJob = { jobId, prLink, ended: null };
      if (draft.state === "done") return { type: "job", job: await withPullRequest(job, gate) };
      const accepted = { jobId, prLink, api: "v2", askedAt: Date.parse(acceptedAt) };
      return { type: "job", job: await pollDocsJob(accepted, gate) };
    }
  }
}

function failed(reason: string): DraftResult {
  return { type: "failed", reason };
}

async function requestIfApproved(
  details: ChangeDetails,
  reviews: readonly ReviewResult[],
  gate: KeyedRun,
  run: BatchRun,
): Promise<Found> {
  const { repository } = details.change;
  const opinions = latestOpinions(reviews);
  const permission = (login: string) => checkPermission(run.connect, repository, login, "write");
  let approver: string | null = null;
  let denied: string | null = null;
  for (const login of opinions.approving.slice(0, MOST_REVIEWERS)) {
    const denial = await permission(login);
    if (denial === null) {
      approver = login;
      break;
    }
    denied = denial.reason;
  }
  if (approver === null) return denied === null ? { type: "none" } : failed(denied);
  for (const login of opinions.objecting.slice(0, MOST_REVIEWERS)) {
    const denial = await permission(login);
    // A permission that is not known now may be one that counts.
    if (denial === null || denial.isPassing === true) return { type: "held", login };
  }
  return await request(details, gate, run);
}

/** What each reviewer said last. @param reviews oldest first */
function latestOpinions(reviews: readonly ReviewResult[]): {
  approving: string[];
  objecting: string[];
} {
  const OPINIONS = ["APPROVED", "CHANGES_REQUESTED", "DISMISSED"];
  const latest = new Map<string, string>();
  for (const { login, state } of reviews) {
    if (login !== null && OPINIONS.includes(state)) latest.set(login, state);
  }
  const having = (wanted: string) =>
    [...latest].flatMap(([login, state]) => (state === wanted ? [login] : []));
  return { approving: having("APPROVED"), objecting: having("CHANGES_REQUESTED") };
}

/**
 * Requests the documentation of an open pull request, once, even if many runs try.
 *
 * @returns the draft that another run has requested, or the result of the request
 */
async function request(
  details: ChangeDetails,
  { inputs, dependencies }: KeyedRun,
  run: BatchRun,
): Promise<Found> {
  const prompt = promptFor(inputs.prompt ?? DRAFT_PROMPT, [details], false);
  const program = new DraftProgram(run, details.change, prompt, (act) =>
    deliver(run.agent, null, act.prompt, IF_UNCERTAIN, dependencies),
  );
  const engine = new Engine<DraftTerms>({
    program,
    store: run.store,
    clock: dependencies.clock,
    stop: dependencies.cancellation.stop,
    save: (saved) =>
      saveBatches(run, saved, (result) => ({ type: "hand over", sent: sentOf(result) })),
  });
  const outcome = await engine.run({ isRead: true });
  for (const warning of outcome.warnings) dependencies.log.warning(warning);
  if (outcome.type === "stopped") return failed(outcome.stop);
  if (outcome.type !== "done") return failed("other runs wrote to the ledger first");
  const { notes } = outcome.plan;
  if (notes.type === "existing") return notes.draft;
  if (notes.type === "merged") return failed("the pull request was merged in the meantime");
  return resultOfRequest(outcome.done[0], outcome.unrecorded, dependencies);
}

function resultOfRequest(
  done: Done<DraftTerms> | undefined,
  unrecorded: string | null,
  { log }: Dependencies,
): Found {
  if (unrecorded !== null) log.warning(unrecordedText(unrecorded));
  const result = done?.result ?? null;
  if (result?.type === "accepted") {
    return { type: "job", job: { jobId: result.job.id, prLink: null, ended: null } };
  }
  if (result?.type === "refused" && result.by === "key") {
    return { type: "key refused", error: result.error };
  }
  if (result?.type === "limited") return failed(LIMITED);
  const error = errorOf(result);
  if (error !== null) return { type: "error", error };
  return failed("the run was cancelled, or took too long to send the request");
}

const LIMITED =
  "the service's limit of 100 uses per project per hour is reached, so a later run requests it";

/** The instruction for a pull request that is not merged yet, unless the workflow gives one. */
const DRAFT_PROMPT =
  "Prepare the documentation for the pull request below, which is approved, but not merged into the code yet. Change only what it makes incorrect or incomplete. If nothing in the documentation needs a change, change nothing.";

const IF_UNCERTAIN =
  "Look for its job on the service's dashboard. After the merge, upkeep's dashboard asks whether to hand it over again.";
