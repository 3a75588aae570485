import { hash } from "node:crypto";
import { type CountingConnect, connector, countingRequests } from "../../github/connect.ts";
import { GitRef } from "../../github/git-ref.ts";
import { LabelledIssue } from "../../github/labelled-issue.ts";
import type { Failed } from "../../github/refusal.ts";
import type { Payload, RunContext } from "../../github/run-context.ts";
import { type Dependencies, drawName } from "../../runtime/dependencies.ts";
import { ActionError } from "../../runtime/errors.ts";
import type { Agent } from "../../service/agent.ts";
import { AgentV2 } from "../../service/agent-v2.ts";
import { Transport } from "../../service/transport.ts";
import { readMark } from "../dashboard/boxes.ts";
import { notShown } from "../model/file.ts";
import { type HistoryLine, type Ledger, parseAgent, parseHistory } from "../model/ledger.ts";
import { hasFailed, perform, type RunMemory, type Steps } from "../protocol/port.ts";
import { type RunResult, type RunSettings, runLedger } from "../protocol/run-steps.ts";
import { type LedgerSettings, ofBatches } from "../protocol/write-ledger.ts";
import { type LedgerAction, ledgerPort } from "./ledger-port.ts";

/** The inputs that every action with a ledger has; durations in milliseconds. */
export interface LedgerInputs {
  apiKey: string;
  projectId: string;
  baseUrl: URL;
  githubToken: string;
  githubApiUrl: URL;
  /** Tells ledgers of one project apart; empty for none. */
  name: string;
  /** Null: below `refs/docs-agent/`. */
  ledgerRef: string | null;
  maxAttempts: number;
  jobDeadline: number;
  /** Number of the issue that the workflow names. */
  dashboard: number | null;
  dryRun: boolean;
}

/** Which ledger an action keeps. */
export interface LedgerKind {
  /** `upkeep` or `queue` */
  action: string;
  /** The last part of its ref. */
  key: string;
  /** Of the dashboard. */
  title: string;
  label: string;
  /** Whether merged pull requests get a comment about their docs pull request. */
  tells: boolean;
}

/** What the main step leaves for its post step: plain data without a secret. */
export interface SavedLedgerRun {
  settings: LedgerSettings;
  repository: string;
  githubApiUrl: string;
  memory: RunMemory;
}

/** The beginning of the SHA-256 of a text: 12 hexadecimal digits. */
export function shortHash(text: string): string {
  return hash("sha256", text, "hex").slice(0, 12);
}

/** The ledger of upkeep, which the gate writes its drafts to. */
export function upkeepLedger({
  name,
  projectId,
}: Pick<LedgerInputs, "name" | "projectId">): Omit<LedgerKind, "tells"> {
  return {
    ...{ action: "upkeep", label: "docs-upkeep" },
    key: name === "" ? shortHash(projectId) : name,
    title: name === "" ? "Docs upkeep" : `Docs upkeep: ${name}`,
  };
}

/** One run of an action on its ledger. */
export class LedgerRun {
  readonly ref: GitRef;
  readonly agent: Agent;
  readonly settings: RunSettings;
  readonly #ledger: LedgerSettings;
  readonly #counting: CountingConnect;
  readonly #issue: LabelledIssue;
  readonly #repository: string;
  readonly #serverUrl: string;
  readonly #githubApiUrl: string;
  readonly #dependencies: Dependencies;

  constructor(
    { action, key, title, label, tells }: LedgerKind,
    inputs: LedgerInputs,
    context: RunContext,
    dependencies: Dependencies,
  ) {
    const { repository, serverUrl, runId, attempt } = context;
    const ref = inputs.ledgerRef ?? `refs/docs-agent/${action}/${key}`;
    dependencies.http.checkProxy(inputs.githubApiUrl);
    this.#counting = countingRequests(connector(inputs, dependencies));
    this.ref = new GitRef(repository, ref, this.connect);
    const isOwn = (body: string) => readMark(body)?.ref === ref;
    this.#issue = new LabelledIssue(
      { repository, label, title, suffix: inputs.projectId, isOwn },
      this.connect,
    );
    this.agent = new AgentV2(new Transport(inputs, dependencies), inputs.projectId);
    this.#ledger = {
      identity: { action, project: shortHash(inputs.projectId) },
      rules: { maxAttempts: inputs.maxAttempts, deadline: inputs.jobDeadline, tells },
      runName: `${runId || "0"}-${attempt}-${drawName(dependencies)}`,
      ref,
    };
    this.settings = {
      ...ofBatches(this.#ledger),
      ...{ dashboard: inputs.dashboard, isDryRun: inputs.dryRun },
      editedIssue: editedDashboard(context),
    };
    this.#repository = repository;
    this.#serverUrl = serverUrl;
    this.#githubApiUrl = inputs.githubApiUrl.href;
    this.#dependencies = dependencies;
  }

  get connect() {
    return this.#counting.connect;
  }

  /** Requests that were made to GitHub. */
  get requests(): number {
    return this.#counting.count();
  }

  perform(action: LedgerAction): Promise<RunResult> {
    return this.performSteps(runLedger(this.settings), action);
  }

  /** Runs other steps than a run's own, with as much of an action as they need. */
  performSteps<T>(steps: Steps<T>, action: LedgerAction): Promise<T> {
    const { outputs } = this.#dependencies;
    const port = ledgerPort({
      ...{ ref: this.ref, issue: this.#issue, connect: this.connect, reader: this.agent },
      ...{ action, serverUrl: this.#serverUrl, dependencies: this.#dependencies },
      remember: (memory) => outputs.saveState(memory === null ? null : this.#saved(memory)),
    });
    return perform(steps, port);
  }

  /** The page of an issue; empty for none. */
  issueUrl(number: number | null): string {
    return number === null ? "" : `${this.#serverUrl}/${this.#repository}/issues/${number}`;
  }

  /** Finished batches. @param files of the history */
  async readHistory(sha: string | null, files: readonly string[]): Promise<HistoryLine[]> {
    const lines: HistoryLine[] = [];
    for (const file of files) {
      const { text } = await orThrow(this.ref.readFile(sha ?? "", file));
      if (text === null) throw unreadable(notShown(file));
      lines.push(...parseHistory(text));
    }
    return lines;
  }

  /** Keys of all changes that are at their end: what a rewritten branch must not hand over again. */
  async readEnded(sha: string | null, { historyFiles }: Ledger): Promise<Set<string>> {
    const lines = await this.readHistory(sha, historyFiles);
    const ended = lines.filter(({ state }) => state === "done" || state === "left");
    return new Set(ended.flatMap(({ changes }) => changes.map(({ key }) => key)));
  }

  /** Pull requests and branches of the agent that other ledgers in this repository know. */
  readOtherAgents(): Promise<Ledger["agent"]> {
    return readAgents(this.ref, this.settings.ref);
  }

  #saved(memory: RunMemory): SavedLedgerRun {
    const [repository, githubApiUrl] = [this.#repository, this.#githubApiUrl];
    return { settings: this.#ledger, repository, githubApiUrl, memory };
  }
}

/**
 * Pull requests and branches of the agent that the ledgers of a repository know.
 *
 * @param except the ref of one that is not read
 * @throws ActionError `github-unavailable`
 */
export async function readAgents(git: GitRef, except = ""): Promise<Ledger["agent"]> {
  const found: Ledger["agent"] = { links: [], branches: [] };
  const { refs } = await orThrow(git.listRefs("docs-agent/"));
  for (const { sha } of refs.filter(({ ref }) => ref !== except)) {
    const { text } = await orThrow(git.readFile(sha, "ledger.json"));
    const agent = parseAgent(text ?? "");
    found.links.push(...agent.links);
    found.branches.push(...agent.branches);
  }
  return found;
}

/** @throws ActionError `github-unavailable` */
export async function orThrow<T extends object>(read: Promise<T | Failed>): Promise<T> {
  const answer = await read;
  if (hasFailed(answer)) throw unreadable(answer.failed);
  return answer;
}

function unreadable(why: string): ActionError {
  const what = `The ledger could not be read: ${why}.`;
  return new ActionError("github-unavailable", what, "Nothing was sent.");
}

/**
 * The issue whose edit triggered the run. A workflow that also runs on `issues: [edited]` acts on a tick at
 * once; other actions of this event, and edits by a bot or by the action itself, ask for nothing.
 *
 * @returns null for any other event; 0 for one that needs no action
 */
function editedDashboard({ eventName, payload }: RunContext): number | null {
  if (eventName !== "issues") return null;
  const { action, sender, issue } = payload;
  const isEdit = action === "edited" || action === "reopened";
  if (!isEdit || sender?.type === "Bot" || isOwnEdit(payload)) return 0;
  return issue?.number ?? 0;
}

/** With a person's token the action's edits have that person's name; but nobody else changes the mark. */
function isOwnEdit({ changes, issue }: Payload): boolean {
  const before = changes?.body?.from;
  if (typeof before !== "string") return false;
  const [old, now] = [readMark(before), readMark(issue?.body ?? "")];
  return now !== null && (old?.sha !== now.sha || old.writes !== now.writes);
}
