/** Kinds of trials, for workflows that do alike. */

import {
  boxTicked,
  broken,
  commented,
  inTurn,
  merged,
  REQUEST,
  running,
  scheduled,
} from "../events.ts";
import { FAILED_JOB, type Trial } from "./trial.ts";
import { ACCESS, readExample, type Step } from "./workflow.ts";

/** By trigger; after a comma, what else is special. `each`: for every trigger that is not named. */
export type Trials = Record<string, Trial>;
/** One trial alone is for every trigger. */
export type Shown = Record<string, Trials | Trial>;

export const PROMPT = "Explain webhooks.";
export const COMMENT = { comments: "completed with a pull request" };
export const ANSWER = { outputs: ["status=completed", "answer="], comments: "rotate" };
/** The job fails, and the workflow goes on with a warning. */
export const FAILURE: Trial = {
  steering: { outcome: "failed" },
  expect: { outputs: "errorKind=job-failed", log: "The docs were not updated (job-failed)." },
};
export const NO_CHANGES = { steering: { outcome: "no-changes" } } as const;
/** How jobs, checks and builds go: what the agent writes can be merged. */
export const MERGEABLE = { steering: { checks: "green", buildMs: 0 } } as const;

/** The run waits for a job, and puts out the pull request that it opened. */
export function docs(expected: Trial["expect"] = {}): Trial {
  return { expect: { outputs: ["status=completed", "prLink=http"], ...expected } };
}

export const MERGED = docs({ ...COMMENT, jobs: "Add webhooks" });
export const RELEASED = docs({ jobs: "Adds webhooks." });
export const ASKED: Trial = {
  on: () => [commented("/ask How do I rotate a key?")],
  expect: ANSWER,
};

/** A step that uses an action of the project. @param path of the action, with a slash before */
export function ownStep(path: string, inputs: object = {}): Step {
  const uses = `OWNER/docs-agent-action${path}@v1`;
  return { id: "agent", uses, with: { ...ACCESS, ...inputs } };
}

/** Upkeep hands over what was merged, and the next run finds that it is documented. */
export const UPKEEP: Trial = {
  on: (it) => [inTurn(merged(), it), it],
  expect: { outputs: ["result=idle", "finishedCount=1", '"prLink":"http'] },
};

/** A message to the chat says what became of a batch. */
export const chat = (messages: string): Trial => ({ ...UPKEEP, expect: { messages } });

export const TASKS = {
  "docs/tasks.yml": "- id: users\n  prompt: Document /users.\n- Apply the style.\n",
};

/** A run starts the tasks, and a later one finds that all are done. */
export const QUEUE: Trial = {
  on: (it) => [it, it],
  expect: { outputs: ["result=finished", "doneCount=2"] },
  files: TASKS,
};

/** A pass over 300 pages, ten for each task: the first run starts five tasks, the next run five others. */
export function stylePass(): Trial {
  const pages = Array.from({ length: 300 }, (_, index) => [`docs/pages/${index}.mdx`, "Text.\n"]);
  const [, task = ""] =
    /\n#\n((?:# {3}.*\n)+)#\n/.exec(readExample("nightly-style-pass.yml")) ?? [];
  return {
    on: (it) => [it, it],
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
  ...{ expect: { outputs }, files: TASKS },
});

/** A run leaves a comment about a job, and a sweep finishes it. @param steps of the first run's workflow */
export const swept = (steps?: Step[]): Trial => ({
  on: (it) => {
    const asked = commented(REQUEST);
    return [steps === undefined ? asked : running(steps, asked), it];
  },
  expect: { ...COMMENT, outputs: "finishedCount=1" },
});

/** Upkeep leaves a docs pull request, and land finds it. */
const UPKEEP_RUN = running([ownStep("/upkeep")], scheduled);
export const DOCUMENTED = [inTurn(merged(), UPKEEP_RUN), UPKEEP_RUN];
export const LAND: Trial = {
  ...{ ...MERGEABLE, on: (it) => [...DOCUMENTED, it] },
  expect: { outputs: "openCount=1", comments: "Ready for review" },
};

/** Requests by comment, and upkeep and land in one workflow. */
export const TEAM: Trials = {
  "issue_comment: created": docs(COMMENT),
  each: { ...LAND, on: (it) => [inTurn(merged(), scheduled), scheduled, it] },
};
export const LISTS_JOBS: Trial = { expect: { outputs: ["count=1", FAILED_JOB] } };

export const judged = (verdict: string): Trial => ({ expect: { outputs: `verdict=${verdict}` } });
export const GATE = {
  each: { expect: { outputs: "verdict=needed", comments: "Do one of these" }, fails: true },
  "pull_request: labeled": judged("not-needed"),
};
