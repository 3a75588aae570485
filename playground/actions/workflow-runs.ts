/** GitHub Actions in the local world: events start runs of workflows, and the committed bundles do the work. */

import path from "node:path";
import { startSuite } from "../../emulator/github/checks.ts";
import { mergeabilityOf } from "../../emulator/github/merge.ts";
import { WORKFLOW } from "../../emulator/github/people.ts";
import type { Repository } from "../../emulator/github/repository.ts";
import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { readActionMetadata } from "../../emulator/runner/prepare-step.ts";
import {
  REPOSITORY_ROOT,
  type RunningAction,
  type RunOptions,
  type RunResult,
  startAction,
} from "../../emulator/runner/runner.ts";
import { type Contexts, expand, isTrue } from "./expression.ts";
import { Groups } from "./groups.ts";
import { RunLog } from "./run-log.ts";
import { contextsOf, stepOf } from "./step.ts";
import { isStartedBy, type Workflow, type WorkflowEvent } from "./workflow.ts";

export interface WorkflowRun {
  id: number;
  workflow: Workflow;
  event: WorkflowEvent;
  status: "queued" | "in_progress" | "completed";
  conclusion: "success" | "failure" | "skipped" | "cancelled" | undefined;
  /** ID of the suite of its checks; null if it is for no pull request. */
  suite: number | null;
  createdAt: Date;
  log: RunLog;
  errors: string[];
  outputs: Record<string, string>;
  summary: string;
}

/** Maximum number of runs that are remembered. */
const MAX_RUNS = 50;
const FIRST_ID = 1001;

/** @throws if the condition cannot be read */
function meetsCondition({ condition }: Workflow, contexts: Contexts): boolean {
  return condition === undefined || isTrue(condition, contexts);
}

/** Words in a commit's message that keep its events from starting anything. */
const SKIP = /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]/i;

/** Whether GitHub starts nothing for an event: of a head that says so, or that conflicts with its base. */
export function isWithoutRun(home: Repository, { name, payload }: WorkflowEvent): boolean {
  const pull = home.pulls.find(({ number }) => number === payload.pull_request?.number);
  if (pull === undefined || !name.startsWith("pull_request")) return false;
  const isSkipped = SKIP.test(home.find(pull.head)?.message ?? "");
  return isSkipped || mergeabilityOf(home, pull).state === "dirty";
}

export class WorkflowRuns {
  readonly #world: LocalWorld;
  readonly #workflows: readonly Workflow[];
  readonly #runs: WorkflowRun[] = [];
  readonly #groups = new Groups();
  readonly #steps = new Set<RunningAction>();
  #nextId = FIRST_ID;
  #isClosed = false;
  #version = 0;

  constructor(world: LocalWorld, workflows: readonly Workflow[]) {
    this.#world = world;
    this.#workflows = workflows;
  }

  /** One for each action, in their order. */
  get workflows(): Workflow[] {
    return this.#workflows.filter((workflow) => this.workflowOf(workflow.action) === workflow);
  }

  /** The workflow that uses an action; undefined if none does. */
  workflowOf(action: string): Workflow | undefined {
    return this.#workflows.find((workflow) => workflow.action === action);
  }

  /** Rises with every change of a run. */
  get version(): number {
    return this.#version;
  }

  /** Newest first. */
  list(): WorkflowRun[] {
    return this.#runs.toReversed();
  }

  find(id: number): WorkflowRun | undefined {
    return this.#runs.find((run) => run.id === id);
  }

  /** Ends the running steps, and starts no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const step of this.#steps) step.signal("SIGKILL");
    await Promise.allSettled([...this.#steps].map(({ result }) => result));
  }

  /**
   * Starts a run of each workflow that an event starts.
   *
   * @param disabled file of a workflow that is not started
   * @returns resolves when all have ended; rejects only if a condition cannot be read
   */
  async dispatch(event: WorkflowEvent, disabled = ""): Promise<void> {
    if (isWithoutRun(this.#world.github.home, event)) return;
    const started = this.#workflows.filter(
      (workflow) => workflow.file !== disabled && isStartedBy(workflow, event),
    );
    const busy = started.filter((workflow) =>
      meetsCondition(workflow, contextsOf(this.#world, { id: 0, workflow, event })),
    );
    const busyFiles = busy.map(({ file }) => file);
    // Of a file with a job that runs, the jobs that are skipped are not shown as runs of their own.
    const shown = started.filter(
      (workflow) => busy.includes(workflow) || !busyFiles.includes(workflow.file),
    );
    await Promise.all(shown.map((workflow) => this.#enqueue(workflow, event)));
  }

  #enqueue(workflow: Workflow, event: WorkflowEvent): Promise<void> {
    const run: WorkflowRun = {
      id: this.#nextId,
      workflow,
      event,
      status: "queued",
      conclusion: undefined,
      suite: this.#suiteFor(event),
      createdAt: new Date(this.#world.github.emulated.site.now),
      log: new RunLog(),
      errors: [],
      outputs: {},
      summary: "",
    };
    this.#nextId += 1;
    this.#runs.push(run);
    const oldest = this.#runs.findIndex(({ status }) => status === "completed");
    if (this.#runs.length > MAX_RUNS && oldest >= 0) this.#runs.splice(oldest, 1);
    this.#version += 1;
    try {
      return this.#queue(run);
    } catch (error) {
      // An expression that cannot be read.
      this.#fail(run, error);
      return Promise.resolve();
    }
  }

  /** @throws if an expression of the workflow cannot be read */
  #queue(run: WorkflowRun): Promise<void> {
    const { workflow } = run;
    const contexts = contextsOf(this.#world, run);
    if (!meetsCondition(workflow, contexts)) {
      run.status = "completed";
      run.conclusion = "skipped";
      return Promise.resolve();
    }
    const group = expand(workflow.group ?? `run-${run.id}`, contexts);
    const replace = () => {
      const text = `Canceling since a higher priority waiting request for ${group} exists`;
      run.log.add("error", text);
      run.errors.push(text);
      this.#end(run, "cancelled");
    };
    return this.#groups.enter(group, workflow.queue, () => this.#carryOut(run), replace);
  }

  /** Each run has checks of its own, so that those of one event do not replace those of another. */
  #suiteFor({ name, payload }: WorkflowEvent): number | null {
    const sha = payload.pull_request?.head.sha;
    if (sha === undefined) return null;
    return startSuite(this.#world.github.home, { sha, app: WORKFLOW, event: name }).id;
  }

  async #carryOut(run: WorkflowRun): Promise<void> {
    run.status = "in_progress";
    this.#report(run);
    try {
      const step = stepOf(this.#world, run);
      const main = await this.#runEntry(run, step);
      const { post } = readActionMetadata(path.join(REPOSITORY_ROOT, run.workflow.action));
      const exitCodes = [main.exitCode];
      if (post !== undefined) {
        const end = await this.#runEntry(run, { ...step, entry: "post", state: main.state });
        exitCodes.push(end.exitCode);
      }
      // On GitHub, a step that had nothing to do, or was refused, has succeeded.
      const success = main.outputs.status === "skipped" ? "skipped" : "success";
      this.#end(run, exitCodes.every((exitCode) => exitCode === 0) ? success : "failure");
    } catch (error) {
      // The runner itself failed: a bundle is missing, or the step exceeded its time limit.
      this.#fail(run, error);
    }
  }

  #fail(run: WorkflowRun, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    run.log.add("error", text);
    run.errors.push(run.log.masked(text));
    this.#end(run, "failure");
  }

  async #runEntry(run: WorkflowRun, step: RunOptions): Promise<RunResult> {
    const onLine = (line: string) => {
      run.log.take(line);
      this.#version += 1;
    };
    if (this.#isClosed) throw new Error("The playground was closed.");
    const running = startAction({ ...step, onLine });
    this.#steps.add(running);
    const result = await running.result.finally(() => this.#steps.delete(running));
    run.errors.push(...result.errors.map((message) => run.log.masked(message)));
    run.outputs = { ...run.outputs, ...result.outputs };
    run.summary += result.summary;
    return result;
  }

  #end(run: WorkflowRun, conclusion: NonNullable<WorkflowRun["conclusion"]>): void {
    run.status = "completed";
    run.conclusion = conclusion;
    this.#report(run);
  }

  /** Reports the state of a run. A run for a pull request is a check of its head, as on GitHub. */
  #report({ workflow, event, status, conclusion, suite, outputs, errors }: WorkflowRun): void {
    const pull = event.payload.pull_request;
    if (pull !== undefined && suite !== null) {
      this.#world.github.home.report({
        name: workflow.job,
        head_sha: pull.head.sha,
        app: WORKFLOW,
        suite,
        output: { title: outputs.verdict ?? errors[0] ?? "", summary: "" },
        status,
        conclusion: conclusion ?? null,
      });
    }
    this.#version += 1;
  }
}
