/** What is tried with workflows that leave a job behind, or finish its comment. */

import { comment, expectSuccess, expectThat } from "./outcomes.ts";
import { ISSUE, outputsOf, type Stage } from "./stage.ts";
import type { Trial } from "./trial.ts";
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

async function startsAndLeaves(stage: Stage, workflow?: WorkflowFile): Promise<string> {
  const run = await stage.run(await commented(stage, "/docs Explain webhooks."), workflow);
  expectSuccess(run);
  const { status, prLink } = outputsOf(run);
  expectThat("the output status", status, "active");
  expectThat("the output prLink", prLink || "", "");
  return comment(stage, ISSUE, "the agent is working");
}

/** A sweep finishes the comment that an earlier run has left. */
async function finishes(stage: Stage, workflow?: WorkflowFile): Promise<string> {
  await startsAndLeaves(stage, workflow);
  await stage.untilJobsEnd();
  const run = await stage.run(scheduled());
  expectSuccess(run);
  const { finishedCount, finished = "[]" } = outputsOf(run, "collect");
  expectThat("the output finishedCount", finishedCount, "1");
  const [{ prLink } = { prLink: "none" }] = JSON.parse(finished) as { prLink: string }[];
  return `finished the ${await comment(stage, ISSUE, prLink)}`;
}

export const WITHOUT_WAITING: Trial[] = [
  { name: "issue_comment: created", try: (stage) => startsAndLeaves(stage) },
  { name: "schedule", try: (stage) => finishes(stage) },
];

/** For a workflow, or a step, that only collects. */
export const COLLECT: Trial[] = [
  { name: "schedule", try: (stage) => finishes(stage, LEAVES) },
  {
    name: "step",
    around: (steps) => ({
      on: { schedule: [] },
      jobs: { docs: { "runs-on": "ubuntu-latest", steps } },
    }),
    try: (stage) => finishes(stage, LEAVES),
  },
];
