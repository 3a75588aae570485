import { connector } from "../github/api/connect.ts";
import { GitRef } from "../github/api/git-ref.ts";
import { explainRefusal } from "../github/api/refusal.ts";
import { type ChangeDetails, detailsOf } from "../github/changes/change-details.ts";
import { type History, histories } from "../github/changes/history.ts";
import { IssueComments } from "../github/conversation/comments.ts";
import { forLog } from "../github/conversation/news.ts";
import type { Payload, RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { type GateInputs, parseGateInputs } from "../inputs/gate.ts";
import { LEDGER_WORDS } from "../ledger/protocol/unavailable.ts";
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
    const { reason } = explainRefusal(error, ["pull-requests: read"]);
    const what = `The pull request could not be read: ${reason}.`;
    throw new ActionError("github-unavailable", what, "Run the job again.", { cause: error });
  }
}

async function judgeAll(run: GateRun): Promise<PullVerdict[]> {
  const { pull_request, merge_group } = run.context.payload;
  if (pull_request?.number !== undefined) return [await judgePull(pull_request.number, run, true)];
  const numbers = merge_group === undefined ? [] : await groupNumbers(merge_group, run.history);
  const judged: PullVerdict[] = [];
  for (const [nth, number] of numbers.entries()) {
    try {
      judged.push(await judgePull(number, run, false));
    } catch (error) {
      // Only the first number comes from GitHub. The others are from commit titles, and may be an issue's.
      if (nth === 0 || (error as { status?: unknown }).status !== 404) throw error;
    }
  }
  return judged;
}

/** The pull requests of a merge queue's group, the last first. */
async function groupNumbers(
  { head_ref = "", base_sha = "", head_sha = "" }: NonNullable<Payload["merge_group"]>,
  history: History,
): Promise<number[]> {
  const { commits = [] } = (await history.compare(base_sha, head_sha)) ?? {};
  const titles = commits.map(({ title }) => title).reverse();
  const found = [BRANCH.exec(head_ref), ...titles.map((title) => TITLE.exec(title))];
  const numbers = found.flatMap((match) => match?.slice(1).find(Boolean) ?? []);
  return [...new Set(numbers.map(Number))].slice(0, MOST_PULLS);
}

/** @param mayAct whether a draft may be requested and the comment written */
async function judgePull(number: number, run: GateRun, mayAct: boolean): Promise<PullVerdict> {
  const { inputs, context, connect, history } = run;
  const { repository } = context;
  const place = { repository, issue: number };
  const pull = await history.pull(number);
  const tip = { ...pull, sha: pull.head, committedAt: "" };
  const details = detailsOf({ id: pull.repositoryId, repository }, tip, pull);
  const notes: string[] = [];
  const ofPull = new IssueComments(connect, place);
  const comments = once(() => Array.fromAsync(ofPull.newest()));
  const judged = await judge(pull, details, inputs, {
    files: async () => (await history.pullFiles(number, FILE_PAGES)).files,
    agent: async () => {
      const { readAgents } = await import("../ledger/run/ledger-run.ts");
      return await readAgents(new GitRef(repository, "", connect, run.dependencies, LEDGER_WORDS));
    },
    jobs: async (files) => {
      const { docsJobsOf } = await import("./docs-jobs.ts");
      const jobs = await docsJobsOf(await comments(), place, run);
      if (inputs.draft === "never" || jobs.some(({ hasFailed }) => !hasFailed)) return jobs;
      const draft = await draftFor({ ...details, files }, number, run, mayAct, notes);
      return draft === null ? jobs : [draft, ...jobs];
    },
  });
  judged.notes = notes;
  if (!mayAct || !inputs.comment || !pull.isOpen) return judged;
  const known = await comments();
  try {
    const mark = `docs-agent-gate:${inputs.name}`;
    const isNews = judged.verdict === "needed";
    judged.commentUrl = await ofPull.keep(mark, reportText(judged, inputs), known, isNews);
  } catch (error) {
    const { reason } = explainRefusal(error, ["pull-requests: write"]);
    const what = `The comment could not be written: ${reason}. The verdict is in the step summary.`;
    run.dependencies.log.warning(what);
  }
  return judged;
}

/** The pull request's draft, requested now if there is none. @param notes gets why there is none */
async function draftFor(
  details: ChangeDetails,
  number: number,
  run: GateRun,
  mayAct: boolean,
  notes: string[],
): Promise<DocsJob | null> {
  const reviews = await run.history.reviews(number);
  // A dismissed approval may have led to a draft.
  if (!reviews.some(({ state }) => state === "APPROVED" || state === "DISMISSED")) return null;
  // Most runs need no ledger.
  const { readDraft } = await import("./drafts.ts");
  const isPossible = run.inputs.apiKey !== "";
  const draft = isPossible ? await readDraft(details, mayAct ? reviews : null, run) : NO_KEY;
  if (draft === null || "job" in draft) return draft?.job ?? null;
  const why = clause(draft.why);
  run.dependencies.log.warning(`There is no draft: ${why}.`);
  notes.push(`There is no draft: ${draft === NO_KEY ? `${why}.` : inlineCode(why, 400)}`);
  return null;
}

const NO_KEY = {
  why: "there is no `api-key`. Secrets are not passed to workflows triggered from a fork by `pull_request` and `pull_request_review`",
};

function report(
  judged: readonly PullVerdict[],
  inputs: GateInputs,
  { outputs, log }: Dependencies,
): boolean {
  const [one] = byVerdict(judged);
  if (one === undefined) {
    throw invalidInput(
      "The gate runs on pull requests: on `pull_request`, `pull_request_target`, `pull_request_review` and `merge_group`.",
    );
  }
  outputs.setOutput("verdict", one.verdict);
  outputs.setOutput("jobId", one.job?.jobId ?? "");
  outputs.setOutput("prLink", one.job?.prLink ?? "");
  outputs.setOutput("commentUrl", one.commentUrl);
  for (const verdict of judged) {
    const text = forLog(verdictText(verdict, verdict.why));
    log.info(`Pull request #${verdict.number}: ${text}.`);
  }
  const text = judged.length === 1 ? reportText(one, inputs) : groupText(judged, inputs);
  // In the comment, a verdict that needs no action is one line. The summary has a heading.
  outputs.writeSummary(text.startsWith("#") ? text : `### ${text}`);
  if (one.verdict !== "needed") return false;
  const what = `Pull request #${one.number} needs documentation: ${one.why}. Change the docs in it, ask the agent with /docs, or set a label that says that it needs none.`;
  if (inputs.ifNeeded === "fail") log.error(what);
  else log.warning(what);
  return inputs.ifNeeded === "fail";
}
