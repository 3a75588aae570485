/** What the trials of several workflows have in common. */

import {
  boxTicked,
  broken,
  commented,
  commentedOnPull,
  dispatched,
  inTurn,
  merged,
  pulled,
  REQUEST,
  requiring,
  reviewed,
  running,
  scheduled,
} from "../events.ts";
import { FAILED_JOB, type Trial, type Trials } from "./trial.ts";
import { ownStep, read } from "./workflow.ts";

export const PROMPT = "Explain webhooks.";
export const COMMENT = { comments: "completed with a pull request" };
export const ANSWER = { outputs: ["status=completed", "answer="], comments: "rotate" };
/** The job fails, and the workflow goes on with a warning. */
export const FAILURE: Trial = {
  steering: { outcome: "failed" },
  expect: { outputs: "errorKind=job-failed", log: "The docs were not updated (job-failed)." },
};
export const NO_CHANGES = { steering: { outcome: "no-changes" } } as const;
/** Jobs, checks and builds that succeed, so that the pull request can be merged. */
export const MERGEABLE = { steering: { checks: "green", buildMs: 0 } } as const;

/** The run waits for a job, and has its pull request as an output. */
export function docs(expected: Trial["expect"] = {}): Trial {
  return { expect: { outputs: ["status=completed", "prLink=http"], ...expected } };
}

export const MERGED = docs({ ...COMMENT, jobs: "Add webhooks" });
export const RELEASED = docs({ jobs: "Adds webhooks." });
export const ASKED: Trial = {
  on: () => [commented("/ask How do I rotate a key?")],
  expect: ANSWER,
};

/** Upkeep hands over what was merged, and the next run finds that it is documented. */
export const UPKEEP: Trial = {
  on: (trigger) => [inTurn(merged(), trigger), trigger],
  expect: { outputs: ["result=idle", "finishedCount=1", '"prLink":"http'] },
};

/** A message to the chat reports the end of a batch. */
export const chat = (messages: string): Trial => ({ ...UPKEEP, expect: { messages } });

export const TASKS = {
  "docs/tasks.yml": "- id: users\n  prompt: Document /users.\n- Apply the style.\n",
};

/** A run starts the tasks, and a later one finds that all are done. */
export const QUEUE: Trial = {
  on: (trigger) => [trigger, trigger],
  expect: { outputs: ["result=finished", "doneCount=2"] },
  files: TASKS,
};

/** A pass over 300 pages, ten for each task: the first run starts five tasks, the next run five others. */
export function stylePass(): Trial {
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
export const decided = (label: string, outputs: string): Trial => ({
  on: () => [inTurn(merged(), broken), boxTicked(label)],
  expect: { outputs },
  files: TASKS,
});

/** A run of another workflow leaves a comment about a job, and a sweep finishes it. */
export const WAITLESS: Trial = {
  on: (trigger) => [
    running([ownStep("", { wait: false, "trigger-phrase": "/docs" })], commented(REQUEST)),
    trigger,
  ],
  expect: { ...COMMENT, outputs: "finishedCount=1" },
};

/** Upkeep leaves a docs pull request, and land finds it. */
const UPKEEP_RUN = running([ownStep("/upkeep")], scheduled);
export const DOCUMENTED = [inTurn(merged(), UPKEEP_RUN), UPKEEP_RUN];
export const LAND: Trial = {
  ...MERGEABLE,
  on: (trigger) => [...DOCUMENTED, trigger],
  expect: { outputs: "openCount=1", comments: "Ready for review" },
};

/** Requests by comment, and upkeep and land in one workflow. */
export const TEAM: Trials = {
  "issue_comment: created": docs(COMMENT),
  each: { ...LAND, on: (trigger) => [inTurn(merged(), scheduled), scheduled, trigger] },
};
/** By hand, doctor runs before upkeep and land. */
const BY_HAND_IN_TEAM: Trial = {
  ...MERGEABLE,
  on: (trigger) => [inTurn(merged(), scheduled), scheduled, trigger],
  expect: { outputs: ["verdict=healthy", "openCount=1"], comments: "Ready for review" },
};
/** The same by the team workflow. Whatever doctor finds, upkeep and land run; before there is a ledger, by hand dry. */
export const CALLED_TEAM: Trials = {
  ...TEAM,
  workflow_dispatch: BY_HAND_IN_TEAM,
  "workflow_dispatch, the first run": {
    on: (trigger) => [inTurn(merged(), trigger)],
    expect: {
      outputs: ["verdict=healthy", "result=dry-run", "checkedCount=0"],
      log: "There is no ledger yet",
      jobs: "jobs: 0",
    },
  },
  "schedule, after the first run by hand": {
    ...LAND,
    on: (trigger) => [inTurn(merged(), dispatched()), trigger, trigger],
  },
  "workflow_dispatch, a rule cannot be met": {
    ...BY_HAND_IN_TEAM,
    on: (trigger) => [inTurn(merged(), scheduled), scheduled, inTurn(requiring("legal"), trigger)],
    expect: { outputs: ["verdict=unwell", "openCount=1"] },
  },
};
/** From the first run to the first merge. */
export const MERGED_BY_TEAM: Trials = {
  "schedule, from the first run to the first merge": {
    ...MERGEABLE,
    on: (trigger) => [
      inTurn(merged(), dispatched()),
      trigger,
      trigger,
      inTurn(reviewed({ event: "APPROVE" }, { ofAgent: true }), trigger),
    ],
    expect: { outputs: "mergedCount=1" },
  },
};
export const LISTS_JOBS: Trial = { expect: { outputs: ["count=1", FAILED_JOB] } };

const judged = (verdict: string): Trial => ({ expect: { outputs: `verdict=${verdict}` } });
const UNDOCUMENTED: Trial = {
  expect: { outputs: "verdict=needed", comments: "Do one of these" },
};
/** Open pull requests are judged. */
export const SWEPT: Trial = {
  ...UNDOCUMENTED,
  on: (trigger) => [inTurn(pulled("opened"), trigger)],
};
export const GATE = {
  each: UNDOCUMENTED,
  "pull_request: labeled": judged("not-needed"),
  "issue_comment: created": {
    ...judged("excused"),
    on: () => [commentedOnPull("docs: none, only a refactoring")],
  },
  "merge_group: checks_requested": judged("included"),
  workflow_dispatch: SWEPT,
};

/** Nothing is wrong with the set-up. */
export const HEALTHY: Trial = { expect: { outputs: "verdict=healthy" } };

/** The documentation is built. */
export const DEPLOY: Trial = {
  steering: { buildMs: 0 },
  expect: { outputs: ["status=success", "deploymentId="] },
};
/** A preview of a pull request is built. */
export const PREVIEW: Trial = {
  ...DEPLOY,
  on: () => [pulled("opened")],
  expect: { outputs: ["status=success", "url=http"] },
};
