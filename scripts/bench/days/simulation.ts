/** Days of an organization whose merges upkeep hands over, with a run every hour. */

import type { Turn } from "../../../emulator/service/agent/job.ts";
import { type DaysRun, runUpkeep, WORKFLOW } from "./in-process.ts";
import { HOUR, type Merged, MINUTE, Organization } from "./organization.ts";

export interface DaysSetting {
  repositories: number;
  mergesAnHour: number;
  hours: number;
  /** The share of GitHub's and the service's answers that fail. */
  failing: number;
  /** The hours in which a repository becomes private, and in which another one gets another name. */
  privateAt: number;
  renamedAt: number;
  /** Of each day, the hour in which a change is merged whose text the service refuses. */
  refusedAt: number;
  random: () => number;
}

/** Hours of a day in which a person decides about what needs a decision. */
const DECIDED_AT = 9;
/** Most hours without a merge until nothing is left to do. */
const MOST_QUIET = 48;

interface Undecided {
  id: string;
  reason: { code: string };
  /** `number`: null for a commit without a pull request. */
  changes: { repository: string; number: number | null }[];
}

export class DaysSimulation {
  readonly organization: Organization;
  readonly runs: DaysRun[] = [];
  /** How many changes waited at the end of each day. */
  readonly backlogs: number[] = [];
  /** Keys of the changes that needed a decision by themselves because the service refused them. */
  readonly refused = new Set<string>();
  readonly #setting: DaysSetting;
  readonly #lines: string[];
  readonly #since: string;
  #undecided: Undecided[] = [];

  constructor(setting: DaysSetting) {
    this.#setting = setting;
    this.organization = new Organization(setting.repositories, setting.random);
    this.#lines = this.organization.repositories.map(({ fullName }) => fullName);
    this.#writeWorkflow();
    // The first commits of the repositories are older.
    this.organization.servers.now += HOUR;
    this.#since = new Date(this.organization.servers.now).toISOString();
  }

  #writeWorkflow(): void {
    const files = { [WORKFLOW]: `repositories: ${this.#lines.join(" ")}\n` };
    this.organization.servers.repository.push({ message: "Edit the workflow", files });
  }

  async simulate(): Promise<void> {
    const { servers } = this.organization;
    const begun = servers.now;
    const { hours } = this.#setting;
    for (let hour = 0; hour < hours; hour++) {
      await this.#hour(hour, begun + hour * HOUR);
      if ((hour + 1) % 24 === 0 || hour + 1 === hours) this.backlogs.push(this.waiting().length);
    }
    for (let hour = hours; hour < hours + MOST_QUIET && !this.#isQuiet(); hour++) {
      this.#advance(begun + hour * HOUR);
      await this.#run();
      await this.#decide();
    }
  }

  /** Changes that were not handed over yet. */
  waiting(): Merged[] {
    const handed = this.handedOver();
    const { privateSince, merged } = this.organization;
    return merged.filter(
      ({ key, isRefused, repository }) =>
        !isRefused && !privateSince.has(repository.id) && !handed.has(key),
    );
  }

  /** The requests that the service accepted with each change. */
  handedOver(): Map<string, Turn[]> {
    const { servers } = this.organization;
    const handed = new Map<string, Turn[]>();
    for (const turn of servers.agent.accepted) {
      for (const key of this.organization.keysIn(turn.prompt)) {
        handed.set(key, [...(handed.get(key) ?? []), turn]);
      }
    }
    return handed;
  }

  #isQuiet(): boolean {
    return this.waiting().length === 0 && this.#undecided.length === 0;
  }

  async #hour(hour: number, begin: number): Promise<void> {
    const { mergesAnHour, random, privateAt, renamedAt, refusedAt } = this.#setting;
    const { repositories } = this.organization;
    const runAt = begin + (17 + 10 * random()) * MINUTE;
    const merges = Array.from({ length: mergesAnHour }, () => begin + random() * HOUR);
    let hasRun = false;
    for (const [nth, at] of merges.toSorted((one, other) => one - other).entries()) {
      if (!hasRun && at >= runAt) {
        this.#advance(runAt);
        await this.#run();
        hasRun = true;
      }
      this.#advance(at);
      this.organization.land(nth === 0 && hour % 24 === refusedAt);
    }
    const [hidden, renamed] = [repositories[9], repositories[2]];
    if (hour === privateAt && hidden !== undefined) this.organization.hide(hidden);
    if (hour === renamedAt) renamed?.rename("acme/renamed");
    if (hour % 24 === DECIDED_AT) await this.#decide();
    this.organization.forgetOldLedgers();
  }

  #advance(to: number): void {
    const { servers } = this.organization;
    servers.now = Math.max(servers.now, to);
    this.organization.mergeDocs();
  }

  async #run(decisions: string | null = null): Promise<void> {
    const { random, failing } = this.#setting;
    const { servers } = this.organization;
    const inputs = {
      ...DEFAULTS,
      since: this.#since,
      repositories: this.#lines.join("\n"),
      decisions: decisions ?? "",
    };
    const isByHand = decisions !== null;
    const runId = String(1_000 + this.runs.length);
    const run = await runUpkeep(servers, { inputs, runId, isByHand, failing, random });
    this.runs.push(run);
    const { needsDecision } = run.outputs;
    if (needsDecision === undefined || needsDecision === "") return;
    this.#undecided = JSON.parse(needsDecision) as Undecided[];
    for (const { reason, changes } of this.#undecided) {
      const [key] = changes.map((change) => this.#keyOf(change));
      if (reason.code === "refused" && changes.length === 1 && key !== undefined)
        this.refused.add(key);
    }
  }

  #keyOf({ repository, number }: Undecided["changes"][number]): string {
    return `${this.organization.servers.github.find(repository).id}#${number}`;
  }

  /** A person looks at what needs a decision, and takes a private repository out of the workflow file. */
  async #decide(): Promise<void> {
    const { privateSince, repositories } = this.organization;
    for (const { id, fullName } of repositories) {
      const at = privateSince.has(id) ? this.#lines.indexOf(fullName) : -1;
      if (at < 0) continue;
      this.#lines.splice(at, 1);
      this.#writeWorkflow();
    }
    if (this.#undecided.length === 0) return;
    const answers = this.#undecided.map((entry) => `${entry.id}: ${this.#answerTo(entry)}`);
    await this.#run([...answers, "go on"].join("\n"));
  }

  /** What the service refuses is left. For what it may have received, its list of jobs is searched. */
  #answerTo({ reason, changes }: Undecided): string {
    if (reason.code === "refused") return "leave";
    const [key = ""] = changes.map((change) => this.#keyOf(change));
    if (reason.code !== "unanswered" && reason.code !== "run-ended") return "again";
    const job = this.organization.servers.agent.jobs.findLast(({ turns }) =>
      turns.some(({ prompt }) => this.organization.keysIn(prompt).includes(key)),
    );
    return job?.id ?? "again";
  }
}

const DEFAULTS = {
  "ignore-labels": "skip-docs",
  "ignore-authors": "dependabot[bot]",
  "max-changes": "30",
  "max-jobs-per-day": "48",
};
