/** GitHub Actions in the local world: events start runs of workflows, and the committed bundles do the work. */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { type RunOptions, type RunResult, startAction } from "../../emulator/runner/runner.ts";
import { expand } from "./expression.ts";
import { type EndedStep, runJob } from "./job.ts";
import { RunLog } from "./run-log.ts";
import { contextsOf, meetsConditions, type StartStep } from "./step.ts";
import { isWithoutRun } from "./without-run.ts";
import { actionOf, isStartedBy, type Workflow, type WorkflowEvent } from "./workflow.ts";

export interface WorkflowRun {
  id: number;
  workflow: Workflow;
  event: WorkflowEvent;
  status: "queued" | "in_progress" | "completed";
  conclusion: "success" | "failure" | "skipped" | "cancelled" | undefined;
  /** The concurrency group that it is in: its own if the workflow names none. */
  group: string;
  createdAt: Date;
  log: RunLog;
  errors: string[];
  /** Those of actions that have ended. */
  steps: EndedStep[];
  summary: string;
}

/** Maximum number of runs that are remembered. */
const MAX_RUNS = 50;
const FIRST_ID = 1001;

export class WorkflowRuns {
  readonly #world: LocalWorld;
  readonly #workflows: readonly Workflow[];
  readonly #start: StartStep;
  readonly #runs: WorkflowRun[] = [];
  /** Resolve when the last run of each group ends. */
  readonly #groups = new Map<string, Promise<void>>();
  readonly #steps = new Set<ReturnType<StartStep>>();
  #nextId = FIRST_ID;
  #isClosed = false;
  #version = 0;

  constructor(world: LocalWorld, workflows: readonly Workflow[], start: StartStep = startAction) {
    this.#world = world;
    this.#workflows = workflows;
    this.#start = start;
  }

  /** The first one for each action, by the action, in their order. */
  get workflows(): Map<string, Workflow> {
    const first = new Map<string, Workflow>();
    for (const workflow of this.#workflows) {
      const action = actionOf(workflow);
      if (action !== undefined && !first.has(action)) first.set(action, workflow);
    }
    return first;
  }

  /** The first workflow that uses only one action, or that is in a file; undefined if none is. */
  workflowOf(name: string): Workflow | undefined {
    return this.#workflows.find(
      (workflow) => actionOf(workflow) === name || workflow.file === name,
    );
  }

  /** The workflows of some actions or files, in their order. */
  usedBy(names: readonly string[]): Workflow[] {
    return names.flatMap((name) => this.workflowOf(name) ?? []);
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

  /** Resolves when no run waits or is in progress. */
  async settle(): Promise<void> {
    while (this.#groups.size > 0) await Promise.all(this.#groups.values());
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
   * @param disabled files of workflows that are not started
   * @returns resolves when all have ended; rejects only if a condition cannot be read
   */
  async dispatch(event: WorkflowEvent, disabled: readonly string[] = []): Promise<void> {
    if (isWithoutRun(this.#world.github.home, event)) return;
    const started = this.#workflows.filter(
      (workflow) => !disabled.includes(workflow.file) && isStartedBy(workflow, event),
    );
    const busy = started.filter((workflow) =>
      meetsConditions(this.#world, { id: 0, event, workflow }),
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
      group: `run-${this.#nextId}`,
      createdAt: new Date(this.#world.github.emulated.site.now),
      log: new RunLog(),
      errors: [],
      steps: [],
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
    if (!meetsConditions(this.#world, run)) {
      run.status = "completed";
      run.conclusion = "skipped";
      return Promise.resolve();
    }
    if (workflow.group !== undefined) {
      run.group = expand(workflow.group, contextsOf(this.#world, run)).toLowerCase();
    }
    const { group } = run;
    if (!workflow.keepsWaiting) this.#replaceWaiting(run);
    const before = this.#groups.get(group);
    const end =
      before === undefined
        ? this.#carryOut(run)
        : before.then(() => (run.conclusion === "cancelled" ? undefined : this.#carryOut(run)));
    this.#groups.set(group, end);
    return end.finally(() => {
      if (this.#groups.get(group) === end) this.#groups.delete(group);
    });
  }

  /**
   * Cancels the run that waits in the group of a new one, as GitHub does. On GitHub, a run whose job is skipped may
   * replace a waiting run, too; here, only one whose job runs does.
   */
  #replaceWaiting(run: WorkflowRun): void {
    const isReplaced = (other: WorkflowRun) =>
      other !== run && other.group === run.group && other.status === "queued";
    for (const waiting of this.#runs.filter(isReplaced)) {
      const text = `A newer run of the group '${run.group}' took the place of this one, which waited.`;
      waiting.log.add("error", text);
      waiting.errors.push(text);
      this.#end(waiting, "cancelled");
    }
  }

  async #carryOut(run: WorkflowRun): Promise<void> {
    run.status = "in_progress";
    this.#report(run);
    try {
      const isLong = actionOf(run.workflow) === undefined;
      const hasSucceeded = await runJob(this.#world, run, {
        onStep: (name) => {
          if (isLong) run.log.add("group", name);
        },
        runEntry: (options) => this.#runEntry(run, options),
        onEnd: (step) => run.steps.push(step),
      });
      // On GitHub, a step that had nothing to do, or was refused, has succeeded.
      const isSkipped = run.steps.every(({ outputs }) => outputs.status === "skipped");
      this.#end(run, hasSucceeded ? (isSkipped ? "skipped" : "success") : "failure");
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
    const running = this.#start({ ...step, onLine });
    this.#steps.add(running);
    const result = await running.result.finally(() => this.#steps.delete(running));
    run.errors.push(...result.errors.map((message) => run.log.masked(message)));
    run.summary += result.summary;
    return result;
  }

  #end(run: WorkflowRun, conclusion: NonNullable<WorkflowRun["conclusion"]>): void {
    run.status = "completed";
    run.conclusion = conclusion;
    this.#report(run);
    const { actor, payload } = run.event;
    const { repository, sender } = payload;
    const workflow_run = { name: run.workflow.name, conclusion };
    const ended = { action: "completed", workflow_run, repository, sender };
    void this.dispatch({ name: "workflow_run", actor, payload: ended });
  }

  /**
   * Reports the state of a run. A run for a pull request is a check of its head. As on GitHub, the check of one event
   * does not replace that of another; the event is in the name, as GitHub's pages show it.
   */
  #report({ workflow, event, status, conclusion, steps, errors }: WorkflowRun): void {
    const { github } = this.#world;
    const pull = event.payload.pull_request;
    if (pull !== undefined) {
      const output = { title: steps[0]?.outputs.verdict ?? errors[0] ?? "", summary: "" };
      const result = conclusion === undefined ? { status } : { conclusion };
      const name = `${workflow.job} (${event.name})`;
      const body = { name, head_sha: pull.head.sha, output, ...result };
      const { token } = github;
      void github.api("/check-runs", { method: "POST", token, body }).catch(() => {});
    }
    this.#version += 1;
  }
}
