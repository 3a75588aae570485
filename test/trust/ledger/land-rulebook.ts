/** The rules of land, said again on the emulated GitHub's and service's own state, and what breaks them. */

import { entryAt, filesIn } from "../../../emulator/github/git/trees.ts";
import { mergeabilityOf } from "../../../emulator/github/merge.ts";
import { AGENT, WORKFLOW } from "../../../emulator/github/people.ts";
import { isPull, type Pull } from "../../../emulator/github/state.ts";
import { endOf, lastTurn } from "../../../emulator/service/agent/job.ts";
import type { FaultyServers } from "../../support/memory-world/faulty-servers.ts";
import type { LandSetting } from "./land-events.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A run acts on what it has read for so long. */
const FRESH = 6 * MINUTE;

/** What a follow-up quotes of what somebody said; pages that the agent writes repeat it. */
const THING = /^> thing-\d+\.$/gm;

/** What was true of a docs pull request when a run read it. */
interface Verdict {
  at: number;
  head: string;
  /** Why it must not be merged; empty: it may. */
  against: string;
}

export class LandRulebook {
  /** What is done now was asked for long ago. */
  isLate = false;
  isTroubled = false;
  /** Done once, right before the next merge of a docs pull request. */
  beforeMerge: ((number: number) => void) | null = null;
  /** Requests of runs that changed something, or tried to. */
  writes = 0;
  readonly askedByComment = new Set<string>();
  /** Docs pull requests that land's ledger has held after a run. */
  readonly recorded = new Set<string>();
  readonly #setting: LandSetting;
  readonly #servers: FaultyServers;
  readonly #wrong: string[];
  readonly #verdicts = new Map<number, Verdict[]>();

  constructor(setting: LandSetting, servers: FaultyServers, wrong: string[]) {
    this.#setting = setting;
    this.#servers = servers;
    this.#wrong = wrong;
    const { github } = servers;
    const handle = github.handle.bind(github);
    github.handle = (asked, behind) => {
      const isRun = /ghs_test/.test(asked.headers?.authorization ?? "");
      if (!isRun) return handle(asked, behind);
      if (asked.path.startsWith("/graphql")) this.#noteRead(String(asked.body ?? ""));
      else if (asked.method !== "GET") return this.#watch(asked, () => handle(asked, behind));
      return handle(asked, behind);
    };
  }

  #noteRead(body: string): void {
    const { number = 0 } =
      (JSON.parse(body || "{}") as { variables?: { number?: number } }).variables ?? {};
    const pull = this.#servers.repository.issues.get(number);
    if (!isPull(pull)) return;
    const verdict = { at: this.#servers.now, head: pull.head, against: this.#against(pull) };
    this.#verdicts.set(number, [...(this.#verdicts.get(number) ?? []), verdict]);
  }

  #watch<T>(
    { method, path, body }: { method: string; path: string; body?: unknown },
    done: () => T,
  ): T {
    this.writes += 1;
    const home = this.#servers.repository;
    const [, kind = "", id = ""] = /\/(pulls|issues|issues\/comments)\/(\d+)/.exec(path) ?? [];
    if (kind === "") {
      const isOwn =
        method === "POST"
          ? !path.endsWith("/refs") || String(body).includes("refs/docs-agent/land/")
          : path.includes("refs/docs-agent/land/");
      if (!isOwn) this.#wrong.push(`a run writes elsewhere: ${method} ${path}`);
      return done();
    }
    const comment = kind === "issues/comments" ? home.comments.get(Number(id)) : undefined;
    const number = comment?.issue ?? Number(id);
    const pull = home.issues.get(number);
    if (!isPull(pull) || pull.author !== AGENT)
      this.#wrong.push(`a run touches what is not the agent's: ${method} ${path}`);
    if (comment !== undefined && comment.author !== WORKFLOW)
      this.#wrong.push(`a run edits a comment of ${comment.author}`);
    if (path.endsWith("/merge") && isPull(pull)) {
      this.beforeMerge?.(number);
      this.beforeMerge = null;
    }
    const before = isPull(home.issues.get(number))
      ? { ...(home.issues.get(number) as Pull) }
      : undefined;
    const isBusy = this.#isAtWork(number);
    const told = done();
    const after = home.issues.get(number);
    if (before?.mergedAt === null && isPull(after) && after.mergedAt !== null)
      this.#judge(before, isBusy);
    return told;
  }

  #judge({ number, head }: Pull, isBusy: boolean): void {
    const { now } = this.#servers;
    const recent = (this.#verdicts.get(number) ?? []).filter(
      (it) => this.isLate || now - it.at < FRESH,
    );
    const judged = recent.filter((it) => it.head === head);
    const why = judged.at(-1)?.against ?? "no run has judged its head";
    if (!judged.some(({ against }) => against === ""))
      this.#wrong.push(`#${number} is merged: ${why}`);
    if (isBusy && !this.isLate) this.#wrong.push(`#${number} is merged while its job is at work`);
  }

  #jobOf(number: number) {
    const { jobs } = this.#servers.agent.service.state;
    return jobs.find(({ prLink }) => prLink?.endsWith(`/pull/${number}`));
  }

  #isAtWork(number: number): boolean {
    const job = this.#jobOf(number);
    if (job === undefined) return false;
    const turn = lastTurn(job);
    return turn.outcome === null && (endOf(turn) ?? Number.POSITIVE_INFINITY) > this.#servers.now;
  }

  /** Paths of what a docs pull request changes. */
  filesOf(pull: Pull): string[] {
    const home = this.#servers.repository;
    const [before, after] = [home.forkOf(pull), home.find(pull.head)].map((it) => it?.tree ?? "");
    const paths = [before, after].flatMap((tree) =>
      filesIn(home.objects, tree ?? "").map(({ path }) => path),
    );
    const shaAt = (tree: string | undefined, path: string) =>
      entryAt(home.objects, tree ?? "", path)?.sha;
    return [...new Set(paths)].filter((path) => shaAt(before, path) !== shaAt(after, path));
  }

  /** Why a docs pull request must not be merged now; empty: it may. */
  #against(pull: Pull): string {
    const { merge, required, delayHours, inputs } = this.#setting;
    const { repository: home, now } = this.#servers;
    const { number, head } = pull;
    const may = (login: string) => home.may(login, "write") && login !== AGENT;
    if (pull.state !== "open") return "it is not open";
    if (merge === "never") return "`merge: never`";
    if (pull.isDraft) return "it is a draft";
    if (this.#isAtWork(number)) return "its job is at work";
    const job = this.#jobOf(number);
    if (job === undefined || job.byHand.prLink !== undefined) return "its job does not name it";
    const words = new Map<string, string>();
    for (const it of home.reviews) {
      const isWord = ["APPROVED", "CHANGES_REQUESTED", "DISMISSED"].includes(it.state);
      if (it.pull === number && isWord && may(it.user))
        words.set(it.user, `${it.state} ${it.commit_id}`);
    }
    const said = [...words.values()];
    if (said.some((word) => word.startsWith("CHANGES_REQUESTED")))
      return "somebody asks for changes";
    const isApproved = said.includes(`APPROVED ${head}`);
    const isEdited = home.commitsOf(pull).some(({ author }) => author.name !== AGENT);
    if ((merge === "approved" || isEdited) && !isApproved) return "its head is not approved";
    const isOpen = (it: (typeof home.reviewComments)[number]) =>
      it.pull === number && may(it.user) && !it.isResolved;
    if (!isApproved && home.reviewComments.some(isOpen)) return "a comment is open";
    const results = new Map(
      home.checkRuns.filter((it) => it.head_sha === head).map((it) => [it.name, it.conclusion]),
    );
    const isGreen = (conclusion: string | null | undefined) =>
      ["success", "neutral", "skipped"].includes(conclusion ?? "");
    if (required && !isGreen(results.get("docs-check"))) return "a required check is missing";
    if ([...results.values()].includes(null)) return "a check is not over";
    const isAllGreen = results.size > 0 && [...results.values()].every(isGreen);
    if (
      (merge === "checks" || inputs.checks === "follow-up") &&
      !isAllGreen &&
      (merge === "checks" || results.size > 0)
    )
      return "not all checks are green";
    if (this.filesOf(pull).some((path) => !path.startsWith("docs/")))
      return "it is beyond its paths";
    if (!["clean", "unstable"].includes(mergeabilityOf(home, pull).state)) return "GitHub refuses";
    if (home.mergeRule.queue === true) return "there is a merge queue";
    if (now - (home.find(head)?.committer.at ?? now) < delayHours * HOUR)
      return "it has not stood for its time";
    return "";
  }

  /** No job is told twice of a thing, or more often than may be. */
  checkFollowUps(): void {
    for (const { id, turns } of this.#servers.agent.service.state.jobs) {
      const told = turns.slice(1);
      if (told.length > this.#setting.maxFollowUps)
        this.#wrong.push(`${id} was sent ${told.length} follow-ups`);
      const things = told.flatMap(({ prompt }) => [...new Set(prompt.match(THING) ?? [])]);
      const twice = things.filter((it, at) => things.indexOf(it) !== at);
      if (twice.length > 0) this.#wrong.push(`${id} was told twice of ${twice.join(", ")}`);
    }
  }

  /** What may be merged in the end is, unless nothing was written before its comment was too old to be read. */
  checkEnd(): void {
    const { preview, "close-after-days": closes } = this.#setting.inputs;
    if (preview === "true" || closes !== "0") return;
    for (const pull of this.#servers.agent.pulls) {
      const isKnown = [...this.recorded].some((url) => url.endsWith(`/pull/${pull.number}`));
      if (isKnown && this.#against(pull) === "" && this.#isSolved(pull))
        this.#wrong.push(`#${pull.number} could be merged in the end, and is not`);
    }
  }

  /** Whether nothing is left of which the agent was told, or would be. */
  #isSolved(pull: Pull): boolean {
    const { repository: home } = this.#servers;
    const isOpen = home.reviewComments.some((it) => it.pull === pull.number && !it.isResolved);
    const results = home.checkRuns.filter(({ head_sha }) => head_sha === pull.head);
    return !isOpen && results.every(({ conclusion }) => conclusion === "success");
  }
}
