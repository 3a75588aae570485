/** What is tried with each example. */

import { WITHOUT_WAITING } from "./collect-trials.ts";
import {
  BY_COMMENT,
  DISPATCHED,
  MERGED,
  QUESTION_BY_COMMENT,
  RELEASED,
  REQUEST,
  SCHEDULED,
} from "./common-trials.ts";
import {
  answer,
  comment,
  expectSuccess,
  expectThat,
  logged,
  prompt,
  pullRequest,
  pullRequestInComment,
} from "./outcomes.ts";
import { QUEUE, QUEUE_MATRIX, QUEUE_PUSHED, QUEUE_TICKED_BOX } from "./queue-trials.ts";
import { ISSUE, outputsOf } from "./stage.ts";
import type { Trial } from "./trial.ts";
import {
  dispatched,
  issueLabeled,
  issueOpened,
  merged,
  pushed,
  reviewCommented,
  reviewed,
  scheduled,
} from "./trigger-events.ts";
import { MANY_REPOSITORIES, MATRIX, TICKED_BOX, UPKEEP } from "./upkeep-trials.ts";

const PROMPT_FILE = { files: { ".github/docs-upkeep.md": "Look for outdated pages.\n" } };

/** By the example's file. */
export const EXAMPLE_TRIALS: Record<string, Trial[]> = {
  "examples/answer-questions.yml": [
    {
      name: "issues: labeled",
      try: async (stage) => {
        const seen = answer(await stage.run(await issueLabeled(stage, "question")));
        return `${seen}, ${await comment(stage, ISSUE, "rotate")}`;
      },
    },
    QUESTION_BY_COMMENT,
  ],
  "examples/ask-by-comment-without-waiting.yml": WITHOUT_WAITING,
  "examples/ask-by-comment.yml": [
    BY_COMMENT,
    {
      name: "issues: opened",
      try: async (stage) => {
        const opened = await issueOpened(stage, REQUEST);
        return pullRequestInComment(stage, await stage.run(opened), ISSUE + 1);
      },
    },
    {
      name: "pull_request_review_comment: created",
      try: async (stage) => {
        const run = await stage.run(await reviewCommented(stage, REQUEST));
        return pullRequestInComment(stage, run, ISSUE + 1);
      },
    },
    {
      name: "pull_request_review: submitted",
      try: async (stage) => {
        const run = await stage.run(await reviewed(stage, REQUEST));
        return pullRequestInComment(stage, run, ISSUE + 1);
      },
    },
  ],
  "examples/on-demand.yml": [
    {
      name: "workflow_dispatch",
      try: async (stage) => {
        const run = await stage.run(dispatched({ prompt: "Explain webhooks." }));
        await prompt(stage, "Explain webhooks.");
        return pullRequest(stage, run);
      },
    },
    {
      name: "workflow_dispatch, with job-id",
      try: async (stage) => {
        const first = await stage.run(dispatched({ prompt: "Explain webhooks." }));
        const { jobId = "" } = outputsOf(first);
        const inputs = { prompt: "Mention retries.", "job-id": jobId };
        const run = await stage.run(dispatched(inputs));
        await prompt(stage, "Mention retries.");
        expectThat("the number of jobs", (await stage.jobs()).length, 1);
        return `${await pullRequest(stage, run)} of the same job`;
      },
    },
  ],
  "examples/on-merged-pull-request.yml": [MERGED],
  "examples/on-push.yml": [
    {
      name: "push",
      try: async (stage) => {
        const run = await stage.run(await pushed(stage, { "src/webhooks.ts": "1\n" }));
        await prompt(stage, "src/webhooks.ts");
        logged(run, "The docs are updated in http");
        return pullRequest(stage, run);
      },
    },
  ],
  "examples/on-release.yml": [RELEASED],
  "examples/queue-matrix.yml": QUEUE_MATRIX,
  "examples/queue.yml": [...QUEUE, QUEUE_PUSHED, QUEUE_TICKED_BOX],
  "examples/scheduled-one-at-a-time.yml": [SCHEDULED, DISPATCHED],
  "examples/scheduled-prompt-file.yml": [scheduled(), dispatched()].map((when) => ({
    ...{ name: when.event, ...PROMPT_FILE },
    try: async (stage) => {
      const run = await stage.run(when);
      await prompt(stage, "Look for outdated pages.");
      return pullRequestInComment(stage, run);
    },
  })),
  "examples/separate-docs-repository.yml": [
    MERGED,
    {
      name: "pull_request_target: closed, the job fails",
      steering: { outcome: "failed" },
      try: async (stage) => {
        const run = await stage.run(await merged(stage, "pull_request_target"));
        expectSuccess(run);
        expectThat("the output errorKind", outputsOf(run).errorKind, "job-failed");
        logged(run, "The docs were not updated (job-failed).");
        return "green, with a warning";
      },
    },
  ],
  "examples/upkeep-many-repositories.yml": MANY_REPOSITORIES,
  "examples/upkeep-matrix.yml": MATRIX,
  "examples/upkeep.yml": [...UPKEEP, TICKED_BOX],
};
