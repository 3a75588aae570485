/** A run of an action that hands batches over: what it works with, and where it saves its state. */

import { type Connect, connector, countingRequests } from "../github/api/connect.ts";
import { GitRef } from "../github/api/git-ref.ts";
import type { AgentTraces } from "../github/changes/change-details.ts";
import { type LinkedPull, readCloser, readLinkedPull } from "../github/changes/pull-state.ts";
import { LabelledIssue } from "../github/conversation/labelled-issue.ts";
import type { RepositoryContext } from "../github/trigger/run-context.ts";
import type { Answer } from "../inputs/decisions.ts";
import type { DryRun } from "../inputs/ledger.ts";
import { hasEnded, STALE_LIMIT } from "../job/poll.ts";
import { linkOf } from "../job/step-result.ts";
import { SinglePolls } from "../job/wait.ts";
import { type Git, LedgerStore, listLedgerRefs } from "../ledger/store.ts";
import { LEDGER_MESSAGES } from "../ledger/unavailable.ts";
import { type Dependencies, drawName } from "../runtime/dependencies.ts";
import { type Fact, known, type Unread } from "../runtime/fact.ts";
import { type Agent, hasPullRequest, type PolledJob } from "../service/agent.ts";
import { agentV2 } from "../service/agent-v2.ts";
import { ServiceError } from "../service/errors.ts";
import { Transport } from "../service/transport.ts";
import { shortHash } from "../text/short-hash.ts";
import { readMark } from "./dashboard/render.ts";
import { DashboardIssue } from "./dashboard-issue.ts";
import { issueEditOf } from "./issue-edit.ts";
import {
  documentedIn,
  type PastBatch,
  parseAgent,
  parseHistory,
  parseLandClosed,
} from "./model/excerpts.ts";
import { batchFormat } from "./model/format.ts";
import type { Ledger, RunningBatch } from "./model/ledger.ts";
import type { Polled } from "./model/polls.ts";
import type { LedgerAddress, PlanSettings } from "./settings.ts";

/** The inputs that every action with batches has; durations in milliseconds. */
export interface BatchInputs {
  apiKey: string;
  projectId: string;
  baseUrl: URL;
  githubToken: string;
  githubApiUrl: URL;
  /** Distinguishes ledgers of one project; empty for none. */
  name: string;
  /** Null for a ref below `refs/docs-agent/`. */
  ledgerRef: string | null;
  maxAttempts: number;
  maxFailures: number;
  jobDeadline: number;
  /** Number of the issue that the workflow names. */
  dashboard: number | null;
  decisions: readonly Answer[];
  dryRun: DryRun;
  /** Whether merged pull requests get a comment about their docs pull request. */
  comment?: boolean;
}

/** What every run of an action with batches works with. */
export class BatchRun {
  readonly connect: Connect;
  /** How many requests were made to GitHub. */
  readonly requests: () => number;
  readonly agent: Agent;
  readonly address: LedgerAddress;
  readonly store: LedgerStore<Ledger>;
  readonly dashboard: DashboardIssue;
  /** What its plans go by. */
  readonly settings: PlanSettings & { dryRun: DryRun };
  readonly dependencies: Dependencies;
  readonly #serverUrl: string;
  readonly #polls: SinglePolls;

  constructor(
    action: "upkeep" | "queue",
    inputs: BatchInputs,
    context: RepositoryContext,
    dependencies: Dependencies,
  ) {
    const { repository, serverUrl } = context;
    const { name, projectId } = inputs;
    const { connect, count } = countingRequests(connector(inputs, dependencies));
    this.connect = connect;
    this.requests = count;
    this.address = addressOf(action, inputs, context, dependencies);
    const { ref } = this.address;
    const issues = new LabelledIssue(
      {
        repository,
        label: `docs-${action}`,
        title: name === "" ? `Docs ${action}` : `Docs ${action}: ${name}`,
        isOwn: (body) => readMark(body)?.ref === ref,
      },
      connect,
    );
    this.dashboard = new DashboardIssue(issues, { ref, named: inputs.dashboard });
    this.agent = agentV2(new Transport(inputs, dependencies), projectId);
    this.store = storeAt(this.address, connect, dependencies);
    this.settings = {
      rules: this.address.rules,
      runName: this.address.runName,
      place: this.dashboard.place,
      answered: { answers: inputs.decisions, run: context.runId },
      edit: issueEditOf(context),
      dryRun: inputs.dryRun,
    };
    this.dependencies = dependencies;
    this.#serverUrl = serverUrl;
    this.#polls = new SinglePolls(dependencies);
  }

  /** Logs if there is no ledger. @param instead what the run does then */
  logFirst(instead: string): void {
    const { head, options } = this.store;
    if (head.sha !== null) return;
    this.dependencies.log.info(`There is no ledger at ${options.ref} yet: ${instead}.`);
  }

  /** Polls a job once; absent if the service does not know it. */
  async poll({ id, isFollowUp, acceptedAt }: RunningBatch["job"]): Promise<Fact<Polled>> {
    const job = await this.#polls.poll(this.agent, id);
    if (job === null) return unreadJob("unanswered", "the job could not be polled");
    if (job instanceof ServiceError) return { type: "absent" };
    const polled = polledOf(job);
    // Such an end may be the one from before the follow-up.
    const isNew = this.store.now - Date.parse(acceptedAt) < STALE_LIMIT;
    const mayBeOld = isFollowUp && polled.type !== "running" && isNew;
    if (mayBeOld) return unreadJob("pending", "the job's record may be old");
    return { type: "known", value: polled };
  }

  async readPull(link: string): Promise<Fact<LinkedPull>> {
    return await readLinkedPull(link, this.#serverUrl, this.connect);
  }

  /**
   * Who closed a docs pull request: `land`, which may use a person's token, a bot, or somebody of whom nothing is
   * known; null for a person.
   */
  async readClosedBy(link: string): Promise<Fact<string | null>> {
    const closer = await readCloser(link, this.#serverUrl, this.connect);
    if (closer.type === "unread" && closer.isPassing) return closer;
    if (closer.type !== "known") return known("an account that GitHub does not name");
    const { login, isBot } = closer.value;
    if (isBot) return known(login);
    const { git } = this.store;
    const closed = await closedByLand(git, this.address.identity.project);
    return known(closed.has(link) ? "land" : null);
  }

  /** What finished batches say of a docs pull request: its job, and the changes that it documents. */
  async readDocumented(link: string): Promise<ReturnType<typeof documentedIn>> {
    return documentedIn(await this.readHistory(this.store.head.ledger.historyFiles), link);
  }

  /** The page of an issue; null for none. */
  issueUrl(number: number | null): string | null {
    const { repository } = this.address;
    return number === null ? null : `${this.#serverUrl}/${repository}/issues/${number}`;
  }

  /** Finished batches. @param files of the history */
  async readHistory(files: readonly string[]): Promise<PastBatch[]> {
    const lines: PastBatch[] = [];
    for (const file of files) lines.push(...parseHistory(await this.store.readHistory(file)));
    return lines;
  }

  /** Keys of all finished changes, which a rewritten branch must not hand over again. */
  async readEnded(): Promise<Set<string>> {
    const lines = await this.readHistory(this.store.head.ledger.historyFiles);
    const ended = lines.filter(({ state }) => state === "done" || state === "left");
    return new Set(ended.flatMap(({ changes }) => changes.map(({ key }) => key)));
  }
}

function unreadJob(cause: Unread["cause"], reason: string): Unread {
  return { type: "unread", cause, reason, isPassing: true, status: null };
}

function addressOf(
  action: "upkeep" | "queue",
  inputs: BatchInputs,
  { repository, runId, attempt }: RepositoryContext,
  dependencies: Dependencies,
): LedgerAddress {
  const { name, projectId, maxAttempts, maxFailures } = inputs;
  const { jobDeadline: deadline, comment: comments = false } = inputs;
  // A queue always has a name; an upkeep, only if there are several.
  const hashed = shortHash(action === "queue" ? `${projectId}\n${name}` : projectId);
  const key = action === "upkeep" && name !== "" ? name : hashed;
  return {
    identity: { action, project: shortHash(projectId) },
    rules: { maxAttempts, maxFailures, deadline, comments },
    runName: `${runId || "0"}-${attempt}-${drawName(dependencies)}`,
    ref: inputs.ledgerRef ?? `refs/docs-agent/${action}/${key}`,
    repository,
    githubApiUrl: inputs.githubApiUrl.href,
  };
}

export function storeAt(
  { repository, ref, runName, identity }: LedgerAddress,
  connect: Connect,
  dependencies: Dependencies,
): LedgerStore<Ledger> {
  const git = new GitRef(repository, ref, connect, dependencies, LEDGER_MESSAGES);
  return new LedgerStore(git, { ref, runName, format: batchFormat(identity) }, dependencies.clock);
}

/** A job's record, as far as the ledger needs it. */
export function polledOf(job: PolledJob): Polled {
  const { status, ref } = job;
  const prLink = linkOf(job);
  const hasHiddenPull = prLink === null && hasPullRequest(job);
  return { type: typeOf(job), status, prLink, hasHiddenPull, branch: ref };
}

function typeOf(job: PolledJob): Polled["type"] {
  return hasEnded(job) ? job.status : "running";
}

/**
 * Pull requests and branches of the agent that the ledgers of a repository know.
 *
 * @param except the ref of a ledger that is left out
 * @throws ActionError `github-unavailable`
 */
export async function readAgents(git: Git, except = ""): Promise<AgentTraces> {
  const refs = await listLedgerRefs(git);
  const agents: AgentTraces[] = [];
  for (const { sha } of refs.filter(({ ref }) => ref !== except)) {
    agents.push(parseAgent(await git.readFile(sha, "ledger.json")));
  }
  return {
    links: agents.flatMap(({ links }) => links),
    branches: agents.flatMap(({ branches }) => branches),
  };
}

/**
 * The docs pull requests that `land` closed, by its ledgers of the project.
 *
 * @throws ActionError `github-unavailable`
 */
async function closedByLand(git: Git, project: string): Promise<Set<string>> {
  const links = new Set<string>();
  for (const { sha } of await listLedgerRefs(git)) {
    for (const link of parseLandClosed(await git.readFile(sha, "ledger.json"), project)) {
      links.add(link);
    }
  }
  return links;
}
