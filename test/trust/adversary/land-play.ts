/** A history of land: runs, and three hands that act between their requests, watched by the judge. */

import fc from "fast-check";
import type { GitHub } from "../../../emulator/github/github.ts";
import { WORKFLOW } from "../../../emulator/github/people.ts";
import { isPull, type Pull } from "../../../emulator/github/state.ts";
import type { MergeRule } from "../../../emulator/github/store.ts";
import type { Plan } from "../../../emulator/local-world/memory-servers.ts";
import { batchFormat } from "../../../src/batches/model/format.ts";
import { land, recordKilledLand } from "../../../src/land/land.ts";
import type { Outgoing } from "../../../src/net/http.ts";
import { shortHash } from "../../../src/text/short-hash.ts";
import { change as changeOf, doneDraft, review } from "../../support/ledger-examples.ts";
import { chance, runInMemory } from "../../support/memory-world/runs.ts";
import { World } from "../../support/memory-world/world.ts";
import { act, type Move, movesInTurn } from "./hands.ts";
import { type ActKind, Judge, type Rules } from "./judge.ts";

const MINUTE = 60_000;
const PROJECT = "docs";
const PULLS = 2;

/** What is wrong with GitHub's answers about docs pull requests, so that the judge has something to find. */
export interface Fraud {
  /** Changes the answer to a query, as JSON. */
  change?: (answer: unknown) => void;
  /** Whether what is asked after the plan was written is answered as it was before. */
  isConfirmedByThePlan?: true;
}

export interface Setting extends Rules {
  /** Whether the second docs pull request was drafted for an open code pull request. */
  isDrafted: boolean;
  seed: number;
  rule: MergeRule;
  /** What comes of each prompt after the first ones. */
  followUps: Plan[];
  /** Whether everything is ready to be merged in the beginning. */
  isReady: boolean;
}

/** What happens before a run and during it, and how long after the last one it begins. */
export interface Round {
  minutes: number;
  before: Move[];
  /** `at`: before which of its requests, counted from its first one, or from when its plan was written. */
  meanwhile: { from: "start" | "plan"; at: number; moves: Move[] }[];
}

export class LandPlay {
  readonly world: World;
  readonly judge: Judge;
  readonly wrong: string[] = [];
  readonly story: string[] = [];
  runs = 0;
  /** Acts that were planned and not done. */
  heldBack = 0;
  readonly #setting: Setting;
  readonly #fraud: Fraud;
  #things = 0;
  /** Requests of this run, and how many it had made when its plan was written. */
  #requests = 0;
  #planAt = Number.POSITIVE_INFINITY;
  #readAt = 0;

  constructor(setting: Setting, fraud: Fraud) {
    this.#setting = setting;
    this.#fraud = fraud;
    const first: Plan[] = Array.from({ length: PULLS }, () => ({ outcome: "completed", takes: 0 }));
    this.world = new World([...first, ...setting.followUps]);
    this.world.home.mergeRule = setting.rule;
    this.judge = new Judge(this.world, setting);
    const { github } = this.world.servers;
    github.site.tokens.set("ghs_test", setting.reader);
    this.world.home.roles.set(setting.reader, "write");
    this.#watchGitHub();
    for (let nth = 1; nth <= PULLS; nth++) this.world.startJob(`Document page ${nth}.`);
    this.world.servers.now += 1000;
    this.world.servers.agent.openDuePulls();
    if (setting.isDrafted) this.#openCode();
    this.#writeLedger();
    this.judge.note();
    if (setting.isReady) this.#makeReady();
    this.world.servers.now += 10 * MINUTE;
  }

  get pulls(): Pull[] {
    return this.world.servers.agent.pulls;
  }

  async happen({ minutes, before, meanwhile }: Round): Promise<void> {
    const { servers } = this.world;
    servers.now += minutes * MINUTE;
    servers.agent.openDuePulls();
    this.judge.note();
    if (minutes > 7) this.#runUpkeep();
    before.forEach(this.#act);
    await this.#run(meanwhile);
    servers.github.lag = {};
  }

  async #run(meanwhile: Round["meanwhile"]): Promise<void> {
    this.runs += 1;
    this.#planAt = Number.POSITIVE_INFINITY;
    this.#readAt = this.world.servers.now;
    this.judge.planIsWritten();
    const ran = await runInMemory(
      this.world.servers,
      {
        main: land,
        post: recordKilledLand,
        inputs: this.#inputs(),
        context: { runId: `${this.runs}` },
      },
      {
        random: chance(this.#setting.seed + this.runs),
        onRequest: (outgoing, at) => {
          this.#requests = at;
          for (const { from, at: when, moves } of meanwhile) {
            if (at - (from === "plan" ? this.#planAt : 0) === when) moves.forEach(this.#act);
          }
          this.#noteService(outgoing);
        },
      },
    );
    this.heldBack += ran.outputs.pullRequests?.split('"code":"not-confirmed"').slice(1).length ?? 0;
    this.story.push(`run ${this.runs}: ${ran.errorKind} ${ran.outputs.pullRequests ?? ""}`);
    if (ran.errorKind === "internal") this.wrong.push(ran.log.join("\n"));
  }

  #inputs(): Record<string, string> {
    const { merge, required, delayHours, closeDays, maxFollowUps } = this.#setting;
    return {
      merge,
      "max-follow-ups": String(maxFollowUps),
      "merge-delay-hours": String(delayHours),
      "close-after-days": String(closeDays),
      "allowed-paths": "docs/**",
      "required-checks": required || merge === "checks" ? "docs-check" : "",
      "hold-labels": "docs-hold",
      comment: "false",
      "api-key": this.world.key,
    };
  }

  readonly #act = (each: Move): void => {
    const pull = this.pulls[each.at % this.pulls.length];
    if (pull === undefined) return;
    const { hand, does, by } = each;
    this.world.servers.now += 1000;
    this.#things += 1;
    const { world } = this;
    const { reader } = this.#setting;
    act(each, { world, pull, code: this.#code, reader, thing: `thing-${this.#things}.` });
    this.judge.note();
    this.story.push(`at ${this.#requests}: ${hand} (${by}) ${does} #${pull.number}`);
  };

  #makeReady(): void {
    for (const [at] of this.pulls.entries()) {
      this.#act({ hand: "GitHub", does: "lets a check succeed", by: "maintainer", at });
      this.#act({ hand: "colleague", does: "approves", by: "maintainer", at });
    }
  }

  #openCode(): void {
    const { number } = this.world.home.openPull({ title: "Code" });
    this.judge.code = { docs: PULLS, number, hasLanded: false };
  }

  get #code(): Pull | null {
    const code = this.world.home.issues.get(this.judge.code?.number ?? 0);
    return isPull(code) ? code : null;
  }

  /** Upkeep's ledger names the docs pull requests, and which is a draft. */
  #writeLedger(): void {
    const { repository, agent } = this.world.servers;
    const code = this.#code;
    const isDraft = code !== null && this.judge.code?.hasLanded === false;
    const jobs = agent.jobs.map(({ id, prLink }) => ({ id, prLink }));
    const reviews = jobs
      .slice(0, isDraft ? PULLS - 1 : PULLS)
      .map(({ id: jobId, prLink }) => review({ jobId, prLink: prLink ?? "" }));
    const key = `${repository.id}#${code?.number}`;
    const url = `${repository.page}/pull/${code?.number}`;
    const change = { ...changeOf(code?.number ?? 0), key, url, sha: code?.head ?? "" };
    const drafts = isDraft ? [doneDraft("draft", [change], jobs[PULLS - 1])] : [];
    const format = batchFormat({ action: "upkeep", project: shortHash(PROJECT) });
    const text = JSON.stringify({ ...format.begin, reviews, drafts });
    const sha = repository.commit(repository.tip(), { files: { "ledger.json": text } });
    repository.setRef("refs/docs-agent/upkeep/docs", sha);
  }

  /** Upkeep notices that the code has landed. */
  #runUpkeep(): void {
    const { code } = this.judge;
    const hasLanded = this.#code?.mergedAt != null && this.#code.base === "main";
    if (code === null || code.hasLanded || !hasLanded) return;
    code.hasLanded = true;
    this.#writeLedger();
    this.story.push("upkeep: the code has landed");
  }

  #noteService({ method, url, body = "" }: Outgoing): void {
    const [, id, message] = /\/job\/([^/]+)(\/message)?$/.exec(url.pathname) ?? [];
    const job = this.world.servers.agent.jobs.find((it) => it.id === id);
    const number = Number(job?.prLink?.split("/").at(-1));
    if (job === undefined || Number.isNaN(number)) return;
    if (method === "GET") this.judge.polls(number);
    if (message === undefined) return;
    const { prompt = "" } = JSON.parse(body) as { prompt?: string };
    this.#judge("send", number, prompt);
    const pull = this.world.home.issues.get(number);
    if (!isPull(pull)) return;
    const sent = { at: this.world.servers.now, head: pull.head, prompt };
    this.judge.memoryOf(pull).sent.push(sent);
  }

  #judge(kind: ActKind, number: number, prompt = ""): void {
    this.wrong.push(...this.judge.judge(kind, number, prompt));
    this.story.push(`at ${this.#requests}: land: ${kind} #${number}`);
  }

  #watchGitHub(): void {
    const { github } = this.world.servers;
    const handle = github.handle.bind(github);
    github.handle = (request, lag) => {
      const isRun = request.headers?.authorization?.includes("ghs_test") === true;
      const { path, method } = request;
      const body = String(request.body ?? "");
      if (!isRun) return handle(request, lag);
      if (path === "/graphql" && !/"query": *"\s*mutation/.test(body)) {
        return this.#read(body, lag?.graphql ?? 0, (graphql) =>
          handle(request, { ...lag, graphql }),
        );
      }
      if (method === "GET") return handle(request, lag);
      const updated = this.#beforeWrite(path, body);
      const answer = handle(request, lag);
      if (updated !== null && answer.status < 300) {
        this.judge.memoryOf(updated).updates.add(updated.head);
        this.judge.note();
      }
      if (/\/git\/refs/.test(path) && answer.status < 300) {
        this.#planAt = Math.min(this.#planAt, this.#requests + 1);
        this.judge.planIsWritten();
      }
      return answer;
    };
  }

  #read(
    body: string,
    late: number,
    perform: (age: number) => ReturnType<GitHub["handle"]>,
  ): ReturnType<GitHub["handle"]> {
    const { variables = {} } = JSON.parse(body) as { variables?: Record<string, unknown> };
    // A request about several has `q0_number`, `q1_number`, …
    const numbers = Object.entries(variables).flatMap(([name, value]) =>
      /^(q\d+_)?number$/.test(name) ? [Number(value)] : [],
    );
    const { change, isConfirmedByThePlan } = this.#fraud;
    const isPlanned = this.#planAt < this.#requests;
    if (isConfirmedByThePlan && isPlanned) return perform(this.world.servers.now - this.#readAt);
    this.#readAt = this.world.servers.now;
    const answer = perform(late);
    for (const number of numbers) this.judge.reads(number, late);
    if (change === undefined) return answer;
    const told: unknown = JSON.parse(String(answer.body));
    change(told);
    return { ...answer, body: JSON.stringify(told) };
  }

  /** Judged before it is done: afterwards, the pull request is over. @returns the one that is brought up to date */
  #beforeWrite(path: string, body: string): Pull | null {
    const [, number, does = ""] = /\/pulls\/(\d+)(\/\w[\w-]*)?$/.exec(path) ?? [];
    const queued = body.includes("enqueuePullRequest")
      ? this.pulls.find(({ id }) => body.includes(`"PR_${id}"`))
      : undefined;
    const pull = queued ?? this.world.home.issues.get(Number(number));
    if (!isPull(pull)) return null;
    const fields = JSON.parse(body || "{}") as { sha?: string; expected_head_sha?: string };
    // GitHub refuses another head.
    const { sha = fields.expected_head_sha ?? pull.head } = fields;
    if (queued !== undefined) this.#judge("merge", pull.number);
    else if (does === "/merge" && sha === pull.head) this.#judge("merge", pull.number);
    else if (does === "" && body.includes('"closed"')) this.#judge("close", pull.number);
    else if (does === "/update-branch" && sha === pull.head) {
      this.#judge("update", pull.number);
      return pull;
    }
    return null;
  }
}

const followUp: fc.Arbitrary<Plan> = fc.record({
  outcome: fc.constantFrom<Plan["outcome"][]>("completed", "completed", "no-changes"),
  takes: fc.constantFrom(0, 20 * MINUTE),
});

export const setting: fc.Arbitrary<Setting> = fc.record({
  seed: fc.nat({ max: 1_000_000 }),
  merge: fc.constantFrom(
    ...(["approved", "approved", "approved", "checks", "checks", "checks", "never"] as const),
  ),
  required: fc.boolean(),
  delayHours: fc.constantFrom(0, 0, 0, 2),
  closeDays: fc.constantFrom(0, 0, 1),
  maxFollowUps: fc.constantFrom(0, 1, 2),
  reader: fc.constantFrom(WORKFLOW, WORKFLOW, "land-app[bot]"),
  isDrafted: fc.constantFrom(false, false, true),
  rule: fc.constantFrom<MergeRule[]>(
    {},
    {},
    {},
    { approvals: 1 },
    { approvals: 2, bypass: [WORKFLOW] },
    { queue: true },
    { queue: true, checks: ["docs-check"] },
    { threads: true },
    { upToDate: true },
  ),
  followUps: fc.array(followUp, { minLength: 1, maxLength: 3 }),
  isReady: fc.constantFrom(true, true, true, false),
});

const round: fc.Arbitrary<Round> = fc.record({
  minutes: fc.constantFrom(1, 7, 7, 7, 40, 3 * 60, 25 * 60),
  before: fc.array(movesInTurn, { maxLength: 2 }).map((it) => it.flat()),
  meanwhile: fc.array(
    fc.oneof(
      fc.record({
        from: fc.constant("start" as const),
        at: fc.nat({ max: 16 }),
        moves: movesInTurn,
      }),
      fc.record({ from: fc.constant("plan" as const), at: fc.nat({ max: 8 }), moves: movesInTurn }),
    ),
    { maxLength: 3 },
  ),
});

export const rounds: fc.Arbitrary<Round[]> = fc.array(round, { minLength: 1, maxLength: 3 });
