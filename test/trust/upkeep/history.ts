import { mergeabilityOf } from "../../../emulator/github/merge.ts";
import type { Pull } from "../../../emulator/github/state.ts";
import { keyIn, lineOf, missingOf } from "../../support/landed.ts";
import { issuesOf, openDashboards } from "../../support/memory-world/open-dashboards.ts";
import { type Ran, type RunOptions, runUpkeep } from "../../support/memory-world/runs.ts";
import { applyRepositoryEvent } from "../../support/repository-events.ts";
import { type Accepted, LedgerHistory } from "../ledger-history.ts";
import type { Event, OtherEvent, RunEvent, Setting } from "./events.ts";

const MINUTE = 60_000;
const SINCE = "2026-02-01";
/** What a run may end with when nothing but what the history did to it went wrong. */
const MOST_REQUESTS = 60;

const UNDISTURBED: RunEvent = { max: 20, kill: null, post: false, inputs: {}, faults: [] };

/** A repository, its dashboard and its runs, and what is wrong with them. */
export class History extends LedgerHistory<RunEvent, OtherEvent> {
  readonly #setting: Setting;
  /** Ids of jobs that a run told of. */
  readonly #jobs = new Set<string>();
  #tips: string[];

  constructor(setting: Setting) {
    super(setting, 40);
    this.#setting = setting;
    this.#tips = [this.servers.repository.tip()];
  }

  override async happen(event: Event): Promise<void> {
    await super.happen(event);
    const tip = this.servers.repository.tip();
    if (tip !== this.#tips[0]) this.#tips.unshift(tip);
  }

  /** Lets everything come to its end, undisturbed. */
  async runUntilQuiet(): Promise<void> {
    await this.runUntil({ run: UNDISTURBED, apart: 61, mostRuns: 60 });
  }

  protected override isQuiet({ outputs }: Ran): boolean {
    const { servers } = this;
    const { result = "", changeCount, finished } = outputs;
    if (result === "held") for (const pull of servers.agent.pulls) this.#close(pull);
    if (result === "limited") servers.now += 24 * 60 * MINUTE;
    return result === "idle" && changeCount === "0" && finished === "[]";
  }

  /** No change in two accepted requests; none lost; whatever is in none is visible. */
  check(): void {
    this.#checkRequests();
    const { repository, agent } = this.servers;
    const issues = issuesOf(repository);
    const accepted = agent.accepted.flatMap(({ prompt }) => this.#keysIn(prompt));
    const dashboards = openDashboards(issues);
    const [dashboard] = dashboards;
    const sections = (dashboard?.body ?? "").split(/^## /m);
    const shown = sections
      .filter((it) => /^(Waiting|Needs a decision|In progress)/.test(it))
      .flatMap((it) => this.#keysIn(it));
    const passedOver = sections.find((it) => it.startsWith("Passed over")) ?? "";
    const filtered = passedOver
      .split("\n")
      .filter((line) => / — `(same as|author|label|opened by)/.test(line))
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
    if (issues.length > 0 && dashboards.length !== 1)
      this.wrong.push(`${dashboards.length} open dashboards`);
  }

  /**
   * Whether a change is the docs pull request of a job whose id no run got to know: nothing tells it from
   * anybody else's.
   */
  #isOfLostJob(key: string): boolean {
    const { repository, agent } = this.servers;
    const branch = agent.pulls.find((pull) => keyIn(repository, pull) === key)?.branch;
    const job = agent.jobs.find(({ id }) => branch === `docs-agent/${id}`);
    return job !== undefined && !this.#jobs.has(job.id);
  }

  #checkRequests(): void {
    const sent = new Map<string, Accepted[]>();
    for (const turn of this.accepted) {
      for (const key of this.#keysIn(turn.prompt)) {
        sent.set(key, [...(sent.get(key) ?? []), turn]);
      }
    }
    for (const [key, times] of sent) this.checkTimes(key, times);
  }

  protected override performOther(event: OtherEvent): void {
    const { repository, agent } = this.servers;
    switch (event.kind) {
      case "forget": {
        const sha = this.#tips[event.back] ?? "";
        if (!lineOf(repository).includes(sha)) repository.gone.add(sha);
        return;
      }
      case "docs": {
        const pull = agent.pulls.find(({ state }) => state === "open");
        if (pull === undefined) return;
        const isMerged =
          event.does === "merge" && mergeabilityOf(repository, pull).state === "clean";
        if (isMerged) repository.merge(pull, event.method);
        else this.#close(pull);
        return;
      }
      default:
        applyRepositoryEvent(repository, event, this.#tips);
    }
  }

  protected override keysOfBox(id: string): string[] {
    return [id.slice(id.indexOf("/") + 1)];
  }

  #close(pull: Pull): void {
    if (pull.state === "open") this.servers.repository.close(pull);
  }

  protected override async perform(run: RunEvent, options: RunOptions): Promise<Ran> {
    const { mode, comment } = this.#setting;
    const ran = await runUpkeep(this.servers, {
      ...options,
      inputs: {
        since: SINCE,
        "max-changes": String(run.max),
        "open-pull-request": mode,
        comment: String(comment),
        ...options.inputs,
        ...run.inputs,
      },
    });
    this.checkRun(ran, run, run.inputs);
    this.#jobs.add(ran.outputs.jobId ?? "");
    const toGitHub = ran.requests.filter((it) => it.includes("api.github")).length;
    if (toGitHub > MOST_REQUESTS) this.wrong.push(`a run makes ${toGitHub} requests to GitHub`);
    return ran;
  }

  /** Keys of what filters leave out. */
  #notCounting(): string[] {
    const { repository } = this.servers;
    const pulls = repository.pulls.filter(
      ({ author, labels }) => author === "docs-agent[bot]" || labels.includes("skip-docs"),
    );
    const commits = [...repository.objects.commits.values()].filter(
      ({ author }) => author.name === "dependabot[bot]",
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
      const [, number] = /^.*\(#(\d+)\)$/m.exec(repository.find(sha)?.message ?? "") ?? [];
      const isTold = told.includes(keyIn(repository, { number: Number(number) }));
      return isTold ? [keyIn(repository, sha)] : [];
    });
  }

  #authorOf(key: string): string {
    const { repository } = this.servers;
    const pull = repository.pulls.find((it) => keyIn(repository, it) === key);
    return pull?.author ?? repository.find(key.slice(key.indexOf("@") + 1))?.author.name ?? "";
  }

  #keysIn(text: string): string[] {
    const { repository } = this.servers;
    // A docs pull request quotes the prompt that it came from.
    const own = text.replaceAll(/^> >.*$/gm, "");
    const found = own.matchAll(
      /https:\/\/github\.com\/acme\/code\/(?:pull\/(\d+)|commit\/([0-9a-f]{40}))/g,
    );
    const keys = [...found].map(([, number, sha]) =>
      keyIn(repository, sha ?? { number: Number(number) }),
    );
    return [...new Set(keys)];
  }
}
