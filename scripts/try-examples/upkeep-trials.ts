/** What is tried with workflows that use upkeep. */

import { expectSuccess, expectThat, handedOver } from "./outcomes.ts";
import { outputsOf, type Stage, TrialError, type TriggerEvent } from "./stage.ts";
import type { Trial } from "./trial.ts";
import { dispatched, issueEdited, merged, scheduled } from "./trigger-events.ts";
import type { Step, WorkflowFile } from "./workflow-file.ts";

/** A run hands over what was merged, and a later one finds that it is documented. */
async function handsOver(stage: Stage, when: TriggerEvent): Promise<string> {
  const { number } = await merged(stage, "pull_request");
  const first = await stage.run(when);
  expectSuccess(first);
  const seen = handedOver(first, [number]);
  await stage.untilJobsEnd();
  const second = await stage.run(when);
  expectSuccess(second);
  const { result, finished = "[]" } = outputsOf(second, "upkeep");
  expectThat("the output result of the next run", result, "idle");
  const [batch] = JSON.parse(finished) as { prLink: string }[];
  if (!batch?.prLink) throw new TrialError("the next run found no docs pull request");
  return `${seen}; then a docs pull request`;
}

export const UPKEEP: Trial[] = [
  { name: "schedule", try: (stage) => handsOver(stage, scheduled()) },
  { name: "workflow_dispatch", try: (stage) => handsOver(stage, dispatched()) },
];

/** The service breaks off, the change needs a decision, and somebody ticks its box. */
export const TICKED_BOX: Trial = {
  name: "issues: edited",
  try: async (stage) => {
    await merged(stage, "pull_request");
    await stage.world.service.addFault({ route: "v2-create", status: 500 });
    const first = await stage.run(scheduled());
    const { dashboardUrl = "" } = outputsOf(first, "upkeep");
    const number = Number(dashboardUrl.split("/").at(-1));
    await stage.history.advance(60 * 60_000);
    const edit = await issueEdited(stage, number, (body) => body.replace("- [ ]", "- [x]"));
    const second = await stage.run(edit);
    expectSuccess(second);
    return `box ticked: ${handedOver(second, [])}`;
  },
};

const OTHERS = ["acme/api", "acme/cli", "acme/sdk"];

/** Changes are merged in three other repositories. */
export const MANY_REPOSITORIES: Trial[] = [scheduled(), dispatched()].map((when) => ({
  name: when.event,
  try: async (stage) => {
    for (const repository of OTHERS) {
      await stage.history.grow({ repository, pulls: 2, days: 3, branches: ["stable"] });
    }
    const run = await stage.run(when);
    expectSuccess(run);
    const { changes = "[]" } = outputsOf(run, "upkeep");
    const from = (JSON.parse(changes) as { repository: string }[]).map((one) => one.repository);
    expectThat("the repositories of the changes", [...new Set(from)].sort().join(), OTHERS.join());
    return handedOver(run, []);
  },
}));

/** Each leg gets the change that concerns its project. */
export const MATRIX: Trial[] = [scheduled(), dispatched()].map((when) => ({
  name: when.event,
  try: async (stage) => {
    const guide = await merged(stage, "pull_request", {
      commits: [{ files: { "app/page.ts": "1\n" } }],
    });
    const reference = await merged(stage, "pull_request", {
      commits: [{ files: { "api/keys.ts": "1\n", "api/internal/log.ts": "1\n" } }],
    });
    const run = await stage.run(when);
    expectSuccess(run);
    expectThat("the number of jobs", run.jobs.length, 2);
    handedOver(run, [guide.number], "user-guide");
    handedOver(run, [reference.number], "api-reference");
    const projects = (await stage.jobs()).map(({ projectId }) => projectId).sort();
    expectThat("the projects with a job", projects.join(), "prj_guide,prj_reference");
    return "one job for each project";
  },
}));

function scheduledSteps(steps: Step[]): WorkflowFile {
  return { on: { schedule: [] }, jobs: { docs: { "runs-on": "ubuntu-latest", steps } } };
}

/** For the step alone. */
export const HANDS_OVER_STEP: Trial = {
  name: "step",
  around: scheduledSteps,
  try: (stage) => handsOver(stage, scheduled()),
};

/** A message to the chat names the docs pull request. */
export const CHAT: Trial = {
  name: "step",
  around: scheduledSteps,
  try: async (stage) => {
    await handsOver(stage, scheduled());
    expectThat("the number of messages", stage.messages.length, 1);
    const { text } = JSON.parse(stage.messages[0] ?? "") as { text: string };
    if (!/^Docs completed: http\S+\/pull\/\d+$/.test(text)) throw new TrialError(`sent: ${text}`);
    return `chat: '${text.replace(/http\S+\/acme/, "…")}'`;
  },
};
