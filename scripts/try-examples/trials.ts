/** What is tried with the workflows that the project shows: by trigger; `step` is for steps without a workflow. */

import { answer, comment, logged, once, oneJob, outputs, prompt, pullRequest } from "./checks.ts";
import { digest, labelsAndReviewers, land } from "./docs-pulls.ts";
import { GATE, labelled } from "./gate-runs.ts";
import {
  commented,
  dispatched,
  issueLabeled,
  issueOpened,
  merged,
  pushed,
  released,
  reviewCommented,
  reviewed,
  scheduled,
  tagged,
} from "./happenings.ts";
import {
  afterRelease,
  around,
  chat,
  collect,
  decided,
  manyRepositories,
  queue,
  stylePass,
  TASKS_FILES,
  timed,
  upkeep,
  upkeepMatrix,
  WITHOUT_WAITING,
} from "./later-runs.ts";
import { expectThat, FAILED_JOB, outputsOf, type Trial, TrialError } from "./trial.ts";
import { ACCESS, expression, type Step, type WorkflowFile } from "./workflow.ts";

/** By trigger; after a comma, what else is special. */
export type Trials = Record<string, Trial>;

const REQUEST = "/docs Explain webhooks.";
const CODE = { "src/webhooks.ts": "1\n" };
const PROMPT = "Explain webhooks.";

const BY_COMMENT: Trials = {
  "issue_comment: created": once(commented(REQUEST), pullRequest, comment()),
};
const RELEASED: Trials = {
  "release: published": once(released, prompt("Adds webhooks."), pullRequest),
};
const MERGED: Trials = {
  "pull_request_target: closed": once(
    merged("pull_request_target"),
    prompt("Add webhooks"),
    pullRequest,
    comment(),
  ),
};
const QUESTION: Trials = {
  "issue_comment: created": once(
    commented("/ask How do I rotate a key?"),
    answer,
    comment("rotate"),
  ),
};
/** The job fails, and the workflow goes on with a warning. */
const GREEN = [
  outputs({ errorKind: "job-failed" }),
  logged("The docs were not updated (job-failed)."),
];

const LISTS_JOBS = once(dispatched(), outputs({ count: "1" }, "jobs"), logged(""), ({ run }) => {
  if (outputsOf(run, "jobs").jobs?.includes(FAILED_JOB)) return "job listed";
  throw new TrialError(`the output jobs lacks ${FAILED_JOB}`);
});

/** Requests by comment, and docs pull requests of changes that the same workflow hands over. */
const TEAM: Trials = {
  ...BY_COMMENT,
  ...timed((happens) => land(happens, { withUpkeep: true })),
};

/** By the example's file. */
export const EXAMPLES: Record<string, Trials> = {
  "examples/answer-questions.yml": {
    "issues: labeled": once(issueLabeled("question"), answer, comment("rotate")),
    ...QUESTION,
  },
  "examples/ask-by-comment-without-waiting.yml": WITHOUT_WAITING,
  "examples/ask-by-comment.yml": {
    ...BY_COMMENT,
    "issues: opened": once(issueOpened(REQUEST), pullRequest, comment()),
    "pull_request_review_comment: created": once(reviewCommented(REQUEST), pullRequest, comment()),
    "pull_request_review: submitted": once(reviewed(REQUEST), pullRequest, comment()),
  },
  "examples/enterprise-server.yml": timed(upkeep),
  "examples/gate-required.yml": GATE.required,
  "examples/gate.yml": GATE.drafts,
  "examples/docs-digest.yml": timed(digest),
  "examples/land.yml": timed((happens) => land(happens, { merges: true })),
  "examples/list-jobs.yml": { workflow_dispatch: LISTS_JOBS },
  "examples/nightly-style-pass.yml": timed(stylePass),
  "examples/on-demand.yml": {
    workflow_dispatch: once(dispatched({ prompt: PROMPT }), prompt(PROMPT), pullRequest),
    "workflow_dispatch, with job-id": once(
      async (trial) => {
        const first = await trial.run(await dispatched({ prompt: PROMPT })(trial));
        const { jobId = "" } = outputsOf(first);
        return await dispatched({ prompt: "Mention retries.", "job-id": jobId })(trial);
      },
      prompt("Mention retries."),
      pullRequest,
      oneJob,
    ),
  },
  "examples/on-merged-pull-request.yml": MERGED,
  "examples/on-push.yml": {
    push: once(
      pushed(CODE),
      prompt("src/webhooks.ts"),
      logged("The docs are updated in http"),
      pullRequest,
    ),
  },
  "examples/on-release.yml": RELEASED,
  "examples/queue-matrix.yml": timed((happens) => queue(happens, ["user-guide", "api-reference"])),
  "examples/queue.yml": {
    ...timed(queue),
    push: queue(pushed(TASKS_FILES)),
    "issues: edited": decided("queue", async () => {}, { startedCount: "2" }),
  },
  "examples/scheduled-one-at-a-time.yml": timed((happens) => once(happens, pullRequest)),
  "examples/scheduled-prompt-file.yml": timed((happens) => ({
    ...once(happens, prompt("Look for outdated pages."), pullRequest, comment()),
    files: { ".github/docs-upkeep.md": "Look for outdated pages.\n" },
  })),
  "examples/separate-docs-repository.yml": {
    ...MERGED,
    "pull_request_target: closed, the job fails": {
      ...once(merged("pull_request_target"), ...GREEN),
      steering: { outcome: "failed" },
    },
  },
  "examples/team.yml": TEAM,
  "examples/upkeep-after-release.yml": {
    "release: published": afterRelease(),
    ...timed(afterRelease),
  },
  "examples/upkeep-many-repositories.yml": timed(manyRepositories),
  "examples/upkeep-matrix.yml": timed(upkeepMatrix),
  "examples/upkeep.yml": {
    ...timed(upkeep),
    "issues: edited": decided("upkeep", merged(), { result: "started" }),
  },
};

const CHECKOUT: Step = { uses: "actions/checkout@v7" };

/** A step that starts a job, and does not wait. */
function starting(inputs: Record<string, unknown>): Step {
  return {
    id: "agent",
    uses: "OWNER/docs-agent-action@v1",
    with: { ...ACCESS, wait: false, ...inputs },
  };
}

/** A workflow whose earlier job has started the agent's job. */
function afterStart(steps: Step[]): WorkflowFile {
  const job = { "runs-on": "ubuntu-latest" };
  const outputs = { "job-id": expression("steps.agent.outputs.jobId") };
  const start = { ...job, outputs, steps: [starting({ prompt: PROMPT })] };
  return { on: "workflow_dispatch", jobs: { start, docs: { ...job, needs: "start", steps } } };
}

/** By the recipe's heading. */
export const RECIPES: Record<string, Trials> = {
  "Start a job without waiting": {
    step: {
      ...once(dispatched(), outputs({ status: "active" }), prompt(PROMPT), logged("")),
      files: { ".github/docs-prompt.md": `${PROMPT}\n` },
      around: around({ workflow_dispatch: null }, CHECKOUT),
    },
  },
  "Wait for a job later": {
    step: { ...once(dispatched(), pullRequest, oneJob), around: afterStart },
  },
  "Send a follow-up": {
    step: once(dispatched(), pullRequest, oneJob, prompt("compare every example with the source")),
  },
  "Document what was merged": { step: upkeep(scheduled) },
  "Send the docs pull request to chat": {
    step: chat(/^Docs completed: http\S+\/pull\/\d+$/),
    "step, no changes": chat(/^Docs completed: no pull request$/, { outcome: "no-changes" }),
  },
  "Label the docs pull request, and request reviews": { step: labelsAndReviewers },
  "Document a release that a workflow makes": {
    "push, of a tag": {
      ...once(tagged("v1.2.0"), prompt("Add the release v1.2.0 to"), pullRequest),
      around: around({ push: { tags: ["v*"] } }),
    },
  },
  "Fail a check if documentation is missing": {
    "pull_request: opened": {
      ...labelled,
      around: around({ pull_request: { types: ["opened", "labeled", "unlabeled"] } }),
    },
  },
  "Use the event as the prompt": {
    push: {
      ...once(pushed(CODE), prompt("/compare/"), prompt("Add webhooks"), pullRequest),
      around: around({ push: null }),
    },
    "pull_request: closed": {
      ...once(merged(), prompt("Add webhooks"), pullRequest, comment()),
      around: around({ pull_request: { types: ["closed"] } }),
    },
    "release: published": {
      ...once(released, prompt("Adds webhooks."), pullRequest),
      around: around({ release: { types: ["published"] } }),
    },
  },
  "Require a pull request": {
    step: once(dispatched(), pullRequest),
    "step, no changes": {
      ...once(dispatched(), outputs({ errorKind: "no-changes" }), ({ run }) => {
        expectThat("success of the workflow", run.isSuccess, false);
        return "the step fails";
      }),
      steering: { outcome: "no-changes" },
    },
  },
  "Never fail the workflow": {
    "step, the job fails": { ...once(dispatched(), ...GREEN), steering: { outcome: "failed" } },
  },
};

const COLLECT = collect(starting({ "trigger-phrase": "/docs" }));

/** For other pages, by the actions that a block uses. */
export const PAGES: Record<string, Trials> = {
  ".+upkeep+land": TEAM,
  ".": { ...BY_COMMENT, ...RELEASED, step: once(dispatched(), pullRequest) },
  upkeep: { ...timed(upkeep), step: upkeep(scheduled) },
  gate: GATE.page,
  collect: { schedule: COLLECT, step: COLLECT },
  queue: timed(queue),
  land: timed((happens) => land(happens)),
  assistant: { ...QUESTION, step: once(dispatched(), answer) },
  jobs: { workflow_dispatch: LISTS_JOBS, step: LISTS_JOBS },
};
