/**
 * A trial of a workflow: a local world in which something happens, and act runs the workflow that it triggers.
 *
 * Not as on GitHub: an event is compared with `on` by its name and activity type only, not by branches, paths or the
 * policies of a repository; every event runs the workflow as it is in the working copy, whichever ref GitHub would
 * take it from; no run waits for an approval or in a concurrency group; all jobs share one token, and secrets are
 * always there.
 */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WORKFLOW } from "../../emulator/github/people.ts";
import type { LocalWorld } from "../../emulator/local-world/index.ts";
import type { TurnOutcome } from "../../emulator/service/agent/job.ts";
import type { Steering } from "../../emulator/service/agent/steering.ts";
import { finishedJob } from "../../emulator/service/state.ts";
import { EVENTS, type Happening, type Happens, scheduled } from "../events.ts";
import { type Act, type ActResult, type ActRun, REPOSITORY } from "./act.ts";
import {
  expression,
  localCalled,
  localWorkflow,
  ownStep,
  permissionsOf,
  type Source,
  type Step,
  triggersOf,
  type WorkflowFile,
} from "./workflow.ts";

/** Where an expected text can be after the last run. */
type Place = "outputs" | "log" | "comments" | "pulls" | "jobs" | "messages";

/** A trial of a workflow, and its expected result. */
export interface Trial {
  /**
   * Events, each of which starts the workflow. Before the next one, the agent finishes, and an hour passes. Default:
   * an event of the trial's trigger, which is the argument.
   */
  on?: (trigger: Happens) => Happens[];
  /** Texts that have to be there after the last run. */
  expect: Partial<Record<Place, string | string[]>>;
  /** Whether the last run has to fail. Default: it has to succeed. */
  fails?: boolean;
  /** How jobs go. Default: they open a pull request. */
  steering?: Partial<Steering>;
  /** Files in the repository of the workflow. */
  files?: Record<string, string>;
  /** For steps without a workflow: the jobs around them. Default: one job. */
  around?: (steps: Step[]) => WorkflowFile["jobs"];
}

/** By trigger, with a comment after a comma. `each` is for every trigger that is not named. */
export type Trials = Record<string, Trial>;
/** A single trial is for every trigger. */
export type Shown = Record<string, Trials | Trial>;

/** A job from before, for lists of jobs. */
export const FAILED_JOB = "an-older-job";
/** Projects of the examples with a matrix. */
const PROJECTS = ["acme-docs", "prj_guide", "prj_reference"];
/** A run of the workflow takes longer than this job. */
const JOB_MS = 300;
const HOUR = 60 * 60_000;

/** The trigger of an entry. @param name with a comment after a comma */
export const triggerOf = (name: string) => name.split(",")[0] ?? "";

/** One job with steps. */
export function oneJob(steps: Step[]) {
  return { docs: { "runs-on": "ubuntu-latest", steps } };
}

/** A job with the steps, after a job that starts the agent's job. */
export function afterStart(prompt: string): (steps: Step[]) => WorkflowFile["jobs"] {
  const start = oneJob([ownStep("", { wait: false, prompt })]).docs;
  const outputs = { "job-id": expression("steps.agent.outputs.jobId") };
  return (steps) => ({
    start: { ...start, outputs },
    docs: { ...oneJob(steps).docs, needs: "start" },
  });
}

/** The workflow to run: the one that a source shows, or one around its steps. */
export function workflowOf(
  contents: Source["contents"],
  { around = oneJob }: Pick<Trial, "around">,
  event = "schedule",
): WorkflowFile {
  return Array.isArray(contents) ? { on: event, jobs: around(contents) } : contents;
}

/**
 * Makes the events happen, runs the workflow for each, and checks the result.
 *
 * @param onLog receives the lines of each run
 * @throws if it is not as expected; the message says what is missing
 */
export async function tryOut(
  act: Act,
  { contents }: Source,
  [name, trial]: [name: string, trial: Trial],
  onLog: (lines: string[]) => void,
): Promise<void> {
  await using world = await openWorld(trial);
  const messages: string[] = [];
  await using webhook = createServer(async (request, response) => {
    messages.push((await request.setEncoding("utf8").toArray()).join(""));
    response.setHeader("connection", "close").end();
  }).listen(0, "127.0.0.1");
  await once(webhook, "listening");
  const chat = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/`;
  const trigger = EVENTS[triggerOf(name)] ?? scheduled;
  let result: ActResult | undefined;
  for (const happens of trial.on?.(trigger) ?? [trigger]) {
    if (result !== undefined) {
      await world.service.untilJobsEnd();
      world.github.emulated.site.advance(HOUR);
    }
    const happening = await happens(world);
    const workflow = workflowOf(happening.contents ?? contents, trial, happening.event);
    result = await act.run(await runIn(world, workflow, happening, trial.files ?? {}, chat));
    onLog(result.log);
    const refused = result.log.find((line) => line.includes("the permission `"));
    if (refused !== undefined) throw new Error(`GitHub refused something: ${refused}`);
  }
  if (result !== undefined) await judge(result, world, messages, trial);
}

async function openWorld({ steering }: Trial): Promise<LocalWorld> {
  // Loaded here, because a test reads the trials without starting anything.
  const { startLocalWorld } = await import("../../emulator/local-world/index.ts");
  const older = finishedJob({ id: FAILED_JOB, version: 1 });
  const outcome: TurnOutcome = { status: "failed", at: older.createdAt + 60_000, reason: null };
  const turns = older.turns.map((turn) => ({ ...turn, outcome }));
  const projects = PROJECTS.map((id) => ({ id, repository: REPOSITORY }));
  return await startLocalWorld({
    repository: REPOSITORY,
    steering: { durationMs: JOB_MS, ...steering },
    service: { projects, jobs: [{ ...older, turns }] },
  });
}

/** A run in the world. @throws if the workflow's `on` does not name the event */
async function runIn(
  { github, service }: LocalWorld,
  workflow: WorkflowFile,
  { event, payload }: Happening,
  files: Record<string, string>,
  chat: string,
): Promise<ActRun> {
  const names = [event, `${event}: ${payload.action}`];
  if (!triggersOf(workflow).some((trigger) => names.includes(trigger))) {
    throw new Error(`the workflow does not run on ${names[1]}`);
  }
  const sender = { login: "writer", type: "User" };
  const repository = await github.api<object>("");
  github.emulated.restrict(WORKFLOW, permissionsOf(workflow));
  const token = github.tokenOf("maintainer");
  const local = { serviceUrl: service.url, gitHubUrl: github.url, token };
  return {
    workflow: localWorkflow(workflow, local),
    event,
    payload: { sender, ...payload, repository },
    files: { ...files, ...localCalled(workflow, local) },
    onCommit: (sha) => {
      // The emulated GitHub knows it, too, as a copy of its newest one.
      const { home } = github;
      const newest = home.find(home.tip());
      if (newest !== undefined) home.objects.commits.set(sha, { ...newest, sha });
    },
    env: { GITHUB_SERVER_URL: github.url, GITHUB_API_URL: github.url },
    secret: {
      GITHUB_TOKEN: github.token,
      DOCS_API_KEY: service.adminKey,
      CHAT_WEBHOOK: chat,
      DOCS_ASSISTANT_KEY: service.assistantKey,
      DOCS_APP_PRIVATE_KEY: "local-private-key",
    },
    var: {
      DOCS_PROJECT_ID: service.projectId,
      DOCS_DOMAIN: service.domain,
      DOCS_UPKEEP_ISSUE: "1",
      DOCS_DIGEST_ISSUE: "1",
      DOCS_APP_CLIENT_ID: "local-client",
    },
  };
}

/** @throws if a result is not as expected */
async function judge(
  { isSuccess, outputs, log }: ActResult,
  { github, service }: LocalWorld,
  messages: string[],
  { expect, fails = false }: Trial,
): Promise<void> {
  if (isSuccess === fails) throw new Error(`the workflow ${fails ? "did not fail" : "failed"}`);
  const jobs = (await service.jobs()).filter(({ id }) => id !== FAILED_JOB);
  const places: Record<Place, string> = {
    outputs: outputs.join("\n"),
    log: log.join("\n"),
    messages: messages.join("\n"),
    comments: JSON.stringify(await github.api("/issues/comments")),
    pulls: JSON.stringify(await github.api("/pulls")),
    jobs: `jobs: ${jobs.length}\n${JSON.stringify(jobs)}`,
  };
  for (const [place, texts] of Object.entries(expect)) {
    const missing = [texts].flat().find((text) => !places[place as Place].includes(text));
    if (missing !== undefined) throw new Error(`not in the ${place}: '${missing}'`);
  }
}
