/** The trials of the workflows that the project shows. */

import {
  boxTicked,
  broken,
  commented,
  commentedOnPull,
  dispatched,
  inTurn,
  merged,
  mergedIn,
  pulled,
  pushed,
  REQUEST,
  released,
  reviewed,
  running,
  scheduled,
  tagged,
} from "../events.ts";
import { afterStart, FAILED_JOB, oneJob, type Shown, type Trial, type Trials } from "./trial.ts";
import { ownStep, read, type Step } from "./workflow.ts";

const PROMPT = "Explain webhooks.";
const COMMENT = { comments: "completed with a pull request" };
const ANSWER = { outputs: ["status=completed", "answer="], comments: "rotate" };
/** The job fails, and the workflow goes on with a warning. */
const FAILURE: Trial = {
  steering: { outcome: "failed" },
  expect: { outputs: "errorKind=job-failed", log: "The docs were not updated (job-failed)." },
};
const NO_CHANGES = { steering: { outcome: "no-changes" } } as const;
/** Jobs, checks and builds that succeed, so that the pull request can be merged. */
const MERGEABLE = { steering: { checks: "green", buildMs: 0 } } as const;

/** The run waits for a job, and has its pull request as an output. */
function docs(expected: Trial["expect"] = {}): Trial {
  return { expect: { outputs: ["status=completed", "prLink=http"], ...expected } };
}

const MERGED = docs({ ...COMMENT, jobs: "Add webhooks" });
const RELEASED = docs({ jobs: "Adds webhooks." });
const ASKED: Trial = { on: () => [commented("/ask How do I rotate a key?")], expect: ANSWER };

/** Upkeep hands over what was merged, and the next run finds that it is documented. */
const UPKEEP: Trial = {
  on: (trigger) => [inTurn(merged(), trigger), trigger],
  expect: { outputs: ["result=idle", "finishedCount=1", '"prLink":"http'] },
};

/** A message to the chat reports the end of a batch. */
const chat = (messages: string): Trial => ({ ...UPKEEP, expect: { messages } });

const TASKS = { "docs/tasks.yml": "- id: users\n  prompt: Document /users.\n- Apply the style.\n" };

/** A run starts the tasks, and a later one finds that all are done. */
const QUEUE: Trial = {
  on: (trigger) => [trigger, trigger],
  expect: { outputs: ["result=finished", "doneCount=2"] },
  files: TASKS,
};

/** A pass over 300 pages, ten for each task: the first run starts five tasks, the next run five others. */
function stylePass(): Trial {
  const pages = Array.from({ length: 300 }, (_, index) => [`docs/pages/${index}.mdx`, "Text.\n"]);
  const [, task = ""] =
    /\n#\n((?:# {3}.*\n)+)#\n/.exec(read("examples/nightly-style-pass.yml")) ?? [];
  return {
    on: (trigger) => [trigger, trigger],
    expect: { outputs: ["startedCount=5", "doneCount=5", "waitingCount=20"] },
    files: {
      ...Object.fromEntries(pages),
      "docs/style-guide.md": "Write short sentences.\n",
      "docs/style-pass.yml": task.replaceAll(/^# {3}/gm, ""),
    },
  };
}

/** Something needs a decision, and somebody ticks its box. */
const decided = (label: string, outputs: string): Trial => ({
  on: () => [inTurn(merged(), broken), boxTicked(label)],
  expect: { outputs },
  files: TASKS,
});

/** A run leaves a comment about a job, and a sweep finishes it. @param steps of the first run's workflow */
const swept = (steps?: Step[]): Trial => ({
  on: (trigger) => [steps ? running(steps, commented(REQUEST)) : commented(REQUEST), trigger],
  expect: { ...COMMENT, outputs: "finishedCount=1" },
});

/** Upkeep leaves a docs pull request, and land finds it. */
const UPKEEP_RUN = running([ownStep("/upkeep")], scheduled);
const DOCUMENTED = [inTurn(merged(), UPKEEP_RUN), UPKEEP_RUN];
const LAND: Trial = {
  ...MERGEABLE,
  on: (trigger) => [...DOCUMENTED, trigger],
  expect: { outputs: "openCount=1", comments: "Ready for review" },
};

/** Requests by comment, and upkeep and land in one workflow. */
const TEAM: Trials = {
  "issue_comment: created": docs(COMMENT),
  each: { ...LAND, on: (trigger) => [inTurn(merged(), scheduled), scheduled, trigger] },
};
const LISTS_JOBS: Trial = { expect: { outputs: ["count=1", FAILED_JOB] } };

const judged = (verdict: string): Trial => ({ expect: { outputs: `verdict=${verdict}` } });
const UNDOCUMENTED: Trial = {
  expect: { outputs: "verdict=needed", comments: "Do one of these" },
};
/** Open pull requests are judged. */
const SWEPT: Trial = {
  ...UNDOCUMENTED,
  on: (trigger) => [inTurn(pulled("opened"), trigger)],
};
const GATE = {
  each: UNDOCUMENTED,
  "pull_request: labeled": judged("not-needed"),
  "issue_comment: created": {
    ...judged("excused"),
    on: () => [commentedOnPull("docs: none, only a refactoring")],
  },
  schedule: SWEPT,
};
const BY_HAND = { workflow_dispatch: SWEPT };

/** By the example's file. */
export const EXAMPLES: Shown = {
  "examples/answer-questions.yml": { each: { expect: ANSWER }, "issue_comment: created": ASKED },
  "examples/ask-by-comment-without-waiting.yml": {
    "issue_comment: created": {
      expect: { outputs: "status=active", comments: "the agent is working" },
    },
    schedule: swept(),
  },
  "examples/ask-by-comment.yml": docs(COMMENT),
  "examples/enterprise-server.yml": UPKEEP,
  "examples/gate-required.yml": {
    ...GATE,
    ...BY_HAND,
    "merge_group: checks_requested": judged("included"),
  },
  "examples/gate-forks.yml": { "workflow_run: completed": SWEPT },
  "examples/gate.yml": {
    ...GATE,
    ...BY_HAND,
    "workflow_run: completed": SWEPT,
    "pull_request_review: submitted": {
      on: () => [reviewed({ event: "APPROVE" })],
      expect: { outputs: "verdict=covered", jobs: "Add webhooks" },
    },
  },
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
  "examples/team.yml": TEAM,
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
  "Document what was merged": UPKEEP,
  "Send the docs pull request to chat": {
    step: chat("Docs completed: http"),
    "step, no changes": { ...chat("Docs completed: no pull request"), ...NO_CHANGES },
  },
  "Label the docs pull request, and request reviews": {
    ...LAND,
    expect: { pulls: ['"name":"documentation"', '"requested_reviewers":[{"login":"octocat"'] },
  },
  "Document a release that a workflow makes": {
    "push, of a tag": {
      ...docs({ jobs: "Add the release v1.2.0 to" }),
      on: () => [tagged("v1.2.0")],
    },
  },
  "Fail a check if documentation is missing": {
    "pull_request: opened": { ...judged("needed"), fails: true },
  },
  "Use the event as the prompt": {
    push: docs({ jobs: ["/compare/", "Add webhooks"] }),
    "pull_request: closed": { ...MERGED, on: () => [merged()] },
    "release: published": RELEASED,
  },
  "Require a pull request": {
    step: docs(),
    "step, no changes": { ...NO_CHANGES, expect: { outputs: "errorKind=no-changes" }, fails: true },
  },
  "Never fail the workflow": { "step, the job fails": FAILURE },
};

/** For other pages, by the actions that a block uses. */
export const PAGES: Shown = {
  ".": { each: docs(), "issue_comment: created": docs(COMMENT), "release: published": RELEASED },
  ".+upkeep+land": TEAM,
  upkeep: UPKEEP,
  gate: GATE,
  collect: swept([ownStep("", { wait: false, "trigger-phrase": "/docs" })]),
  queue: QUEUE,
  land: LAND,
  assistant: { each: { expect: { outputs: ANSWER.outputs } }, "issue_comment: created": ASKED },
  jobs: LISTS_JOBS,
};
