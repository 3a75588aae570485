/** What the gate reads of one pull request to judge it. */

import { draftOf } from "../batches/model/drafts.ts";
import { type ChangeDetails, detailsOfTip } from "../github/changes/change-details.ts";
import { type Comment, IssueComments } from "../github/conversation/comments.ts";
import type { Place } from "../github/conversation/markers.ts";
import { once } from "../runtime/dependencies.ts";
import { type Fact, known, mapFact } from "../runtime/fact.ts";
import type { GatePost, GatePull } from "./gate-pull.ts";
import type { GateRun } from "./gate-run.ts";
import { GATE_NOTES, plainReason } from "./reasons.ts";
import { decideVerdict, type ListedFiles, type PullDraft, type PullVerdict } from "./verdict.ts";

/**
 * @param mayDraft whether a draft may be requested
 * @throws ActionError if there is no verdict
 */
export async function judgePull(
  pull: GatePull,
  run: GateRun,
  { mayDraft }: { mayDraft: boolean },
): Promise<{
  judged: PullVerdict;
  comments: IssueComments;
  /** Newest first. Read once. */
  readComments: () => Promise<Fact<Comment[]>>;
}> {
  const { repository, repositoryId } = run.context;
  const place = { repository, repositoryId, issue: pull.number };
  const comments = new IssueComments(run.connect, place);
  const readComments = once(() => run.reader.comments(pull));
  const details = detailsOfTip(repository, pull);
  const reads = readsOf(pull, details, place, readComments, mayDraft && !pull.isDraft, run);
  return { judged: await decideVerdict(pull, details, run.inputs, reads), comments, readComments };
}

function readsOf(
  pull: GatePull,
  details: ChangeDetails,
  place: Place,
  readComments: () => Promise<Fact<Comment[]>>,
  mayDraft: boolean,
  run: GateRun,
): Parameters<typeof decideVerdict>[3] {
  const { reader } = run;
  return {
    files: () => reader.files(pull),
    agent: async () => mapFact(await run.ledgers(), ({ agents }) => agents),
    jobs: async () => {
      const { docsJobsOf } = await import("./docs-jobs.ts");
      const comments = await readComments();
      return comments.type === "known" ? await docsJobsOf(comments.value, place, run) : comments;
    },
    excuse: async () => {
      const { findExcuse } = await import("./excuse.ts");
      const comments = await readComments();
      if (comments.type !== "known") return comments;
      const posts = [pull.description, ...comments.value.map(postOf)];
      return await findExcuse(pull, posts, reader);
    },
    draft: async (files) => await readDraft(pull, details, files, mayDraft, run),
  };
}

function postOf({ updatedAt: writtenAt, ...comment }: Comment): GatePost {
  return { ...comment, writtenAt };
}

/** The draft that the ledger has, whatever `draft` says, or that this run requests. */
async function readDraft(
  { number, base }: GatePull,
  details: ChangeDetails,
  listed: ListedFiles | null,
  mayDraft: boolean,
  run: GateRun,
): Promise<Fact<PullDraft>> {
  const ledgers = await run.ledgers();
  const drafts = ledgers.type === "known" ? ledgers.value.drafts : [];
  const existing = draftOf({ drafts }, details.change.key);
  if (existing !== undefined) {
    const { draftInLedger } = await import("./drafts.ts");
    return known(withNote(await draftInLedger(existing, run), run));
  }
  if (run.inputs.draft === "never") return NO_DRAFT;
  const approval = await run.reader.approval(number);
  if (approval.type !== "known") return approval;
  if (!approval.value.wasGiven) return NO_DRAFT;
  const { service } = run.inputs;
  if (service === null) return known(withNote({ type: "none", why: { code: "no-key" } }, run));
  const files = listed === null ? null : [...listed.files];
  const subject = {
    details: { ...details, files, isComplete: listed?.type === "listed" },
    base,
    approval: approval.value,
    mayRequest: mayDraft && files !== null,
  };
  // Most runs request none.
  const { requestDraft } = await import("./drafts.ts");
  const draft = await run.inTurn(() => requestDraft(subject, { ...run, service }));
  return known(withNote(draft, run));
}

const NO_DRAFT = known<PullDraft>({ type: "none", why: null });

/** Warns of why there is no draft. What waits for a reviewer is nothing to warn of. */
function withNote(draft: PullDraft, { dependencies }: GateRun): PullDraft {
  if (draft.type !== "none" || draft.why === null) return draft;
  const { waitsFor } = GATE_NOTES[draft.why.code];
  if (waitsFor !== "reviewer") dependencies.log.warning(plainReason(draft.why));
  return draft;
}
