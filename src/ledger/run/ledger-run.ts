import { hash } from "node:crypto";
import { type Connect, connector, countingRequests } from "../../github/api/connect.ts";
import { GitRef } from "../../github/api/git-ref.ts";
import { readPullRequest } from "../../github/changes/history.ts";
import { LabelledIssue } from "../../github/conversation/labelled-issue.ts";
import type { RunContext } from "../../github/trigger/run-context.ts";
import { STALE_LIMIT } from "../../job/poll.ts";
import { SinglePolls } from "../../job/wait.ts";
import { type Dependencies, drawName } from "../../runtime/dependencies.ts";
import { cancelledRun } from "../../runtime/errors.ts";
import type { Agent, Job } from "../../service/agent.ts";
import { agentV2 } from "../../service/agent-v2.ts";
import { ServiceError } from "../../service/errors.ts";
import { Transport } from "../../service/transport.ts";
import { safeLink } from "../../text/link.ts";
import { readMark } from "../dashboard/render.ts";
import type { Polled, PullRequest } from "../model/batches.ts";
import { type HistoryLine, type Ledger, parseAgent, parseHistory } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import {
  type Handed,
  type LedgerAction,
  type LedgerPort,
  type LedgerSettings,
  type RunSettings,
  storeOptions,
} from "../protocol/port.ts";
import { type RunResult, runLedger } from "../protocol/run-ledger.ts";
import { recordAll, startedText } from "../protocol/send-batches.ts";
import { LedgerStore } from "../protocol/store.ts";
import { LEDGER_WORDS, Unavailable } from "../protocol/unavailable.ts";

/** The inputs that every action with a ledger has; durations in milliseconds. */
interface LedgerInputs {
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
  jobDeadline: number;
  /** Number of the issue that the workflow names. */
  dashboard: number | null;
  dryRun: boolean;
  /** Whether merged pull requests get a comment about their docs pull request. */
  comment?: boolean;
}

/** What the main step saves for its post step, without secrets. */
interface SavedLedgerRun extends LedgerSettings {
  repository: string;
  githubApiUrl: string;
  handed: Pick<Handed, "id" | "sent">[];
}

/** The beginning of the SHA-256 of a text: 12 hexadecimal digits. */
export function shortHash(text: string): string {
  return hash("sha256", text, "hex").slice(0, 12);
}

/** One run of an action on its ledger. */
export class LedgerRun implements LedgerPort {
  readonly connect: Connect;
  /** How many requests were made to GitHub. */
  readonly requests: () => number;
  readonly agent: Agent;
  readonly store: LedgerStore<Ledger, LedgerEdit>;
  readonly issue: LabelledIssue;
  readonly settings: RunSettings;
  readonly #saved: Omit<SavedLedgerRun, "handed">;
  readonly #serverUrl: string;
  readonly #polls: SinglePolls;
  readonly dependencies: Dependencies;

  constructor(
    action: "upkeep" | "queue",
    inputs: LedgerInputs,
    context: RunContext,
    dependencies: Dependencies,
  ) {
    const { repository, serverUrl, runId, attempt } = context;
    const { name, projectId, githubApiUrl, maxAttempts, jobDeadline: deadline } = inputs;
    // A queue always has a name; an upkeep, only if there are several.
    const hashed = shortHash(action === "queue" ? `${projectId}\n${name}` : projectId);
    const key = action === "upkeep" && name !== "" ? name : hashed;
    const ref = inputs.ledgerRef ?? `refs/docs-agent/${action}/${key}`;
    const { connect, count } = countingRequests(connector(inputs, dependencies));
    this.connect = connect;
    this.requests = count;
    const isOwn = (body: string) => readMark(body)?.ref === ref;
    const title = name === "" ? `Docs ${action}` : `Docs ${action}: ${name}`;
    const { unavailable } = LEDGER_WORDS;
    const issue = { repository, label: `docs-${action}`, title, isOwn, unavailable };
    this.issue = new LabelledIssue(issue, connect);
    this.agent = agentV2(new Transport(inputs, dependencies), projectId);
    this.#saved = {
      identity: { action, project: shortHash(projectId) },
      rules: { maxAttempts, deadline, comments: inputs.comment ?? false },
      runName: `${runId || "0"}-${attempt}-${drawName(dependencies)}`,
      ref,
      repository,
      githubApiUrl: githubApiUrl.href,
    };
    const git = new GitRef(repository, ref, connect, dependencies, LEDGER_WORDS);
    this.store = new LedgerStore(git, storeOptions(this.#saved));
    const { dashboard, dryRun: isDryRun } = inputs;
    this.settings = { dashboard, isDryRun, editedIssue: editedDashboard(context) };
    this.#serverUrl = serverUrl;
    this.#polls = new SinglePolls(dependencies);
    this.dependencies = dependencies;
  }

  /** Logs if there is no ledger. @param what what the run does instead */
  logFirst(what: string): void {
    const { head, options } = this.store;
    if (head.sha !== null) return;
    this.dependencies.log.info(`There is no ledger at ${options.ref} yet: ${what}.`);
  }

  /** @throws ActionError: nothing was sent */
  async perform(action: LedgerAction): Promise<RunResult> {
    return await runLedger(this, action).catch((error) => {
      const { stop } = this.dependencies.cancellation;
      // Requests that a signal interrupted say nothing about GitHub.
      throw stop.aborted && error instanceof Unavailable ? cancelledRun() : error;
    });
  }

  /** Polls the job of a batch once. */
  async poll({ jobId, isFollowUp, acceptedAt }: Parameters<LedgerPort["poll"]>[0]) {
    const job = jobId === null ? null : await this.#polls.poll(this.agent, jobId);
    if (job === null) return null;
    if (job instanceof ServiceError) {
      return { type: "unknown", status: "unknown", prLink: null, branch: null } as const;
    }
    const polled = polledOf(job);
    const age = this.dependencies.clock.timeOfDay() - Date.parse(acceptedAt ?? "");
    // Such an end may be the one from before the follow-up.
    const mayBeOld = isFollowUp && polled.type !== "running" && Math.abs(age) < STALE_LIMIT;
    return mayBeOld ? null : polled;
  }

  async readPullRequest(link: string): Promise<PullRequest> {
    return await readPullRequest(link, this.#serverUrl, this.connect);
  }

  remember(all: readonly Handed[] | null): void {
    const handed = all?.map(({ id, sent }) => ({ id, sent }));
    const saved: SavedLedgerRun | null = handed ? { ...this.#saved, handed } : null;
    this.dependencies.outputs.saveState(saved);
  }

  /** The page of an issue; empty for none. */
  issueUrl(number: number | null): string {
    const { repository } = this.#saved;
    return number === null ? "" : `${this.#serverUrl}/${repository}/issues/${number}`;
  }

  /** Finished batches. @param files of the history */
  async readHistory(files: readonly string[]): Promise<HistoryLine[]> {
    const lines: HistoryLine[] = [];
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

/** A job's record, as far as the ledger needs it. An archived job is done. */
export function polledOf({ status, prLink, ref }: Job): Polled {
  const fields = { status, prLink: safeLink(prLink ?? ""), branch: ref ?? null };
  if (status === "completed" || status === "archived") return { type: "done", ...fields };
  return { type: status === "failed" ? "failed" : "running", ...fields };
}

/**
 * Pull requests and branches of the agent that the ledgers of a repository know.
 *
 * @param except the ref of a ledger that is left out
 * @throws ActionError `github-unavailable`
 */
export async function readAgents(
  git: Pick<GitRef, "listRefs" | "readFile">,
  except = "",
): Promise<Ledger["agent"]> {
  const found: Ledger["agent"] = { links: [], branches: [] };
  const refs = await git.listRefs("docs-agent/");
  for (const { sha } of refs.filter(({ ref }) => ref !== except)) {
    const text = await git.readFile(sha, "ledger.json");
    const agent = parseAgent(text ?? "");
    found.links.push(...agent.links);
    found.branches.push(...agent.branches);
  }
  return found;
}

/**
 * The post step of a run that was killed, or could not record the results of its requests: records what is known.
 *
 * @param saved the main step's state
 */
export async function recordKilledRun(
  saved: unknown,
  read: (input: string) => string,
  _context: unknown,
  dependencies: Dependencies,
): Promise<void> {
  const run = saved as SavedLedgerRun;
  const githubToken = read("github-token").trim();
  const githubApiUrl = new URL(run.githubApiUrl);
  const connect = connector({ githubToken, githubApiUrl }, dependencies);
  const git = new GitRef(run.repository, run.ref, connect, dependencies, LEDGER_WORDS);
  const store = new LedgerStore(git, storeOptions(run));
  const change = (edit: LedgerEdit) => recordAll(edit, run.handed);
  await store.recordLate(change, dependencies.log, startedText(run.handed));
}

/**
 * The issue whose edit triggered the run. A workflow that also runs on `issues: [edited]` handles a tick at once. Other
 * actions of this event, and edits by a bot or by the action itself, need no action.
 *
 * @returns null for any other event; 0 for one that needs no action
 */
function editedDashboard({ eventName, payload }: RunContext): number | null {
  if (eventName !== "issues") return null;
  const { action, sender, issue, changes } = payload;
  const isEdit = action === "edited" || action === "reopened";
  const before = changes?.body?.from ?? null;
  const [old, now] = [readMark(before ?? ""), readMark(issue?.body ?? "")];
  const isMarked = now !== null && (old?.sha !== now.sha || old.writes !== now.writes);
  // With a person's token, the action's edits have that person's name. But only the action changes the mark.
  const isOwn = sender?.type === "Bot" || (before !== null && isMarked);
  return isEdit && !isOwn ? (issue?.number ?? 0) : 0;
}
