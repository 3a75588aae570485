import { type RunResult, runAction, startAction } from "../../emulator/runner/runner.ts";
import { API_KEY } from "../support/scene.ts";
import { type Journey, setOut, type Way } from "./journey.ts";
import { type Moment, Stepper } from "./stepper.ts";

/** Where and how a run is stopped. */
export interface Stop {
  journey: Journey;
  /** The request, as the stepper names it. */
  step: string;
  moment: Moment;
  signal: "SIGINT" | "SIGTERM" | "SIGKILL";
}

/** How long a run has to be gone after a signal, in milliseconds. */
const GONE_AFTER = 3_000;

/** The steps of a journey that nobody stops. */
export async function stepsOf(journey: Journey): Promise<string[]> {
  const stepper = new Stepper();
  await using way = await setOut(journey, stepper);
  const { exitCode, stdout } = await runAction(way.options);
  if (exitCode !== 0) throw new Error(`${journey.name} does not come to its end:\n${stdout}`);
  return stepper.steps;
}

/** Stops a run where it is told to, and gives what is wrong then, as sentences. */
export async function stop(it: Stop): Promise<string[]> {
  const stepper = new Stepper(it.step, it.moment);
  await using way = await setOut(it.journey, stepper);
  const run = startAction(way.options);
  await Promise.race([stepper.reached, run.result]);
  const late = lateness();
  const signalledAt = performance.now();
  run.signal(it.signal);
  const result = await run.result;
  const took = performance.now() - signalledAt - late();
  const wrong = it.signal === "SIGKILL" ? await afterKill(it, way, result) : [];
  if (it.signal !== "SIGKILL") wrong.push(...afterSignal(it, way, result, took));
  return wrong.map((text) => `${it.signal}, ${it.step} ${it.moment}: ${text}`);
}

function afterSignal({ journey, step, moment }: Stop, way: Way, result: RunResult, took: number) {
  const wrong: string[] = [];
  const demand = (isTrue: boolean, otherwise: string) => {
    if (!isTrue) wrong.push(otherwise);
  };
  const { outputs } = result;
  demand(took < GONE_AFTER, `gone only after ${Math.round(took)} ms`);
  demand(result.signal === null, "it did not end by itself");
  // What had come to its end before the signal may say so.
  const isOver = outputs.status === "completed";
  demand(isOver || result.exitCode === 1, `exit code ${result.exitCode}`);
  const kind = outputs.errorKind ?? "";
  demand(kind === "cancelled" || (isOver && kind === ""), `errorKind is "${kind}"`);

  const isUntold = step.startsWith(journey.creates) && moment === "never answered";
  const isKnown = isJobKnown(journey, way) && !(journey.creates !== "" && isUntold);
  if (isKnown) demand(outputs.jobId === journey.jobId, `jobId is "${outputs.jobId}"`);
  if (isUntold && journey.creates !== "") {
    demand(/may/.test(outputs.errorMessage ?? ""), "nothing says that there may be a job");
  }
  const isHeldByGithub = moment === "never answered" && step.includes("/repos/");
  wrong.push(...commentIsTrue(journey, way, { isKnown, isExcused: isHeldByGithub }));
  demand(
    !JSON.stringify([outputs, result.state, result.summary]).includes(API_KEY),
    "the key is told",
  );
  return wrong;
}

/** The post step follows, and tells what the main step could not. */
async function afterKill({ journey, step }: Stop, way: Way, main: RunResult) {
  if (journey.action !== undefined) return [];
  const wrong: string[] = [];
  const post = await runAction({ ...way.options, entry: "post", state: main.state });
  if (post.exitCode !== 0) wrong.push(`the post step's exit code is ${post.exitCode}`);
  const isKnown = JSON.stringify(main.state).includes(journey.jobId);
  if (isAfterStart(step) && !isKnown) wrong.push("the job was not written down");
  // Whether an answer that was on its way when the step was killed had been read is chance.
  const isUntold = isJobKnown(journey, way) && !isKnown;
  const told = `${main.summary}${post.summary}`;
  if (isKnown && !told.includes(journey.jobId)) wrong.push("no summary names the job");
  if (isUntold && !/may/.test(told)) {
    wrong.push("no summary says that there may be a job");
  }
  wrong.push(...commentIsTrue(journey, way, { isKnown, isExcused: false }));
  return wrong;
}

/** Requests that are made only once the job's id is known. */
function isAfterStart(step: string): boolean {
  return /^(GET .*\/job\/|PATCH |POST .*\/issues\/\d+\/comments)/.test(step);
}

function isJobKnown({ creates, jobId }: Journey, { service }: Way): boolean {
  if (jobId === "") return false;
  const asked = creates === "" ? `POST /v2/agent/docs/job/${jobId}/message` : creates;
  return service.requestsTo(asked).length > 0;
}

/** @param isExcused whether GitHub never answered, so that nothing more could be told there */
function commentIsTrue(
  { jobId }: Journey,
  { github }: Way,
  { isKnown, isExcused }: { isKnown: boolean; isExcused: boolean },
): string[] {
  const bodies = github
    .comments(7)
    .filter(({ user }) => user.type === "Bot")
    .map(({ body }) => body);
  const wrong: string[] = [];
  if (bodies.length > 1) wrong.push(`${bodies.length} comments`);
  if (isExcused) return wrong;
  const [body = ""] = bodies.slice(-1);
  if (body.startsWith("### ⏳")) wrong.push("the comment says that the agent is at work");
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
