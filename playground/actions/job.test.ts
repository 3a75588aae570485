import { expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import type { RunOptions, RunResult } from "../../emulator/runner/runner.ts";
import { runJob } from "./job.ts";
import { contextsOf, meetsConditions } from "./step.ts";
import { readWorkflow, type Workflow, type WorkflowEvent } from "./workflow.ts";

const [, HOURLY] = readWorkflow("examples/team.yml") as [Workflow, Workflow];
const SCHEDULE: WorkflowEvent = { name: "schedule", actor: "maintainer", payload: {} };
const run = { id: 1001, event: SCHEDULE, workflow: HOURLY };

/** The steps that run, if they end in this way. @param ends exit codes and outputs, by the action or the script */
async function stepsRun(world: LocalWorld, ends: Record<string, Partial<RunResult>>) {
  const begun: string[] = [];
  const started: RunOptions[] = [];
  const hasSucceeded = await runJob(world, run, {
    onStep: (name) => begun.push(name),
    onEnd: () => {},
    runEntry: async (options) => {
      started.push(options);
      const result = { exitCode: 0, outputs: {}, state: {} };
      return { ...result, ...ends[begun.at(-1) ?? ""] } as RunResult;
    },
  });
  return { begun, started, hasSucceeded };
}

test("a called workflow gets the caller's inputs, the defaults of others, and its secrets alone", async () => {
  await using world = await startLocalWorld();
  const { inputs, secrets } = contextsOf(world, run);
  expect(inputs).toMatchObject({
    "project-id": "acme-docs",
    decisions: "",
    "dry-run": false,
    upkeep: true,
    "max-jobs-per-day": 6,
  });
  expect(secrets).toEqual({ "api-key": world.service.adminKey });
});

test("a job runs if its condition and the caller's hold", async () => {
  await using world = await startLocalWorld();
  const [workflow] = readWorkflow("examples/team.yml") as [Workflow];
  const isRun = (body: string) => {
    const comment = { id: 1, html_url: "https://github.com/acme/docs/issues/1", body };
    const event = { name: "issue_comment", actor: "writer", payload: { comment } };
    return meetsConditions(world, { id: 1, workflow, event });
  };
  expect([isRun("/docs explain"), isRun("Thanks")]).toEqual([true, false]);
});

test("steps run by their conditions, which know the outputs of those before", async () => {
  await using world = await startLocalWorld();
  const ledger = (doctor: string) => ({ outputs: { doctor } });
  const quiet = await stepsRun(world, { ledger: ledger("false") });
  expect(quiet.begun).toEqual(["places", "ledger", "upkeep", "land", "collect"]);
  const [, script] = quiet.started;
  expect(script?.env).toMatchObject({
    HAS_APP: "false",
    ACTION: "upkeep",
    PROJECT_ID: "acme-docs",
  });
  const due = await stepsRun(world, { ledger: ledger("true") });
  expect(due.begun).toEqual(["places", "ledger", "doctor", "upkeep", "land", "collect"]);
  expect(due.started.find(({ action }) => action === "upkeep")?.inputs).toMatchObject({
    "api-key": world.service.adminKey,
    "base-url": world.service.url,
    "max-jobs-per-day": "6",
    "dry-run": "false",
  });
});

test("a step that fails ends the job, but for steps that run all the same; one that may fail does not", async () => {
  await using world = await startLocalWorld();
  const failed = { exitCode: 1 };
  const ledger = { outputs: { doctor: "true" } };
  const unwell = await stepsRun(world, {
    ledger,
    doctor: { ...failed, outputs: { ready: "true" } },
  });
  expect([unwell.begun.slice(2), unwell.hasSucceeded]).toEqual([
    ["doctor", "upkeep", "land", "collect"],
    true,
  ]);
  const upkeep = await stepsRun(world, { ledger, upkeep: failed });
  expect([upkeep.begun.slice(3), upkeep.hasSucceeded]).toEqual([
    ["upkeep", "land", "collect"],
    false,
  ]);
  const notReady = { ...failed, outputs: { ready: "false" } };
  const stopped = await stepsRun(world, { ledger, doctor: notReady, script: failed });
  expect([stopped.begun.slice(2), stopped.hasSucceeded]).toEqual([["doctor", "script"], false]);
});
