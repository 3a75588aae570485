/** The trials of the workflows that the project shows. */

import {
  dispatched,
  inTurn,
  merged,
  mergedIn,
  pushed,
  released,
  reviewed,
  running,
  scheduled,
  tagged,
} from "../events.ts";
import {
  ANSWER,
  ASKED,
  CALLED_TEAM,
  COMMENT,
  chat,
  DEPLOY,
  DOCUMENTED,
  decided,
  docs,
  FAILURE,
  GATE,
  HEALTHY,
  LAND,
  LISTS_JOBS,
  MERGEABLE,
  MERGED,
  MERGED_BY_TEAM,
  NO_CHANGES,
  PREVIEW,
  PROMPT,
  QUEUE,
  RELEASED,
  SWEPT,
  stylePass,
  TASKS,
  TEAM,
  UPKEEP,
  WAITLESS,
} from "./shared-trials.ts";
import { afterStart, oneJob, type Shown } from "./trial.ts";
import { ownStep } from "./workflow.ts";

/** By the example's file. */
export const EXAMPLES: Shown = {
  "examples/answer-questions.yml": { each: { expect: ANSWER }, "issue_comment: created": ASKED },
  "examples/ask-by-comment-without-waiting.yml": {
    expect: { outputs: "status=active", comments: "the agent is working" },
  },
  "examples/ask-by-comment.yml": docs(COMMENT),
  "examples/collect.yml": WAITLESS,
  "examples/enterprise-server.yml": UPKEEP,
  "examples/gate-required.yml": GATE,
  "examples/gate-forks.yml": SWEPT,
  "examples/gate-schedule.yml": SWEPT,
  "examples/gate.yml": {
    ...GATE,
    "workflow_run: completed": SWEPT,
    "pull_request_review: submitted": {
      on: () => [reviewed({ event: "APPROVE" })],
      expect: { outputs: "verdict=covered", jobs: "Add webhooks" },
    },
  },
  "examples/deploy-after-land.yml": {
    ...MERGEABLE,
    on: (trigger) => {
      const approved = reviewed({ event: "APPROVE" }, { ofAgent: true });
      return [...DOCUMENTED, trigger, inTurn(approved, trigger)];
    },
    expect: { outputs: "mergedCount=1" },
  },
  "examples/deploy-on-push.yml": DEPLOY,
  "examples/deploy-on-release.yml": DEPLOY,
  "examples/deploy-preview-tests.yml": {
    pull_request: { ...PREVIEW, expect: { ...PREVIEW.expect, log: "The preview answers." } },
  },
  "examples/deploy-preview.yml": {
    pull_request: { ...PREVIEW, expect: { ...PREVIEW.expect, comments: "View the preview" } },
  },
  "examples/doctor.yml": HEALTHY,
  "examples/docs-digest.yml": {
    ...MERGEABLE,
    on: (trigger) => [...DOCUMENTED, running([ownStep("/land")], scheduled), trigger],
    expect: {
      comments: "last 30 days:** 1 opened",
      messages: "Docs, last 30 days: 0 merged, 0 closed, 1 open.",
    },
  },
  "examples/land.yml": {
    ...MERGEABLE,
    on: (trigger) => {
      const approved = reviewed({ event: "APPROVE" }, { ofAgent: true });
      return [...DOCUMENTED, trigger, inTurn(approved, trigger)];
    },
    expect: { outputs: "mergedCount=1" },
  },
  "examples/land-by-checks.yml": {
    ...LAND,
    expect: { outputs: "openCount=1", comments: "It is merged after" },
  },
  "examples/list-jobs.yml": LISTS_JOBS,
  "examples/nightly-style-pass.yml": stylePass(),
  "examples/on-demand.yml": {
    ...docs({ jobs: PROMPT }),
    on: () => [dispatched({ prompt: PROMPT })],
  },
  "examples/on-merged-pull-request.yml": { ...MERGED, on: () => [merged()] },
  "examples/on-push.yml": docs({ jobs: "src/webhooks.ts", log: "The docs are updated in http" }),
  "examples/on-release.yml": RELEASED,
  "examples/queue-matrix.yml": {
    ...QUEUE,
    expect: { ...QUEUE.expect, jobs: "jobs: 4" },
    files: {
      "docs/tasks/user-guide.yml": TASKS["docs/tasks.yml"],
      "docs/tasks/api-reference.yml": TASKS["docs/tasks.yml"],
    },
  },
  "examples/queue.yml": {
    each: QUEUE,
    push: { ...QUEUE, on: () => [pushed(TASKS), pushed(TASKS)] },
    "issues: edited": decided("docs-queue", "startedCount=2"),
  },
  "examples/scheduled-one-at-a-time.yml": docs(),
  "examples/scheduled-prompt-file.yml": {
    ...docs({ ...COMMENT, jobs: "Look for outdated pages." }),
    files: { ".github/docs-upkeep.md": "Look for outdated pages.\n" },
  },
  "examples/separate-docs-repository.yml": {
    each: docs({ jobs: ["Add webhooks", "src/webhooks.ts"] }),
    "push, the job fails": FAILURE,
  },
  "examples/team-long.yml": TEAM,
  "examples/team-separate-docs.yml": { ...CALLED_TEAM, ...MERGED_BY_TEAM },
  "examples/team.yml": CALLED_TEAM,
  // What was merged waits until a release contains it.
  "examples/upkeep-after-release.yml": {
    on: (trigger) => [
      inTurn(merged(), scheduled),
      trigger === released ? trigger : inTurn(released, trigger),
    ],
    expect: { outputs: ["result=started", "changeCount=2"] },
  },
  "examples/upkeep-many-repositories.yml": {
    on: (trigger) => [inTurn(mergedIn("acme/api", "acme/cli", "acme/sdk"), trigger)],
    expect: { outputs: ["api", "cli", "sdk"].map((name) => `"repository":"acme/${name}"`) },
  },
  // Each leg gets the change that concerns its project.
  "examples/upkeep-matrix.yml": {
    on: (trigger) => [
      inTurn(merged("app/page.ts"), merged("api/a.ts", "api/internal/b.ts"), trigger),
    ],
    expect: { jobs: ["jobs: 2", "prj_guide", "prj_reference"] },
  },
  "examples/upkeep.yml": {
    each: UPKEEP,
    "issues: edited": decided("docs-upkeep", "result=started"),
  },
};

/** By the recipe's heading, for a step without a workflow. */
export const RECIPES: Shown = {
  "Start a job without waiting": {
    expect: { outputs: "status=active", jobs: PROMPT },
    files: { ".github/docs-prompt.md": `${PROMPT}\n` },
    around: (steps) => oneJob([{ uses: "actions/checkout@v7" }, ...steps]),
  },
  "Wait for a job later": { ...docs({ jobs: "jobs: 1" }), around: afterStart(PROMPT) },
  "Send a follow-up": docs({ jobs: ["jobs: 1", "compare every example with the source"] }),
  "Send the docs pull request to chat": {
    step: chat("Docs completed: http"),
    // That there is none counts once two polls have found it.
    "step, no changes": {
      ...chat("Docs completed: no pull request"),
      ...NO_CHANGES,
      on: (trigger) => [inTurn(merged(), trigger), trigger, trigger],
    },
  },
  "Document a release that a workflow makes": {
    "push, of a tag": {
      ...docs({ jobs: "Add the release v1.2.0 to" }),
      on: () => [tagged("v1.2.0")],
    },
  },
  "Never fail the workflow": { "step, the job fails": FAILURE },
};

/** For other pages, by the actions that a block uses. */
export const PAGES: Shown = {
  ".": { each: docs(), "issue_comment: created": docs(COMMENT), "release: released": RELEASED },
  "team.yml": CALLED_TEAM,
  upkeep: UPKEEP,
  gate: GATE,
  collect: WAITLESS,
  queue: QUEUE,
  land: LAND,
  deploy: { each: DEPLOY, pull_request: PREVIEW, step: PREVIEW },
  doctor: HEALTHY,
  assistant: { each: { expect: { outputs: ANSWER.outputs } }, "issue_comment: created": ASKED },
  jobs: LISTS_JOBS,
};
