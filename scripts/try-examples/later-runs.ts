/** Trials in which a later run finishes what an earlier one has begun: upkeep, queues, and collect. */

import { comment, handedOver } from "./checks.ts";
import {
  boxTicked,
  commented,
  dispatched,
  type Happens,
  merged,
  released,
  scheduled,
} from "./happenings.ts";
import { expectThat, outputsOf, type Trial, TrialError, type TrialWorld } from "./trial.ts";
import { readExample, type Step, type WorkflowFile } from "./workflow.ts";

/** The same for a schedule and for a person who does not wait for it. */
export function timed(trial: (happens: Happens) => Trial): Record<string, Trial> {
  return { schedule: trial(scheduled), workflow_dispatch: trial(dispatched()) };
}

/** A workflow with the steps in one job. @param before steps of the same job */
export function around(on: Record<string, unknown>, ...before: Step[]) {
  return (steps: Step[]): WorkflowFile => ({
    on,
    jobs: { docs: { "runs-on": "ubuntu-latest", steps: [...before, ...steps] } },
  });
}

const onSchedule = around({ schedule: [] });

/** Upkeep hands over what was merged, and the next run finds that it is documented. */
export function upkeep(happens: Happens): Trial {
  return { around: onSchedule, try: (trial) => handsOver(trial, happens) };
}

async function handsOver(trial: TrialWorld, happens: Happens): Promise<string> {
  const { number } = await merged()(trial);
  const seen = handedOver(await trial.succeed(await happens(trial)), [number]);
  await trial.untilJobsEnd();
  const next = outputsOf(await trial.succeed(await happens(trial)), "upkeep");
  expectThat("the output result of the next run", next.result, "idle");
  const [batch] = JSON.parse(next.finished ?? "[]") as { prLink: string }[];
  if (!batch?.prLink) throw new TrialError("the next run found no docs pull request");
  return `${seen}; then a docs pull request`;
}

/** A message to the chat says what became of a batch. @param steering how its job goes */
export function chat(pattern: RegExp, steering: Trial["steering"] = {}): Trial {
  return {
    ...{ around: onSchedule, steering },
    try: async (trial) => {
      await merged()(trial);
      await trial.succeed(await scheduled(trial));
      await trial.untilJobsEnd();
      await trial.succeed(await scheduled(trial));
      expectThat("the number of messages", trial.messages.length, 1);
      const { text } = JSON.parse(trial.messages[0] ?? "") as { text: string };
      if (!pattern.test(text)) throw new TrialError(`sent: ${text}`);
      return `chat: '${text.replace(/http\S+\/acme/, "…")}'`;
    },
  };
}

/** What was merged waits until a release contains it. @param happens after the release; default: the release */
export function afterRelease(happens?: Happens): Trial {
  return {
    try: async (trial) => {
      const { number } = await merged()(trial);
      const first = outputsOf(await trial.succeed(await scheduled(trial)), "upkeep");
      expectThat("the output result before the release", first.result, "idle");
      expectThat("the output changeCount before the release", first.changeCount, "0");
      if (first.waitingCount === "0") throw new TrialError("nothing waits for the release");
      const release = await released(trial);
      const second = await trial.succeed((await happens?.(trial)) ?? release);
      return `waits; after the release ${handedOver(second, [number])}`;
    },
  };
}

const OTHERS = ["acme/api", "acme/cli", "acme/sdk"];

/** Changes are merged in three other repositories. */
export function manyRepositories(happens: Happens): Trial {
  return {
    try: async (trial) => {
      for (const name of OTHERS) {
        const repository = trial.world.github.emulated.create(name);
        repository.grow({ pulls: 2, days: 3 });
        repository.forcePush(repository.tip(), "stable");
      }
      const run = await trial.succeed(await happens(trial));
      const { changes = "[]" } = outputsOf(run, "upkeep");
      const from = (JSON.parse(changes) as { repository: string }[]).map((one) => one.repository);
      expectThat("the changes' repositories", [...new Set(from)].sort().join(), OTHERS.join());
      return handedOver(run, []);
    },
  };
}

/** Each leg gets the change that concerns its project. */
export function upkeepMatrix(happens: Happens): Trial {
  return {
    try: async (trial) => {
      const landed = (...files: string[]) =>
        merged("pull_request", { commits: [{ files }] })(trial);
      const guide = await landed("app/page.ts");
      const reference = await landed("api/keys.ts", "api/internal/log.ts");
      const run = await trial.succeed(await happens(trial));
      expectThat("the number of jobs", run.jobs, 2);
      handedOver(run, [guide.number], "user-guide");
      handedOver(run, [reference.number], "api-reference");
      const projects = (await trial.jobs()).map(({ projectId }) => projectId).sort();
      expectThat("the projects with a job", projects.join(), "prj_guide,prj_reference");
      return "one job for each project";
    },
  };
}

const TASKS_FILE = "docs/tasks.yml";
const TASKS =
  "- id: users\n  prompt: Document /users.\n- Apply the style guide to the first page.\n";
export const TASKS_FILES = { [TASKS_FILE]: TASKS };

/** A run starts the tasks of each leg, and a later one finds that all are done. */
export function queue(happens: Happens, legs = [""]): Trial {
  const folder = TASKS_FILE.replace(".yml", "");
  const ofLegs = Object.fromEntries(legs.map((leg) => [`${folder}/${leg}.yml`, TASKS]));
  return {
    files: legs.length > 1 ? ofLegs : TASKS_FILES,
    try: async (trial) => {
      const first = await trial.succeed(await happens(trial));
      for (const leg of legs) {
        expectThat("the output startedCount", outputsOf(first, "queue", leg).startedCount, "2");
      }
      await trial.untilJobsEnd();
      const second = await trial.succeed(await happens(trial));
      for (const leg of legs) {
        const { result, doneCount } = outputsOf(second, "queue", leg);
        expectThat("the output doneCount of the next run", doneCount, "2");
        expectThat("the output result of the next run", result, "finished");
      }
      return `${2 * legs.length} tasks started, then done`;
    },
  };
}

/** A pass over 300 pages, ten for each task: the first run starts five tasks, the next run five others. */
export function stylePass(happens: Happens): Trial {
  const pages = Array.from({ length: 300 }, (_, index) => `docs/pages/${index}.mdx`);
  const [, task = ""] =
    /\n#\n((?:# {3}.*\n)+)#\n/.exec(readExample("nightly-style-pass.yml")) ?? [];
  return {
    files: {
      ...Object.fromEntries(pages.map((page) => [page, "Text.\n"])),
      "docs/style-guide.md": "Write short sentences.\n",
      "docs/style-pass.yml": task.replaceAll(/^# {3}/gm, ""),
    },
    try: async (trial) => {
      for (const [done, waiting] of [
        ["0", "25"],
        ["5", "20"],
      ]) {
        const { startedCount, doneCount, waitingCount } = outputsOf(
          await trial.succeed(await happens(trial)),
          "queue",
        );
        expectThat("the output startedCount", startedCount, "5");
        expectThat("the output doneCount", doneCount, done);
        expectThat("the output waitingCount", waitingCount, waiting);
        await trial.untilJobsEnd();
      }
      const prompts = (await trial.jobs()).flatMap(({ turns }) => turns.map((turn) => turn.prompt));
      const named = prompts.flatMap((prompt) => prompt.match(/docs\/pages\/\d+\.mdx/g) ?? []);
      expectThat("the number of pages handed over", new Set(named).size, 100);
      return "100 of 300 pages in two runs, ten for each task";
    },
  };
}

/**
 * The service breaks off, so that something needs a decision, and somebody ticks its box.
 *
 * @param what has to be handed over before the first run, and what the second one has to have done
 */
export function decided(
  action: "upkeep" | "queue",
  prepare: (trial: TrialWorld) => Promise<unknown>,
  output: Record<string, string>,
): Trial {
  return {
    files: TASKS_FILES,
    try: async (trial) => {
      await prepare(trial);
      await trial.world.service.addFault({ route: "v2-create", status: 500 });
      const first = outputsOf(await trial.run(await scheduled(trial)), action);
      expectThat("the output needsDecisionCount", first.needsDecisionCount, "1");
      trial.advance();
      const ticked = await boxTicked(first.dashboardUrl ?? "")(trial);
      const second = outputsOf(await trial.succeed(ticked), action);
      for (const [name, value] of Object.entries(output)) {
        expectThat(`the output ${name}`, second[name], value);
      }
      return "box ticked: handed over";
    },
  };
}

/** A run starts a job for a comment, and does not wait. */
async function leavesJob(trial: TrialWorld, workflow?: WorkflowFile): Promise<string> {
  const happening = await commented("/docs Explain webhooks.")(trial);
  const run = await trial.succeed(happening, workflow);
  const { status, prLink } = outputsOf(run);
  expectThat("the output status", status, "active");
  expectThat("the output prLink", prLink || "", "");
  return await comment("the agent is working")({ trial, run, happening });
}

/** A sweep finishes the comment that an earlier run has left. @param leaving the workflow of that run */
async function sweeps(trial: TrialWorld, leaving?: WorkflowFile): Promise<string> {
  await leavesJob(trial, leaving);
  await trial.untilJobsEnd();
  const happening = await scheduled(trial);
  const run = await trial.succeed(happening);
  const { finishedCount, finished = "[]" } = outputsOf(run, "collect");
  expectThat("the output finishedCount", finishedCount, "1");
  const [{ prLink } = { prLink: "none" }] = JSON.parse(finished) as { prLink: string }[];
  return `finished the ${await comment(prLink)({ trial, run, happening })}`;
}

export const WITHOUT_WAITING: Record<string, Trial> = {
  "issue_comment: created": { try: (trial) => leavesJob(trial) },
  schedule: { try: (trial) => sweeps(trial) },
};

/** For a workflow, or a step, that only collects. @param start the step of another workflow, which leaves a job */
export function collect(start: Step): Trial {
  const leaving = around({ issue_comment: { types: ["created"] } })([start]);
  return { around: onSchedule, try: (trial) => sweeps(trial, leaving) };
}
