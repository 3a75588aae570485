/** A trial of a workflow: a local world in which something happens, and act runs the workflow that it triggers. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WORKFLOW } from "../../emulator/github/people.ts";
import type { LocalWorld } from "../../emulator/local-world/index.ts";
import type { LocalJob } from "../../emulator/local-world/local-service.ts";
import type { Steering } from "../../emulator/service/agent/steering.ts";
import { finishedJob } from "../../emulator/service/state.ts";
import { type Act, type ActResult, REPOSITORY } from "./act.ts";
import {
  localWorkflow,
  ownAction,
  permissionsOf,
  type Step,
  triggersOf,
  type WorkflowFile,
} from "./workflow.ts";

/** What is tried with a workflow, and what has to come of it. */
export interface Trial {
  /** How jobs go. Default: they open a pull request. */
  steering?: Partial<Steering>;
  /** Files in the repository of the workflow. */
  files?: Record<string, string>;
  /** For steps without a workflow: the one around them. Default: started manually. */
  around?: (steps: Step[]) => WorkflowFile;
  /**
   * Lets things happen, runs the workflow, and looks at what came of it.
   *
   * @returns what was seen, in a few words.
   * @throws TrialError when that is not what the example promises.
   */
  try: (world: TrialWorld) => Promise<string>;
}

/** What happened, as GitHub tells a workflow. */
export interface Happening {
  event: string;
  payload: Record<string, unknown>;
  /** The issue or pull request that it is about. */
  number?: number;
}

/** An outcome that is not what the example promises; the message says what is missing. */
export class TrialError extends Error {}

/** @throws TrialError when the value is not what it has to be. */
export function expectThat(what: string, value: unknown, wanted: unknown): void {
  if (value === wanted) return;
  throw new TrialError(`${what} is ${JSON.stringify(value)}, not ${JSON.stringify(wanted)}`);
}

/** A job from before, for lists of jobs. */
export const FAILED_JOB = "an-older-job";
/** Projects of the examples with a matrix. */
const PROJECTS = ["acme-docs", "prj_guide", "prj_reference"];
/** A run of the workflow takes longer than this job. */
const JOB_MS = 300;
const HOUR = 60 * 60_000;
const FIRST_ID = 1001;

export class TrialWorld {
  readonly world: LocalWorld;
  /** What was sent to the chat's webhook. */
  readonly messages: string[] = [];
  /** Every run in this world, for the log. */
  readonly runs: ActResult[] = [];
  readonly #act: Act;
  readonly #workflow: WorkflowFile;
  readonly #files: Record<string, string>;
  readonly #webhook = createServer(async (request, response) => {
    this.messages.push((await request.setEncoding("utf8").toArray()).join(""));
    response.end();
  }).listen(0, "127.0.0.1");

  private constructor(world: LocalWorld, act: Act, workflow: WorkflowFile, { files = {} }: Trial) {
    this.world = world;
    this.#act = act;
    this.#workflow = workflow;
    this.#files = files;
  }

  static async open(act: Act, workflow: WorkflowFile, trial: Trial): Promise<TrialWorld> {
    // Loaded here: a test reads the trials without starting anything.
    const { startLocalWorld } = await import("../../emulator/local-world/index.ts");
    const older = finishedJob({ id: FAILED_JOB, version: 1 });
    const failed = { status: "failed" as const, at: older.createdAt + 60_000, reason: null };
    const turns = older.turns.map((turn) => ({ ...turn, outcome: failed }));
    const projects = PROJECTS.map((id) => ({ id, repository: REPOSITORY }));
    const world = await startLocalWorld({
      repository: REPOSITORY,
      steering: { durationMs: JOB_MS, ...trial.steering },
      service: { projects, jobs: [{ ...older, turns }] },
    });
    const opened = new TrialWorld(world, act, workflow, trial);
    await once(opened.#webhook, "listening");
    return opened;
  }

  /**
   * Runs the workflow for what happened.
   *
   * @param workflow another one of the same repository
   * @throws TrialError when the workflow's `on` does not name what happened, or GitHub refused something, or act
   *   ran into the time limit.
   */
  async run({ event, payload }: Happening, workflow = this.#workflow): Promise<ActResult> {
    const names = [event, `${event}: ${payload.action}`];
    if (!triggersOf(workflow).some((trigger) => names.includes(trigger))) {
      throw new TrialError(`the workflow does not run on ${names[1]}`);
    }
    const { github, service } = this.world;
    const token = github.tokenOf("maintainer");
    const local = { serviceUrl: service.url, gitHubUrl: github.url, token };
    const sender = payload.sender ?? { login: "writer", type: "User" };
    const repository = await github.api<object>("");
    const { port } = this.#webhook.address() as AddressInfo;
    github.emulated.restrict(WORKFLOW, permissionsOf(workflow));
    const result = await this.#act.run({
      ...{ event, payload: { ...payload, sender, repository }, files: this.#files },
      workflow: localWorkflow(workflow, local),
      secrets: {
        ...{ GITHUB_TOKEN: github.token, DOCS_API_KEY: service.adminKey },
        ...{ DOCS_ASSISTANT_KEY: service.assistantKey, DOCS_APP_PRIVATE_KEY: "local-private-key" },
        CHAT_WEBHOOK: `http://127.0.0.1:${port}/`,
      },
      variables: {
        ...{ DOCS_PROJECT_ID: service.projectId, DOCS_DOMAIN: service.domain },
        ...{ DOCS_UPKEEP_ISSUE: "1", DOCS_DIGEST_ISSUE: "1", DOCS_APP_CLIENT_ID: "local-client" },
      },
      gitHubUrl: github.url,
      id: FIRST_ID + this.runs.length,
    });
    github.emulated.restrict(WORKFLOW, {});
    this.runs.push(result);
    const refused = result.log.find((line) => line.includes("the permission `"));
    if (refused !== undefined) throw new TrialError(`GitHub refused something: ${refused}`);
    if (result.isTimeout) throw new TrialError("the run took too long and was ended");
    return result;
  }

  /** A run that has to succeed. @throws TrialError */
  async succeed(happening: Happening, workflow?: WorkflowFile): Promise<ActResult> {
    const run = await this.run(happening, workflow);
    expectSuccess(run);
    return run;
  }

  /** Lets the emulated agent finish, and an hour pass on GitHub: the schedule comes round again. */
  async untilJobsEnd(): Promise<void> {
    await this.world.service.untilJobsEnd();
    this.advance();
  }

  /** Puts GitHub's clock forward by an hour. */
  advance(): void {
    this.world.github.emulated.site.advance(HOUR);
  }

  /** The jobs that the workflow started. */
  async jobs(): Promise<LocalJob[]> {
    return (await this.world.service.jobs()).filter(({ id }) => id !== FAILED_JOB);
  }

  async close(): Promise<void> {
    this.#webhook.closeAllConnections();
    this.#webhook.close();
    await this.world.close();
  }
}

/** @throws TrialError when act reports that the workflow failed, or ran nothing. */
export function expectSuccess({ isSuccess, jobs }: ActResult): void {
  if (!isSuccess) throw new TrialError("the workflow failed");
  if (jobs === 0) throw new TrialError("no job was run");
}

/** The outputs of the project's action in a run: those of the last step that uses it. @param leg of a matrix */
export function outputsOf(run: ActResult, action = ".", leg = ""): Record<string, string> {
  const step = run.steps.findLast(
    ({ name, matrix }) =>
      ownAction({ uses: name }) === action && (leg === "" || Object.values(matrix).includes(leg)),
  );
  if (step === undefined) throw new TrialError(`no step used the action ${action}`);
  return step.outputs;
}
