import { connector } from "../github/api/connect.ts";
import { GitRef } from "../github/api/git-ref.ts";
import { explainRefusal, kindOfRefusal, statusOf } from "../github/api/refusal.ts";
import { type ChangeDetails, detailsOf } from "../github/changes/change-details.ts";
import { type History, histories } from "../github/changes/history.ts";
import { IssueComments } from "../github/conversation/comments.ts";
import { forLog } from "../github/conversation/news.ts";
import type { Payload, RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { type GateInputs, parseGateInputs } from "../inputs/gate.ts";
import { LEDGER_MESSAGES } from "../ledger/unavailable.ts";
import { type Dependencies, once } from "../runtime/dependencies.ts";
import { ActionError, cancelledRun, invalidInput } from "../runtime/errors.ts";
import { inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";
import type { GateRun } from "./docs-jobs.ts";
import {
  byVerdict,
  type DocsJob,
  groupText,
  judge,
  MOST_FILES,
  type PullVerdict,
  type RequestedJobs,
  reportText,
  verdictText,
} from "./verdict.ts";

/** Maximum number of pages of files: GitHub lists 100 files per page. */
const FILE_PAGES = MOST_FILES / 100;
/** A queue groups at most 100 pull requests. */
const MOST_PULLS = 100;
/** The branch of a merge queue is named after the group's last pull request. */
const BRANCH = /\/pr-(\d+)-[0-9a-f]+$/;
/** The first lines of the commits that GitHub creates from pull requests. */
const TITLE = /^Merge pull request #(\d+) from |\(#(\d+)\)$/;

/**
 * Judges whether a pull request is documented, by its labels, its files, and the jobs that were requested on it.
 *
 * @returns whether the step fails
 */
export async function gate(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const inputs = parseGateInputs(read, context);
  const { cancellation } = dependencies;
  try {
    const connect = connector(inputs, dependencies);
    const history = await histories(connect)(context.repository);
    const judged = await judgeAll({ inputs, context, connect, history, dependencies });
    if (cancellation.stop.aborted) throw cancelledRun();
    return report(judged, inputs, dependencies);
  } catch (error) {
    if (cancellation.stop.aborted) throw cancelledRun();
    const refusal = explainRefusal(error, ["pull-requests: read"]);
    const what = `The pull request could not be read: ${refusal.reason}.`;
    const kind = kindOfRefusal(refusal);
    throw new ActionError(kind, what, "Run the job again.", { cause: error });
  }
}

/** A pull request's verdict, and the comment that shows it. */
interface JudgedPull {
  judged: PullVerdict;
  /** Null for none. */
  commentUrl: string | null;
}

async function judgeAll(run: GateRun): Promise<JudgedPull[]> {
  const { pull_request, merge_group } = run.context.payload;
  if (pull_request?.number !== undefined) return [await judgeOwn(pull_request.number, run)];
  const numbers = merge_group === undefined ? [] : await groupNumbers(merge_group, run.history);
  const all: JudgedPull[] = [];
  for (const [nth, number] of numbers.entries()) {
    try {
      const { judged } = await judgePull(number, run, { mayDraft: false });
      all.push({ judged, commentUrl: null });
    } catch (error) {
      // Only the first number comes from GitHub. The others are from commit titles, and may be an issue's.
      if (nth === 0 || statusOf(error) !== 404) throw error;
    }
  }
  return all;
}

/** The pull requests of a merge queue's group, the last first. */
async function groupNumbers(
  { head_ref = "", base_sha = "", head_sha = "" }: NonNullable<Payload["merge_group"]>,
  history: History,
): Promise<number[]> {
  const { commits = [] } = (await history.compare(base_sha, head_sha)) ?? {};
  const titles = commits.map(({ title }) => title).reverse();
  const matches = [BRANCH.exec(head_ref), ...titles.map((title) => TITLE.exec(title))];
  const numbers = matches.flatMap((match) => match?.slice(1).find(Boolean) ?? []);
  return [...new Set(numbers.map(Number))].slice(0, MOST_PULLS);
}

/** Judges the pull request that triggered the run, asks for its draft, and comments on it. */
async function judgeOwn(number: number, run: GateRun): Promise<JudgedPull> {
  const { inputs } = run;
  const { judged, isOpen, comments, readComments } = await judgePull(number, run, {
    mayDraft: true,
  });
  if (!inputs.comment || !isOpen) return { judged, commentUrl: null };
  const options = { comments: await readComments(), mayCreate: judged.verdict === "needed" };
  try {
    const mark = `docs-agent-gate:${inputs.name}`;
    const commentUrl = await comments.keep(mark, reportText(judged, inputs), options);
    return { judged, commentUrl };
  } catch (error) {
    const { reason } = explainRefusal(error, ["pull-requests: write"]);
    run.dependencies.log.warning(
      `The comment could not be written: ${reason}. The verdict is in the step summary.`,
    );
    return { judged, commentUrl: null };
  }
}

/** @param mayDraft whether a draft may be requested */
async function judgePull(number: number, run: GateRun, { mayDraft }: { mayDraft: boolean }) {
  const { inputs, context, connect, history, dependencies } = run;
  const { repository, repositoryId } = context;
  const place = { repository, repositoryId, issue: number };
  const pull = await history.pull(number);
  const tip = { ...pull, sha: pull.head, committedAt: "" };
  const details = detailsOf({ id: pull.repositoryId, repository }, tip, pull);
  const comments = new IssueComments(connect, place);
  const readComments = once(() => Array.fromAsync(comments.newest()));
  const judged = await judge(pull, details, inputs, {
    files: async () => (await history.pullFiles(number, FILE_PAGES)).files,
    agent: async () => {
      const { readAgents } = await import("../ledger/batches/batch-run.ts");
      return await readAgents(new GitRef(repository, "", connect, dependencies, LEDGER_MESSAGES));
    },
    jobs: async (files) => {
      const { docsJobsOf } = await import("./docs-jobs.ts");
      const jobs = await docsJobsOf(await readComments(), place, run);
      const isAsked = jobs.some(({ hasFailed }) => !hasFailed);
      if (inputs.draft === "never" || isAsked) return { jobs, notes: [] };
      return await withDraft(jobs, { ...details, files }, run, mayDraft);
    },
  });
  return { judged, isOpen: pull.isOpen, comments, readComments };
}

/** Adds the pull request's draft, requested now if there is none, or the note why there is none. */
async function withDraft(
  jobs: readonly DocsJob[],
  details: ChangeDetails,
  run: GateRun,
  mayDraft: boolean,
): Promise<RequestedJobs> {
  const reviews = await run.history.reviews(details.change.number ?? 0);
  // A dismissed approval may have led to a draft.
  const isApproved = reviews.some(({ state }) => state === "APPROVED" || state === "DISMISSED");
  if (!isApproved) return { jobs, notes: [] };
  if (run.inputs.apiKey === "") return { jobs, notes: [warnOfNoDraft(NO_KEY, `${NO_KEY}.`, run)] };
  // Most runs need no ledger.
  const { readDraft } = await import("./drafts.ts");
  const draft = await readDraft(details, mayDraft ? reviews : null, run);
  switch (draft.type) {
    case "job":
      return { jobs: [draft.job, ...jobs], notes: [] };
    case "none":
      return { jobs, notes: [] };
    case "failed": {
      const reason = clause(draft.reason);
      return { jobs, notes: [warnOfNoDraft(reason, inlineCode(reason, 400), run)] };
    }
  }
}

/** Warns that there is no draft. @param shown the reason as Markdown, to its end @returns the note */
function warnOfNoDraft(reason: string, shown: string, { dependencies }: GateRun): string {
  dependencies.log.warning(`There is no draft: ${reason}.`);
  return `There is no draft: ${shown}`;
}

const NO_KEY =
  "there is no `api-key`. Secrets are not passed to workflows triggered from a fork by `pull_request` and `pull_request_review`";

/** @returns whether the step fails */
function report(
  all: readonly JudgedPull[],
  inputs: GateInputs,
  { outputs, log }: Dependencies,
): boolean {
  const verdicts = all.map(({ judged }) => judged);
  const [decisive] = byVerdict(verdicts);
  if (decisive === undefined) {
    throw invalidInput(
      "The gate runs on pull requests: on `pull_request`, `pull_request_target`, `pull_request_review` and `merge_group`.",
    );
  }
  const { verdict, reason, job, number } = decisive;
  outputs.setOutput("verdict", verdict);
  outputs.setOutput("jobId", job?.jobId ?? null);
  outputs.setOutput("prLink", job?.prLink ?? null);
  outputs.setOutput(
    "commentUrl",
    all.find(({ judged }) => judged === decisive)?.commentUrl ?? null,
  );
  for (const judged of verdicts) {
    const text = forLog(verdictText(judged, judged.reason));
    log.info(`Pull request #${judged.number}: ${text}.`);
  }
  const text = all.length === 1 ? reportText(decisive, inputs) : groupText(verdicts, inputs);
  // In the comment, a verdict that needs no action is one line. The summary has a heading.
  outputs.writeSummary(text.startsWith("#") ? text : `### ${text}`);
  if (verdict !== "needed") return false;
  const message = `Pull request #${number} needs documentation: ${reason}. Change the docs in it, ask the agent with /docs, or set a label that says that it needs none.`;
  if (inputs.ifNeeded === "fail") log.error(message);
  else log.warning(message);
  return inputs.ifNeeded === "fail";
}
