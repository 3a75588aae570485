/** The steps of a job, one after the other, as a runner does. */

import path from "node:path";
import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { readActionMetadata } from "../../emulator/runner/prepare-step.ts";
import { REPOSITORY_ROOT, type RunOptions, type RunResult } from "../../emulator/runner/runner.ts";
import { type Contexts, isTrue } from "./expression.ts";
import { contextsOf, expandAll, type Run, stepOf } from "./step.ts";
import type { Step } from "./workflow.ts";

/** A step that has ended. */
export interface EndedStep {
  /** Of the action's folder, `root` for that without one, or the step's ID. */
  name: string;
  outputs: Record<string, string>;
}

interface Runner {
  /** Called when a step begins. */
  onStep(name: string): void;
  runEntry(options: RunOptions): Promise<RunResult>;
  onEnd(step: EndedStep): void;
}

/** Functions that say that the steps so far have ended well, or hold although they did not. */
const STATUS = /\b(success|failure|always|cancelled)\(\)/;

/**
 * Runs the steps of a job whose conditions hold, and then their post entries, the last one first.
 *
 * @returns whether the job has succeeded @throws if an expression of it cannot be read
 */
export async function runJob(world: LocalWorld, run: Run, runner: Runner): Promise<boolean> {
  const { workflow } = run;
  const contexts = contextsOf(world, run);
  const env = expandAll(workflow.env, contexts);
  const results: Record<string, { outputs: Record<string, string> }> = {};
  const posts: RunOptions[] = [];
  let hasFailed = false;
  for (const step of workflow.steps) {
    const known = { ...contexts, env, steps: results };
    if (!isDue(step, known, hasFailed)) continue;
    const name = nameOf(step);
    runner.onStep(name);
    const options = stepOf(world, run, step, known);
    const { exitCode, outputs, state } = await runner.runEntry(options);
    if (step.id !== undefined) results[step.id] = { outputs };
    if (step.type === "action") runner.onEnd({ name, outputs });
    if (exitCode !== 0 && !step.mayFail) hasFailed = true;
    if (hasPost(step)) posts.unshift({ ...options, entry: "post", state });
  }
  for (const post of posts) {
    const { exitCode } = await runner.runEntry(post);
    if (exitCode !== 0) hasFailed = true;
  }
  return !hasFailed;
}

function isDue({ condition = "success()" }: Step, contexts: Contexts, hasFailed: boolean): boolean {
  if (hasFailed && !STATUS.test(condition)) return false;
  const results = { success: !hasFailed, failure: hasFailed, always: true, cancelled: false };
  return isTrue(condition, contexts, results);
}

function nameOf(step: Step): string {
  if (step.type === "action") return step.action === "." ? "root" : step.action;
  return step.id ?? step.type;
}

function hasPost(step: Step): boolean {
  if (step.type !== "action") return false;
  return readActionMetadata(path.join(REPOSITORY_ROOT, step.action)).post !== undefined;
}
