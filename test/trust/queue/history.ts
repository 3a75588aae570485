import { rmSync } from "node:fs";
import { tickedBoxes } from "../../../src/ledger/dashboard/boxes.ts";
import { queue } from "../../../src/queue/queue.ts";
import { recoverQueue } from "../../../src/queue/recover.ts";
import { FaultyServers } from "../../support/memory-world/faulty-servers.ts";
import { openDashboards } from "../../support/memory-world/open-dashboards.ts";
import {
  type ActionInMemory,
  chance,
  type Ran,
  runInMemory,
  Turns,
} from "../../support/memory-world/runs.ts";
import { makeWorkspace } from "../../support/workspace.ts";
import type { Event, RunEvent, Setting } from "./events.ts";
import { EditedFile, namesIn } from "./file.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FILE = "tasks.json";
/** Most runs that may pass until a history is quiet, when nothing goes wrong any more. */
const MOST_RUNS = 120;

/** Errors that nothing which happens in a history explains. */
const UNEXPECTED = ["internal", "timeout"];

const UNDISTURBED: RunEvent = { max: 3, kill: null, post: false, isDry: false, faults: [] };

/** A file of tasks, a dashboard and its runs, and what is wrong with them. */
export class History {
  readonly servers: FaultyServers;
  readonly file = new EditedFile();
  /** Sentences: what was found wrong. */
  readonly wrong: string[] = [];
  /** Ids of tasks that a person decided to hand over again, as often as that. */
  readonly #again: string[] = [];
  readonly #setting: Setting;
  readonly #random: () => number;
  readonly #workspace = makeWorkspace();
  readonly #action: ActionInMemory;
  runs = 0;
  /** How often the key was rotated; only after a run that did its work with the key of then. */
  #rotations = 0;
  #mayRotate = false;
  /** Requests may be accepted after their time. */
  #hasLate = false;
  #last: Ran | null = null;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#random = chance(setting.seed);
    let nth = -1;
    this.servers = new FaultyServers(() => {
      nth += 1;
      const plan = setting.plans[nth % setting.plans.length];
      // Whatever the agent does for long, it comes to an end at some time.
      return nth < 60 && plan !== undefined ? plan : { outcome: "pull", takes: 0 };
    });
    this.#action = {
      main: queue,
      post: (saved, read, dependencies) => recoverQueue(saved, read, dependencies),
      inputs: { "tasks-file": FILE, "per-hour": String(setting.perHour) },
      workspace: this.#workspace.path,
    };
  }

  close(): void {
    rmSync(this.#workspace.path, { recursive: true });
    this.#workspace[Symbol.dispose]();
  }

  async happen(event: Event): Promise<void> {
    this.servers.now += 1000;
    this.servers.agent.openDuePulls();
    this.servers.catchUp();
    await this.#do(event);
  }

  /** Lets everything come to its end, undisturbed. */
  async runUntilQuiet(): Promise<void> {
    const { servers } = this;
    for (let run = 1, quiet = 0; quiet < 2; run++) {
      servers.catchUp();
      this.#setDashboards("open");
      servers.now += 62 * MINUTE;
      servers.agent.openDuePulls();
      const ran = await this.run(UNDISTURBED);
      const { result = "", startedCount, runningCount } = ran.outputs;
      if (ran.errorKind !== "") {
        this.wrong.push(`an undisturbed run fails: ${ran.errorKind}\n${ran.log.join("\n")}`);
        return;
      }
      const isQuiet = ["idle", "finished"].includes(result) && runningCount === "0";
      quiet = isQuiet && startedCount === "0" ? quiet + 1 : 0;
      this.#last = ran;
      if (run === MOST_RUNS) {
        this.wrong.push(`not quiet after ${run} runs: ${JSON.stringify(ran.outputs)}`);
        return;
      }
    }
  }

  /** No task in two accepted requests; none lost; whatever is in none is visible. */
  check(): void {
    if (this.wrong.length > 0) return;
    this.#checkRequests();
    const { agent, issues } = this.servers;
    const accepted = agent.accepted.flatMap(({ prompt }) => namesIn(prompt));
    const dashboards = openDashboards(issues.issues);
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
    const { doneCount, needsDecisionCount } = this.#last?.outputs ?? {};
    const all = this.file.names.length;
    if (Number(doneCount) + Number(needsDecisionCount) !== all) {
      this.wrong.push(`${doneCount} done and ${needsDecisionCount} to decide on, of ${all}`);
    }
    const most = this.file.names.filter((name) => done.includes(name)).length;
    if (Number(doneCount) > most) this.wrong.push(`${doneCount} told as done, and ${most} are`);
    if (issues.issues.length > 0 && dashboards.length !== 1)
      this.wrong.push(`${dashboards.length} open dashboards`);
  }

  #checkRequests(): void {
    const { agent, denied } = this.servers;
    const accepted = agent.jobs.flatMap(({ id, turns }) => turns.map((turn) => ({ ...turn, id })));
    const names = new Set(accepted.flatMap(({ prompt }) => namesIn(prompt)));
    for (const name of names) {
      const times = accepted.filter(({ prompt }) => namesIn(prompt).includes(name));
      const again = this.#again.filter((it) => it === name).length;
      const given = times.slice(0, -1).filter(({ id, outcome, endsAt }, at) => {
        const next = times[at + 1];
        const isOver = next !== undefined && endsAt <= next.at;
        return denied.has(id) || (isOver && (outcome === "failed" || outcome === "unknown"));
      }).length;
      if (times.length - 1 > given + again) {
        const where = times.map(({ outcome, at }) => `${at} (${outcome})`).join(", ");
        this.wrong.push(`${name} is in ${times.length} accepted requests: ${where}`);
      }
      if (times.length > 3 + again) this.wrong.push(`${name} was sent ${times.length} times`);
    }
    for (const { at } of this.#hasLate ? [] : accepted) {
      const inHour = accepted.filter((it) => it.at >= at && it.at < at + HOUR).length;
      if (inHour > this.#setting.perHour) this.wrong.push(`${inHour} requests in an hour`);
    }
  }

  async #do(event: Event): Promise<void> {
    switch (event.kind) {
      case "add":
        return this.file.add(event.count, event.at, event.plain);
      case "take out":
        return this.file.takeOut(event.at);
      case "put back":
        return this.file.putBack(event.at);
      case "edit":
        return this.file.edit(event.at);
      case "move":
        return this.file.move(event.at);
      case "pass":
        this.servers.now += event.minutes * MINUTE;
        return;
      case "rotate the key":
        if (this.#mayRotate) this.#rotations += 1;
        this.#mayRotate = false;
        return;
      case "run":
        await this.run(event.run);
        return;
      case "runs": {
        let nth = 0;
        const { runs, order } = event;
        const turns = new Turns(runs.length, () => order[nth++ % order.length] ?? 0);
        await Promise.all(runs.map((run) => this.run(run, turns)));
        return;
      }
      default:
        this.#doToDashboard(event);
    }
  }

  #doToDashboard(event: Event): void {
    const { issues } = this.servers;
    const dashboard = issues.issues.find(({ state }) => state === "open");
    if (dashboard === undefined) return;
    switch (event.kind) {
      case "tick": {
        let nth = -1;
        const before = tickedBoxes(dashboard.body);
        dashboard.body = dashboard.body.replaceAll(/^- \[ \] <!-- again=/gm, (box) => {
          nth += 1;
          return nth === event.box ? box.replace("[ ]", "[x]") : box;
        });
        const ticked = dashboard.body.match(/^- \[x\] .*$/gm) ?? [];
        const isNew = tickedBoxes(dashboard.body).map((it) => !before.includes(it));
        this.#again.push(...ticked.filter((_, at) => isNew[at]).flatMap(namesIn));
        return;
      }
      case "close dashboard":
        this.#setDashboards("closed");
        return;
      case "empty body":
        dashboard.body = "";
        return;
      case "say something":
        issues.write(dashboard.number, "What is this?");
        return;
      case "quote a marker": {
        const last = issues.comments.findLast(({ issue }) => issue === dashboard.number);
        issues.write(dashboard.number, last?.body ?? "");
      }
    }
  }

  /** A dashboard that lost against another stays closed. */
  #setDashboards(state: "open" | "closed"): void {
    const [first] = this.servers.issues.issues;
    if (first !== undefined) first.state = state;
  }

  /** One run of the queue. */
  async run({ max, kill, post, isDry, faults }: RunEvent, turns?: Turns): Promise<Ran> {
    this.runs += 1;
    this.#workspace.write(FILE, this.file.text);
    this.#hasLate ||= faults.some(({ fault }) => fault.kind === "done late");
    const before = this.servers.agent.accepted.length;
    const ran = await runInMemory(this.servers, this.#action, {
      ...(kill === null ? {} : { kill }),
      ...(turns === undefined ? {} : { turns }),
      ...{ post, random: chance(Math.floor(this.#random() * 2 ** 31)) },
      faults: new Map(faults.map((it) => [it.at, it.fault])),
      inputs: {
        "max-running": String(max),
        "api-key": keyOf(this.#rotations),
        "previous-api-key": this.#rotations === 0 ? "" : keyOf(this.#rotations - 1),
        ...(isDry ? { "dry-run": "true" } : {}),
      },
    });
    const sent = this.servers.agent.accepted.slice(before).map(({ prompt }) => prompt);
    const unknown = sent.filter((prompt) => !this.file.prompts.includes(prompt));
    if (unknown.length > 0) this.wrong.push(`not in the file, and sent: ${unknown.join(" ")}`);
    if (isDry && turns === undefined && sent.length > 0) this.wrong.push("a dry run sends");
    // GitHub says 404 of what a workflow names and GitHub does not know.
    const isMissing = faults.some(({ fault }) => "status" in fault && fault.status === 404);
    const isInput = ran.errorKind === "invalid-input" && !isMissing;
    if (UNEXPECTED.includes(ran.errorKind) || isInput) {
      this.wrong.push(`a run ends as ${ran.errorKind}:\n${ran.log.join("\n")}`);
    }
    const { result = "" } = ran.outputs;
    const isDone = !ran.isKilled && ran.errorKind === "" && !["busy", "paused"].includes(result);
    this.#mayRotate ||= isDone && !isDry;
    return ran;
  }
}

function keyOf(rotation: number): string {
  return `mint_test_${rotation}`;
}
