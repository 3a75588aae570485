import { WORKFLOW } from "../../../emulator/github/people.ts";
import type { Pull } from "../../../emulator/github/state.ts";
import { SERVICE } from "../../../emulator/local-world/memory-servers.ts";
import type { Ledger } from "../../../src/batches/model/ledger.ts";
import { gate } from "../../../src/gate/gate.ts";
import { upkeep } from "../../../src/upkeep/upkeep.ts";
import { keyIn } from "../../support/landed.ts";
import { itemsOf, LedgerWorld, type WorldEvent } from "../../support/memory-world/ledger-world.ts";
import type { Ran } from "../../support/memory-world/runs.ts";
import type { Run } from "./events.ts";
import type { GateEvent, GateSetting } from "./gate-events.ts";
import { DISPATCH, GatePeople, SCHEDULE, type Subject } from "./gate-people.ts";
import { GateWatch, MARK } from "./gate-watch.ts";
import { History, type Step } from "./history.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * 60_000;
const DRAFT = "Draft the documentation.";
/** After so many lost requests in a row there is no other: the usual `max-failures`. */
const MOST_FAILURES = 3;

/** Pull requests, and the gate's runs. */
export class GateHistory extends History<GateEvent, LedgerWorld> {
  readonly #setting: GateSetting;
  readonly #watch: GateWatch;
  readonly #people: GatePeople;

  constructor(setting: GateSetting) {
    super(new LedgerWorld(setting.plans), setting.seed);
    this.#setting = setting;
    this.#watch = new GateWatch(setting, this.world);
    this.#people = new GatePeople(this.world, this.#watch);
    this.#people.apply({ kind: "open", path: "src", author: "writer" });
    // So that an outdated copy has it, too.
    this.servers.now += 5 * MINUTE;
  }

  protected override apply(event: GateEvent | WorldEvent): void {
    if (!this.world.apply(event)) this.#people.apply(event as GateEvent);
    this.#watch.note();
  }

  protected override async applyAlone(event: GateEvent | WorldEvent): Promise<void> {
    this.apply(event);
    if (event.kind === "upkeep") await this.#runUpkeep();
    else if ((event as GateEvent).hasRun === true) await this.run({});
  }

  /** Each status is right, and upkeep goes on with the drafts of what was merged. */
  async settle(): Promise<void> {
    const { world } = this;
    world.relieve();
    world.servers.now += DAY;
    for (const subject of [SCHEDULE, SCHEDULE, DISPATCH]) {
      this.#people.subject = subject;
      await this.happen({ kind: "run", run: {} });
    }
    for (let times = 0; times < 3; times++) {
      world.relieve();
      world.restore(this.last?.outputs.errorMessage ?? "");
      world.tick("go-on", 0);
      world.servers.now += DAY;
      await this.happen({ kind: "upkeep" });
    }
    for (const pull of this.#watch.pulls()) this.#checkEnd(pull);
  }

  /** With `max`, it is on a schedule, whatever happened last. */
  protected override begin({ faults = [], meanwhile = [], max }: Run<GateEvent>): Step {
    const { world } = this;
    const watch = this.#watch;
    const since = world.servers.now;
    const isBehind =
      faults.some(({ fault }) => fault.kind === "behind") || world.troubles.has("lag");
    const isFaulty = faults.length > 0 || world.troubles.size > 0;
    const isRefused = faults.some(({ fault }) => fault.kind === "refused");
    const isMixed = isBehind || meanwhile.length > 1;
    const work = { since, isFaulty, isBehind, isMixed, isRefused };
    const subject = max === undefined ? this.#people.subject : SCHEDULE;
    const comments = this.#commentsOf(subject).length;
    watch.note();
    watch.runs.add(work);
    return {
      action: {
        main: async (...args) => void (await gate(...args)),
        context: {
          eventName: subject.eventName,
          payload: subject.payload,
          repositoryId: world.home.id,
        },
        inputs: this.#inputs(),
      },
      onRequest: ({ method, url, body = "" }) => {
        if (url.origin !== SERVICE || method !== "POST") return;
        watch.note();
        watch.checkDraft(numbersIn((JSON.parse(body) as { prompt: string }).prompt));
      },
      resultOf: ({ outputs }) => outputs.verdict ?? "",
      mayFail: () => this.#judgedBy(subject).some((pull) => watch.isUnlisted(pull)),
      check: (ran, isDisturbed) => {
        watch.runs.delete(work);
        watch.note();
        if (!isDisturbed) this.#checkUndisturbed(ran, subject, since, comments);
      },
    };
  }

  #inputs(): Record<string, string> {
    const { draft, ifNeeded, comment } = this.#setting;
    return {
      draft,
      prompt: DRAFT,
      "if-needed": ifNeeded,
      comment: String(comment),
      paths: "src/**",
      "docs-paths": "docs/**",
      "ignore-labels": "skip-docs",
      "ignore-authors": "renovate[bot]",
      "api-key": this.world.key,
    };
  }

  async #runUpkeep(): Promise<void> {
    const inputs = { since: "2026-02-01", "max-attempts": "1", "api-key": this.world.key };
    await this.runStep({
      action: { main: upkeep, context: { repositoryId: this.world.home.id }, inputs },
      resultOf: ({ outputs }) => outputs.result ?? "",
      mayFail: () => true,
      check: () => {},
    });
  }

  /** The pull requests that a run judges. */
  #judgedBy({ eventName, pulls }: Subject): Pull[] {
    return this.#watch.pulls().filter(({ state, number }) => {
      return (eventName === "merge_group" || state === "open") && pulls?.includes(number) !== false;
    });
  }

  /** The gate's own comments on the pull request that a run is about, if that is one. */
  #commentsOf({ pulls }: Subject): string[] {
    if (pulls?.length !== 1) return [];
    return this.world.home
      .commentsOn(pulls[0] ?? 0)
      .filter(({ author, body }) => author === WORKFLOW && body.startsWith(MARK))
      .map(({ body }) => body);
  }

  /** A run that nothing disturbed sets the status that is right, says so in one comment, and requests what is due. */
  #checkUndisturbed(ran: Ran, subject: Subject, since: number, comments: number): void {
    if (ran.errorKind !== "") return;
    const judged = this.#judgedBy(subject);
    if (subject.eventName === "merge_group") {
      this.#checkGroup(judged, subject.payload.merge_group?.head_sha ?? "", since);
      return;
    }
    for (const pull of judged) {
      const isSwept = subject.eventName === "schedule";
      if (isSwept && this.#watch.outdated.has(pull.head)) continue;
      this.#checkStatus(pull, since);
      this.#checkDue(pull, since);
      if (subject.pulls?.length === 1) this.#checkComment(subject, pull, since, comments);
    }
  }

  #verdicts(number: number, since: number): string[] {
    return this.#watch.since(number, since).map(({ verdict }) => verdict);
  }

  #checkStatus({ number, head }: Pull, since: number): void {
    const verdicts = this.#verdicts(number, since);
    const state = this.#stateOf(head);
    const isRight =
      verdicts.includes("either") ||
      (state === "success" && verdicts.includes("green")) ||
      (state === this.#ifNeeded && verdicts.includes("red"));
    if (!isRight) this.wrong.push(`#${number} is ${state}, but ${verdicts.join(", ")}`);
  }

  /** A group is green if each of its pull requests is. */
  #checkGroup(judged: readonly Pull[], sha: string, since: number): void {
    const all = judged.map(({ number }) => this.#verdicts(number, since));
    const state = this.#stateOf(sha);
    const mayBeGreen = all.every((it) => it.includes("green") || it.includes("either"));
    const mayBeRed = all.some((it) => it.includes("red") || it.includes("either"));
    const isRight = (state === "success" && mayBeGreen) || (state === this.#ifNeeded && mayBeRed);
    if (!isRight) this.wrong.push(`a group is ${state}, but ${all.join("; ")}`);
  }

  #stateOf(head: string): string {
    return this.world.home.statuses.findLast(({ sha }) => sha === head)?.state ?? "none";
  }

  get #ifNeeded(): string {
    return this.#setting.ifNeeded === "warn" ? "success" : "failure";
  }

  /** What is approved and not documented has a draft. */
  #checkDue({ number }: Pull, since: number): void {
    const { ledger } = this.world.books() ?? {};
    const judgements = this.#watch.since(number, since);
    const isDue = judgements.every(({ verdict, isApproved }) => verdict === "red" && isApproved);
    const isStopped =
      this.world.losses > 0 ||
      this.world.dashboard()?.state === "closed" ||
      (ledger !== undefined && isHalted(ledger));
    if (this.#setting.draft === "never" || !isDue || isStopped) return;
    const key = keyIn(this.world.home, { number });
    if (ledger?.drafts.flatMap(itemsOf).includes(key) !== true)
      this.wrong.push(`#${number} is approved, and no draft was requested`);
  }

  /** One comment says what the status says. It is written only when somebody has to act. @param before how many there were */
  #checkComment(subject: Subject, { number }: Pull, since: number, before: number): void {
    const verdicts = this.#verdicts(number, since);
    const texts = this.#commentsOf(subject);
    const isNew = texts.length > before;
    if (isNew && before > 0) this.wrong.push(`#${number} has another comment`);
    if (!this.#setting.comment || new Set(verdicts).size !== 1) return;
    const [verdict] = verdicts;
    const isShown = texts.some((it) => it.includes("Do one of these:"));
    if (verdict === "red" && !isShown) this.wrong.push(`#${number} is red without a comment`);
    if (verdict === "green" && isShown) this.wrong.push(`#${number} has an outdated comment`);
    if (verdict === "green" && isNew) this.wrong.push(`#${number} is green, with a new comment`);
  }

  protected override check(): void {
    this.world.check();
    if (this.world.losses > 0) return;
    for (const pull of this.#watch.pulls()) this.#checkJobs(pull);
  }

  /** The jobs whose first prompt asks for the documentation of a pull request. */
  #jobsFor({ number }: Pull) {
    const asked = new Set(this.#watch.asked.map(({ job }) => job));
    return this.servers.agent.jobs.filter(
      ({ id, turns }) => !asked.has(id) && numbersIn(turns[0]?.prompt ?? "").includes(number),
    );
  }

  /** No pull request has two drafts, or is handed over by upkeep when its draft has been accepted. */
  #checkJobs(pull: Pull): void {
    const own = this.#jobsFor(pull);
    const drafts = own.filter(({ turns }) => turns[0]?.prompt.startsWith(DRAFT));
    if (drafts.length > 1) this.wrong.push(`#${pull.number} has ${drafts.length} drafts`);
    const [draft] = drafts;
    if (draft === undefined || own.length === 1) return;
    const isFailed = draft.turns.some(
      ({ outcome, steering }) => outcome?.status === "failed" || steering.isForgotten,
    );
    const docs = this.servers.agent.pulls.find(({ branch }) => branch === draft.branch);
    // What was pushed after the draft goes to a new job, if that of the draft takes nothing more.
    const isPushed = this.world.home.commitsOf(pull).length > 1;
    const isOver = draft.archivedAt !== null || docs?.state === "closed";
    const again = [...this.world.again.values()].flat().includes(keyIn(this.world.home, pull));
    if (isFailed || this.servers.denied.has(draft.id) || (isPushed && isOver) || again) return;
    this.wrong.push(`#${pull.number} has a draft, and is handed over`);
  }

  /** In the end, the draft of what was merged is upkeep's. */
  #checkEnd(pull: Pull): void {
    const key = keyIn(this.world.home, pull);
    const isLeft = this.world.books()?.ledger.drafts.flatMap(itemsOf).includes(key) === true;
    if (pull.mergedAt !== null && isLeft && this.world.losses === 0)
      this.wrong.push(`#${pull.number} was merged, and is a draft in the end`);
  }
}

/** Whether upkeep's ledger is halted, as it is written or once a run counts the requests of runs that died. */
function isHalted({ failures: { halt, inRow }, batches, drafts }: Ledger): boolean {
  const dead = [...batches, ...drafts].filter(({ state }) => state === "intended");
  return halt !== null || inRow.length + dead.length >= MOST_FAILURES;
}

/** The pull requests whose documentation a prompt asks for: the first link of each change is its own. */
function numbersIn(prompt: string): number[] {
  const [, ...changes] = prompt.split(/^## Change \d+: /m);
  return changes.flatMap((change) => {
    const [, number] = /\/pull\/(\d+)/.exec(change) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}
