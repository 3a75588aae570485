/** What is tried with workflows that leave a job behind, or finish its comment. */

import { comment, expectSuccess, expectThat } from "./outcomes.ts";
import type { Trial } from "./trial.ts";
import { ISSUE, outputsOf, type TrialSetup } from "./trial-setup.ts";
import { commented, scheduled } from "./trigger-events.ts";
import { ACCESS, type WorkflowFile } from "./workflow-file.ts";

/** A workflow that starts a job for a comment, and does not wait. */
const LEAVES: WorkflowFile = {
  on: { issue_comment: { types: ["created"] } },
  jobs: {
    docs: {
      "runs-on": "ubuntu-latest",
      steps: [
        {
          uses: "OWNER/docs-agent-action@v1",
          with: {
            ...ACCESS,
            ...{ "trigger-phrase": "/docs", wait: false },
          },
        },
      ],
    },
  },
};

async function startsAndLeaves(setup: TrialSetup, workflow?: WorkflowFile): Promise<string> {
  const run = await setup.run(await commented(setup, "/docs Explain webhooks."), workflow);
  expectSuccess(run);
  const { status, prLink } = outputsOf(run);
  expectThat("the output status", status, "active");
  expectThat("the output prLink", prLink || "", "");
  return comment(setup, ISSUE, "the agent is working");
}

/** A sweep finishes the comment that an earlier run has left. */
async function finishes(setup: TrialSetup, workflow?: WorkflowFile): Promise<string> {
  await startsAndLeaves(setup, workflow);
  await setup.untilJobsEnd();
  const run = await setup.run(scheduled());
  expectSuccess(run);
  const { finishedCount, finished = "[]" } = outputsOf(run, "collect");
  expectThat("the output finishedCount", finishedCount, "1");
  const [{ prLink } = { prLink: "none" }] = JSON.parse(finished) as { prLink: string }[];
  return `finished the ${await comment(setup, ISSUE, prLink)}`;
}

export const WITHOUT_WAITING: Trial[] = [
  { name: "issue_comment: created", try: (setup) => startsAndLeaves(setup) },
  { name: "schedule", try: (setup) => finishes(setup) },
];

/** For a workflow, or a step, that only collects. */
export const COLLECT: Trial[] = [
  { name: "schedule", try: (setup) => finishes(setup, LEAVES) },
  {
    name: "step",
    around: (steps) => ({
      on: { schedule: [] },
      jobs: { docs: { "runs-on": "ubuntu-latest", steps } },
    }),
    try: (setup) => finishes(setup, LEAVES),
  },
];
