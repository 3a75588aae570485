import type { RunResult } from "../../../emulator/runner/runner.ts";
import { ADMIN_KEY } from "../../../emulator/service/state.ts";
import { GONE_AFTER } from "../../support/grace.ts";
import { MESSAGE } from "../../support/world/jobs.ts";
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

/** The title of a stop's test, such as `a new job: SIGINT at GET service /v2/agent/acme-docs/job/job_1 #1, never answered`. */
export function nameOfStop({ run, step, moment, signal }: Stop): string {
  return `${run.name}: ${signal} at ${step}, ${moment}`;
}

/** The steps of a run that is not stopped. */
export async function stepsOf(run: CancellableRun): Promise<string[]> {
  const watcher = new RequestWatcher();
  const { world, action, options } = await setUpRun(run, watcher);
  await using _ = world;
  const { exitCode, stdout } = await world.run(action, options);
  if (exitCode !== 0) throw new Error(`${run.name} fails:\n${stdout}`);
  return watcher.steps;
}

/** Stops a run, and returns the problems as sentences. */
export async function runStop(stop: Stop): Promise<string[]> {
  const watcher = new RequestWatcher(stop.step, stop.moment);
  const setup = await setUpRun(stop.run, watcher);
  await using world = setup.world;
  const run = world.start(setup.action, setup.options);
  const isReached = await Promise.race([watcher.reached, run.result.then(() => false)]);
  if (!isReached) return ["the run ended without this request"];
  const late = lateness();
  const signalledAt = performance.now();
  run.signal(stop.signal);
  const result = await run.result;
  const took = performance.now() - signalledAt - late();
  return stop.signal === "SIGKILL"
    ? await afterKill(stop, setup, result)
    : await afterSignal(stop, setup, result, took);
}

async function afterSignal(
  { run, step, moment }: Stop,
  setup: RunSetup,
  result: RunResult,
  took: number,
): Promise<string[]> {
  const problems: string[] = [];
  const demand = (isTrue: boolean, problem: string) => {
    if (!isTrue) problems.push(problem);
  };
  const { outputs } = result;
  demand(took < GONE_AFTER, `it ended only after ${Math.round(took)} ms`);
  // A run that was complete before the signal may report that, and may get the signal while it exits.
  const isOver = run.doneWhen?.(outputs) ?? outputs.status === "completed";
  demand(isOver || result.signal === null, "the signal killed it");
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
  problems.push(...(await rest));
  demand(
    !JSON.stringify([outputs, result.state, result.summary]).includes(ADMIN_KEY),
    "the key is in what it leaves behind",
  );
  return problems;
}

/** Runs the post step, and checks that it reports what the main step could not. */
async function afterKill({ run, step }: Stop, setup: RunSetup, main: RunResult) {
  if (run.action !== "root") return (await run.checkRest?.(setup)) ?? [];
  const problems: string[] = [];
  const post = await setup.world.run("root", {
    ...setup.options,
    entry: "post",
    state: main.state,
  });
  if (post.exitCode !== 0) problems.push(`the post step's exit code is ${post.exitCode}`);
  // A complete step has outputs instead of a state.
  const isKnown = JSON.stringify([main.state, main.outputs]).includes(run.jobId);
  if (isAfterStart(step) && !isKnown) problems.push("the job was not recorded");
  // Whether the step had read an answer before it was killed is random.
  const isUnanswered = isJobKnown(run, setup) && !isKnown;
  const summaries = `${main.summary}${post.summary}`;
  if (isKnown && !summaries.includes(run.jobId)) problems.push("no summary names the job");
  if (isUnanswered && !/may/.test(summaries)) {
    problems.push("no summary says that there may be a job");
  }
  problems.push(...(await checkComment(run, setup, { isKnown, isExcused: false })));
  return problems;
}

/** Whether a request is made only when the job's ID is known. */
function isAfterStart(step: string): boolean {
  return /^(GET .*\/job\/|PATCH |POST .*\/issues\/\d+\/comments)/.test(step);
}

function isJobKnown({ creates, jobId }: CancellableRun, { world }: RunSetup): boolean {
  if (jobId === "") return false;
  return world.received(creates === "" ? MESSAGE : creates).length > 0;
}

/** @param isExcused GitHub never answered, so the comment could not be updated */
async function checkComment(
  { jobId }: CancellableRun,
  { world }: RunSetup,
  { isKnown, isExcused }: { isKnown: boolean; isExcused: boolean },
): Promise<string[]> {
  const bodies = world.comments(7).map(({ body }) => body);
  const problems: string[] = [];
  if (bodies.length > 1) problems.push(`${bodies.length} comments`);
  if (isExcused) return problems;
  const [body = ""] = bodies.slice(-1);
  if (body.startsWith("### ⏳")) problems.push("the comment says that the agent is working");
  if (isKnown && body === "") problems.push("there is no comment about the job");
  if (isKnown && !body.includes(jobId)) problems.push("the comment does not name the job");
  return problems;
}

/** Starts measuring how late this machine runs timers. The result is the maximum delay, in milliseconds. */
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
