import { type RunResult, runAction, startAction } from "../../../emulator/runner/runner.ts";
import { GONE_AFTER } from "../../support/grace.ts";
import { API_KEY } from "../../support/scenario.ts";
import { type CancellableRun, type RunSetup, setUpRun } from "./cancellable-runs.ts";
import { type Moment, RequestWatcher } from "./request-watcher.ts";

/** Where and how a run is stopped. */
export interface Stop {
  run: CancellableRun;
  /** The request, as the watcher names it. */
  step: string;
  moment: Moment;
  signal: "SIGINT" | "SIGTERM" | "SIGKILL";
}

/** The name of a stop's test, for example `a new job: SIGINT at GET /v2/agent/docs/job/job_1 #1, never answered`. */
export function nameOfStop({ run, step, moment, signal }: Stop): string {
  return `${run.name}: ${signal} at ${step}, ${moment}`;
}

/** The steps of a run that nobody stops. */
export async function stepsOf(run: CancellableRun): Promise<string[]> {
  const watcher = new RequestWatcher();
  await using setup = await setUpRun(run, watcher);
  const { exitCode, stdout } = await runAction(setup.options);
  if (exitCode !== 0) throw new Error(`${run.name} does not end well:\n${stdout}`);
  return watcher.steps;
}

/** Stops a run there, and returns what is wrong then, as sentences. */
export async function runStop(it: Stop): Promise<string[]> {
  const watcher = new RequestWatcher(it.step, it.moment);
  await using setup = await setUpRun(it.run, watcher);
  const run = startAction(setup.options);
  const isReached = await Promise.race([watcher.reached, run.result.then(() => false)]);
  if (!isReached) return ["the run ended without this request"];
  const late = lateness();
  const signalledAt = performance.now();
  run.signal(it.signal);
  const result = await run.result;
  const took = performance.now() - signalledAt - late();
  return it.signal === "SIGKILL"
    ? await afterKill(it, setup, result)
    : await afterSignal(it, setup, result, took);
}

async function afterSignal(
  { run, step, moment }: Stop,
  setup: RunSetup,
  result: RunResult,
  took: number,
): Promise<string[]> {
  const wrong: string[] = [];
  const demand = (isTrue: boolean, otherwise: string) => {
    if (!isTrue) wrong.push(otherwise);
  };
  const { outputs } = result;
  demand(took < GONE_AFTER, `gone only after ${Math.round(took)} ms`);
  // What had come to its end before the signal may say so, and may meet the signal as it exits.
  const isOver = run.doneWhen?.(outputs) ?? outputs.status === "completed";
  demand(isOver || result.signal === null, "it did not end by itself");
  demand(isOver || result.exitCode === 1, `exit code ${result.exitCode}`);
  const kind = outputs.errorKind ?? "";
  demand(kind === "cancelled" || (isOver && kind === ""), `errorKind is "${kind}"`);

  const isUnanswered = step.startsWith(run.creates) && moment === "never answered";
  const isKnown = isJobKnown(run, setup) && !(run.creates !== "" && isUnanswered);
  if (isKnown) demand(outputs.jobId === run.jobId, `jobId is "${outputs.jobId}"`);
  if (isUnanswered && run.creates !== "") {
    demand(/may/.test(outputs.errorMessage ?? ""), "nothing says that there may be a job");
  }
  const isHeldByGithub = moment === "never answered" && step.includes("/repos/");
  const rest =
    run.checkRest?.(setup) ?? checkComment(run, setup, { isKnown, isExcused: isHeldByGithub });
  wrong.push(...(await rest));
  demand(
    !JSON.stringify([outputs, result.state, result.summary]).includes(API_KEY),
    "the key is in what it leaves behind",
  );
  return wrong;
}

/** The post step follows, and reports what the main step could not. */
async function afterKill({ run, step }: Stop, setup: RunSetup, main: RunResult) {
  if (run.action !== undefined) return (await run.checkRest?.(setup)) ?? [];
  const wrong: string[] = [];
  const post = await runAction({ ...setup.options, entry: "post", state: main.state });
  if (post.exitCode !== 0) wrong.push(`the post step's exit code is ${post.exitCode}`);
  // A step that came to its end leaves no state, but outputs.
  const isKnown = JSON.stringify([main.state, main.outputs]).includes(run.jobId);
  if (isAfterStart(step) && !isKnown) wrong.push("the job was not written down");
  // Whether an answer that was on its way when the step was killed had been read is chance.
  const isUnanswered = isJobKnown(run, setup) && !isKnown;
  const summaries = `${main.summary}${post.summary}`;
  if (isKnown && !summaries.includes(run.jobId)) wrong.push("no summary names the job");
  if (isUnanswered && !/may/.test(summaries)) {
    wrong.push("no summary says that there may be a job");
  }
  wrong.push(...(await checkComment(run, setup, { isKnown, isExcused: false })));
  return wrong;
}

/** Requests that are made only once the job's id is known. */
function isAfterStart(step: string): boolean {
  return /^(GET .*\/job\/|PATCH |POST .*\/issues\/\d+\/comments)/.test(step);
}

function isJobKnown({ creates, jobId }: CancellableRun, { service }: RunSetup): boolean {
  if (jobId === "") return false;
  const asked = creates === "" ? `POST /v2/agent/docs/job/${jobId}/message` : creates;
  return service.requestsTo(asked).length > 0;
}

/** @param isExcused whether GitHub never answered, so that nothing more could be written there */
async function checkComment(
  { jobId }: CancellableRun,
  { github }: RunSetup,
  { isKnown, isExcused }: { isKnown: boolean; isExcused: boolean },
): Promise<string[]> {
  const bodies = (await github.comments(7)).map(({ body }) => body);
  const wrong: string[] = [];
  if (bodies.length > 1) wrong.push(`${bodies.length} comments`);
  if (isExcused) return wrong;
  const [body = ""] = bodies.slice(-1);
  if (body.startsWith("### ⏳")) wrong.push("the comment says that the agent is working");
  if (isKnown && body === "") wrong.push("no comment tells of the job");
  if (isKnown && !body.includes(jobId)) wrong.push("the comment does not name the job");
  return wrong;
}

/** How much later than it should this machine does what is due, in milliseconds; at most, since the call. */
function lateness(): () => number {
  let most = 0;
  let due = performance.now() + 50;
  const timer = setInterval(() => {
    const now = performance.now();
    most = Math.max(most, now - due);
    due = now + 50;
  }, 50);
  return () => {
    clearInterval(timer);
    return most;
  };
}
