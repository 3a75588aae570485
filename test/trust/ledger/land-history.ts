import { AGENT, WORKFLOW } from "../../../emulator/github/people.ts";
import { filesOf } from "../../../emulator/github/routes/pulls.ts";
import { LocalGitHub } from "../../../emulator/local-world/local-github.ts";
import { answerV2 } from "../../../emulator/service/agent/routes.ts";
import { jobMarkers } from "../../../src/github/conversation/job-marker.ts";
import type { LandLedgerFile } from "../../../src/land/format.ts";
import { land } from "../../../src/land/land.ts";
import { recordKilledLand } from "../../../src/land/run.ts";
import { batchFormat } from "../../../src/ledger/model/format.ts";
import type { BatchLedgerFile } from "../../../src/ledger/model/schema.ts";
import { shortHash } from "../../../src/text/short-hash.ts";
import { ledgersOf } from "../../support/ledgers-of.ts";
import { FaultyServers } from "../../support/memory-world/faulty-servers.ts";
import { type Habit, isTrouble, relieve, turnOn } from "../../support/memory-world/habits.ts";
import type { WorldEvent } from "../../support/memory-world/ledger-world.ts";
import {
  type ActionInMemory,
  chance,
  type Ran,
  runInMemory,
  type Turns,
} from "../../support/memory-world/runs.ts";
import type { Event, Run } from "./events.ts";
import type { LandEvent, LandSetting } from "./land-events.ts";
import { LandWatch } from "./land-watch.ts";
import { isPlain, optionsOf, runTogether } from "./run-events.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PROJECT = "docs";
/** Most runs until nothing is left to do. A run comes after more time than a job or a delay takes. */
const MOST_RUNS = 40;
/** Most docs pull requests of a history. */
const MOST = 3;

/** Docs pull requests and land's runs. Checked by what is known of the world, and not of the action. */
export class LandHistory {
  readonly story: string[] = [];
  readonly wrong: string[] = [];
  runs = 0;
  /** The last run; its `result` says what it did. */
  last: Ran | null = null;
  readonly #setting: LandSetting;
  readonly #servers: FaultyServers;
  readonly #people: LocalGitHub;
  readonly #watch: LandWatch;
  readonly #askedByComment = new Set<string>();
  /** Docs pull requests that land's ledger has held after a run. */
  readonly #recorded = new Set<string>();
  #isTroubled = false;
  readonly #random: () => number;
  #keys = 0;
  #things = 0;
  #jobs = 0;
  readonly #reviews: BatchLedgerFile["reviews"] = [];

  constructor(setting: LandSetting) {
    let nth = -1;
    this.#servers = new FaultyServers(() => {
      nth += 1;
      return setting.plans[nth % setting.plans.length] ?? { outcome: "completed", takes: 0 };
    });
    this.#setting = setting;
    this.#random = chance(setting.seed);
    const { github, repository } = this.#servers;
    repository.mergeRule = setting.rule;
    github.site.isMergeabilityLate = setting.isMergeabilityLate;
    this.#people = new LocalGitHub(github, repository);
    this.#watch = new LandWatch(setting, this.#servers, this.wrong);
    for (const by of ["ledger", "comment"] as const) this.#document(by);
  }

  [Symbol.dispose](): void {}

  async happen(event: Event<LandEvent>): Promise<void> {
    const servers = this.#servers;
    servers.now += 1000;
    this.#watch.isLate = true;
    servers.catchUp();
    this.#watch.isLate = false;
    servers.agent.openDuePulls();
    this.#publish();
    this.story.push(JSON.stringify(event));
    if (event.kind === "run") await this.#run((event as { run: Run<LandEvent> }).run);
    else if (event.kind === "runs") {
      const together = event as { runs: Run<LandEvent>[]; order: number[] };
      await runTogether(together, (run, turns) => this.#run(run, turns));
    } else await this.#apply(event as LandEvent | WorldEvent);
    this.#watch.checkFollowUps();
  }

  /** Undisturbed, every docs pull request comes to where nothing but people can bring it on. */
  async settle(): Promise<void> {
    this.#relieve();
    let isLater = false;
    for (let run = 1, quiet = 0; quiet < 2 && this.wrong.length === 0; run++) {
      const before = this.#watch.writes;
      this.#servers.now += 4 * HOUR;
      await this.happen({ kind: "run", run: {} });
      const isHeld = this.#open().some(({ intent }) => intent !== null);
      // If time passed while GitHub answered a run, its intent has a time in the future.
      if (isHeld) this.#servers.now += DAY;
      quiet = this.#watch.writes === before && !isHeld ? quiet + 1 : 0;
      // Land remembers for a day that GitHub refused something.
      if (quiet === 2 && !isLater) {
        isLater = true;
        quiet = 0;
        this.#servers.now += DAY;
      }
      if (run === MOST_RUNS) this.wrong.push(`not quiet after ${run} runs`);
    }
    for (const { url, intent } of this.#open())
      if (intent !== null) this.wrong.push(`an intent for ${url} is left in the end`);
    for (const { url } of this.#ledger()?.unbuilt ?? []) {
      this.wrong.push(`the merge of ${url} waits for a build in the end`);
    }
    this.#watch.checkEnd(this.#recorded);
    this.#watch.checkBuilds(this.#merged());
  }

  /** The docs pull requests that land's ledger holds. */
  #open(): LandLedgerFile["open"] {
    return this.#ledger()?.open ?? [];
  }

  /** The numbers of the docs pull requests that land's ledger holds as merged. */
  #merged(): string[] {
    const ended = this.#ledger()?.ended ?? [];
    return ended
      .filter(({ state }) => state === "merged")
      .map(({ url }) => url.split("/").at(-1) ?? "");
  }

  #ledger(): LandLedgerFile | undefined {
    const ledgers = ledgersOf<LandLedgerFile>(this.#servers.repository);
    return ledgers.find(({ ref }) => ref.includes("/land/"))?.ledger;
  }

  async #run(run: Run<LandEvent>, turns?: Turns): Promise<void> {
    this.runs += 1;
    const { meanwhile = [], inputs = {} } = run;
    const before = this.#watch.writes;
    const ran = await runInMemory(this.#servers, this.#action(), {
      ...optionsOf(run, this.#random, turns),
      onRequest: (_, at) => {
        const now = meanwhile.filter((it) => it.at === at).map(({ event }) => event);
        // A run cannot know that its request is on its way for long.
        this.#watch.isLate = now.some(({ kind }) => kind === "pass");
        for (const event of now) this.#apply(event);
      },
      inputs: inputs["dry-run"] === undefined ? {} : { "dry-run": inputs["dry-run"] },
    });
    for (const { url } of this.#open()) this.#recorded.add(url);
    const { openCount, mergedCount, followUpCount, pullRequests } = ran.outputs;
    const result = `${followUpCount} sent, ${mergedCount} merged`;
    const summary = `${result}, ${openCount} open: ${pullRequests}`;
    this.last = { ...ran, outputs: { ...ran.outputs, result } };
    this.story.push(`  → ${ran.isKilled ? "killed" : ran.errorKind || summary}`);
    if (inputs["dry-run"] === "true" && turns === undefined && this.#watch.writes > before)
      this.wrong.push("a dry run writes");
    const isUndisturbed = isPlain(run) && turns === undefined && !this.#isTroubled;
    if (ran.errorKind === "internal" || (isUndisturbed && ran.errorKind !== ""))
      this.#wrongRun(ran);
  }

  #wrongRun({ errorKind, log }: Ran): void {
    this.wrong.push(`a run ends as ${errorKind}:\n${log.join("\n")}`);
  }

  #action(): ActionInMemory {
    const { merge, maxFollowUps, delayHours, required, inputs } = this.#setting;
    return {
      main: land,
      post: recordKilledLand,
      context: { runId: String(this.runs) },
      inputs: {
        ...inputs,
        merge,
        "max-follow-ups": String(maxFollowUps),
        "merge-delay-hours": String(delayHours),
        "allowed-paths": "docs/**",
        "required-checks": required || merge === "checks" ? "docs-check" : "",
        "api-key": `mint_test_${this.#keys}`,
        "previous-api-key": `mint_test_${this.#keys - 1}`,
      },
    };
  }

  /** Upkeep's ledger names the docs pull requests of its jobs. */
  #publish(): void {
    const { repository, agent } = this.#servers;
    let isNew = false;
    for (const { id, prLink } of agent.jobs) {
      const isByLedger = !this.#askedByComment.has(id);
      if (!isByLedger || prLink === null || this.#reviews.some(({ jobId }) => jobId === id))
        continue;
      this.#reviews.push({
        prLink,
        jobId: id,
        changes: [],
        unread: 0,
        isClosedToBatches: false,
      });
      isNew = true;
    }
    if (!isNew) return;
    const format = batchFormat({ action: "upkeep", project: shortHash(PROJECT) });
    const text = JSON.stringify({ ...format.fileOf(format.begin), reviews: this.#reviews });
    const sha = repository.commit(repository.tip(), { files: { "ledger.json": text } });
    repository.setRef("refs/docs-agent/upkeep/docs", sha);
  }

  #relieve(): void {
    this.#isTroubled = false;
    this.#servers.refusal = null;
    this.#servers.github.restrict(WORKFLOW, {});
    relieve(this.#servers.github);
  }

  #apply(event: LandEvent | WorldEvent | Habit): void {
    const servers = this.#servers;
    if (turnOn(servers.github, servers.repository, event)) {
      this.#isTroubled ||= isTrouble(event);
      return;
    }
    switch (event.kind) {
      case "pass":
        servers.now += event.minutes * MINUTE;
        break;
      case "new key":
        this.#keys += 1;
        break;
      case "relief":
        this.#relieve();
        break;
      case "trouble": {
        const [, status] = /^service (\d+)$/.exec(event.is) ?? [];
        this.#isTroubled = true;
        if (status !== undefined) servers.refusal = Number(status);
        else
          servers.github.restrict(
            WORKFLOW,
            event.is === "no contents: write" ? { contents: "read" } : { issues: "read" },
          );
        break;
      }
      case "document":
        if (this.#jobs < MOST) this.#document(event.by);
        break;
      case "race":
        this.#watch.beforeMerge = (number) =>
          void this.#people.pushTo(number, { author: AGENT, files: ["docs/race.md"] });
        break;
      case "code":
        servers.repository.openPull({ title: "Code" });
        break;
      default:
        if ("at" in event) this.#touch(event as Extract<LandEvent, { at: number }>);
    }
  }

  #document(by: "ledger" | "comment"): void {
    this.#jobs += 1;
    const { agent, repository } = this.#servers;
    const path = `/v2/agent/${PROJECT}/job`;
    const { body } = answerV2(agent.service, "POST", path, `Document page ${this.#jobs}.`);
    if (by === "ledger") return;
    const job = String((body as { id: unknown }).id);
    this.#askedByComment.add(job);
    const issue = repository.openIssue({ title: "Asked", body: "", author: "writer" });
    const place = { repository: repository.fullName, issue: issue.number };
    const comment = repository.comment(issue, "", WORKFLOW);
    const step = { run: "1", attempt: 1, step: "docs", asks: "hash" };
    const marker = { job, api: "v2", request: "accepted" as const, ended: false, ...step };
    const text = jobMarkers([`mint_test_${this.#keys}`], PROJECT).write(place, marker, comment.id);
    repository.setComment(comment, text);
  }

  #touch(event: Extract<LandEvent, { at: number }>): void {
    const { repository: home, agent } = this.#servers;
    const pulls = agent.pulls;
    const pull = pulls[event.at % Math.max(1, pulls.length)];
    if (pull === undefined || pull.state !== "open") return;
    const { number } = pull;
    const thing = `thing-${++this.#things}.`;
    const people = this.#people;
    const page = `docs/${[...home.objects.blobs.keys()].length}.md`;
    const done = (() => {
      switch (event.kind) {
        case "push": {
          const login = event.by === "agent" ? AGENT : "writer";
          return people.pushTo(number, {
            author: login,
            files: [event.path === "docs" ? page : "src/a.ts"],
          });
        }
        case "check":
          return people.report(number, { conclusion: event.is, summary: thing });
        case "review":
          return people.review(number, event.is, { login: event.by, body: thing });
        case "comment": {
          const [file] = filesOf(home, pull);
          const comments = [{ path: file?.path ?? "", line: 1, body: thing }];
          return people.review(number, "COMMENT", { login: event.by, comments });
        }
        case "accept":
          void people.resolve(number);
          for (const login of ["maintainer", "writer"])
            void people.review(number, "APPROVE", { login }).catch(() => {});
          return people.report(number, { conclusion: "success" });
        case "resolve":
        case "unresolve":
          for (const comment of home.reviewComments) {
            if (comment.pull !== number) continue;
            comment.isResolved = event.kind === "resolve";
            comment.resolvedBy = "maintainer";
          }
          return undefined;
        case "conflict":
          return people.conflict(number);
        case "merge":
          return people.merge(number).catch(() => "");
        case "close":
          return people.close(number);
        case "other link": {
          const job = agent.service.state.jobs.find(({ prLink }) => prLink?.endsWith(`/${number}`));
          if (job !== undefined) job.byHand = { prLink: "https://github.com/acme/code/pull/1" };
          return undefined;
        }
        default:
          home.change(pull, { isDraft: event.kind === "draft" });
          return undefined;
      }
    })();
    // Whatever GitHub refuses to people does not happen; all of it is done by now.
    void Promise.resolve(done).catch(() => {});
  }
}
