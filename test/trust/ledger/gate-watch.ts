/** What the gate must never do, as seen in the emulated GitHub and service. */

import { AGENT, WORKFLOW } from "../../../emulator/github/people.ts";
import { filesOf } from "../../../emulator/github/routes/pulls.ts";
import { isPull, type Pull } from "../../../emulator/github/state.ts";
import { endOf, lastTurn } from "../../../emulator/service/agent/job.ts";
import { keyIn } from "../../support/landed.ts";
import { ledgersOf } from "../../support/ledgers-of.ts";
import type { GateSetting } from "./gate-events.ts";
import { type GitHubAnswer, type GitHubRequest, RequestWatch } from "./request-watch.ts";

/** How a comment of the gate begins. */
export const MARK = "<!-- docs-agent-gate: -->";
/** Copies of GitHub's database are at most so far behind, in milliseconds. */
const BEHIND = 121_000;
/** How old a job is at least that counts as unknown, in milliseconds. */
const UNKNOWN = 40 * 60_000;
/** The gate polls no more jobs of a pull request. */
const MOST_POLLS = 5;

/** `either`: it depends on how long ago something was. */
type Verdict = "green" | "red" | "either";

/** How a pull request is to be judged from a time on. */
interface Judgement {
  at: number;
  verdict: Verdict;
  /** The same, if every poll of a job fails. */
  withoutPolls: Verdict;
  /** By somebody with write permission, while no other asks for changes. */
  isApproved: boolean;
}

/** A job that a comment on a pull request is about. */
interface AskedJob {
  number: number;
  job: string;
  /** The key that signed its comment. */
  key: string;
  /** ID of its comment, and the comment's text, with which it must end. */
  comment: number;
  text: string;
}

/** When the runs at work began, and what disturbs them. */
interface RunAtWork {
  since: number;
  isFaulty: boolean;
  isBehind: boolean;
  /** What it reads may be of different times, so that it was never all true at once. */
  isMixed: boolean;
  /** GitHub refuses one of its requests, so that it may not learn who has which permission. */
  isRefused: boolean;
}

/** Watches the requests of runs to GitHub, and notes each that must not be. */
export class GateWatch extends RequestWatch<GateSetting> {
  readonly runs = new Set<RunAtWork>();
  readonly asked: AskedJob[] = [];
  /** The pull requests of the merge queue's groups, by their heads. */
  readonly groups = new Map<string, number[]>();
  /** Commits whose status was set after its time. */
  readonly outdated = new Set<string>();
  readonly #judgements = new Map<number, Judgement[]>();

  protected override onRequest(
    request: GitHubRequest,
    isRun: boolean,
    perform: () => GitHubAnswer,
  ): GitHubAnswer {
    this.note();
    const isRead = request.method === "GET" || request.path.startsWith("/graphql");
    if (isRun && !isRead && this.runs.size > 0) this.#watch(request);
    const answer = perform();
    this.note();
    return answer;
  }

  /** Pull requests that people opened. */
  pulls(): Pull[] {
    return this.servers.repository.pulls.filter(({ author }) => author !== AGENT);
  }

  /** Whether GitHub fails to list the files of a pull request. */
  isUnlisted(pull: Pull): boolean {
    const { repository: home } = this.servers;
    return home.commitsOf(pull).some(({ sha }) => home.switches.huge.has(sha));
  }

  /** Notes how each pull request is to be judged now. */
  note(): void {
    for (const pull of this.pulls()) {
      const before = this.#judgements.get(pull.number) ?? [];
      const judgement = this.#judge(pull);
      if (isSame(before.at(-1), judgement)) continue;
      this.#judgements.set(pull.number, [...before, judgement]);
    }
  }

  /** How a pull request was to be judged at any time since. */
  since(number: number, since: number): Judgement[] {
    const all = this.#judgements.get(number) ?? [];
    const before = all.findLastIndex(({ at }) => at < since);
    return all.slice(Math.max(0, before));
  }

  /** All that the runs at work may have read. */
  #readable(number: number): Judgement[] {
    const times = [...this.runs].map(({ since, isBehind }) => since - (isBehind ? BEHIND : 0));
    return this.since(number, Math.min(this.servers.now, ...times));
  }

  /** A request for the documentation of a pull request. */
  checkDraft(numbers: readonly number[]): void {
    const [number = 0] = numbers;
    const readable = this.#readable(number);
    const isRefused = [...this.runs].some((run) => run.isRefused);
    const isMixed = [...this.runs].some((run) => run.isMixed);
    // Reviews and comments are read at different times.
    const isDue =
      isRefused ||
      ((isMixed || readable.some(({ verdict }) => verdict !== "green")) &&
        readable.some(({ isApproved }) => isApproved));
    if (numbers.length !== 1 || this.setting.draft === "never" || !isDue) {
      this.wrong.push(`a draft is requested for ${numbers.join(", ")}, and must not be`);
    }
  }

  #watch({ method, path, body }: GitHubRequest): void {
    const { comments, issues } = this.servers.repository;
    const fields = JSON.parse(String(body || "{}")) as Record<string, string>;
    const [, sha] = /\/statuses\/(\w+)$/.exec(path) ?? [];
    if (sha !== undefined && fields.context === "docs gate") {
      this.#checkStatus(sha, fields.state ?? "");
      return;
    }
    const [, kind, id] = /\/(issues|issues\/comments)\/(\d+)/.exec(path) ?? [];
    const comment = kind === "issues/comments" ? comments.get(Number(id)) : undefined;
    const isAsked = this.asked.some((it) => it.comment === comment?.id);
    const isOwn = comment === undefined || (comment.author === WORKFLOW && !isAsked);
    const isText = fields.body?.startsWith(MARK) === true;
    const isOnPull = isPull(issues.get(comment?.issue ?? Number(id)));
    if (kind !== undefined && isOnPull && isOwn && isText) return;
    const isObject = method === "POST" && /\/git\/(blobs|trees|commits)$/.test(path);
    const isLedger = `${path} ${String(body)}`.includes("docs-agent/upkeep/");
    if (isObject || (path.includes("/git/refs") && isLedger)) return;
    this.wrong.push(`a run writes what is not its own: ${method} ${path}`);
  }

  /** What is green was to be green at some time since the runs began. */
  #checkStatus(sha: string, state: string): void {
    if (this.isLate) this.outdated.add(sha);
    else this.outdated.delete(sha);
    if (state !== "success" || this.isLate || this.setting.ifNeeded === "warn") return;
    const numbers =
      this.groups.get(sha) ??
      this.servers.repository.pulls
        .filter(({ head, author }) => head === sha && author !== AGENT)
        .map(({ number }) => number);
    const isFaulty = [...this.runs].some((run) => run.isFaulty);
    for (const number of numbers) {
      const verdicts = this.#readable(number).map((it) =>
        isFaulty ? it.withoutPolls : it.verdict,
      );
      const isRight = verdicts.some((verdict) => verdict === "green" || verdict === "either");
      if (!isRight) this.wrong.push(`#${number} is green without a cause`);
    }
  }

  #judge(pull: Pull): Judgement {
    const verdict = this.#verdictOf(pull, (job) => this.#covers(job));
    const withoutPolls = this.#verdictOf(pull, () => "green");
    const isApproved = this.#isApproved(pull);
    return { at: this.servers.now, verdict, withoutPolls, isApproved };
  }

  #verdictOf(pull: Pull, covers: (job: string) => Verdict): Verdict {
    const { repository: home } = this.servers;
    const { state, labels, author, number, body } = pull;
    const isIgnored = labels.includes("skip-docs") || author === "renovate[bot]";
    if (state !== "open" || isIgnored) return "green";
    const files = filesOf(home, pull).map(({ path }) => path);
    const isCode = files.some((path) => path.startsWith("src/"));
    const isDocumented = files.some((path) => path.startsWith("docs/"));
    if (!this.isUnlisted(pull) && (!isCode || isDocumented)) return "green";
    const posts = [...home.commentsOn(number), { author, body: body ?? "" }];
    const isExcused = posts.some(
      (post) => home.may(post.author, "write") && /^docs: none, /m.test(post.body),
    );
    if (isExcused) return "green";
    const asked = this.asked.filter((it) => it.number === number && this.#isReadable(it));
    const jobs: Verdict[] = [...asked.map(({ job }) => covers(job)), this.#byDraft(pull, covers)];
    if (jobs.includes("green")) return asked.length > MOST_POLLS ? "either" : "green";
    return jobs.includes("either") ? "either" : "red";
  }

  /** Whether its comment is there, with the signature of the current key. */
  #isReadable({ key, comment, text }: AskedJob): boolean {
    const body = this.servers.repository.comments.get(comment)?.body;
    return key === this.world.key && body?.endsWith(text) === true;
  }

  /** Whether a job covers its pull request. */
  #covers(id: string): Verdict {
    const { agent, now } = this.servers;
    const job = agent.service.state.jobs.find((it) => it.id === id);
    if (job === undefined) return "either";
    const turn = lastTurn(job);
    const isDue = turn.outcome === null && (endOf(turn) ?? now + 1) <= now;
    const age = now - turn.startedAt;
    // The gate remembers no earlier poll, so that a missing job is unknown to it at this age.
    if (age < turn.steering.missingMs) return age < UNKNOWN ? "green" : "either";
    if (isDue || turn.steering.isForgotten) return "either";
    const docs = agent.pulls.find(({ branch }) => branch === job.branch);
    const isClosed = docs?.state === "closed" && docs.mergedAt === null;
    return turn.outcome?.status === "failed" || isClosed ? "red" : "green";
  }

  #byDraft(pull: Pull, covers: (job: string) => Verdict): Verdict {
    if (this.setting.draft === "never") return "red";
    const { repository: home } = this.servers;
    const drafts = ledgersOf(home)[0]?.ledger?.drafts ?? [];
    const draft = drafts.find(({ changes }) => changes[0]?.key === keyIn(home, pull));
    if (draft?.state === "intended") return "either";
    const isTaken = draft?.state === "running" || draft?.state === "done";
    return isTaken ? covers(draft.job.id) : "red";
  }

  #isApproved(pull: Pull): boolean {
    const states = this.reviewsOf(pull).map(({ state }) => state);
    return states.includes("APPROVED") && !states.includes("CHANGES_REQUESTED");
  }
}

function isSame(one: Judgement | undefined, other: Judgement): boolean {
  return (
    one?.verdict === other.verdict &&
    one.withoutPolls === other.withoutPolls &&
    one.isApproved === other.isApproved
  );
}
