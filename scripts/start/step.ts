/** A step of a workflow in the local world, and what it leaves, as the scenes of `npm start` show them. */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { type RunOptions, type RunResult, runAction } from "../../emulator/runner/runner.ts";
import { localStep } from "../local-step.ts";
import { details, heading, log, StartError, text, withoutHidden } from "./console.ts";

export interface StepRun {
  main: RunResult;
  post: RunResult;
}

/** Runs the main and the post entry of a step, and shows the log. */
export async function runStep(world: LocalWorld, options: RunOptions): Promise<StepRun> {
  const step = { ...localStep(world, options), onLine: log() };
  const main = await runAction(step);
  const post = await runAction({ ...step, entry: "post", state: main.state });
  return { main, post };
}

/** @throws StartError when the main or the post entry failed */
export function checkExit({ main, post }: StepRun): void {
  const failed = [main, post].find(({ exitCode }) => exitCode !== 0);
  if (failed === undefined) return;
  const why = failed.errors[0] ?? "see its log above";
  throw new StartError(`the action ended with exit code ${failed.exitCode}: ${why}`);
}

/** A run that the schedule starts; shows some of its outputs. @throws StartError when it failed */
export async function runOnSchedule(
  world: LocalWorld,
  options: RunOptions,
  outputs: string[],
): Promise<Record<string, string>> {
  const ran = await runStep(world, { eventName: "schedule", ...options });
  checkExit(ran);
  details(Object.fromEntries(outputs.map((name) => [name, ran.main.outputs[name]])));
  return ran.main.outputs;
}

/** Shows what an action remembers: its dashboard, and the ledger in git that this is made from. */
export async function showLedger({ github }: LocalWorld, action: string): Promise<void> {
  const [issue] = await github.api<{ number: number; title: string; body: string }[]>(
    `/issues?labels=docs-${action}`,
  );
  heading(`The dashboard: issue #${issue?.number ?? ""} ${issue?.title ?? ""}`);
  text(withoutHidden(issue?.body ?? "There is none."));

  const [ledger] = await github.api<{ ref: string; object: { sha: string } }[]>(
    `/git/matching-refs/docs-agent/${action}/`,
  );
  heading(`The ledger: ${ledger?.ref ?? "there is none"}`);
  const commits = await github.api<{ sha: string; commit: { message: string } }[]>(
    `/commits?sha=${ledger?.object.sha ?? ""}`,
  );
  for (const { sha, commit } of commits) {
    text(`${sha.slice(0, 7)} ${commit.message.split("\n", 1)[0] ?? ""}`);
  }
}
