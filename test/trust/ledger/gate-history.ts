import { WORKFLOW } from "../../../emulator/github/people.ts";
import type { Pull } from "../../../emulator/github/state.ts";
import { SERVICE } from "../../../emulator/local-world/memory-servers.ts";
import { gate } from "../../../src/gate/gate.ts";
import { recordKilledRun } from "../../../src/ledger/batches/post-step.ts";
import { upkeep } from "../../../src/upkeep/upkeep.ts";
import { keyIn } from "../../support/landed.ts";
import type { Habit } from "../../support/memory-world/habits.ts";
import { itemsOf, type WorldEvent } from "../../support/memory-world/ledger-world.ts";
import {
  type ActionInMemory,
  chance,
  type Ran,
  runInMemory,
  type Turns,
} from "../../support/memory-world/runs.ts";
import type { Event, Run } from "./events.ts";
import type { GateEvent, GateSetting } from "./gate-events.ts";
import { MARK } from "./gate-watch.ts";
import { DISPATCH, GateWorld, SCHEDULE, type Subject } from "./gate-world.ts";
import { isPlain, optionsOf, runTogether } from "./run-events.ts";

const DAY = 24 * 60 * 60_000;
const DRAFT = "Draft the documentation.";

/** Pull requests and the gate's runs. Checked by what is known of the world, and not of the action. */
export class GateHistory extends GateWorld {
  readonly story: string[] = [];
  runs = 0;
  /** The last run. */
  last: Ran | null = null;
  readonly #setting: GateSetting;
  readonly #random: () => number;

  constructor(setting: GateSetting) {
    super(setting);
    this.#setting = setting;
    this.#random = chance(setting.seed);
  }

  [Symbol.dispose](): void {}

  async happen(event: Event<GateEvent>): Promise<void> {
    const { servers } = this;
    servers.now += 1000;
    this.watch.isLate = true;
    servers.catchUp();
    this.watch.isLate = false;
    servers.agent.openDuePulls();
    this.story.push(JSON.stringify(event));
    if (event.kind === "run") await this.#run((event as { run: Run<GateEvent> }).run);
    else if (event.kind === "upkeep") await this.#runUpkeep();
    else if (event.kind === "runs") {
      const together = event as { runs: Run<GateEvent>[]; order: number[] };
      await runTogether(together, (run, turns) => this.#run(run, turns));
    } else {
      this.apply(event as GateEvent | WorldEvent | Habit);
      if ((event as GateEvent).hasRun === true) await this.#run({});
    }
    this.#check();
  }

  /** Undisturbed, each status is right, and upkeep goes on with the drafts of what was merged. */
  async settle(): Promise<void> {
    this.relieveAll();
    this.servers.now += DAY;
    for (const subject of [SCHEDULE, SCHEDULE, DISPATCH]) {
      this.subject = subject;
      await this.happen({ kind: "run", run: {} });
    }
    for (let times = 0; times < 3; times++) {
      this.relieveAll();
      this.restore(this.last?.outputs.errorMessage ?? "");
      this.tick("go-on", 0);
      this.servers.now += DAY;
      await this.happen({ kind: "upkeep" });
    }
    for (const pull of this.watch.pulls()) this.#checkEnd(pull);
  }

  /** @param max on a schedule, whatever happened last */
  async #run(run: Run<GateEvent>, turns?: Turns): Promise<void> {
    this.runs += 1;
    const { faults = [], meanwhile = [], max } = run;
    const isBehind =
      faults.some(({ fault }) => fault.kind === "behind") || this.troubles.has("lag");
    const isFaulty = faults.length > 0 || this.troubles.size > 0;
    const isRefused = faults.some(({ fault }) => fault.kind === "refused");
    const isMixed = isBehind || meanwhile.length > 1;
    const work = { since: this.servers.now, isFaulty, isBehind, isMixed, isRefused };
    const subject = max === undefined ? this.subject : SCHEDULE;
    const comments = this.#commentsOf(subject).length;
    this.watch.note();
    this.watch.runs.add(work);
    const ran = await runInMemory(this.servers, this.#action(subject), {
      ...optionsOf(run, this.#random, turns),
      onRequest: ({ method, url, body = "" }, at) => {
        for (const it of meanwhile) if (it.at === at) this.apply(it.event);
        if (url.origin !== SERVICE || method !== "POST") return;
        this.watch.note();
        this.watch.checkDraft(numbersIn((JSON.parse(body) as { prompt: string }).prompt));
      },
    });
    this.watch.runs.delete(work);
    this.watch.note();
    this.last = ran;
    this.story.push(`  → ${ran.isKilled ? "killed" : ran.errorKind || ran.outputs.verdict}`);
    if (ran.errorKind === "internal") this.#wrongRun(ran);
    if (turns !== undefined || !isPlain(run) || this.troubles.size > 0) return;
    this.#checkUndisturbed(ran, subject, work.since, comments);
  }

  #action({ eventName, payload }: Subject): ActionInMemory {
    const { draft, ifNeeded, comment } = this.#setting;
    return {
      main: async (...args) => void (await gate(...args)),
      post: recordKilledRun,
      context: {
        eventName,
        payload,
        repository: this.home.fullName,
        repositoryId: this.home.id,
        runId: String(this.runs),
      },
      inputs: {
        draft,
        prompt: DRAFT,
        "if-needed": ifNeeded,
        comment: String(comment),
        paths: "src/**",
        "docs-paths": "docs/**",
        "ignore-labels": "skip-docs",
        "ignore-authors": "renovate[bot]",
        "api-key": this.key,
      },
    };
  }

  async #runUpkeep(): Promise<void> {
    this.runs += 1;
    const { fullName: repository, id: repositoryId } = this.home;
    const action: ActionInMemory = {
      main: upkeep,
      post: recordKilledRun,
      context: { repository, repositoryId, runId: String(this.runs) },
      inputs: { since: "2026-02-01", "max-attempts": "1", "api-key": this.key },
    };
    const ran = await runInMemory(this.servers, action, { random: this.#random });
    this.last = ran;
    this.story.push(`  → ${ran.errorKind || ran.outputs.result}`);
    if (ran.errorKind === "internal") this.#wrongRun(ran);
  }

  #wrongRun({ errorKind, log }: Ran): void {
    this.wrong.push(`a run ends as ${errorKind}:\n${log.join("\n")}`);
  }

  /** The gate's own comments on the pull request that a run is about, if that is one. */
  #commentsOf({ pulls }: Subject): string[] {
    if (pulls?.length !== 1) return [];
    return this.home
      .commentsOn(pulls[0] ?? 0)
      .filter(({ author, body }) => author === WORKFLOW && body.startsWith(MARK))
      .map(({ body }) => body);
  }

  /** A run that nothing disturbed sets the status that is right, says so in one comment, and requests what is due. */
  #checkUndisturbed(ran: Ran, subject: Subject, since: number, comments: number): void {
    const { watch } = this;
    const isGroup = subject.eventName === "merge_group";
    const judged = watch.pulls().filter(({ state, number }) => {
      return (isGroup || state === "open") && subject.pulls?.includes(number) !== false;
    });
    const isUnlisted = judged.some((pull) => watch.isUnlisted(pull));
    if (ran.errorKind !== "" && !isUnlisted) this.#wrongRun(ran);
    if (ran.errorKind !== "") return;
    if (isGroup) {
      this.#checkGroup(judged, subject.payload.merge_group?.head_sha ?? "", since);
      return;
    }
    for (const pull of judged) {
      const isSwept = subject.eventName === "schedule";
      if (isSwept && watch.outdated.has(pull.head)) continue;
      this.#checkStatus(pull, since);
      this.#checkDue(pull, since);
      if (subject.pulls?.length === 1) this.#checkComment(subject, pull, since, comments);
    }
  }

  #verdicts(number: number, since: number): string[] {
    return this.watch.since(number, since).map(({ verdict }) => verdict);
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
    return this.home.statuses.findLast(({ sha }) => sha === head)?.state ?? "none";
  }

  get #ifNeeded(): string {
    return this.#setting.ifNeeded === "warn" ? "success" : "failure";
  }

  /** What is approved and not documented has a draft. */
  #checkDue({ number }: Pull, since: number): void {
    const { ledger } = this.books() ?? {};
    const judgements = this.watch.since(number, since);
    const isDue = judgements.every(({ verdict, isApproved }) => verdict === "red" && isApproved);
    const isStopped =
      this.losses > 0 ||
      this.dashboard()?.state === "closed" ||
      ledger?.failures?.halt !== undefined;
    if (this.#setting.draft === "never" || !isDue || isStopped) return;
    const key = keyIn(this.home, { number });
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

  #check(): void {
    for (const it of this.servers.trespasses) this.wrong.push(`wrote what is not its own: ${it}`);
    this.noteHead();
    if (this.losses > 0) return;
    for (const pull of this.watch.pulls()) this.#checkJobs(pull);
  }

  /** The jobs whose first prompt asks for the documentation of a pull request. */
  #jobsFor({ number }: Pull) {
    const asked = new Set(this.watch.asked.map(({ job }) => job));
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
    const isPushed = this.home.commitsOf(pull).length > 1;
    const isOver = draft.archivedAt !== null || docs?.state === "closed";
    const again = [...this.again.values()].flat().includes(keyIn(this.home, pull));
    if (isFailed || this.servers.denied.has(draft.id) || (isPushed && isOver) || again) return;
    this.wrong.push(`#${pull.number} has a draft, and is handed over`);
  }

  /** In the end, the draft of what was merged is upkeep's. */
  #checkEnd(pull: Pull): void {
    const key = keyIn(this.home, pull);
    const isLeft = this.books()?.ledger.drafts.flatMap(itemsOf).includes(key) === true;
    if (pull.mergedAt !== null && isLeft && this.losses === 0)
      this.wrong.push(`#${pull.number} was merged, and is a draft in the end`);
  }
}

/** The pull requests whose documentation a prompt asks for: the first link of each change is its own. */
function numbersIn(prompt: string): number[] {
  const [, ...changes] = prompt.split(/^## Change \d+: /m);
  return changes.flatMap((change) => {
    const [, number] = /\/pull\/(\d+)/.exec(change) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}
