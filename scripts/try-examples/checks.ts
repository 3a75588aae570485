/** What has to come of a run. */

import type { ActResult } from "./act.ts";
import { type Happens, ISSUE } from "./happenings.ts";
import {
  expectSuccess,
  expectThat,
  type Happening,
  outputsOf,
  type Trial,
  TrialError,
  type TrialWorld,
} from "./trial.ts";

export interface Seen {
  trial: TrialWorld;
  run: ActResult;
  happening: Happening;
}

/** Looks at a run. Returns what it saw in a few words, or throws a TrialError. */
export type Check = (seen: Seen) => string | Promise<string>;

/** A trial in which one thing happens, and the run comes to what every check wants. */
export function once(happens: Happens, ...checks: Check[]): Trial {
  return {
    try: async (trial) => {
      const happening = await happens(trial);
      const run = await trial.run(happening);
      const words: string[] = [];
      for (const check of checks) words.push(await check({ trial, run, happening }));
      return words.filter((word) => word !== "").join(", ");
    },
  };
}

/** The run waited for a job, and put out the pull request that it opened. */
export const pullRequest: Check = async ({ trial, run }) => {
  expectSuccess(run);
  const { status, jobId, prNumber } = outputsOf(run);
  expectThat("the output status", status, "completed");
  const job = (await trial.jobs()).find(({ id }) => id === jobId);
  if (job === undefined) throw new TrialError(`the service has no job '${jobId}'`);
  const pull = await trial.world.github.api<{ html_url: string }>(`/pulls/${prNumber}`);
  expectThat("the job's pull request", job.record.prLink, pull.html_url);
  return `pull request #${prNumber}`;
};

/** A comment on what happened to, else on the first issue, holds a text. Default: the link of the pull request. */
export function comment(text?: string): Check {
  return async ({ trial, run, happening: { number = ISSUE } }) => {
    const wanted = text ?? outputsOf(run).prLink ?? "";
    const path = `/issues/${number}/comments`;
    const comments = await trial.world.github.api<{ body: string }[]>(path);
    if (wanted !== "" && comments.some(({ body }) => body.includes(wanted))) {
      return `comment on #${number}`;
    }
    throw new TrialError(`no comment on #${number} says '${wanted}'`);
  };
}

/** The prompt of a job holds a text. */
export function prompt(text: string): Check {
  return async ({ trial }) => {
    const prompts = (await trial.jobs()).flatMap(({ turns }) => turns.map((turn) => turn.prompt));
    if (prompts.some((one) => one.includes(text))) return "";
    throw new TrialError(`no prompt holds '${text}'`);
  };
}

/** All that the workflow did came to one job. */
export const oneJob: Check = async ({ trial }) => {
  expectThat("the number of jobs", (await trial.jobs()).length, 1);
  return "one job";
};

/** The workflow is green, and its log holds a text. */
export function logged(text: string): Check {
  return ({ run }) => {
    expectSuccess(run);
    if (!run.log.some((line) => line.includes(text))) throw new TrialError(`not logged: '${text}'`);
    return "";
  };
}

/** Outputs of an action are as they have to be. */
export function outputs(wanted: Record<string, string>, action?: string): Check {
  return ({ run }) => {
    const found = outputsOf(run, action);
    for (const [name, value] of Object.entries(wanted)) {
      expectThat(`the output ${name}`, found[name] ?? "", value);
    }
    return Object.values(wanted).filter(Boolean).join(", ");
  };
}

/** The assistant answered. */
export const answer: Check = ({ run }) => {
  expectSuccess(run);
  const { status, answer: text = "", sources = "[]" } = outputsOf(run, "assistant");
  expectThat("the output status", status, "completed");
  if (text.trim() === "") throw new TrialError("the output answer is empty");
  return `answer with ${(JSON.parse(sources) as unknown[]).length} sources`;
};

/** Upkeep handed over the changes with these numbers. @param leg of the matrix */
export function handedOver(run: ActResult, numbers: number[], leg = ""): string {
  const { result, changes = "[]" } = outputsOf(run, "upkeep", leg);
  expectThat("the output result", result, "started");
  const sent = (JSON.parse(changes) as { number: number | null }[]).map(({ number }) => number);
  const missing = numbers.filter((number) => !sent.includes(number));
  if (missing.length > 0) throw new TrialError(`#${missing.join(", #")} was not handed over`);
  return `${sent.length} handed over`;
}
