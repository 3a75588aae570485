import { AGENT } from "../../../emulator/github/people.ts";
import { filesOf } from "../../../emulator/github/routes/pulls.ts";
import type { Pull } from "../../../emulator/github/state.ts";
import { batchFormat } from "../../../src/batches/model/format.ts";
import type { InReview } from "../../../src/batches/model/ledger.ts";
import { land, recordKilledLand } from "../../../src/land/land.ts";
import { type LandLedger, landFormat } from "../../../src/land/ledger.ts";
import { shortHash } from "../../../src/text/short-hash.ts";
import { type LedgerAtRef, ledgersOf, mistakeIn } from "../../support/ledgers-of.ts";
import type { WorldEvent } from "../../support/memory-world/ledger-world.ts";
import { World } from "../../support/memory-world/world.ts";
import type { Run } from "./events.ts";
import { History, type Step } from "./history.ts";
import type { LandEvent, LandSetting } from "./land-events.ts";
import { LandWatch } from "./land-watch.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const PROJECT = "docs";
/** Most runs until nothing is left to do. A run comes after more time than a job or a delay takes. */
const MOST_RUNS = 40;
/** The same, once more after a day: little is left to do then. */
const MOST_RUNS_LATER = 10;
/** Most docs pull requests of a history. */
const MOST = 3;

function numberOf({ url }: { readonly url: string }): string {
  return url.slice(url.lastIndexOf("/") + 1);
}

/** Docs pull requests, and land's runs. */
export class LandHistory extends History<LandEvent> {
  readonly #setting: LandSetting;
  readonly #watch: LandWatch;
  readonly #askedByComment = new Set<string>();
  /** Docs pull requests that land's ledger has held after a run. */
  readonly #recorded = new Set<string>();
  #things = 0;
  #jobs = 0;
  readonly #reviews: InReview[] = [];

  constructor(setting: LandSetting) {
    super(new World(setting.plans), setting.seed);
    this.#setting = setting;
    this.world.home.mergeRule = setting.rule;
    this.servers.github.site.isMergeabilityLate = setting.isMergeabilityLate;
    this.#watch = new LandWatch(setting, this.world);
    for (const by of ["ledger", "comment"] as const) this.#document(by);
  }

  protected override check(): void {
    this.#watch.checkFollowUps();
    const text = this.#ledgerRef()?.files["ledger.json"];
    const mistake = text === undefined ? null : mistakeIn(text, landFormat(shortHash(PROJECT)));
    if (mistake !== null) this.wrong.push(mistake);
  }

  /** Every docs pull request comes to where nothing but people can bring it on. */
  async settle(): Promise<void> {
    this.world.relieve();
    const runUntilQuiet = (most: number) => this.runUntilQuiet(most, () => this.#runLater());
    await runUntilQuiet(MOST_RUNS);
    // Land remembers for a day that GitHub refused something.
    this.servers.now += DAY;
    await runUntilQuiet(MOST_RUNS_LATER);
    for (const { url, intent } of this.#open())
      if (intent !== null) this.wrong.push(`an intent for ${url} is left in the end`);
    // After three tries it is a person's.
    for (const { url, tries } of this.#ledger()?.unbuilt ?? []) {
      if (tries < 3) this.wrong.push(`the merge of ${url} waits for a build in the end`);
    }
    this.#watch.checkEnd(this.#recorded);
    const lost = (this.#ledger()?.unbuilt ?? []).filter(({ tries }) => tries >= 3);
    this.#watch.checkBuilds(this.#merged(), lost.map(numberOf));
  }

  /** A run after some hours. @returns whether it had nothing to do */
  async #runLater(): Promise<boolean> {
    const before = this.#watch.writes;
    this.servers.now += 4 * HOUR;
    await this.happen({ kind: "run", run: {} });
    const isHeld = this.#open().some(({ intent }) => intent !== null);
    // If time passed while GitHub answered a run, its intent has a time in the future.
    if (isHeld) this.servers.now += DAY;
    return this.#watch.writes === before && !isHeld;
  }

  /** The docs pull requests that land's ledger holds. */
  #open(): LandLedger["open"] {
    return this.#ledger()?.open ?? [];
  }

  /** The numbers of the docs pull requests that land's ledger holds as merged. */
  #merged(): string[] {
    const ended = this.#ledger()?.ended ?? [];
    return ended.filter(({ state }) => state === "merged").map(numberOf);
  }

  #ledger(): LandLedger | undefined {
    return this.#ledgerRef()?.ledger;
  }

  #ledgerRef(): LedgerAtRef<LandLedger> | undefined {
    const ledgers = ledgersOf<LandLedger>(this.servers.repository);
    return ledgers.find(({ ref }) => ref.includes("/land/"));
  }

  protected override begin({ inputs = {} }: Run<LandEvent>): Step {
    const isDry = inputs["dry-run"] === "true";
    return {
      action: {
        main: land,
        post: recordKilledLand,
        inputs: { ...this.#inputs(), ...(isDry ? { "dry-run": "true" } : {}) },
      },
      onRequest: ({ method, url }, events) => {
        this.#watch.isHeldUp = events.some(({ kind }) => kind === "pass");
        const isRead = method === "GET" || url.pathname === "/graphql";
        if (isDry && !isRead) this.wrong.push(`a dry run writes: ${method} ${url.pathname}`);
      },
      resultOf: ({ outputs: { followUpCount, mergedCount, openCount, pullRequests } }) =>
        `${followUpCount} sent, ${mergedCount} merged, ${openCount} open: ${pullRequests}`,
      check: (ran) => {
        for (const { url } of this.#open()) this.#recorded.add(url);
        const { followUpCount, mergedCount } = ran.outputs;
        const result = `${followUpCount} sent, ${mergedCount} merged`;
        this.last = { ...ran, outputs: { ...ran.outputs, result } };
      },
    };
  }

  #inputs(): Record<string, string> {
    const { merge, maxFollowUps, delayHours, required, inputs } = this.#setting;
    return {
      ...inputs,
      merge,
      "max-follow-ups": String(maxFollowUps),
      "merge-delay-hours": String(delayHours),
      "allowed-paths": "docs/**",
      "required-checks": required || merge === "checks" ? "docs-check" : "",
      "api-key": this.world.key,
      "previous-api-key": this.world.previousKey,
    };
  }

  /** Upkeep's ledger names the docs pull requests of its jobs. */
  protected override prepare(): void {
    const { repository, agent } = this.servers;
    const fresh = agent.jobs.flatMap(({ id: jobId, prLink }) => {
      const isKnown = this.#reviews.some((review) => review.jobId === jobId);
      if (prLink === null || isKnown || this.#askedByComment.has(jobId)) return [];
      return [
        {
          prLink,
          jobId,
          changes: [],
          others: [],
          endedAt: "",
          unread: null,
          isClosedToBatches: false,
        },
      ];
    });
    if (fresh.length === 0) return;
    this.#reviews.push(...fresh);
    const format = batchFormat({ action: "upkeep", project: shortHash(PROJECT) });
    const text = JSON.stringify({ ...format.begin, reviews: this.#reviews });
    const sha = repository.commit(repository.tip(), { files: { "ledger.json": text } });
    repository.setRef("refs/docs-agent/upkeep/docs", sha);
  }

  protected override apply(event: LandEvent | WorldEvent): void {
    if (this.world.apply(event)) return;
    switch (event.kind) {
      case "document":
        if (this.#jobs < MOST) this.#document(event.by);
        break;
      case "race":
        this.#watch.beforeMerge = (number) =>
          void this.world.people.pushTo(number, { author: AGENT, files: ["docs/race.md"] });
        break;
      case "code":
        this.world.home.openPull({ title: "Code" });
        break;
      default:
        if ("at" in event) this.#touch(event as Extract<LandEvent, { at: number }>);
    }
  }

  #document(by: "ledger" | "comment"): void {
    this.#jobs += 1;
    const job = this.world.startJob(`Document page ${this.#jobs}.`);
    if (by === "ledger") return;
    this.#askedByComment.add(job);
    const { number } = this.world.home.openIssue({ title: "Asked", body: "", author: "writer" });
    this.world.postStatus(job, number, {});
  }

  #touch(event: Extract<LandEvent, { at: number }>): void {
    const { pulls } = this.servers.agent;
    const pull = pulls[event.at % Math.max(1, pulls.length)];
    if (pull === undefined || pull.state !== "open") return;
    // Whatever GitHub refuses to people does not happen; all of it is done by now.
    void this.#act(event, pull).catch(() => {});
  }

  async #act(event: Extract<LandEvent, { at: number }>, pull: Pull): Promise<unknown> {
    const { home, people } = this.world;
    const { number } = pull;
    const thing = `thing-${++this.#things}.`;
    switch (event.kind) {
      case "push": {
        const page = event.path === "docs" ? `docs/${home.objects.blobs.size}.md` : "src/a.ts";
        const author = event.by === "agent" ? AGENT : "writer";
        return people.pushTo(number, { author, files: [page] });
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
        return people.resolve(number);
      case "unresolve":
        for (const comment of home.reviewComments) {
          if (comment.pull === number) comment.isResolved = false;
        }
        return null;
      case "conflict":
      case "merge":
      case "close":
        return people[event.kind](number);
      case "other link": {
        const { jobs } = this.servers.agent.service.state;
        const job = jobs.find(({ prLink }) => prLink?.endsWith(`/${number}`));
        if (job !== undefined) job.byHand = { prLink: "https://github.com/acme/code/pull/1" };
        return null;
      }
      default:
        return home.change(pull, { isDraft: event.kind === "draft" });
    }
  }
}
