/**
 * One world for the tests of every action: given inputs, an event and what is on GitHub, it runs an action, and shows
 * what the run asked for and left behind.
 *
 * Requests and routes have one short form: `POST /repos/acme/docs/issues` is one to GitHub, and
 * `POST service /v2/agent/acme-docs/job` one to the service.
 */

import { GitHub } from "../../../emulator/github/github.ts";
import { OWNER, tokenOf } from "../../../emulator/github/people.ts";
import {
  type Comment,
  type DeploymentStatus,
  type Issue,
  isPull,
  type Pull,
  type Status,
} from "../../../emulator/github/state.ts";
import { FIRST_ISSUE, type LocalWorldOptions } from "../../../emulator/local-world/index.ts";
import { LocalGitHub } from "../../../emulator/local-world/local-github.ts";
import { LocalService } from "../../../emulator/local-world/local-service.ts";
import {
  type RunningAction,
  type RunOptions,
  type RunResult,
  runAction as runProcess,
  startAction,
} from "../../../emulator/runner/runner.ts";
import { PROJECT_ID, serviceState } from "../../../emulator/service/state.ts";
import type { Ledger } from "../../../src/batches/model/ledger.ts";
import type { LandLedger } from "../../../src/land/ledger.ts";
import type { Answer, FaultyServer, RecordedRequest } from "../faulty-server.ts";
import { type LedgerAtRef, ledgersOf } from "../ledgers-of.ts";
import { routePattern } from "../routes.ts";
import { runAction } from "../run-action.ts";
import { type ActionName, type EventPull, usualRun } from "./actions.ts";
import {
  type Host,
  type HostOptions,
  hostOf,
  nameOf,
  serveGitHub,
  serveService,
} from "./servers.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** What is special about a world. Everything has a default. */
export interface WorldOptions extends Omit<LocalWorldOptions, "inspector"> {
  /** Text of the tasks file. */
  tasks?: string;
  /** Answers in place of the emulated ones, by route. */
  answers?: Record<string, readonly [Answer, ...Answer[]]>;
  /** What is special about the runs of an action. */
  runs?: Partial<Record<ActionName, RunOptions>>;
  /** What is special about every run. */
  every?: RunOptions;
  /** Faults of the servers. */
  servers?: HostOptions;
  /** Whether each run has a process of its own. Default: some have. */
  hasProcesses?: boolean;
}

/** How an action is run. Everything has a default: `usualRun`, and the options of the world. */
export interface WorldRun extends Omit<RunOptions, "action"> {
  /** Number of the pull request whose event triggers the run. */
  pull?: number;
}

/** What a run left behind. */
export interface Run extends RunResult {
  /** What it asked for, in order, in the short form; with runs at the same time, theirs are among them. */
  requests: string[];
  /** Those of them to a host. */
  toGitHub: string[];
  toService: string[];
}

/** A request, with its name in the short form. */
export interface ReceivedRequest extends RecordedRequest {
  host: Host;
  name: string;
}

/** An issue that is a dashboard. */
export interface DashboardIssue {
  number: number;
  title: string;
  state: string;
  body: string;
}

/** A comment, with its page. */
export interface PostedComment extends Comment {
  url: string;
}

/** A deployment on GitHub, with its states, the oldest first. */
export interface SeenDeployment {
  id: number;
  sha: string;
  environment: string;
  isTransient: boolean;
  states: string[];
  last: DeploymentStatus | null;
}

interface LedgerFiles {
  upkeep: Ledger;
  queue: Ledger;
  land: LandLedger;
}

type DashboardName = "upkeep" | "queue";

/** Starts a world. `await using` ends it with its test. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { repository = "acme/docs", files, issues = [FIRST_ISSUE], servers = {} } = options;
  const { steering, answers = {} } = options;
  const emulated = new GitHub();
  const home = emulated.create(repository, files);
  for (const issue of issues) home.openIssue(issue);
  const github = await serveGitHub(emulated, servers.github);
  const seed = serviceState({
    projects: [{ id: PROJECT_ID, repository }],
    ...options.service,
    // The agent and builds take no time.
    steering: { durationMs: 0, buildMs: 0, ...steering },
  });
  const now = options.hasOneClock ? () => emulated.site.now : Date.now;
  const service = await serveService(emulated, seed, now, servers.service);
  const world = new World(
    new LocalGitHub(emulated, home),
    new LocalService(service.server.url, service.service),
    {
      servers: { github: github.server, service: service.server },
      genuine: { github: github.genuine, service: service.genuine },
      bodies: github.bodies,
      options,
      close: service.close,
    },
  );
  for (const [route, all] of Object.entries(answers)) world.on(route, ...all);
  return world;
}

export class World implements AsyncDisposable {
  /** The emulated GitHub, and what people do there. */
  readonly github: LocalGitHub;
  /** The emulated service. */
  readonly service: LocalService;
  readonly servers: { readonly github: FaultyServer; readonly service: FaultyServer };
  /** The answers of what is emulated, for `on`. */
  readonly genuine: { readonly github: Answer; readonly service: Answer };
  /** The bodies of all comments that runs wrote successfully, in order. */
  readonly bodies: readonly string[];
  /** The newest commit at the start: what is older is no change. */
  readonly since: string;
  /** Text of the tasks file for the next run of the queue. */
  tasks: string;
  readonly #options: WorldOptions;
  readonly #closeEmulated: () => Promise<void>;
  #lastRun = 5000;

  constructor(
    github: LocalGitHub,
    service: LocalService,
    own: Pick<World, "servers" | "genuine" | "bodies"> & {
      options: WorldOptions;
      close: () => Promise<void>;
    },
  ) {
    this.github = github;
    this.service = service;
    this.servers = own.servers;
    this.genuine = own.genuine;
    this.bodies = own.bodies;
    this.#options = own.options;
    this.#closeEmulated = own.close;
    this.tasks = own.options.tasks ?? "";
    this.since = github.home.tip();
  }

  /** Runs an action to its end. */
  async run(action: ActionName, over: WorldRun = {}): Promise<Run> {
    const before = this.received().length;
    const runStep = this.#options.hasProcesses ? runProcess : runAction;
    const result = await runStep(this.options(action, over));
    const received = this.received().slice(before);
    const namesOf = (requests: ReceivedRequest[]) => requests.map(({ name }) => name);
    return {
      ...result,
      requests: namesOf(received),
      toGitHub: namesOf(received.filter(({ host }) => host === "github")),
      toService: namesOf(received.filter(({ host }) => host === "service")),
    };
  }

  /** Starts an action, in a process of its own. */
  start(action: ActionName, over: WorldRun = {}): RunningAction {
    return startAction(this.options(action, over));
  }

  /** The options of a run, with what it does not override. */
  options(action: ActionName, { pull, ...over }: WorldRun = {}): RunOptions {
    const { runs = {}, every = {} } = this.#options;
    const usual = usualRun(action, this, pull === undefined ? null : this.#eventPull(pull));
    this.#lastRun += 1;
    return {
      repository: this.github.repository,
      apiUrl: this.github.url,
      serverUrl: this.github.url,
      token: this.github.token,
      runId: String(this.#lastRun),
      ...every,
      ...usual,
      ...runs[action],
      ...over,
      action: action === "root" ? "." : action,
      inputs: { ...usual.inputs, ...runs[action]?.inputs, ...over.inputs },
    };
  }

  /** Sets the answers of a route, in place of the emulated ones. The last one repeats. */
  on(route: string, ...answers: readonly [Answer, ...Answer[]]): this {
    const { server, target } = this.#hostOf(route);
    server.on(target, ...answers);
    return this;
  }

  /** From now on, what is emulated answers a route again. */
  restore(route: string): void {
    const { server, target } = this.#hostOf(route);
    server.on(target, this.genuine[hostOf(route)]);
  }

  /** Resolves with the nth request (from 1) of a route when it has arrived, before its answer. */
  waitForRequest(route: string, nth?: number): Promise<RecordedRequest> {
    const { server, target } = this.#hostOf(route);
    return server.waitForRequest(target, nth);
  }

  /** What runs asked for so far, in the short form. @param of a host, or a route */
  asked(of?: "github" | "service" | (string & {})): string[] {
    return this.received(of).map(({ name }) => name);
  }

  /** The requests of runs so far. @param of a host, or a route */
  received(of?: "github" | "service" | (string & {})): ReceivedRequest[] {
    const pattern = routePattern(of ?? "");
    return (["github", "service"] as const)
      .flatMap((host) =>
        this.servers[host].requests.map((request) => ({
          ...request,
          host,
          name: nameOf(host, request),
        })),
      )
      .filter(({ host, name }) => of === undefined || of === host || pattern.test(name))
      .sort((one, other) => one.at - other.at);
  }

  /** The bodies of requests of runs so far, from JSON. @param of a host, or a route */
  sent(of?: "github" | "service" | (string & {})): Record<string, unknown>[] {
    return this.received(of).map(({ body }) => JSON.parse(body.toString() || "{}"));
  }

  /** The prompts that runs sent to the service, in order, whatever it answered. */
  sentPrompts(): string[] {
    return this.received("service")
      .filter(({ method }) => method === "POST")
      .map(({ body }) => JSON.parse(body.toString()).prompt);
  }

  /** The reactions of runs so far, as `path content`. */
  reactions(): string[] {
    return this.received("github")
      .filter(({ name }) => /^POST \S+\/reactions$/.test(name))
      .map(({ path, body }) => `${path} ${JSON.parse(body.toString()).content}`);
  }

  /** An issue, or a pull request. */
  issue(number: number): Issue {
    const issue = this.github.home.issues.get(number);
    if (issue === undefined) throw new Error(`There is no issue #${number}`);
    return issue;
  }

  pull(number: number): Pull {
    const pull = this.issue(number);
    if (!isPull(pull)) throw new Error(`#${number} is not a pull request`);
    return pull;
  }

  /** The comments on an issue or a pull request, oldest first. */
  comments(number: number): PostedComment[] {
    const { home } = this.github;
    const kind = isPull(home.issues.get(number)) ? "pull" : "issues";
    const page = `${this.github.url}/${home.fullName}/${kind}/${number}`;
    return home
      .commentsOn(number)
      .map((comment) => ({ ...comment, url: `${page}#issuecomment-${comment.id}` }));
  }

  /** The body of the only comment on an issue or a pull request. */
  comment(number: number): string {
    const [comment, ...others] = this.comments(number);
    if (comment === undefined) throw new Error(`There is no comment on #${number}`);
    if (others.length > 0) throw new Error(`There are ${others.length} other comments`);
    return comment.body;
  }

  /** The dashboards of an action, newest first. */
  dashboards(of: DashboardName): DashboardIssue[] {
    return [...this.github.home.issues.values()]
      .filter((issue) => issue.labels.includes(`docs-${of}`) && issue.movedTo === undefined)
      .filter((issue) => !isPull(issue))
      .map(({ number, title, state, body }) => ({ number, title, state, body: body ?? "" }))
      .reverse();
  }

  /** The only dashboard of an action. */
  dashboard(of: DashboardName): DashboardIssue {
    const all = this.dashboards(of);
    const [dashboard] = all;
    if (dashboard === undefined || all.length > 1) throw new Error(`${all.length} dashboards`);
    return dashboard;
  }

  /** Edits the workflow file of the runs, so that their filters may be others from now on. */
  editWorkflow(): void {
    const { home } = this.github;
    const files = { ".github/workflows/docs.yml": `# Edited after ${home.tip()}.\n` };
    home.push({ message: "Edit the workflow", files });
  }

  /** Changes the only dashboard of an action, as the repository's owner. */
  async editDashboard(
    of: DashboardName,
    body: { body?: string; state?: "open" | "closed" },
  ): Promise<void> {
    await this.github.api(`/issues/${this.dashboard(of).number}`, { method: "PATCH", body });
  }

  /** Ticks all boxes of a kind on the only dashboard of an action. Default: those that hand over again. */
  async tick(
    of: DashboardName,
    box: "again" | "leave" | "go-on" | "hand-over" = "again",
  ): Promise<void> {
    const { body } = this.dashboard(of);
    const ticked = body.replaceAll(`- [ ] <!-- ${box}:`, `- [x] <!-- ${box}:`);
    await this.editDashboard(of, { body: ticked });
  }

  /** Every ref below `refs/docs-agent/`, with the ledger at it and the messages of its commits. */
  ledgers(): LedgerAtRef<unknown>[] {
    return ledgersOf<unknown>(this.github.home);
  }

  /** The only ledger of an action. */
  ledger<Name extends keyof LedgerFiles>(of: Name): LedgerAtRef<LedgerFiles[Name]> {
    const all = ledgersOf<LedgerFiles[Name]>(this.github.home);
    const own = all.filter(({ ref }) => ref.startsWith(`refs/docs-agent/${of}/`));
    const [ledger] = own;
    if (ledger === undefined || own.length > 1) throw new Error(`${own.length} ledgers of ${of}`);
    return ledger;
  }

  /** The prompts that the emulated service accepted, job by job. */
  async prompts(): Promise<string[]> {
    const jobs = await this.service.jobs();
    return jobs.flatMap(({ turns }) => turns.map(({ prompt }) => prompt));
  }

  /** The statuses of a commit, newest first. @param of a pull request, whose head it is, or a SHA */
  statuses(of: number | string): Status[] {
    const sha = typeof of === "number" ? this.pull(of).head : of;
    return this.github.home.statuses.filter((status) => status.sha === sha).toReversed();
  }

  /** The deployments, the oldest first. */
  deployments(): SeenDeployment[] {
    return this.github.home.deployments.map(
      ({ id, sha, environment, statuses, ...deployment }) => ({
        id,
        sha,
        environment,
        isTransient: deployment.transient_environment,
        states: statuses.map(({ state }) => state),
        last: statuses.at(-1) ?? null,
      }),
    );
  }

  /** Advances GitHub's clock. Default: until a job's record can no longer be outdated. */
  async passTime(milliseconds = 3 * MINUTE): Promise<void> {
    await this.github.advance(milliseconds);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.servers.github.close(), this.servers.service.close()]);
    await this.#closeEmulated();
  }

  #hostOf(route: string): { server: FaultyServer; target: string } {
    return { server: this.servers[hostOf(route)], target: route.replace(" service /", " /") };
  }

  #eventPull(number: number): EventPull {
    const path = `/repos/${this.github.repository}/pulls/${number}`;
    const headers = { authorization: `Bearer ${tokenOf(OWNER)}` };
    const { status, body } = this.github.emulated.handle({ method: "GET", path, headers });
    if (status !== 200) throw new Error(`There is no pull request #${number}: ${body}`);
    return JSON.parse(String(body)) as EventPull;
  }
}
