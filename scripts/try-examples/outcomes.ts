/** What has to come of a run. Each returns what it saw, in a few words, or throws a TrialError. */

import type { ActResult } from "./act.ts";
import { ISSUE, outputsOf, TrialError, type TrialSetup } from "./trial-setup.ts";

/** @throws TrialError when the value is not what it has to be. */
export function expectThat(what: string, value: unknown, wanted: unknown): void {
  if (value === wanted) return;
  throw new TrialError(`${what} is ${JSON.stringify(value)}, not ${JSON.stringify(wanted)}`);
}

/** @throws TrialError when act reports that the workflow failed. */
export function expectSuccess({ exitCode, jobs }: ActResult): void {
  expectThat("act's exit code", exitCode, 0);
  if (jobs.length === 0) throw new TrialError("no job was run");
}

/** The run waited for a job, and put out the pull request that it opened. */
export async function pullRequest(setup: TrialSetup, run: ActResult): Promise<string> {
  expectSuccess(run);
  const { status, jobId, prNumber } = outputsOf(run);
  expectThat("the output status", status, "completed");
  const job = (await setup.jobs()).find(({ id }) => id === jobId);
  if (job === undefined) throw new TrialError(`the service has no job '${jobId}'`);
  const pull = await setup.world.github.api<{ html_url: string }>(`/pulls/${prNumber}`);
  expectThat("the job's pull request", job.record.prLink, pull.html_url);
  return `pull request #${prNumber}`;
}

/** A comment on an issue or pull request that holds a text. */
export async function comment(setup: TrialSetup, number: number, text: string): Promise<string> {
  const path = `/issues/${number}/comments`;
  const comments = await setup.world.github.api<{ body: string }[]>(path);
  if (!comments.some(({ body }) => body.includes(text))) {
    throw new TrialError(`no comment on #${number} says '${text}'`);
  }
  return `comment on #${number}`;
}

/** The run waited for a job, and its comment links the pull request. */
export async function pullRequestInComment(
  setup: TrialSetup,
  run: ActResult,
  number = ISSUE,
): Promise<string> {
  const seen = await pullRequest(setup, run);
  return `${seen}, ${await comment(setup, number, outputsOf(run).prLink ?? "")}`;
}

/** The prompt of the newest job holds a text. */
export async function prompt(setup: TrialSetup, text: string): Promise<void> {
  const prompts = (await setup.jobs()).flatMap(({ turns }) => turns.map((turn) => turn.prompt));
  if (prompts.some((one) => one.includes(text))) return;
  throw new TrialError(`no prompt holds '${text}'`);
}

/** The assistant answered. */
export function answer(run: ActResult): string {
  expectSuccess(run);
  const { status, answer: text = "", sources = "[]" } = outputsOf(run, "assistant");
  expectThat("the output status", status, "completed");
  if (text.trim() === "") throw new TrialError("the output answer is empty");
  return `answer with ${(JSON.parse(sources) as unknown[]).length} sources`;
}

/** Upkeep handed over the changes with these numbers. */
export function handedOver(run: ActResult, numbers: number[], leg = ""): string {
  const { result, changes = "[]" } = outputsOf(run, "upkeep", leg);
  expectThat("the output result", result, "started");
  const sent = (JSON.parse(changes) as { number: number | null }[]).map(({ number }) => number);
  const missing = numbers.filter((number) => !sent.includes(number));
  if (missing.length > 0) throw new TrialError(`#${missing.join(", #")} was not handed over`);
  return `${sent.length} ${sent.length === 1 ? "change" : "changes"} handed over`;
}

/** A line of the log holds a text. */
export function logged({ log }: ActResult, text: string): void {
  if (!log.some((line) => line.includes(text))) throw new TrialError(`the log lacks '${text}'`);
}
