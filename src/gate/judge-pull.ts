/** Reads a pull request, and judges it. */

import { GitRef } from "../github/api/git-ref.ts";
import { isServerFault, statusOf } from "../github/api/refusal.ts";
import {
  type AgentTraces,
  type ChangeDetails,
  detailsOf,
} from "../github/changes/change-details.ts";
import type { ChangedFile, SinglePull } from "../github/changes/history-records.ts";
import { IssueComments } from "../github/conversation/comments.ts";
import { LEDGER_MESSAGES, Unavailable } from "../ledger/unavailable.ts";
import { once } from "../runtime/dependencies.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";
import type { GateRun } from "./docs-jobs.ts";
import type { Excuse } from "./excuse.ts";
import { judge, MOST_FILES, type PullVerdict, type RequestedDraft } from "./verdict.ts";

/** Maximum number of pages of files: GitHub lists 100 files per page. */
const FILE_PAGES = MOST_FILES / 100;

/** A verdict, and the comments that were read for it. */
export interface Judged {
  judged: PullVerdict;
  comments: IssueComments;
  /** Newest first. Read once. */
  readComments: () => Promise<Awaited<ReturnType<typeof allOf>>>;
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
  const tip = { ...pull, sha: pull.head, committedAt: "" };
  const details = detailsOf({ id: pull.repositoryId, repository }, tip, pull);
  const comments = new IssueComments(connect, place);
  const readComments = once(() => allOf(comments));
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
      const isComplete = pull.fileCount <= MOST_FILES;
      return await draftOf({ ...details, files, isComplete }, run, mayDraft && files !== null);
    },
  });
  return { judged, comments, readComments };
}

/** GitHub fails to list the files of a diff that is too large for it. @throws any other error */
function nullIfNoDiff(error: unknown): null {
  if (isServerFault(error) || statusOf(error) === 422) return null;
  throw error;
}

async function allOf(comments: IssueComments) {
  return await Array.fromAsync(comments.newest());
}

async function excuseOf(
  { author, body }: SinglePull,
  comments: Awaited<ReturnType<typeof allOf>>,
  { context, connect }: GateRun,
): Promise<Excuse> {
  const { findExcuse } = await import("./excuse.ts");
  const description = { author: author.login, isByBot: author.isBot, body };
  return await findExcuse([description, ...comments], context.repository, connect);
}

const NO_DRAFT: RequestedDraft = { job: null, notes: [] };

/** The pull request's draft, requested now if there is none, or the note why there is none. */
async function draftOf(
  details: ChangeDetails,
  run: GateRun,
  mayDraft: boolean,
): Promise<RequestedDraft> {
  const reviews = await run.history.reviews(details.change.number ?? 0);
  // A dismissed approval may have led to a draft.
  const isApproved = reviews.some(({ state }) => state === "APPROVED" || state === "DISMISSED");
  if (!isApproved) return NO_DRAFT;
  if (run.inputs.apiKey === "") {
    const note = `There is no draft: ${NO_KEY}.`;
    return warnOfNoDraft(note, note, run);
  }
  // Most runs need no ledger.
  const { readDraft } = await import("./drafts.ts");
  const draft = await readDraft(details, mayDraft ? reviews : null, run);
  switch (draft.type) {
    case "job":
      return { job: draft.job, notes: [] };
    case "none":
      return NO_DRAFT;
    case "held": {
      const login = inlineCode(draft.login, 100);
      return { job: null, notes: [`There is no draft while ${login} asks for changes.`] };
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
  return { job: null, notes: [note] };
}

const NO_KEY =
  "there is no `api-key`. Runs that a fork triggers by `pull_request` or `pull_request_review` get no secrets";

/** How to recognize the agent's pull requests. A ledger that cannot be read is a warning. */
export async function readTraces({
  inputs,
  context,
  connect,
  dependencies,
}: Pick<GateRun, "inputs" | "context" | "connect" | "dependencies">): Promise<AgentTraces> {
  const { readAgents } = await import("../ledger/batches/batch-run.ts");
  const { repository } = context;
  const { ledgerRef } = inputs;
  const git = new GitRef(repository, ledgerRef ?? "", connect, dependencies, LEDGER_MESSAGES);
  try {
    const agents = await readAgents(git);
    const sha = ledgerRef === null ? null : (await git.readRef()).sha;
    if (sha === null) return agents;
    const { parseAgent } = await import("../ledger/model/excerpts.ts");
    const other = parseAgent(await git.readFile(sha, "ledger.json"));
    return {
      links: [...agents.links, ...other.links],
      branches: [...agents.branches, ...other.branches],
    };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    dependencies.log.warning(
      `The ledger could not be read: ${error.reason}. Docs pull requests of the agent are judged like any others.`,
    );
    return { links: [], branches: [] };
  }
}
