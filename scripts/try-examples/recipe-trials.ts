/** What is tried with each recipe. */

import { REQUEST } from "./common-trials.ts";
import {
  expectSuccess,
  expectThat,
  logged,
  prompt,
  pullRequest,
  pullRequestInComment,
} from "./outcomes.ts";
import type { Trial } from "./trial.ts";
import { outputsOf, type TrialSetup } from "./trial-setup.ts";
import { dispatched, merged, pushed, released } from "./trigger-events.ts";
import { CHAT, HANDS_OVER_STEP } from "./upkeep-trials.ts";
import { ACCESS, expression, type Step, type WorkflowFile } from "./workflow-file.ts";

const MANUAL = "step";
const RUNNER = { "runs-on": "ubuntu-latest" };

/** A workflow of one job around the steps, for an event. */
function on(events: Record<string, unknown>, ...before: Step[]) {
  return (steps: Step[]): WorkflowFile => ({
    on: events,
    jobs: { docs: { ...RUNNER, steps: [...before, ...steps] } },
  });
}

const CHECKOUT: Step = { uses: "actions/checkout@v7" };

/** A workflow whose earlier job has started the agent's job. */
function afterStart(steps: Step[]): WorkflowFile {
  const start: Step = {
    id: "agent",
    uses: "OWNER/docs-agent-action@v1",
    with: { ...ACCESS, prompt: REQUEST, wait: false },
  };
  const outputs = { "job-id": expression("steps.agent.outputs.jobId") };
  return {
    on: { workflow_dispatch: null },
    jobs: {
      start: { ...RUNNER, outputs, steps: [start] },
      docs: { ...RUNNER, needs: "start", steps },
    },
  };
}

async function oneJob(setup: TrialSetup): Promise<string> {
  const seen = await pullRequest(setup, await setup.run(dispatched()));
  expectThat("the number of jobs", (await setup.jobs()).length, 1);
  return `${seen} of one job`;
}

/** By the recipe's heading. */
export const RECIPE_TRIALS: Record<string, Trial[]> = {
  "Start a job without waiting": [
    {
      name: MANUAL,
      files: { ".github/docs-prompt.md": "Explain webhooks.\n" },
      around: on({ workflow_dispatch: null }, CHECKOUT),
      try: async (setup) => {
        const run = await setup.run(dispatched());
        expectSuccess(run);
        expectThat("the output status", outputsOf(run).status, "active");
        await prompt(setup, "Explain webhooks.");
        return "job started";
      },
    },
  ],
  "Wait for a job later": [{ name: MANUAL, around: afterStart, try: oneJob }],
  "Send a follow-up": [
    {
      name: MANUAL,
      try: async (setup) => {
        const seen = await oneJob(setup);
        await prompt(setup, "compare every example with the source");
        return seen;
      },
    },
  ],
  "Document what was merged": [HANDS_OVER_STEP],
  "Send the docs pull request to chat": [CHAT],
  "Use the event as the prompt": [
    {
      name: "push",
      around: on({ push: null }),
      try: async (setup) => {
        const run = await setup.run(await pushed(setup, { "src/webhooks.ts": "1\n" }));
        await prompt(setup, "/compare/");
        await prompt(setup, "Add webhooks");
        return pullRequest(setup, run);
      },
    },
    {
      name: "pull_request: closed",
      around: on({ pull_request: { types: ["closed"] } }),
      try: async (setup) => {
        const merge = await merged(setup, "pull_request");
        const run = await setup.run(merge);
        await prompt(setup, "Add webhooks");
        return pullRequestInComment(setup, run, merge.number);
      },
    },
    {
      name: "release: published",
      around: on({ release: { types: ["published"] } }),
      try: async (setup) => {
        const run = await setup.run(released(setup));
        await prompt(setup, "Adds webhooks.");
        return pullRequest(setup, run);
      },
    },
  ],
  "Require a pull request": [
    { name: MANUAL, try: async (setup) => pullRequest(setup, await setup.run(dispatched())) },
    {
      name: `${MANUAL}, no changes`,
      steering: { outcome: "no-changes" },
      try: async (setup) => {
        const run = await setup.run(dispatched());
        expectThat("act's exit code", run.exitCode, 1);
        expectThat("the output errorKind", outputsOf(run).errorKind, "no-changes");
        return "the step fails";
      },
    },
  ],
  "Never fail the workflow": [
    {
      name: `${MANUAL}, the job fails`,
      steering: { outcome: "failed" },
      try: async (setup) => {
        const run = await setup.run(dispatched());
        expectSuccess(run);
        expectThat("the output errorKind", outputsOf(run).errorKind, "job-failed");
        logged(run, "The docs were not updated (job-failed).");
        return "green, with a warning";
      },
    },
  ],
};
