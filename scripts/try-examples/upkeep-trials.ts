/** What is tried with workflows that use upkeep. */

import { expectSuccess, expectThat, handedOver } from "./outcomes.ts";
import type { Trial } from "./trial.ts";
import { outputsOf, TrialError, type TrialSetup, type TriggerEvent } from "./trial-setup.ts";
import { dispatched, issueEdited, merged, published, scheduled } from "./trigger-events.ts";
import type { Step, WorkflowFile } from "./workflow-file.ts";

/** A run hands over what was merged, and a later one finds that it is documented. */
async function handsOver(setup: TrialSetup, when: TriggerEvent): Promise<string> {
  const { number } = await merged(setup, "pull_request");
  const first = await setup.run(when);
  expectSuccess(first);
  const seen = handedOver(first, [number]);
  await setup.untilJobsEnd();
  const second = await setup.run(when);
  expectSuccess(second);
  const { result, finished = "[]" } = outputsOf(second, "upkeep");
  expectThat("the output result of the next run", result, "idle");
  const [batch] = JSON.parse(finished) as { prLink: string }[];
  if (!batch?.prLink) throw new TrialError("the next run found no docs pull request");
  return `${seen}; then a docs pull request`;
}

export const UPKEEP: Trial[] = [
  { name: "schedule", try: (setup) => handsOver(setup, scheduled()) },
  { name: "workflow_dispatch", try: (setup) => handsOver(setup, dispatched()) },
];

/** The service breaks off, the change needs a decision, and somebody ticks its box. */
export const TICKED_BOX: Trial = {
  name: "issues: edited",
  try: async (setup) => {
    await merged(setup, "pull_request");
    await setup.world.service.addFault({ route: "v2-create", status: 500 });
    const first = await setup.run(scheduled());
    const { dashboardUrl = "" } = outputsOf(first, "upkeep");
    const number = Number(dashboardUrl.split("/").at(-1));
    await setup.history.advance(60 * 60_000);
    const edit = await issueEdited(setup, number, (body) => body.replace("- [ ]", "- [x]"));
    const second = await setup.run(edit);
    expectSuccess(second);
    return `box ticked: ${handedOver(second, [])}`;
  },
};

/** What was merged waits until a release contains it. */
async function waitsForRelease(setup: TrialSetup, when: TriggerEvent | null): Promise<string> {
  const { number } = await merged(setup, "pull_request");
  const first = await setup.run(scheduled());
  expectSuccess(first);
  const { result, changeCount, waitingCount } = outputsOf(first, "upkeep");
  expectThat("the output result before the release", result, "idle");
  expectThat("the output changeCount before the release", changeCount, "0");
  if (waitingCount === "0") throw new TrialError("nothing waits for the release");
  const release = await published(setup);
  const second = await setup.run(when ?? release);
  expectSuccess(second);
  return `waits; after the release ${handedOver(second, [number])}`;
}

export const AFTER_RELEASE: Trial[] = [
  { name: "release: published", try: (setup) => waitsForRelease(setup, null) },
  { name: "schedule", try: (setup) => waitsForRelease(setup, scheduled()) },
  { name: "workflow_dispatch", try: (setup) => waitsForRelease(setup, dispatched()) },
];

const OTHERS = ["acme/api", "acme/cli", "acme/sdk"];

/** Changes are merged in three other repositories. */
export const MANY_REPOSITORIES: Trial[] = [scheduled(), dispatched()].map((when) => ({
  name: when.event,
  try: async (setup) => {
    for (const repository of OTHERS) {
      await setup.history.grow({ repository, pulls: 2, days: 3 });
      const grown = setup.world.github.emulated.find(repository);
      grown.forcePush(grown.tip(), "stable");
    }
    const run = await setup.run(when);
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
  try: async (setup) => {
    const guide = await merged(setup, "pull_request", {
      commits: [{ files: { "app/page.ts": "1\n" } }],
    });
    const reference = await merged(setup, "pull_request", {
      commits: [{ files: { "api/keys.ts": "1\n", "api/internal/log.ts": "1\n" } }],
    });
    const run = await setup.run(when);
    expectSuccess(run);
    expectThat("the number of jobs", run.jobs.length, 2);
    handedOver(run, [guide.number], "user-guide");
    handedOver(run, [reference.number], "api-reference");
    const projects = (await setup.jobs()).map(({ projectId }) => projectId).sort();
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
  try: (setup) => handsOver(setup, scheduled()),
};

/** A message to the chat names the docs pull request. */
export const CHAT: Trial = {
  name: "step",
  around: scheduledSteps,
  try: async (setup) => {
    await handsOver(setup, scheduled());
    expectThat("the number of messages", setup.messages.length, 1);
    const { text } = JSON.parse(setup.messages[0] ?? "") as { text: string };
    if (!/^Docs completed: http\S+\/pull\/\d+$/.test(text)) throw new TrialError(`sent: ${text}`);
    return `chat: '${text.replace(/http\S+\/acme/, "…")}'`;
  },
};
