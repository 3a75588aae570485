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
import type { Trial } from "./trial.ts";
import { ISSUE, outputsOf } from "./trial-setup.ts";
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
import { AFTER_RELEASE, MANY_REPOSITORIES, MATRIX, TICKED_BOX, UPKEEP } from "./upkeep-trials.ts";

const PROMPT_FILE = { files: { ".github/docs-upkeep.md": "Look for outdated pages.\n" } };

/** By the example's file. */
export const EXAMPLE_TRIALS: Record<string, Trial[]> = {
  "examples/answer-questions.yml": [
    {
      name: "issues: labeled",
      try: async (setup) => {
        const seen = answer(await setup.run(await issueLabeled(setup, "question")));
        return `${seen}, ${await comment(setup, ISSUE, "rotate")}`;
      },
    },
    QUESTION_BY_COMMENT,
  ],
  "examples/ask-by-comment-without-waiting.yml": WITHOUT_WAITING,
  "examples/ask-by-comment.yml": [
    BY_COMMENT,
    {
      name: "issues: opened",
      try: async (setup) => {
        const opened = await issueOpened(setup, REQUEST);
        return pullRequestInComment(setup, await setup.run(opened), ISSUE + 1);
      },
    },
    {
      name: "pull_request_review_comment: created",
      try: async (setup) => {
        const run = await setup.run(await reviewCommented(setup, REQUEST));
        return pullRequestInComment(setup, run, ISSUE + 1);
      },
    },
    {
      name: "pull_request_review: submitted",
      try: async (setup) => {
        const run = await setup.run(await reviewed(setup, REQUEST));
        return pullRequestInComment(setup, run, ISSUE + 1);
      },
    },
  ],
  "examples/on-demand.yml": [
    {
      name: "workflow_dispatch",
      try: async (setup) => {
        const run = await setup.run(dispatched({ prompt: "Explain webhooks." }));
        await prompt(setup, "Explain webhooks.");
        return pullRequest(setup, run);
      },
    },
    {
      name: "workflow_dispatch, with job-id",
      try: async (setup) => {
        const first = await setup.run(dispatched({ prompt: "Explain webhooks." }));
        const { jobId = "" } = outputsOf(first);
        const inputs = { prompt: "Mention retries.", "job-id": jobId };
        const run = await setup.run(dispatched(inputs));
        await prompt(setup, "Mention retries.");
        expectThat("the number of jobs", (await setup.jobs()).length, 1);
        return `${await pullRequest(setup, run)} of the same job`;
      },
    },
  ],
  "examples/on-merged-pull-request.yml": [MERGED],
  "examples/on-push.yml": [
    {
      name: "push",
      try: async (setup) => {
        const run = await setup.run(await pushed(setup, { "src/webhooks.ts": "1\n" }));
        await prompt(setup, "src/webhooks.ts");
        logged(run, "The docs are updated in http");
        return pullRequest(setup, run);
      },
    },
  ],
  "examples/on-release.yml": [RELEASED],
  "examples/queue-matrix.yml": QUEUE_MATRIX,
  "examples/queue.yml": [...QUEUE, QUEUE_PUSHED, QUEUE_TICKED_BOX],
  "examples/scheduled-one-at-a-time.yml": [SCHEDULED, DISPATCHED],
  "examples/scheduled-prompt-file.yml": [scheduled(), dispatched()].map((when) => ({
    ...{ name: when.event, ...PROMPT_FILE },
    try: async (setup) => {
      const run = await setup.run(when);
      await prompt(setup, "Look for outdated pages.");
      return pullRequestInComment(setup, run);
    },
  })),
  "examples/separate-docs-repository.yml": [
    MERGED,
    {
      name: "pull_request_target: closed, the job fails",
      steering: { outcome: "failed" },
      try: async (setup) => {
        const run = await setup.run(await merged(setup, "pull_request_target"));
        expectSuccess(run);
        expectThat("the output errorKind", outputsOf(run).errorKind, "job-failed");
        logged(run, "The docs were not updated (job-failed).");
        return "green, with a warning";
      },
    },
  ],
  "examples/upkeep-after-release.yml": AFTER_RELEASE,
  "examples/upkeep-many-repositories.yml": MANY_REPOSITORIES,
  "examples/upkeep-matrix.yml": MATRIX,
  "examples/upkeep.yml": [...UPKEEP, TICKED_BOX],
};
