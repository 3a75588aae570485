/** A local world for one example: things happen in it, and act runs the workflow that they trigger. */

import { createServer } from "node:http";
import type { LocalWorld } from "../../emulator/local-world/index.ts";
import type { LocalJob } from "../../emulator/local-world/local-service.ts";
import { RepositoryHistory } from "../../emulator/local-world/repository-history.ts";
import { finishedJob } from "../../emulator/service/seed.ts";
import { type Act, type ActResult, inputsOf } from "./act.ts";
import { rewrite } from "./rewrite.ts";
import type { TrialSetupOptions } from "./trial.ts";
import { ownAction, permissionsOf, triggersOf, type WorkflowFile } from "./workflow-file.ts";

/** What happened, as GitHub tells a workflow. */
export interface TriggerEvent {
  event: string;
  payload: Record<string, unknown>;
}

/** An outcome that is not what the example promises; the message says what is missing. */
export class TrialError extends Error {}

/** Issue that examples with `issue-number` write to. */
export const ISSUE = 1;
/** A job from before, for lists of jobs. */
export const FAILED_JOB = "an-older-job";
/** Projects of the examples with a matrix. */
const PROJECTS = ["acme-docs", "prj_guide", "prj_reference"];
const REPOSITORY = "acme/docs";
/** A run of the workflow takes longer than this job. */
const JOB_MS = 300;
const POLLS = 100;
const BETWEEN_POLLS_MS = 100;
const FIRST_ID = 1001;

export class TrialSetup {
  readonly world: LocalWorld;
  readonly history: RepositoryHistory;
  /** What was sent to the chat's webhook. */
  readonly messages: string[] = [];
  /** Every run on this setup, for the log. */
  readonly runs: ActResult[] = [];
  /** Actions of others that were replaced. */
  readonly replaced = new Set<string>();
  readonly #act: Act;
  readonly #workflow: WorkflowFile;
  readonly #options: TrialSetupOptions;
  #webhook = createServer();

  private constructor(
    world: LocalWorld,
    act: Act,
    workflow: WorkflowFile,
    options: TrialSetupOptions,
  ) {
    this.world = world;
    this.history = new RepositoryHistory(world.github);
    this.#act = act;
    this.#workflow = workflow;
    this.#options = options;
  }

  static async open(
    act: Act,
    workflow: WorkflowFile,
    options: TrialSetupOptions,
  ): Promise<TrialSetup> {
    // Loaded here: a test reads the trials without starting anything.
    const { startLocalWorld } = await import("../../emulator/local-world/index.ts");
    const world = await startLocalWorld({
      repository: REPOSITORY,
      steering: { durationMs: JOB_MS, ...options.steering },
      service: {
        projects: PROJECTS.map((id) => ({ id, repository: REPOSITORY })),
        jobs: [olderJob()],
      },
    });
    const setup = new TrialSetup(world, act, workflow, options);
    await setup.#listen();
    return setup;
  }

  /**
   * Runs the workflow for what happened.
   *
   * @param workflow another one of the same repository
   * @throws TrialError when the workflow's `on` does not name what happened, or act ran into the time limit.
   */
  async run({ event, payload }: TriggerEvent, workflow = this.#workflow): Promise<ActResult> {
    const isNamed = triggersOf(workflow).some(
      (trigger) =>
        trigger.event === event && (trigger.type === undefined || trigger.type === payload.action),
    );
    if (!isNamed) throw new TrialError(`the workflow does not run on ${event} ${payload.action}`);
    const { github, service } = this.world;
    const token = github.tokenOf("maintainer");
    const local = { serviceUrl: service.url, gitHubUrl: github.url, token };
    const rewritten = rewrite(workflow, local, inputsOf);
    for (const one of rewritten.replaced) this.replaced.add(one);
    const sender = payload.sender ?? { login: "writer", type: "User" };
    const repository = await github.api<object>("");
    await this.history.restrict(permissionsOf(workflow));
    const result = await this.#act.run({
      ...{ workflow: rewritten.workflow, event, payload: { ...payload, sender, repository } },
      files: this.#options.files ?? {},
      ...this.#settings(),
      id: FIRST_ID + this.runs.length,
    });
    this.runs.push(result);
    await this.history.restrict({});
    const refused = result.log.find((line) => line.includes("the permission `"));
    if (refused !== undefined) throw new TrialError(`GitHub refused something: ${refused}`);
    if (result.isTimeout) throw new TrialError("the run took too long and was ended");
    return result;
  }

  /** Lets the emulated agent finish, and time pass on GitHub: the schedule comes round again. */
  async untilJobsEnd(): Promise<void> {
    for (let poll = 1; poll <= POLLS; poll += 1) {
      const jobs = await this.world.service.jobs();
      if (jobs.every(({ record }) => record.status !== "active")) {
        await this.history.advance(60 * 60_000);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_POLLS_MS));
    }
    throw new TrialError("a job did not end");
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

  #settings() {
    const { github, service } = this.world;
    const { port } = this.#webhook.address() as { port: number };
    return {
      secrets: {
        ...{ GITHUB_TOKEN: github.token, DOCS_API_KEY: service.adminKey },
        ...{ DOCS_ASSISTANT_KEY: service.assistantKey, DOCS_APP_PRIVATE_KEY: "local-private-key" },
        CHAT_WEBHOOK: `http://127.0.0.1:${port}/`,
      },
      variables: {
        ...{ DOCS_PROJECT_ID: service.projectId, DOCS_DOMAIN: service.domain },
        ...{ DOCS_UPKEEP_ISSUE: String(ISSUE), DOCS_APP_CLIENT_ID: "local-client" },
      },
    };
  }

  async #listen(): Promise<void> {
    this.#webhook = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk;
      this.messages.push(text);
      response.end();
    });
    await new Promise<void>((resolve) => {
      this.#webhook.listen(0, "127.0.0.1", resolve);
    });
  }
}

function olderJob() {
  const job = finishedJob({ id: FAILED_JOB, version: 1 });
  const outcome = { status: "failed" as const, at: job.createdAt + 60_000, reason: null };
  return { ...job, turns: job.turns.map((turn) => ({ ...turn, outcome })) };
}

/** The outputs of the project's action in a run; the last step that uses it, unless it has an id. */
export function outputsOf(run: ActResult, action = ".", leg = ""): Record<string, string> {
  const step = run.steps.findLast(
    ({ name, matrix }) =>
      ownAction({ uses: name }) === action && (leg === "" || Object.values(matrix).includes(leg)),
  );
  if (step === undefined) throw new TrialError(`no step used the action ${action}`);
  return step.outputs;
}
