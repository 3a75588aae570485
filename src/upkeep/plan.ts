/** Plans a run of upkeep, in the order of docs/upkeep.md. */

import { applyFacts } from "../batches/applied-facts.ts";
import {
  type BatchDecision,
  type BatchNotes,
  type OwnNotes,
  obstacleIn,
  planOf,
  readDashboard,
} from "../batches/batch-plan.ts";
import type { BatchTerms } from "../batches/batch-program.ts";
import type { DashboardFacts } from "../batches/dashboard-issue.ts";
import type { Ledger, OwnerWorkflow } from "../batches/model/ledger.ts";
import { sourceKey } from "../batches/model/names.ts";
import { type BatchRevision, revisionOf } from "../batches/model/revision.ts";
import { applyDecisions } from "../batches/people.ts";
import type { PlanSettings } from "../batches/settings.ts";
import type { ChangeDetails } from "../github/changes/change-details.ts";
import { promptFor } from "../github/changes/change-prompt.ts";
import type { Revision } from "../ledger/file.ts";
import type { Moment, Planned } from "../ledger/program.ts";
import type { Fact, Unread } from "../runtime/fact.ts";
import { chooseBatch, decideTarget } from "./decide.ts";
import type { SourceRepository, UpkeepInputs } from "./inputs.ts";
import { checkOwnerWorkflow, takeOwnerWorkflow } from "./owner-workflow.ts";
import type { UpkeepReads } from "./reads.ts";
import type { UpkeepReason, UpkeepWarning } from "./reasons.ts";
import type { SourceReads } from "./source-reader.ts";
import {
  inReadingOrder,
  knownSource,
  noteReads,
  releaseAll,
  type SourceFacts,
  takeRelease,
  takeSource,
  waitingForRelease,
} from "./sources.ts";

/** Minimum number of requests to read one source. */
const LEAST = 4;

/** The instruction about merged changes, unless the workflow gives one. */
const PROMPT =
  "Bring the documentation up to date with the changes below, which were merged into the " +
  "code. Change only what they make incorrect or incomplete. If nothing in the " +
  "documentation needs a change, change nothing.";

/** A source that could not be read. */
export interface UnreadSource {
  readonly repository: string;
  readonly unread: Unread;
}

/** What upkeep has to say about its plan. */
export interface UpkeepNotes extends OwnNotes {
  readonly reason: UpkeepReason;
  readonly warnings: readonly UpkeepWarning[];
  readonly unread: readonly UnreadSource[];
  /** Names of the repositories that gained more commits than one run can read. */
  readonly unfinished: readonly string[];
}

/** What a plan of upkeep goes by. */
export interface UpkeepSettings extends PlanSettings {
  inputs: UpkeepInputs;
  /** This run's workflow as the ledger's owner. */
  own: OwnerWorkflow;
}

export async function planUpkeep(
  from: Revision<Ledger>,
  reads: UpkeepReads,
  moment: Moment,
  settings: UpkeepSettings,
): Promise<Planned<BatchTerms<UpkeepReads>, BatchNotes<UpkeepNotes>>> {
  const { inputs, own } = settings;
  const shown = await readDashboard(from, reads, settings);
  if (shown.type !== "dashboard") return shown;
  const { dashboard } = shown;

  const facts = await applyFacts(revisionOf(from.ledger, moment.now, settings.rules), reads);
  const { revision: settled, warnings } = applyDecisions(facts.revision, dashboard, settings);

  reads.checkCancelled();
  await checkOwnerWorkflow(settled.ledger.ownerWorkflow, own, reads.file);
  const gained = await takeSources(takeOwnerWorkflow(settled, own), reads, inputs);

  const decision = await decide(gained, dashboard, reads, inputs);
  return planOf(from, decision, { dashboard, facts, warnings }, moment, settings);
}

/** Takes what each source gained. One that cannot be read does not stop the others. */
export async function takeSources(
  settled: BatchRevision,
  reads: SourceReads,
  inputs: UpkeepInputs,
): Promise<{
  revision: BatchRevision;
  unread: readonly UnreadSource[];
  /** Names of repositories. */
  unfinished: readonly string[];
}> {
  const taken: SourceFacts[] = [];
  const unread: UnreadSource[] = [];
  let revision = releaseAll(settled, inputs);
  const wanted = inReadingOrder(inputs.repositories, settled.ledger);
  let isShort = false;
  for (const source of wanted) {
    // To read the files of the chosen changes takes requests, too.
    isShort = reads.requestsLeft() < LEAST;
    if (isShort) break;
    const read = await reads.source(source, revision);
    if (read.type !== "known") {
      unread.push({ repository: source.repository, unread: unreadOf(read) });
      continue;
    }
    taken.push(read.value);
    revision = takeSource(revision, read.value, inputs);
    if (inputs.after === "merge") continue;
    const released = await takeReleased(revision, source, read.value, reads);
    ({ revision } = released);
    if (released.unread !== null) {
      unread.push({ repository: source.repository, unread: released.unread });
    }
  }
  // The time of the last read matters only if a run cannot read all sources.
  if (isShort) revision = noteReads(revision, taken);
  const beyond = taken.filter(({ target }) => target !== null);
  return { revision, unread, unfinished: beyond.map(({ repository }) => repository.fullName) };
}

/** Releases what a release contains of the changes of a source that wait for one. */
async function takeReleased(
  revision: BatchRevision,
  wanted: SourceRepository,
  { repository, branch, head }: SourceFacts,
  reads: SourceReads,
): Promise<{ revision: BatchRevision; unread: Unread | null }> {
  const known = knownSource(revision.ledger, repository.id, branch);
  const waiting = known === null ? [] : waitingForRelease(revision.ledger, sourceKey(known));
  if (known === null || waiting.length === 0) return { revision, unread: null };
  const { release: last, wasRewritten } = known;
  const read = await reads.release(wanted, { head, waiting, last, wasRewritten });
  if (read.type === "unread") return { revision, unread: read };
  if (read.type === "absent") return { revision, unread: null };
  return { revision: takeRelease(revision, known, read.value), unread: null };
}

function unreadOf(read: Exclude<Fact<SourceFacts>, { type: "known" }>): Unread {
  if (read.type === "unread") return read;
  const reason = "it is not there";
  return { type: "unread", cause: "refused", reason, isPassing: false, status: null };
}

/** Decides whether, where and which changes are handed over. */
async function decide(
  { revision, unread, unfinished }: Awaited<ReturnType<typeof takeSources>>,
  dashboard: DashboardFacts,
  reads: UpkeepReads,
  inputs: UpkeepInputs,
): Promise<BatchDecision<UpkeepNotes>> {
  const nothing = (
    reason: UpkeepReason,
    after = revision,
    warnings: readonly UpkeepWarning[] = [],
  ) => {
    return { revision: after, wishes: [], own: { reason, warnings, unread, unfinished } };
  };
  const obstacle = obstacleIn(revision, dashboard);
  if (obstacle !== null) return nothing(obstacle);
  const target = decideTarget(revision, inputs);
  if (target.type === "wait") {
    const { reason } = target;
    return nothing(reason, revision, reason.code === "daily-limit" ? [reason] : []);
  }
  const warnings = target.warning === null ? [] : [target.warning];
  const batch = await chooseBatch(revision, reads, inputs);
  const rest = nothing({ code: "nothing-new" }, batch.revision, warnings);
  if (batch.chosen.length === 0) return rest;
  const { attempts, followUp } = batch.candidates;
  const wish = {
    changes: batch.chosen.map(({ change }) => change),
    attempt: attempts + 1,
    followUp,
    jobId: target.jobId,
    prompt: promptOf(batch.chosen, inputs),
  };
  return { ...rest, wishes: [wish] };
}

function promptOf(chosen: readonly ChangeDetails[], { prompt, includeDiff }: UpkeepInputs) {
  return promptFor(prompt ?? PROMPT, chosen, includeDiff);
}
