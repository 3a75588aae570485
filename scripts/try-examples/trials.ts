/** What is tried with the workflows that the project shows. */

import {
  ANSWER,
  ASKED,
  afterRelease,
  BY_COMMENT,
  COLLECT,
  COMMENT,
  chat,
  DOCUMENTED,
  decided,
  digest,
  docs,
  expression,
  FAILED,
  FAILURE,
  GATE,
  judged,
  land,
  MERGEABLE,
  MERGED,
  NO_CHANGES,
  PROMPT,
  queue,
  RELEASED,
  REQUEST,
  starting,
  stylePass,
  sweepOf,
  TASKS,
  type Trials,
  timed,
  upkeep,
} from "./common.ts";
import {
  commented,
  dispatched,
  grouped,
  inTurn,
  issueLabeled,
  issueOpened,
  merged,
  mergedIn,
  pulled,
  pushed,
  released,
  reviewCommented,
  reviewed,
  scheduled,
  tagged,
} from "./events.ts";
import { FAILED_JOB, oneJob, type Trial } from "./trial.ts";
import type { Step, WorkflowFile } from "./workflow.ts";

/** By the example's file. */
export const EXAMPLES: Record<string, Trials> = {
  "examples/answer-questions.yml": {
    "issues: labeled": { on: [issueLabeled("question")], expect: ANSWER },
    ...ASKED,
  },
  "examples/ask-by-comment-without-waiting.yml": {
    "issue_comment: created": {
      on: [commented(REQUEST)],
      expect: { outputs: "status=active", comments: "the agent is working" },
    },
    schedule: sweepOf(commented(REQUEST)),
  },
  "examples/ask-by-comment.yml": {
    ...BY_COMMENT,
    "issues: opened": docs(issueOpened(REQUEST), COMMENT),
    "pull_request_review_comment: created": docs(reviewCommented(REQUEST), COMMENT),
    "pull_request_review: submitted": docs(reviewed({ event: "COMMENT", body: REQUEST }), COMMENT),
  },
  "examples/enterprise-server.yml": timed(upkeep),
  "examples/gate-required.yml": {
    ...GATE,
    "merge_group: checks_requested": judged("included", grouped),
  },
  "examples/gate.yml": {
    ...GATE,
    "pull_request: closed": judged("not-needed", pulled("closed")),
    "pull_request_review: submitted": judged("covered", reviewed({ event: "APPROVE" }), {
      jobs: "Add webhooks",
    }),
    "pull_request_review: dismissed": judged(
      "needed",
      reviewed({ event: "COMMENT", body: "Hm." }, { activity: "dismissed" }),
    ),
  },
  "examples/docs-digest.yml": timed(digest),
  "examples/land.yml": timed((happens) => {
    const approved = reviewed({ event: "APPROVE" }, { ofAgent: true });
    const { on, ...found } = land(happens);
    return {
      ...{ ...found, on: [...on, inTurn(approved, happens)] },
      expect: { outputs: "mergedCount=1" },
    };
  }),
  "examples/nightly-style-pass.yml": timed(stylePass),
  "examples/on-demand.yml": {
    workflow_dispatch: docs(dispatched({ prompt: PROMPT }), { jobs: PROMPT }),
  },
  "examples/on-merged-pull-request.yml": MERGED,
  "examples/on-push.yml": {
    push: docs(pushed(), { jobs: "src/webhooks.ts", log: "The docs are updated in http" }),
  },
  "examples/on-release.yml": RELEASED,
  "examples/queue-matrix.yml": timed((happens) => ({
    ...queue(happens),
    expect: { outputs: ["result=finished", "doneCount=2"], jobs: "jobs: 4" },
    files: Object.fromEntries(
      ["user-guide", "api-reference"].map((leg) => [
        `docs/tasks/${leg}.yml`,
        TASKS["docs/tasks.yml"],
      ]),
    ),
  })),
  "examples/queue.yml": {
    ...timed(queue),
    push: queue(pushed(TASKS)),
    ...decided("docs-queue", "startedCount=2"),
  },
  "examples/scheduled-one-at-a-time.yml": timed((happens) => docs(happens)),
  "examples/scheduled-prompt-file.yml": timed((happens) => ({
    ...docs(happens, { ...COMMENT, jobs: "Look for outdated pages." }),
    files: { ".github/docs-upkeep.md": "Look for outdated pages.\n" },
  })),
  "examples/separate-docs-repository.yml": {
    ...MERGED,
    "pull_request_target: closed, the job fails": {
      ...{ ...FAILED, on: [merged("pull_request_target")], expect: FAILURE },
    },
  },
  "examples/upkeep-after-release.yml": {
    "release: published": afterRelease(released),
    ...timed((happens) => afterRelease(inTurn(released, happens))),
  },
  "examples/upkeep-many-repositories.yml": timed((happens) => ({
    on: [inTurn(mergedIn("acme/api", "acme/cli", "acme/sdk"), happens)],
    expect: {
      outputs: ["api", "cli", "sdk"].map((name) => `"repository":"acme/${name}"`),
    },
  })),
  // Each leg gets the change that concerns its project.
  "examples/upkeep-matrix.yml": timed((happens) => ({
    on: [
      inTurn(
        merged("pull_request", { "app/page.ts": "1\n" }),
        merged("pull_request", { "api/keys.ts": "1\n", "api/internal/log.ts": "1\n" }),
        happens,
      ),
    ],
    expect: { jobs: ["jobs: 2", "prj_guide", "prj_reference"] },
  })),
  "examples/upkeep.yml": { ...timed(upkeep), ...decided("docs-upkeep", "result=started") },
};

/** A workflow whose earlier job has started the agent's job. */
function afterStart(steps: Step[]): WorkflowFile["jobs"] {
  const outputs = { "job-id": expression("steps.agent.outputs.jobId") };
  const { docs } = oneJob(steps);
  const start = { ...docs, outputs, steps: [starting({ prompt: PROMPT })] };
  return { start, docs: { steps, ...docs, needs: "start" } };
}

const step = (trial: Trial): Trials => ({ step: trial });

/** By the recipe's heading. */
export const RECIPES: Record<string, Trials> = {
  "Start a job without waiting": step({
    ...{ on: [dispatched()], expect: { outputs: "status=active", jobs: PROMPT } },
    files: { ".github/docs-prompt.md": `${PROMPT}\n` },
    around: (steps) => oneJob([{ uses: "actions/checkout@v7" }, ...steps]),
  }),
  "Wait for a job later": step({ ...docs(dispatched(), { jobs: "jobs: 1" }), around: afterStart }),
  "Send a follow-up": step(
    docs(dispatched(), { jobs: ["jobs: 1", "compare every example with the source"] }),
  ),
  "Document what was merged": step(upkeep(scheduled)),
  "Send the docs pull request to chat": {
    step: chat("Docs completed: http"),
    "step, no changes": { ...chat("Docs completed: no pull request"), ...NO_CHANGES },
  },
  "Label the docs pull request, and request reviews": step({
    ...{ ...MERGEABLE, on: [...DOCUMENTED, scheduled] },
    expect: { pulls: ['"name":"documentation"', '"requested_reviewers":[{"login":"octocat"'] },
  }),
  "Document a release that a workflow makes": {
    "push, of a tag": docs(tagged("v1.2.0"), { jobs: "Add the release v1.2.0 to" }),
  },
  "Fail a check if documentation is missing": step(judged("needed", pulled("opened"))),
  "Use the event as the prompt": {
    push: docs(pushed(), { jobs: ["/compare/", "Add webhooks"] }),
    "pull_request: closed": docs(merged(), { ...COMMENT, jobs: "Add webhooks" }),
    "release: published": docs(released, { jobs: "Adds webhooks." }),
  },
  "Require a pull request": {
    step: docs(dispatched()),
    "step, no changes": {
      ...{ ...NO_CHANGES, on: [dispatched()], fails: true },
      expect: { outputs: "errorKind=no-changes" },
    },
  },
  "Never fail the workflow": {
    "step, the job fails": { ...FAILED, on: [dispatched()], expect: FAILURE },
  },
};

const LISTS_JOBS: Trial = { on: [dispatched()], expect: { outputs: ["count=1", FAILED_JOB] } };

/** For other pages, by the action that a block uses. */
export const PAGES: Record<string, Trials> = {
  ".": { ...BY_COMMENT, ...RELEASED, step: docs(dispatched()) },
  upkeep: { ...timed(upkeep), step: upkeep(scheduled) },
  gate: GATE,
  collect: { schedule: COLLECT, step: COLLECT },
  queue: timed(queue),
  land: timed(land),
  assistant: { ...ASKED, step: { on: [dispatched()], expect: { outputs: ANSWER.outputs } } },
  jobs: { workflow_dispatch: LISTS_JOBS, step: LISTS_JOBS },
};
