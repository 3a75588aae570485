import type { MemoryPull } from "../../../emulator/github/history/memory.ts";
import { tickedBoxes } from "../../../src/ledger/dashboard/boxes.ts";
import { keyIn, lineOf, missingOf } from "../../support/landed.ts";
import { FaultyServers } from "../../support/memory-world/faulty-servers.ts";
import { openDashboards } from "../../support/memory-world/open-dashboards.ts";
import { chance, type Ran, runUpkeep, Turns } from "../../support/memory-world/runs.ts";
import type { Event, RunEvent, Setting, Touch } from "./events.ts";

const MINUTE = 60_000;
const SINCE = "2026-02-01";
/** Most runs that may pass until a history is quiet, when nothing goes wrong any more. */
const MOST_RUNS = 60;
/** What a run may end with when nothing but what the history did to it went wrong. */
const MOST_REQUESTS = 60;

/** Errors that nothing which happens in a history explains. */
const UNEXPECTED = ["internal", "timeout"];

const UNDISTURBED: RunEvent = { max: 20, kill: null, post: false, inputs: {}, faults: [] };

/** A repository, its dashboard and its runs, and what is wrong with them. */
export class History {
  readonly servers: FaultyServers;
  /** Sentences: what was found wrong. */
  readonly wrong: string[] = [];
  /** Keys of changes that a person decided to hand over again, as often as that. */
  readonly #again: string[] = [];
  readonly #setting: Setting;
  readonly #random: () => number;
  /** Ids of jobs that a run told of. */
  readonly #jobs = new Set<string>();
  #tips: string[];
  runs = 0;
  /** The newest run. */
  last: Ran | null = null;
  /** How often the key was rotated; only after a run that did its work with the key of then. */
  #rotations = 0;
  #mayRotate = false;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#random = chance(setting.seed);
    let nth = -1;
    this.servers = new FaultyServers(() => {
      nth += 1;
      const plan = setting.plans[nth % setting.plans.length];
      // Whatever the agent does for long, it comes to an end at some time.
      return nth < 40 && plan !== undefined ? plan : { outcome: "pull", takes: 0 };
    });
    this.#tips = [this.servers.repository.tip()];
  }

  async happen(event: Event): Promise<void> {
    this.servers.now += 1000;
    this.servers.agent.openDuePulls();
    this.servers.catchUp();
    await this.#do(event);
    const tip = this.servers.repository.tip();
    if (tip !== this.#tips[0]) this.#tips.unshift(tip);
  }

  /** Lets everything come to its end, undisturbed. */
  async runUntilQuiet(): Promise<void> {
    const { servers } = this;
    let quiet = 0;
    for (let run = 1; quiet < 2; run++) {
      servers.catchUp();
      this.#setDashboards("open");
      servers.now += 61 * MINUTE;
      servers.agent.openDuePulls();
      const ran = await this.#run(UNDISTURBED);
      const { result = "", changeCount, finished } = ran.outputs;
      if (ran.errorKind !== "") {
        this.wrong.push(`an undisturbed run fails: ${ran.errorKind}\n${ran.log.join("\n")}`);
        return;
      }
      if (result === "held") for (const pull of servers.agent.pulls) this.#close(pull);
      if (result === "limited") servers.now += 24 * 60 * MINUTE;
      const isQuiet = result === "idle" && changeCount === "0" && finished === "[]";
      quiet = isQuiet ? quiet + 1 : 0;
      if (run === MOST_RUNS) {
        this.wrong.push(`not quiet after ${run} runs: ${JSON.stringify(ran.outputs)}`);
        return;
      }
    }
  }

  /** No change in two accepted requests; none lost; whatever is in none is visible. */
  check(): void {
    this.#checkRequests();
    const { repository, agent, issues } = this.servers;
    const accepted = agent.accepted.flatMap(({ prompt }) => this.#keysIn(prompt));
    const dashboards = openDashboards(issues.issues);
    const [dashboard] = dashboards;
    const sections = (dashboard?.body ?? "").split(/^## /m);
    const shown = sections
      .filter((it) => /^(Waiting|Needs a decision|In progress)/.test(it))
      .flatMap((it) => this.#keysIn(it));
    const passedOver = sections.find((it) => it.startsWith("Passed over")) ?? "";
    const filtered = passedOver
      .split("\n")
      .filter((line) => / — `(the same as|author|label|opened by)/.test(line))
      .flatMap((line) => this.#keysIn(line));
    const aside = this.#notCounting();
    const told = [...accepted, ...shown, ...filtered, ...aside];
    const missing = missingOf(repository, [...told, ...this.#titled(told)]);
    if (missing.length > 0) this.wrong.push(`lost: ${missing.join(", ")}`);
    const counted = accepted.filter((key) => aside.includes(key) && !this.#isOfLostJob(key));
    if (counted.length > 0) {
      const what = counted.map((key) => `${key} by ${this.#authorOf(key)}`);
      this.wrong.push(`does not count, and was sent: ${what.join(", ")}`);
    }
    if (issues.issues.length > 0 && dashboards.length !== 1)
      this.wrong.push(`${dashboards.length} open dashboards`);
  }

  /**
   * Whether a change is the docs pull request of a job whose id no run got to know: nothing tells it from
   * anybody else's.
   */
  #isOfLostJob(key: string): boolean {
    const { repository, agent } = this.servers;
    const branch = agent.pulls.find((pull) => keyIn(repository, pull) === key)?.branch;
    const job = agent.jobs.find(({ id }) => branch?.startsWith(`docs-agent/${id}-`));
    return job !== undefined && !this.#jobs.has(job.id);
  }

  #checkRequests(): void {
    const { agent, denied } = this.servers;
    const turns = agent.jobs.flatMap((job) => job.turns.map((turn) => ({ ...turn, job: job.id })));
    turns.sort((one, other) => one.at - other.at);
    const sent = new Map<string, typeof turns>();
    for (const turn of turns) {
      for (const key of this.#keysIn(turn.prompt)) {
        sent.set(key, [...(sent.get(key) ?? []), turn]);
      }
    }
    for (const [key, times] of sent) {
      const again = this.#again.filter((it) => it === key).length;
      const given = times.slice(0, -1).filter(({ outcome, endsAt, job }, at) => {
        const next = times[at + 1];
        const isBack = outcome === "failed" || outcome === "unknown";
        return denied.has(job) || (isBack && next !== undefined && endsAt <= next.at);
      }).length;
      if (times.length - 1 > given + again) {
        const where = times.map((it) => `${it.job} (${it.outcome})`).join(", ");
        this.wrong.push(`${key} is in ${times.length} accepted requests: ${where}`);
      }
      if (times.length > 3 + again) this.wrong.push(`${key} was sent ${times.length} times`);
    }
  }

  async #do(event: Event): Promise<void> {
    const { repository, agent } = this.servers;
    const open = repository.pulls.find(
      (pull) => pull.state === "open" && !agent.pulls.includes(pull),
    );
    switch (event.kind) {
      case "push":
        repository.push({ author: event.author });
        return;
      case "land": {
        const commits = Array.from({ length: event.commits }, () => ({}));
        const labels = event.label ? ["skip-docs"] : [];
        repository.merge(repository.openPull({ commits, labels }), event.method, event.by);
        return;
      }
      case "open":
        repository.openPull({ commits: [{}, {}] });
        return;
      case "merge open":
        if (open !== undefined) repository.merge(open, event.method);
        return;
      case "close open":
        if (open !== undefined) repository.close(open);
        return;
      case "pull": {
        // A commit on top of what the branch was before, and `git pull` after it.
        const earlier = this.#tips[event.back] ?? repository.tip();
        if (earlier === repository.tip() || !lineOf(repository).includes(earlier)) return;
        repository.pushMerge([repository.commit(earlier), repository.tip()]);
        return;
      }
      case "drop":
        repository.forcePush(this.#back(event.commits));
        return;
      case "rewrite": {
        const from = this.#back(event.commits);
        // A rebase on a machine makes no merges anew.
        const line = lineOf(repository);
        const isPlain = line
          .slice(0, line.indexOf(from))
          .every((sha) => repository.find(sha)?.parents.length === 1);
        if (!isPlain) return;
        const onto = repository.commit(from);
        repository.rewrite(from, onto);
        return;
      }
      case "forget": {
        const sha = this.#tips[event.back] ?? "";
        if (!lineOf(repository).includes(sha)) repository.gone.add(sha);
        return;
      }
      case "pass":
        this.servers.now += event.minutes * MINUTE;
        return;
      case "docs": {
        const pull = agent.pulls.find(({ state }) => state === "open");
        if (pull === undefined) return;
        if (event.does === "merge") repository.merge(pull, event.method);
        else this.#close(pull);
        return;
      }
      case "rotate the key":
        if (this.#mayRotate) this.#rotations += 1;
        this.#mayRotate = false;
        return;
      case "run":
        await this.#run(event.run);
        return;
      case "runs":
        await this.#runAtOnce(event.runs, event.order);
        return;
      default:
        this.#touchDashboard(event);
    }
  }

  #touchDashboard(event: Touch): void {
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
        const ticked = tickedBoxes(dashboard.body).filter((it) => !before.includes(it));
        this.#again.push(...ticked.map((it) => it.slice(it.indexOf("/") + 1)));
        return;
      }
      case "close dashboard":
        this.#setDashboards("closed");
        return;
      case "empty body":
        dashboard.body = "";
        return;
      case "take the label off":
        dashboard.labels = [];
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

  #close(pull: MemoryPull): void {
    if (pull.state === "open") this.servers.repository.close(pull);
  }

  #back(commits: number): string {
    const { repository } = this.servers;
    let sha = repository.tip();
    for (let left = commits; left > 0; left -= 1) sha = repository.find(sha)?.parents[0] ?? sha;
    return sha;
  }

  async #run(run: RunEvent, turns?: Turns): Promise<Ran> {
    const { mode, comment } = this.#setting;
    const { kill, post, faults } = run;
    this.runs += 1;
    const ran = await runUpkeep(this.servers, {
      ...(kill === null ? {} : { kill }),
      ...(turns === undefined ? {} : { turns }),
      ...{ post, random: chance(Math.floor(this.#random() * 2 ** 31)) },
      faults: new Map(faults.map((it) => [it.at, it.fault])),
      inputs: {
        since: SINCE,
        "max-changes": String(run.max),
        "open-pull-request": mode,
        comment: String(comment),
        "api-key": keyOf(this.#rotations),
        "previous-api-key": this.#rotations === 0 ? "" : keyOf(this.#rotations - 1),
        ...run.inputs,
      },
    });
    this.last = ran;
    // GitHub says 404 of what a workflow names and GitHub does not know.
    const isMissing = faults.some(({ fault }) => "status" in fault && fault.status === 404);
    const isInput = ran.errorKind === "invalid-input" && !isMissing;
    const isWaited = ran.errorKind === "timeout" && run.inputs.wait === "true";
    if ((UNEXPECTED.includes(ran.errorKind) && !isWaited) || isInput) {
      this.wrong.push(`a run ends as ${ran.errorKind}:\n${ran.log.join("\n")}`);
    }
    this.#jobs.add(ran.outputs.jobId ?? "");
    const isDryRun = run.inputs["dry-run"] === "true";
    const { result = "" } = ran.outputs;
    const isDone = !ran.isKilled && ran.errorKind === "" && !["busy", "paused"].includes(result);
    this.#mayRotate ||= isDone && !isDryRun;
    const toGitHub = ran.requests.filter((it) => it.includes("api.github")).length;
    if (toGitHub > MOST_REQUESTS) this.wrong.push(`a run makes ${toGitHub} requests to GitHub`);
    return ran;
  }

  async #runAtOnce(runs: readonly RunEvent[], order: readonly number[]): Promise<void> {
    let nth = 0;
    const turns = new Turns(runs.length, () => order[nth++ % order.length] ?? 0);
    await Promise.all(runs.map((run) => this.#run(run, turns)));
  }

  /** Keys of what filters leave out. */
  #notCounting(): string[] {
    const { repository } = this.servers;
    const pulls = repository.pulls.filter(
      ({ author, labels }) => author === "docs-agent[bot]" || labels.includes("skip-docs"),
    );
    const commits = [...repository.commits.values()].filter(
      ({ author }) => author === "dependabot[bot]",
    );
    return [
      ...pulls.map((pull) => keyIn(repository, pull)),
      ...commits.map(({ sha }) => keyIn(repository, sha)),
    ];
  }

  /** Commits made anew by whose titles it is known that they are a pull request that was dealt with. */
  #titled(told: readonly string[]): string[] {
    const { repository } = this.servers;
    return lineOf(repository).flatMap((sha) => {
      const [, number] = /^.*\(#(\d+)\)$/.exec(repository.find(sha)?.message ?? "") ?? [];
      const isTold = told.includes(keyIn(repository, { number: Number(number) }));
      return isTold ? [keyIn(repository, sha)] : [];
    });
  }

  #authorOf(key: string): string {
    const { repository } = this.servers;
    const pull = repository.pulls.find((it) => keyIn(repository, it) === key);
    return pull?.author ?? repository.find(key.slice(key.indexOf("@") + 1))?.author ?? "";
  }

  #keysIn(text: string): string[] {
    const { repository } = this.servers;
    const found = text.matchAll(
      /https:\/\/github\.com\/acme\/code\/(?:pull\/(\d+)|commit\/([0-9a-f]{40}))/g,
    );
    const keys = [...found].map(([, number, sha]) =>
      keyIn(repository, sha ?? { number: Number(number) }),
    );
    return [...new Set(keys)];
  }
}

function keyOf(rotation: number): string {
  return `mint_test_${rotation}`;
}
