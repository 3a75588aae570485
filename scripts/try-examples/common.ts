/** Trials that several of the project's workflows share. */

import {
  boxTicked,
  broken,
  commented,
  DOCS,
  dispatched,
  type Happens,
  inTurn,
  merged,
  pulled,
  released,
  running,
  scheduled,
} from "./events.ts";
import type { Trial } from "./trial.ts";
import { readExample, type Step } from "./workflow.ts";

/** By trigger; after a comma, what else is special. */
export type Trials = Record<string, Trial>;
type Expected = Trial["expect"];

export const REQUEST = "/docs Explain webhooks.";
export const PROMPT = "Explain webhooks.";
export const COMMENT = { comments: "completed with a pull request" };
export const QUESTION = "/ask How do I rotate a key?";
export const ANSWER = { outputs: ["status=completed", "answer="], comments: "rotate" };
/** The job fails, and the workflow goes on with a warning. */
export const FAILURE = {
  outputs: "errorKind=job-failed",
  log: "The docs were not updated (job-failed).",
};
export const FAILED = { steering: { outcome: "failed" } } as const;
export const NO_CHANGES = { steering: { outcome: "no-changes" } } as const;
/** How jobs, checks and builds go: what the agent writes can be merged. */
export const MERGEABLE = { steering: { checks: "green", buildMs: 0 } } as const;

/** The run waits for a job, and puts out the pull request that it opened. */
export function docs(on: Happens, expected: Expected = {}): Trial {
  return { on: [on], expect: { outputs: ["status=completed", "prLink=http"], ...expected } };
}

/** The same for a schedule and for a person who does not wait for it. */
export function timed(trial: (happens: Happens) => Trial): Trials {
  return { schedule: trial(scheduled), workflow_dispatch: trial(dispatched()) };
}

export const BY_COMMENT = { "issue_comment: created": docs(commented(REQUEST), COMMENT) };
export const RELEASED = { "release: published": docs(released, { jobs: "Adds webhooks." }) };
export const MERGED = {
  "pull_request_target: closed": docs(merged("pull_request_target"), {
    ...{ ...COMMENT, jobs: "Add webhooks" },
  }),
};
export const ASKED = { "issue_comment: created": { on: [commented(QUESTION)], expect: ANSWER } };

/** A step that starts a job, and does not wait. */
export const starting = (inputs: object): Step => ownStep("", { wait: false, ...inputs });

/** A step that uses an action of the project. @param path of the action, with a slash before */
function ownStep(path: string, inputs: object = {}): Step {
  const uses = `OWNER/docs-agent-action${path}@v1`;
  const access = {
    "api-key": expression("secrets.DOCS_API_KEY"),
    "project-id": expression("vars.DOCS_PROJECT_ID"),
  };
  return { id: "agent", uses, with: { ...access, ...inputs } };
}

export function expression(text: string): string {
  return `\${{ ${text} }}`;
}

/** Upkeep hands over what was merged, and the next run finds that it is documented. */
export const upkeep = (happens: Happens): Trial => ({
  on: [inTurn(merged(), happens), happens],
  expect: { outputs: ["result=idle", "finishedCount=1", '"prLink":"http'] },
});

/** What was merged waits until a release contains it. */
export const afterRelease = (happens: Happens): Trial => ({
  on: [inTurn(merged(), scheduled), happens],
  expect: { outputs: ["result=started", "changeCount=2"] },
});

/** A message to the chat says what became of a batch. */
export const chat = (messages: string): Trial => ({
  on: [inTurn(merged(), scheduled), scheduled],
  expect: { messages },
});

export const TASKS = {
  "docs/tasks.yml": "- id: users\n  prompt: Document /users.\n- Apply the style.\n",
};

/** A run starts the tasks, and a later one finds that all are done. */
export const queue = (happens: Happens): Trial => ({
  on: [happens, happens],
  expect: { outputs: ["result=finished", "doneCount=2"] },
  files: TASKS,
});

/** A pass over 300 pages, ten for each task: the first run starts five tasks, the next run five others. */
export function stylePass(happens: Happens): Trial {
  const pages = Array.from({ length: 300 }, (_, index) => [`docs/pages/${index}.mdx`, "Text.\n"]);
  const [, task = ""] =
    /\n#\n((?:# {3}.*\n)+)#\n/.exec(readExample("nightly-style-pass.yml")) ?? [];
  return {
    on: [happens, happens],
    expect: { outputs: ["startedCount=5", "doneCount=5", "waitingCount=20"] },
    files: {
      ...Object.fromEntries(pages),
      "docs/style-guide.md": "Write short sentences.\n",
      "docs/style-pass.yml": task.replaceAll(/^# {3}/gm, ""),
    },
  };
}

/** Something needs a decision, and somebody ticks its box. */
export const decided = (label: string, outputs: string): Trials => ({
  "issues: edited": {
    on: [inTurn(merged(), broken), boxTicked(label)],
    ...{ expect: { outputs }, files: TASKS },
  },
});

export const sweepOf = (first: Happens): Trial => ({
  on: [first, scheduled],
  expect: { ...COMMENT, outputs: "finishedCount=1" },
});
export const COLLECT = sweepOf(
  running([starting({ "trigger-phrase": "/docs" })], commented(REQUEST)),
);

/** Upkeep leaves a docs pull request, and land finds it. */
const UPKEEP = running([ownStep("/upkeep")], scheduled);
export const DOCUMENTED = [inTurn(merged(), UPKEEP), UPKEEP];

export const land = (happens: Happens): Trial => ({
  ...{ ...MERGEABLE, on: [...DOCUMENTED, happens] },
  expect: { outputs: "openCount=1", comments: "Ready for review" },
});

export const digest = (happens: Happens): Trial => ({
  ...{ ...MERGEABLE, on: [...DOCUMENTED, running([ownStep("/land")], scheduled), happens] },
  expect: {
    comments: "last 30 days:** 1 opened",
    messages: "Docs, last 30 days: 0 merged, 0 closed, 1 open.",
  },
});

/** What the gate says. */
export const judged = (verdict: string, happens: Happens, expected: Expected = {}): Trial => ({
  ...{ on: [happens], fails: verdict === "needed" },
  expect: { outputs: `verdict=${verdict}`, ...expected },
});
export const INCLUDED = { commits: [{ files: { "src/webhooks.ts": "1\n", ...DOCS } }] };
export const GATE: Trials = {
  "pull_request: opened": judged("needed", pulled("opened"), { comments: "Do one of these" }),
  "pull_request: labeled": judged("not-needed", pulled("labeled", { labels: ["skip-docs"] })),
  "pull_request: unlabeled": judged("needed", pulled("unlabeled")),
  ...Object.fromEntries(
    ["reopened", "synchronize", "ready_for_review"].map((activity) => [
      `pull_request: ${activity}`,
      judged("included", pulled(activity, INCLUDED)),
    ]),
  ),
};
