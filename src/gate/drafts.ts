import { type ChangeDetails, DRAFT_PROMPT, promptFor } from "../github/change-details.ts";
import type { Review } from "../github/history-records.ts";
import { checkPermission } from "../github/permission.ts";
import { type Delivered, deliver, SERVICE_LIMIT } from "../job/start.ts";
import { draftOf } from "../ledger/model/batch-requests.ts";
import type { Batch } from "../ledger/model/ledger.ts";
import type { LedgerAction } from "../ledger/protocol/port.ts";
import { sendDraft } from "../ledger/protocol/send-batches.ts";
import { LedgerRun } from "../ledger/run/ledger-run.ts";
import { ActionError } from "../runtime/errors.ts";
import { type GateRun, pollDocsJob } from "./docs-jobs.ts";
import type { DocsJob } from "./verdict.ts";

/** Maximum number of approvers whose permission is read. */
const MOST_APPROVERS = 10;

/** A draft, or why there is none: the rest of a sentence, with words from outside. */
export type DraftRead = { job: DocsJob } | { why: string } | null;

/** The drafts in upkeep's ledger: documentation that was requested before the merge. */
export class Drafts {
  readonly #gate: GateRun;
  readonly #run: LedgerRun;

  constructor(gate: GateRun) {
    const { inputs, context, dependencies } = gate;
    this.#gate = gate;
    const ofUpkeep = {
      ...{ ledgerRef: null, maxAttempts: 1, jobDeadline: 0, dashboard: null },
      ...{ dryRun: false, comment: false },
    };
    this.#run = new LedgerRun("upkeep", { ...inputs, ...ofUpkeep }, context, dependencies);
  }

  /** The draft of a pull request; null for none. @param key the change's key after the merge */
  async read(key: string): Promise<DraftRead> {
    const head = await orWhy(this.#run.store.read());
    if ("why" in head) return head;
    const draft = draftOf(head, key);
    return draft === undefined ? null : await this.#read(draft);
  }

  /** Requests a draft if somebody with write permission approved the pull request. Null if nobody approved it. */
  async ask(details: ChangeDetails, reviews: readonly Review[]): Promise<DraftRead> {
    const { change } = details;
    const { inputs, dependencies } = this.#gate;
    const refused = await this.#refusalOf(reviews, change.repository);
    if (refused !== "") return refused;
    const prompt = promptFor(inputs.prompt ?? DRAFT_PROMPT, [details], false);
    let delivered: Delivered | null = null;
    const send: LedgerAction["send"] = async () => {
      delivered = await deliver(this.#run.agent, null, prompt, IF_UNCERTAIN, dependencies);
      return { ...delivered, isLast: true };
    };
    const end = await orWhy(sendDraft(this.#run.portOf({ ...NOTHING, send }), change));
    if ("why" in end) return end;
    if ("existing" in end) return await this.#read(end.existing);
    const { sent, unrecorded } = end;
    if (unrecorded !== "") dependencies.log.warning(`${UNRECORDED} ${unrecorded}.`);
    if (sent.type !== "accepted") return { why: whyNotSent(delivered) };
    return { job: { jobId: sent.jobId, prLink: null, hasFailed: false } };
  }

  async #read({ state, jobId, prLink, acceptedAt, why }: Batch): Promise<DraftRead> {
    if (state === "uncertain") return { why: `the service may have received the request (${why})` };
    const job = { jobId: jobId ?? "", prLink, hasFailed: state === "failed" };
    if (state !== "running") return { job };
    const askedAt = Date.parse(acceptedAt ?? "");
    return { job: await pollDocsJob(job, "v2", askedAt, this.#gate) };
  }

  /** Why no approval counts; empty if one does; null if there is none. */
  async #refusalOf(
    reviews: readonly Review[],
    repository: string,
  ): Promise<{ why: string } | null | ""> {
    const approvals = reviews.filter(({ state, login }) => state === "APPROVED" && login !== "");
    const logins = new Set(approvals.map(({ login }) => login));
    let refused: { why: string } | null = null;
    for (const login of [...logins].slice(0, MOST_APPROVERS)) {
      refused = await checkPermission(this.#run.connect, repository, login, "write");
      if (refused === null) return "";
    }
    return refused;
  }
}

/** Turns an error of the ledger into the reason why there is no draft. */
async function orWhy<T>(work: Promise<T>): Promise<T | { why: string }> {
  return await work.catch((error) => {
    if (error instanceof ActionError) return { why: error.what };
    throw error;
  });
}

/** The gate only sends a request. It finds no changes and shows no dashboard. */
const NOTHING = {} as LedgerAction;

const UNRECORDED =
  "What became of the request could not be recorded; the post step tries again. Why:";

const IF_UNCERTAIN =
  "Look for its job on the service's dashboard. Once the pull request is merged, upkeep's dashboard asks whether to hand it over again.";

function whyNotSent(delivered: Delivered | null): string {
  if (delivered?.reason === "limited") return SERVICE_LIMIT;
  return delivered?.error?.message ?? "the time to send it was over";
}
