/** What is tried with workflows that use the queue. */

import { expectSuccess, expectThat } from "./outcomes.ts";
import type { Trial } from "./trial.ts";
import { outputsOf, type TrialSetup, type TriggerEvent } from "./trial-setup.ts";
import { dispatched, issueEdited, pushed, scheduled } from "./trigger-events.ts";

const FILE = "docs/tasks.yml";
const TASKS =
  "- id: users\n  prompt: Document /users.\n- Apply the style guide to the first page.\n";
const FILES = { files: { [FILE]: TASKS } };
const MATRIX_FILES = {
  files: { "docs/tasks/user-guide.yml": TASKS, "docs/tasks/api-reference.yml": TASKS },
};
const LEGS = ["user-guide", "api-reference"];
const HOUR = 60 * 60_000;

/** A run starts the tasks, and a later one finds that all are done. */
async function worksThrough(setup: TrialSetup, when: TriggerEvent, legs = [""]): Promise<string> {
  const first = await setup.run(when);
  expectSuccess(first);
  for (const leg of legs) {
    expectThat("the output startedCount", outputsOf(first, "queue", leg).startedCount, "2");
  }
  await setup.untilJobsEnd();
  const second = await setup.run(when);
  expectSuccess(second);
  for (const leg of legs) {
    const { result, doneCount } = outputsOf(second, "queue", leg);
    expectThat("the output doneCount of the next run", doneCount, "2");
    expectThat("the output result of the next run", result, "finished");
  }
  return `${2 * legs.length} tasks started, then done`;
}

export const QUEUE: Trial[] = [
  { name: "schedule", ...FILES, try: (setup) => worksThrough(setup, scheduled()) },
  { name: "workflow_dispatch", ...FILES, try: (setup) => worksThrough(setup, dispatched()) },
];

/** The file was changed by a push. */
export const QUEUE_PUSHED: Trial = {
  ...{ name: "push", ...FILES },
  try: async (setup) => worksThrough(setup, await pushed(setup, { [FILE]: TASKS })),
};

/** The service breaks off: the task needs a decision, the other one waits, and somebody ticks the task's box. */
export const QUEUE_TICKED_BOX: Trial = {
  ...{ name: "issues: edited", ...FILES },
  try: async (setup) => {
    await setup.world.service.addFault({ route: "v2-create", status: 500 });
    const { needsDecisionCount, dashboardUrl = "" } = outputsOf(
      await setup.run(scheduled()),
      "queue",
    );
    expectThat("the output needsDecisionCount", needsDecisionCount, "1");
    await setup.history.advance(HOUR);
    const number = Number(dashboardUrl.split("/").at(-1));
    const edit = await issueEdited(setup, number, (body) => body.replace("- [ ]", "- [x]"));
    const run = await setup.run(edit);
    expectSuccess(run);
    expectThat("the output startedCount", outputsOf(run, "queue").startedCount, "2");
    return "box ticked: 2 tasks started";
  },
};

export const QUEUE_MATRIX: Trial[] = [scheduled(), dispatched()].map((when) => ({
  ...{ name: when.event, ...MATRIX_FILES },
  try: (setup) => worksThrough(setup, when, LEGS),
}));
