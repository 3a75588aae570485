/** A history of the gate: runs, and three hands that act between their requests, watched by the judge. */

import fc from "fast-check";
import type { GitHub } from "../../../emulator/github/github.ts";
import type { Pull } from "../../../emulator/github/state.ts";
import { type Plan, SERVICE } from "../../../emulator/local-world/memory-servers.ts";
import { gate } from "../../../src/gate/gate.ts";
import type { Payload } from "../../../src/github/trigger/run-context.ts";
import { LedgerWorld } from "../../support/memory-world/ledger-world.ts";
import { chance, runInMemory } from "../../support/memory-world/runs.ts";
import { actOnCode, type GateMove, gateMoves } from "./gate-hands.ts";
import { GateJudge } from "./gate-judge.ts";

const MINUTE = 60_000;
const DRAFT = "Draft the documentation.";

/** Changes an answer to the gate, as JSON. @param path of the request */
export type GateFraud = (answer: unknown, path: string) => void;

export interface GateSetting {
  seed: number;
  /** What comes of the jobs that are asked for. */
  plans: Plan[];
  draft: "never" | "approved";
}

/** What happens before a run and during it, at its requests. `about`: the pull request, all that are open, or a merge group of them. */
export interface GateRound {
  minutes: number;
  about: number | "all" | "group";
  before: GateMove[];
  meanwhile: { at: number; moves: GateMove[] }[];
}

export class GatePlay {
  readonly world: LedgerWorld;
  readonly judge: GateJudge;
  readonly wrong: string[] = [];
  readonly story: string[] = [];
  runs = 0;
  readonly #setting: GateSetting;
  readonly #fraud: GateFraud | null;
  #count = 0;
  #requests = 0;

  constructor(setting: GateSetting, fraud: GateFraud | null) {
    this.#setting = setting;
    this.#fraud = fraud;
    this.world = new LedgerWorld(setting.plans);
    this.judge = new GateJudge(this.world);
    const { home } = this.world;
    home.openPull({ author: "writer", commits: [{ files: { "src/a.ts": "a\n" } }] });
    const fork = { author: "outsider", forkOwner: "outsider" };
    home.openPull({ ...fork, commits: [{ author: "outsider", files: { "src/b.ts": "b\n" } }] });
    this.#watchGitHub();
    this.world.servers.now += 5 * MINUTE;
  }

  async happen({ minutes, about, before, meanwhile }: GateRound): Promise<void> {
    const { servers, home } = this.world;
    servers.now += minutes * MINUTE;
    servers.agent.openDuePulls();
    before.forEach(this.#act);
    this.runs += 1;
    this.judge.begin();
    const { payload, eventName } = this.#subject(about);
    const ran = await runInMemory(
      servers,
      {
        main: async (...args) => void (await gate(...args)),
        inputs: this.#inputs(),
        context: { eventName, payload, repositoryId: home.id, runId: `${this.runs}` },
      },
      {
        random: chance(this.#setting.seed + this.runs),
        onRequest: ({ url, method, body = "" }, at) => {
          this.#requests = at;
          for (const each of meanwhile) if (each.at === at) each.moves.forEach(this.#act);
          this.judge.note(this.#late());
          const isStart = url.origin === SERVICE && method === "POST" && body.includes(DRAFT);
          if (isStart) this.#judgeStart(body);
        },
      },
    );
    this.story.push(`run ${this.runs}: ${ran.errorKind} ${ran.outputs.verdict ?? ""}`);
    if (ran.errorKind === "internal") this.wrong.push(ran.log.join("\n"));
    servers.github.lag = {};
  }

  #subject(about: GateRound["about"]): { eventName: string; payload: Payload } {
    if (about === "group") return { eventName: "merge_group", payload: this.#group() };
    const pull = about === "all" ? undefined : this.#pullAt(about);
    if (pull === undefined) return { eventName: "workflow_dispatch", payload: {} };
    return { eventName: "pull_request", payload: { pull_request: { number: pull.number } } };
  }

  /** The merge queue's group of the pull requests that are open. */
  #group(): Payload {
    const { home } = this.world;
    const numbers = this.judge.pulls
      .filter(({ state }) => state === "open")
      .map(({ number }) => number);
    const base_sha = home.tip();
    const branch = `gh-readonly-queue/main/pr-${numbers.at(-1) ?? 1}-${base_sha}`;
    const commits = numbers.map((number) => ({ message: `Change (#${number})` }));
    const head_sha = home.forcePush(base_sha, branch, commits);
    this.judge.groups.set(head_sha, numbers);
    return { merge_group: { head_ref: `refs/heads/${branch}`, base_sha, head_sha } };
  }

  #inputs(): Record<string, string> {
    return {
      comment: "false",
      draft: this.#setting.draft,
      prompt: DRAFT,
      paths: "src/**",
      "docs-paths": "docs/**",
      "ignore-labels": "skip-docs",
      "api-key": this.world.key,
    };
  }

  #pullAt(at: number): Pull | undefined {
    const { pulls } = this.judge;
    return pulls[at % pulls.length];
  }

  readonly #act = (each: GateMove): void => {
    const pull = this.#pullAt(each.at);
    if (pull === undefined) return;
    this.#count += 1;
    this.world.servers.now += 1000;
    const { world } = this;
    actOnCode(each, { world, pull, asked: this.judge.asked, count: this.#count });
    this.story.push(`at ${this.#requests}: ${each.hand} ${each.does} #${pull.number}`);
  };

  /** The age of the oldest copy that answers a request. */
  #late(): number {
    return Math.max(0, ...Object.values(this.world.servers.github.lag));
  }

  #watchGitHub(): void {
    const { github } = this.world.servers;
    const handle = github.handle.bind(github);
    github.handle = (request, lag) => {
      if (request.headers?.authorization?.includes("ghs_test") !== true)
        return handle(request, lag);
      const { path, method } = request;
      const body = String(request.body ?? "");
      const [, sha] = /\/statuses\/(\w+)$/.exec(path) ?? [];
      if (method === "POST" && sha !== undefined) this.#judge(sha, body);
      const answer = handle(request, lag);
      if (path === "/graphql") this.#note(body);
      return this.#told(answer, path);
    };
  }

  #judge(sha: string, body: string): void {
    const { state } = JSON.parse(body) as { state?: string };
    if (state !== "success") return;
    this.wrong.push(...this.judge.judge(sha));
    this.story.push(`at ${this.#requests}: the gate sets ${sha.slice(0, 7)} green`);
  }

  #judgeStart(body: string): void {
    const [, number] = /\/pull\/(\d+)/.exec(body) ?? [];
    this.wrong.push(...this.judge.judgeStart(Number(number)));
    this.story.push(`at ${this.#requests}: the gate asks for a draft for #${number}`);
  }

  #note(body: string): void {
    if (body.includes("pullRequests(")) this.judge.lists(this.#late());
    const isAboutPull = body.includes("changedFiles");
    const isAboutOpinions = body.includes("latestOpinionatedReviews");
    const { variables = {} } = JSON.parse(body) as { variables?: Record<string, unknown> };
    for (const [name, number] of Object.entries(variables)) {
      if (!/^(q\d+_)?number$/.test(name)) continue;
      if (isAboutPull) this.judge.reads(Number(number), this.#late());
      if (isAboutOpinions) this.judge.readsOpinions(Number(number), this.#late());
    }
  }

  #told(answer: ReturnType<GitHub["handle"]>, path: string): ReturnType<GitHub["handle"]> {
    if (this.#fraud === null || answer.status !== 200) return answer;
    const told: unknown = JSON.parse(String(answer.body));
    this.#fraud(told, path);
    return { ...answer, body: JSON.stringify(told) };
  }
}

const plan: fc.Arbitrary<Plan> = fc.record({
  outcome: fc.constantFrom<Plan["outcome"][]>("completed", "completed", "failed"),
  takes: fc.constantFrom(0, 20 * MINUTE),
  steering: fc.constantFrom({}, {}, { missingMs: 45 * MINUTE }),
});

export const gateSetting: fc.Arbitrary<GateSetting> = fc.record({
  seed: fc.nat({ max: 1_000_000 }),
  plans: fc.array(plan, { minLength: 1, maxLength: 3 }),
  draft: fc.constantFrom("never", "approved"),
});

const round: fc.Arbitrary<GateRound> = fc.record({
  minutes: fc.constantFrom(1, 7, 30),
  about: fc.constantFrom<GateRound["about"][]>(0, 0, 1, 1, "all", "group"),
  before: fc.array(gateMoves, { maxLength: 3 }).map((it) => it.flat()),
  meanwhile: fc.array(fc.record({ at: fc.nat({ max: 9 }), moves: gateMoves }), { maxLength: 3 }),
});

export const gateRounds: fc.Arbitrary<GateRound[]> = fc.array(round, {
  minLength: 1,
  maxLength: 3,
});
