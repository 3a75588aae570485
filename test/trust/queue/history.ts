import { rmSync } from "node:fs";
import { queue } from "../../../src/queue/queue.ts";
import { recoverQueue } from "../../../src/queue/recover.ts";
import { issuesOf, openDashboards } from "../../support/memory-world/open-dashboards.ts";
import {
  type ActionInMemory,
  type Ran,
  type RunOptions,
  runInMemory,
  type Turns,
} from "../../support/memory-world/runs.ts";
import { makeWorkspace } from "../../support/workspace.ts";
import { LedgerHistory } from "../ledger-history.ts";
import type { FileEvent, RunEvent, Setting } from "./events.ts";
import { EditedFile, namesIn } from "./file.ts";

const HOUR = 60 * 60_000;
const FILE = "tasks.json";

const UNDISTURBED: RunEvent = { max: 3, kill: null, post: false, isDry: false, faults: [] };

/** A file of tasks, a dashboard and its runs, and what is wrong with them. */
export class History extends LedgerHistory<RunEvent, FileEvent> {
  readonly file = new EditedFile();
  readonly #perHour: number;
  readonly #workspace = makeWorkspace();
  readonly #action: ActionInMemory;
  /** Requests may be accepted after their time. */
  #hasLate = false;

  constructor(setting: Setting) {
    super(setting, 60);
    this.#perHour = setting.perHour;
    this.#action = {
      main: queue,
      post: (saved, read, dependencies) => recoverQueue(saved, read, dependencies),
      inputs: { "tasks-file": FILE, "per-hour": String(setting.perHour) },
      context: { workspace: this.#workspace.path },
    };
  }

  close(): void {
    rmSync(this.#workspace.path, { recursive: true });
    this.#workspace[Symbol.dispose]();
  }

  /** Lets everything come to its end, undisturbed. */
  async runUntilQuiet(): Promise<void> {
    await this.runUntil({ run: UNDISTURBED, apart: 62, mostRuns: 120 });
  }

  protected override isQuiet({ outputs }: Ran): boolean {
    const { result = "", startedCount, runningCount } = outputs;
    const isAtRest = ["idle", "finished"].includes(result) && runningCount === "0";
    return isAtRest && startedCount === "0";
  }

  /** No task in two accepted requests; none lost; whatever is in none is visible. */
  check(): void {
    if (this.wrong.length > 0) return;
    this.#checkRequests();
    const { agent, repository } = this.servers;
    const issues = issuesOf(repository);
    const accepted = agent.accepted.flatMap(({ prompt }) => namesIn(prompt));
    const dashboards = openDashboards(issues);
    const [dashboard] = dashboards;
    const shown = (dashboard?.body ?? "")
      .split(/^## /m)
      .filter((it) => /^(Waiting|Needs a decision|In progress)/.test(it))
      .flatMap(namesIn);
    const lost = this.file.names.filter((it) => !accepted.includes(it) && !shown.includes(it));
    if (lost.length > 0) this.wrong.push(`lost: ${lost.join(", ")}\n${dashboard?.body}`);
    const done = agent.accepted
      .filter(({ outcome }) => outcome !== "failed" && outcome !== "unknown")
      .flatMap(({ prompt }) => namesIn(prompt));
    const { doneCount, needsDecisionCount } = this.last?.outputs ?? {};
    const all = this.file.names.length;
    if (Number(doneCount) + Number(needsDecisionCount) !== all) {
      this.wrong.push(`${doneCount} done and ${needsDecisionCount} to decide on, of ${all}`);
    }
    const most = this.file.names.filter((name) => done.includes(name)).length;
    if (Number(doneCount) > most) this.wrong.push(`${doneCount} told as done, and ${most} are`);
    if (issues.length > 0 && dashboards.length !== 1)
      this.wrong.push(`${dashboards.length} open dashboards`);
  }

  #checkRequests(): void {
    const { accepted } = this;
    const names = new Set(accepted.flatMap(({ prompt }) => namesIn(prompt)));
    for (const name of names) {
      this.checkTimes(
        name,
        accepted.filter(({ prompt }) => namesIn(prompt).includes(name)),
      );
    }
    for (const { at } of this.#hasLate ? [] : accepted) {
      const inHour = accepted.filter((it) => it.at >= at && it.at < at + HOUR).length;
      if (inHour > this.#perHour) this.wrong.push(`${inHour} requests in an hour`);
    }
  }

  protected override performOther(event: FileEvent): void {
    switch (event.kind) {
      case "add":
        this.file.add(event.count, event.at, event.plain);
        return;
      case "take out":
        this.file.takeOut(event.at);
        return;
      case "put back":
        this.file.putBack(event.at);
        return;
      case "edit":
        this.file.edit(event.at);
        return;
      case "move":
        this.file.move(event.at);
    }
  }

  protected override keysOfBox(_id: string, line: string): string[] {
    return namesIn(line);
  }

  protected override async perform(
    run: RunEvent,
    options: RunOptions,
    turns?: Turns,
  ): Promise<Ran> {
    const { max, isDry, faults } = run;
    this.#workspace.write(FILE, this.file.text);
    this.#hasLate ||= faults.some(({ fault }) => fault.kind === "done late");
    const before = this.servers.agent.accepted.length;
    const dry = isDry ? { "dry-run": "true" } : {};
    const inputs = { "max-running": String(max), ...options.inputs, ...dry };
    const ran = await runInMemory(this.servers, this.#action, { ...options, inputs });
    const sent = this.servers.agent.accepted.slice(before).map(({ prompt }) => prompt);
    const unknown = sent.filter((prompt) => !this.file.prompts.includes(prompt));
    if (unknown.length > 0) this.wrong.push(`not in the file, and sent: ${unknown.join(" ")}`);
    if (isDry && turns === undefined && sent.length > 0) this.wrong.push("a dry run sends");
    this.checkRun(ran, run, dry);
    return ran;
  }
}
