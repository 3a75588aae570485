import type { History } from "../github/history.ts";
import { explainRefusal } from "../github/refusal.ts";
import type { Payload, RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { type GateInputs, parseGateInputs } from "../inputs/gate.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError, cancelledRun, invalidInput } from "../runtime/errors.ts";
import { Gate } from "./judge-pull.ts";
import { groupText, type PullVerdict, reportText, verdictText } from "./report.ts";
import { byVerdict } from "./verdict.ts";

/** A queue groups at most 100 pull requests. */
const MOST_PULLS = 100;
/** The branch that a merge queue makes is named after the group's last pull request. */
const BRANCH = /\/pr-(\d+)-[0-9a-f]+$/;
/** The first lines of the commits that GitHub makes of pull requests. */
const TITLES = [/^Merge pull request #(\d+) from /, /\(#(\d+)\)$/];

/**
 * Judges whether a pull request is documented: by its labels and files, and by what was asked for on it.
 *
 * @returns whether the step fails
 */
export async function gate(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const inputs = parseGateInputs(read, context);
  const { http, cancellation } = dependencies;
  http.checkProxy(inputs.githubApiUrl);
  try {
    const judged = await judgeAll(new Gate(inputs, context, dependencies), context);
    if (cancellation.stop.aborted) throw cancelledRun();
    return report(judged, inputs, dependencies);
  } catch (error) {
    if (cancellation.stop.aborted) throw cancelledRun();
    throw typeof (error as { status?: unknown }).status === "number" ? unread(error) : error;
  }
}

type Result = PullVerdict & { commentUrl: string };

async function judgeAll(gate: Gate, { payload, repository }: RunContext): Promise<Result[]> {
  const number = payload.pull_request?.number;
  if (number !== undefined) return [await gate.judge(number, true)];
  if (payload.merge_group === undefined) throw invalidInput(NO_PULL);
  const numbers = await groupNumbers(payload.merge_group, await gate.historyOf(repository));
  const judged: Result[] = [];
  for (const [nth, one] of numbers.entries()) {
    try {
      judged.push(await gate.judge(one, false));
    } catch (error) {
      // But for the first, which GitHub names, it may be the number of an issue, in a commit's title.
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
  const titles = commits.map(({ message }) => message.split("\n", 1)[0] ?? "").reverse();
  const told = titles.map((title) => TITLES.map((it) => it.exec(title)?.[1]).find(Boolean));
  const numbers = [BRANCH.exec(head_ref)?.[1], ...told].filter((it) => it !== undefined);
  return [...new Set(numbers.map(Number))].slice(0, MOST_PULLS);
}

function report(
  judged: readonly Result[],
  inputs: GateInputs,
  { outputs, log }: Dependencies,
): boolean {
  const [one] = byVerdict(judged);
  if (one === undefined) throw invalidInput(NO_PULL);
  outputs.setOutput("verdict", one.verdict);
  outputs.setOutput("jobId", one.job?.jobId ?? "");
  outputs.setOutput("prLink", one.job?.prLink ?? "");
  outputs.setOutput("commentUrl", one.commentUrl);
  for (const it of judged) {
    const text = verdictText(it, it.why, (link) => `docs pull request ${link}`);
    log.info(`Pull request #${it.number}: ${text}.`);
  }
  const text = judged.length === 1 ? reportText(one, inputs) : groupText(judged, inputs);
  // On a pull request, a verdict that asks for nothing is a line; here it is all there is.
  outputs.writeSummary(text.startsWith("#") ? text : `### ${text}`);
  if (one.verdict !== "needed") return false;
  const what = `Pull request #${one.number} needs documentation: ${one.why}. Change the docs in it, ask the agent with /docs, or set a label that says that it needs none.`;
  if (inputs.ifNeeded === "fail") log.error(what);
  else log.warning(what);
  return inputs.ifNeeded === "fail";
}

const NO_PULL =
  "The gate runs on pull requests: on `pull_request`, `pull_request_target`, `pull_request_review` and `merge_group`.";

function unread(error: unknown): ActionError {
  const { why } = explainRefusal(error, "pull-requests: read");
  const what = `The pull request could not be read: ${why}.`;
  return new ActionError("github-unavailable", what, "Run the job again.", { cause: error });
}
