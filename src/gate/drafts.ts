/** The drafts in upkeep's ledger: documentation that was requested before the merge. */

import { type ChangeDetails, DRAFT_PROMPT, promptFor } from "../github/changes/change-details.ts";
import type { Review } from "../github/changes/history-records.ts";
import { checkPermission } from "../github/trigger/permission.ts";
import { type Delivered, deliver, SERVICE_LIMIT } from "../job/send.ts";
import { draftOf } from "../ledger/model/batches.ts";
import type { Batch } from "../ledger/model/ledger.ts";
import type { LedgerAction } from "../ledger/protocol/port.ts";
import { sendDraft } from "../ledger/protocol/send-batches.ts";
import { LedgerRun } from "../ledger/run/ledger-run.ts";
import { ActionError } from "../runtime/errors.ts";
import { type GateRun, pollDocsJob } from "./docs-jobs.ts";
import type { DocsJob } from "./verdict.ts";

/** Maximum number of approvers whose permission is read. */
const MOST_APPROVERS = 10;

const OF_UPKEEP = {
  ledgerRef: null,
  maxAttempts: 1,
  jobDeadline: 0,
  dashboard: null,
  dryRun: false,
  comment: false,
};

/** Why there is no draft: the rest of a sentence, with words from outside. */
interface NoDraft {
  why: string;
}

/**
 * The draft of a pull request; null for none.
 *
 * @param reviews to request it now, if somebody with write permission approved the pull request; null for not
 */
export async function readDraft(
  details: ChangeDetails,
  reviews: readonly Review[] | null,
  gate: GateRun,
): Promise<{ job: DocsJob } | NoDraft | null> {
  const { inputs, context, dependencies } = gate;
  const run = new LedgerRun("upkeep", { ...inputs, ...OF_UPKEEP }, context, dependencies);
  const found = await inLedger(details, reviews, gate, run).catch((error) => {
    if (error instanceof ActionError) return { why: error.problem };
    throw error;
  });
  if (found === null || !("state" in found)) return found;
  const { state, jobId, prLink, acceptedAt, why } = found;
  if (state === "uncertain") return { why: `the service may have received the request (${why})` };
  const job = { jobId: jobId ?? "", prLink, hasFailed: state === "failed" };
  if (state !== "running") return { job };
  return { job: await pollDocsJob(job, "v2", Date.parse(acceptedAt ?? ""), gate) };
}

/** The draft as the ledger has it, or what came of the request for it. */
async function inLedger(
  details: ChangeDetails,
  reviews: readonly Review[] | null,
  gate: GateRun,
  run: LedgerRun,
): Promise<Batch | { job: DocsJob } | NoDraft | null> {
  const { key, repository } = details.change;
  const draft = draftOf(await run.store.read(), key);
  if (draft !== undefined) return draft;
  const approvals = (reviews ?? []).filter(({ state, login }) => state === "APPROVED" && login);
  const logins = new Set(approvals.map(({ login }) => login));
  let refused: NoDraft | null = null;
  for (const login of [...logins].slice(0, MOST_APPROVERS)) {
    refused = await checkPermission(run.connect, repository, login, "write");
    if (refused === null) return await request(details, gate, run);
  }
  return refused;
}

async function request(
  details: ChangeDetails,
  { inputs, dependencies }: GateRun,
  run: LedgerRun,
): Promise<Batch | { job: DocsJob } | NoDraft> {
  const prompt = promptFor(inputs.prompt ?? DRAFT_PROMPT, [details], false);
  let delivered: Delivered | null = null;
  const send: LedgerAction["send"] = async () => {
    delivered = await deliver(run.agent, null, prompt, IF_UNCERTAIN, dependencies);
    return { ...delivered, isLast: true };
  };
  const end = await sendDraft(run, { send }, details.change);
  if ("why" in end) return end;
  if ("existing" in end) return end.existing;
  const { handed, unrecorded } = end;
  if (unrecorded !== "") dependencies.log.warning(`${UNRECORDED} ${unrecorded}.`);
  const sent = handed[0]?.sent;
  if (sent?.type !== "accepted") return { why: whyNotSent(delivered) };
  return { job: { jobId: sent.jobId, prLink: null, hasFailed: false } };
}

const UNRECORDED =
  "What became of the request could not be recorded; the post step tries again. Why:";

const IF_UNCERTAIN =
  "Look for its job on the service's dashboard. Once the pull request is merged, upkeep's dashboard asks whether to hand it over again.";

function whyNotSent(delivered: Delivered | null): string {
  if (delivered?.reason === "limited") return SERVICE_LIMIT;
  return delivered?.error?.message ?? "the time to send it was over";
}
