/** What the gate reads of one pull request to judge it. */

import { type ChangeDetails, detailsOfTip } from "../github/changes/change-details.ts";
import type { SinglePull } from "../github/changes/history-records.ts";
import { type Comment, IssueComments } from "../github/conversation/comments.ts";
import type { Place } from "../github/conversation/markers.ts";
import { once } from "../runtime/dependencies.ts";
import { type Fact, known } from "../runtime/fact.ts";
import type { GateRun } from "./gate-run.ts";
import { GATE_NOTES, type GateNote, MOST_FILES, plainReason } from "./reasons.ts";
import { decideVerdict, type PullDraft, type PullReads, type PullVerdict } from "./verdict.ts";

/** A verdict, and the comments that were read for it. */
export interface PullToJudge {
  judged: PullVerdict;
  comments: IssueComments;
  /** Newest first. Read once. */
  readComments: () => Promise<Fact<Comment[]>>;
}

/**
 * @param mayDraft whether a draft may be requested
 * @throws ActionError if there is no verdict
 */
export async function judgePull(
  pull: SinglePull,
  run: GateRun,
  { mayDraft }: { mayDraft: boolean },
): Promise<PullToJudge> {
  const { repository, repositoryId } = run.context;
  const place = { repository, repositoryId, issue: pull.number };
  const comments = new IssueComments(run.connect, place);
  const readComments = once(() => run.reader.comments(pull.number));
  const details = detailsOfTip(repository, pull);
  const reads = readsOf(pull, details, place, readComments, mayDraft, run);
  return { judged: await decideVerdict(pull, details, run.inputs, reads), comments, readComments };
}

function readsOf(
  pull: SinglePull,
  details: ChangeDetails,
  place: Place,
  readComments: PullToJudge["readComments"],
  mayDraft: boolean,
  run: GateRun,
): PullReads {
  const { reader, agent } = run;
  const { number } = pull;
  return {
    files: () => reader.files(number),
    agent,
    jobs: async () => {
      const { docsJobsOf } = await import("./docs-jobs.ts");
      const comments = await readComments();
      return comments.type === "known" ? await docsJobsOf(comments.value, place, run) : comments;
    },
    excuse: async () => {
      const { findExcuse } = await import("./excuse.ts");
      const comments = await readComments();
      if (comments.type !== "known") return comments;
      const { author, body } = pull;
      const description = { author: author.login, isByBot: author.isBot, body };
      return await findExcuse([description, ...comments.value], (login) => reader.denialOf(login));
    },
    draft: async (files) => {
      if (run.inputs.draft === "never") return NO_DRAFT;
      const approval = await reader.approval(number);
      if (approval.type !== "known") return approval;
      if (!approval.value.wasGiven) return NO_DRAFT;
      const { service } = run.inputs;
      if (service === null) return known(noDraft({ code: "no-key" }, run));
      const isComplete = pull.fileCount <= MOST_FILES;
      const subject = {
        details: { ...details, files, isComplete },
        approval: approval.value,
        mayRequest: mayDraft && files !== null,
      };
      // Most runs need no ledger.
      const { readDraft } = await import("./drafts.ts");
      const draft = await readDraft(subject, { ...run, service });
      if (draft.type !== "none" || draft.why === null) return known(draft);
      return known(noDraft(draft.why, run));
    },
  };
}

const NO_DRAFT = known<PullDraft>({ type: "none", why: null });

/** Notes why there is no draft. What waits for a reviewer is nothing to warn of. */
function noDraft(why: GateNote, { dependencies }: GateRun): PullDraft {
  const { waitsFor } = GATE_NOTES[why.code];
  if (waitsFor !== "reviewer") dependencies.log.warning(plainReason(why));
  return { type: "none", why };
}
