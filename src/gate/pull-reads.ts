/** Reads a pull request, and judges it. */

import { isServerFault, statusOf } from "../github/api/refusal.ts";
import { type ChangeDetails, detailsOfTip } from "../github/changes/change-details.ts";
import type { ChangedFile, ReviewResult, SinglePull } from "../github/changes/history-records.ts";
import { type Comment, IssueComments } from "../github/conversation/comments.ts";
import { once } from "../runtime/dependencies.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";
import type { Excuse } from "./excuse.ts";
import type { GateRun } from "./run.ts";
import { judge, MOST_FILES, type PullVerdict, type RequestedDraft } from "./verdict.ts";

/** Maximum number of pages of files: GitHub lists 100 files per page. */
const FILE_PAGES = MOST_FILES / 100;

/** A verdict, and the comments that were read for it. */
export interface Judged {
  judged: PullVerdict;
  comments: IssueComments;
  /** Newest first. Read once. */
  readComments: () => Promise<Comment[]>;
}

/** @param mayDraft whether a draft may be requested */
export async function judgePull(
  pull: SinglePull,
  run: GateRun,
  { mayDraft }: { mayDraft: boolean },
): Promise<Judged> {
  const { inputs, context, connect, history } = run;
  const { repository, repositoryId } = context;
  const { number } = pull;
  const place = { repository, repositoryId, issue: number };
  const details = detailsOfTip(repository, pull);
  const comments = new IssueComments(connect, place);
  const readComments = once(() => Array.fromAsync(comments.newest()));
  const judged = await judge(pull, details, inputs, {
    files: async () => {
      const asked = history.pullFiles(number, FILE_PAGES);
      return await asked.then(({ files }) => files, nullIfNoDiff);
    },
    agent: run.agent,
    jobs: async () => {
      const { docsJobsOf } = await import("./docs-jobs.ts");
      return await docsJobsOf(await readComments(), place, run);
    },
    excuse: async () => await excuseOf(pull, await readComments(), run),
    draft: async (files: ChangedFile[] | null) => {
      if (inputs.draft === "never") return NO_DRAFT;
      const reviews = await history.reviews(number);
      // A dismissed approval may have led to a draft.
      const isApproved = reviews.some(({ state }) => ["APPROVED", "DISMISSED"].includes(state));
      if (!isApproved) return NO_DRAFT;
      const isComplete = pull.fileCount <= MOST_FILES;
      const mayRequest = mayDraft && files !== null;
      return await draftOf({ ...details, files, isComplete }, mayRequest ? reviews : null, run);
    },
  });
  return { judged, comments, readComments };
}

/** GitHub fails to list the files of a diff that is too large for it. @throws any other error */
function nullIfNoDiff(error: unknown): null {
  if (isServerFault(error) || statusOf(error) === 422) return null;
  throw error;
}

async function excuseOf(
  { author, body }: SinglePull,
  comments: readonly Comment[],
  { context, connect }: GateRun,
): Promise<Excuse> {
  const { findExcuse } = await import("./excuse.ts");
  const description = { author: author.login, isByBot: author.isBot, body };
  return await findExcuse([description, ...comments], context.repository, connect);
}

const NO_DRAFT: RequestedDraft = { request: null, notes: [] };

/**
 * The draft of a pull request that was approved, or the note why there is none.
 *
 * @param reviews to request it now; null if none is to be requested
 */
async function draftOf(
  details: ChangeDetails,
  reviews: readonly ReviewResult[] | null,
  run: GateRun,
): Promise<RequestedDraft> {
  const { service } = run.inputs;
  if (service === null) {
    const note = `There is no draft: ${NO_KEY}.`;
    return warnOfNoDraft(note, note, run);
  }
  // Most runs need no ledger.
  const { readDraft } = await import("./drafts.ts");
  const draft = await readDraft(details, reviews, { ...run, service });
  switch (draft.type) {
    case "requesting":
    case "refused":
    case "job":
      return { request: draft, notes: [] };
    case "none":
      return NO_DRAFT;
    case "held": {
      const login = inlineCode(draft.login, 100);
      return { request: null, notes: [`There is no draft while ${login} asks for changes.`] };
    }
    case "failed": {
      const reason = clause(draft.reason);
      const note = `There is no draft: ${inlineCode(reason, 400)}`;
      return warnOfNoDraft(`There is no draft: ${reason}.`, note, run);
    }
    case "error": {
      const { message } = draft.error;
      const note = `There is no draft. ${inlineCode(message, 400)}`;
      return warnOfNoDraft(`There is no draft. ${message}`, note, run);
    }
  }
}

/** @param note the warning as Markdown */
function warnOfNoDraft(warning: string, note: string, { dependencies }: GateRun): RequestedDraft {
  dependencies.log.warning(warning);
  return { request: null, notes: [note] };
}

const NO_KEY =
  "there is no `api-key`. Runs that a fork triggers by `pull_request` or `pull_request_review` get no secrets";
