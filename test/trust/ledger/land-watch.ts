/** What land must never do, as seen in the emulated GitHub and service alone. */

import { mergeabilityOf } from "../../../emulator/github/merge.ts";
import { AGENT, WORKFLOW } from "../../../emulator/github/people.ts";
import { filesOf } from "../../../emulator/github/routes/pulls.ts";
import { isPull, type Pull } from "../../../emulator/github/state.ts";
import { endOf, lastTurn } from "../../../emulator/service/agent/job.ts";
import type { LandSetting } from "./land-events.ts";
import { type GitHubAnswer, type GitHubRequest, RequestWatch } from "./request-watch.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** For how long a run acts on what it has read: it reads right before. */
const FRESH = MINUTE;
/** How long land waits for the checks of a head that it merges by them. */
const CHECKS_GRACE = 5 * MINUTE;
const RED = ["failure", "timed_out"];
/** What a follow-up quotes of what somebody said; pages that the agent writes repeat it. */
const THING = /^> thing-\d+\.$/gm;

/** A docs pull request when a run read it. */
interface Reading {
  at: number;
  head: string;
  /** What the inputs ask for before a merge, and was missing. */
  missing: string[];
}

/** Watches the requests of runs to GitHub, and notes each that must not be. */
export class LandWatch extends RequestWatch<LandSetting> {
  /** Done once, right before the next merge of a docs pull request. */
  beforeMerge: ((number: number) => void) | null = null;
  /** A run cannot know that its request is on its way for long. */
  isHeldUp = false;
  /** Requests of runs that changed something, or tried to. */
  writes = 0;
  readonly #readings = new Map<number, Reading[]>();

  protected override get isLate(): boolean {
    return this.isHeldUp || super.isLate;
  }

  protected override onRequest(
    request: GitHubRequest,
    isRun: boolean,
    perform: () => GitHubAnswer,
  ): GitHubAnswer {
    if (isRun && request.path.startsWith("/graphql")) this.#noteReading(request);
    else if (isRun && request.method !== "GET") return this.#watch(request, perform);
    return perform();
  }

  #noteReading({ body }: GitHubRequest): void {
    const { variables = {} } = JSON.parse(String(body ?? "{}")) as {
      variables?: Record<string, unknown>;
    };
    // A request about several has `q0_number`, `q1_number`, …
    for (const [name, number] of Object.entries(variables)) {
      if (/^(q\d+_)?number$/.test(name)) this.#noteReadingOf(Number(number));
    }
  }

  #noteReadingOf(number: number): void {
    const pull = this.servers.repository.issues.get(number);
    if (!isPull(pull)) return;
    const reading = { at: this.servers.now, head: pull.head, missing: this.missingFor(pull) };
    this.#readings.set(number, [...(this.#readings.get(number) ?? []), reading]);
  }

  #watch<T>(request: GitHubRequest, perform: () => T): T {
    this.writes += 1;
    const pull = this.#pullOf(request);
    if (pull === null || !request.path.endsWith("/merge")) return perform();
    this.beforeMerge?.(pull.number);
    this.beforeMerge = null;
    const { head, mergedAt } = pull;
    const isAtWork = this.#isAtWork(pull);
    const answer = perform();
    const after = this.servers.repository.issues.get(pull.number);
    const isMerged = mergedAt === null && isPull(after) && after.mergedAt !== null;
    if (isMerged) this.#checkMerge(pull.number, head, isAtWork);
    return answer;
  }

  /** The agent's pull request that a request writes to, or null: its own ledger. Anything else is wrong. */
  #pullOf({ method, path, body }: GitHubRequest): Pull | null {
    const { comments, issues } = this.servers.repository;
    const [, kind, id] = /\/(pulls|issues|issues\/comments)\/(\d+)/.exec(path) ?? [];
    if (kind === undefined) {
      const isRef = method !== "POST" || path.endsWith("/refs");
      const isOwn = `${path} ${String(body)}`.includes("refs/docs-agent/land/");
      if (isRef && !isOwn) this.wrong.push(`a run writes elsewhere: ${method} ${path}`);
      return null;
    }
    const comment = kind === "issues/comments" ? comments.get(Number(id)) : undefined;
    const pull = issues.get(comment?.issue ?? Number(id));
    const isOwn = comment === undefined || comment.author === WORKFLOW;
    if (isOwn && isPull(pull) && pull.author === AGENT) return pull;
    this.wrong.push(`a run touches what is not the agent's: ${method} ${path}`);
    return null;
  }

  /** What is merged was read at that head right before, and nothing was missing then. */
  #checkMerge(number: number, head: string, isAtWork: boolean): void {
    const readings = (this.#readings.get(number) ?? []).filter(
      (reading) => reading.head === head && (this.isLate || this.servers.now - reading.at < FRESH),
    );
    const { missing } = readings.at(-1) ?? { missing: ["no run has just read this head"] };
    const first = this.#readings.get(number)?.find((reading) => reading.head === head);
    const isYoung = this.servers.now - (first?.at ?? 0) < CHECKS_GRACE;
    if (isYoung && this.setting.merge === "checks") {
      this.wrong.push(`#${number} is merged before its checks could register`);
    }
    if (missing.length > 0) this.wrong.push(`#${number} is merged, but ${missing.join(", ")}`);
    if (isAtWork && !this.isLate) this.wrong.push(`#${number} is merged while its job is at work`);
  }

  #jobOf({ number }: Pull) {
    const { jobs } = this.servers.agent.service.state;
    return jobs.find(({ prLink }) => prLink?.endsWith(`/pull/${number}`));
  }

  #isAtWork(pull: Pull): boolean {
    const job = this.#jobOf(pull);
    if (job === undefined) return false;
    const turn = lastTurn(job);
    return turn.outcome === null && (endOf(turn) ?? Number.POSITIVE_INFINITY) > this.servers.now;
  }

  /** What the inputs ask for before a merge, and is missing now. Whatever GitHub refuses by itself is left out. */
  missingFor(pull: Pull): string[] {
    const { merge, required, delayHours } = this.setting;
    const { repository: home, now } = this.servers;
    const { number, head } = pull;
    const isWriter = (login: string) => home.may(login, "write") && login !== AGENT;
    const reviews = this.reviewsOf(pull);
    const isApproved = reviews.some(
      ({ state, commit_id }) => state === "APPROVED" && commit_id === head,
    );
    const isRefused = reviews.some(({ state }) => state === "CHANGES_REQUESTED");
    const isEdited = home.commitsOf(pull).some(({ author }) => author.name !== AGENT);
    const hasComment = home.reviewComments.some(
      (comment) => comment.pull === number && isWriter(comment.user) && !comment.isResolved,
    );
    const checks = new Map(
      home.checkRuns.filter((check) => check.head_sha === head).map((check) => [check.name, check]),
    );
    const results = [...checks.values()].map(({ conclusion }) => conclusion);
    const isRed = results.some((conclusion) => RED.includes(conclusion ?? ""));
    const age = now - (home.find(head)?.committer.at ?? now);
    const job = this.#jobOf(pull);
    const demands: [isMet: boolean, missing: string][] = [
      [merge !== "never", "`merge` is `never`"],
      [!this.#isAtWork(pull), "its job is at work"],
      [job !== undefined && job.byHand.prLink === undefined, "its job does not name it"],
      [!isRefused, "somebody asks for changes"],
      [isApproved || (merge === "checks" && !isEdited), "its head is not approved"],
      [isApproved || !hasComment, "a comment is open"],
      [
        (!required && merge !== "checks") || checks.get("docs-check")?.conclusion === "success",
        "a check is missing",
      ],
      [!results.includes(null), "a check is not over"],
      [!isRed, "a check is red"],
      [filesOf(home, pull).every(({ path }) => path.startsWith("docs/")), "it is beyond its paths"],
      [age >= delayHours * HOUR, "its head is too young"],
    ];
    return demands.filter(([isMet]) => !isMet).map(([, missing]) => missing);
  }

  /** No job gets the same follow-up twice, or more of them than may be. */
  checkFollowUps(): void {
    for (const { id, turns } of this.servers.agent.service.state.jobs) {
      const followUps = turns.slice(1);
      const things = followUps.flatMap(({ prompt }) => [...new Set(prompt.match(THING) ?? [])]);
      if (followUps.length > this.setting.maxFollowUps)
        this.wrong.push(`${id} got ${followUps.length} follow-ups`);
      if (new Set(things).size < things.length) this.wrong.push(`${id} got one thing twice`);
    }
  }

  /**
   * With `deploy`, each docs pull request that was found merged is built since then; nothing is built otherwise.
   *
   * @param merged their numbers
   * @param lost the numbers of those whose build was asked for in vain, three times
   */
  checkBuilds(merged: readonly string[], lost: readonly string[]): void {
    const { agent, repository: home } = this.servers;
    const builds = agent.service.state.builds.filter(({ branch }) => branch === home.defaultBranch);
    const newest = builds.at(-1)?.createdAt ?? 0;
    const due = agent.pulls.filter(({ number }) => merged.includes(`${number}`));
    const isBuilding = this.setting.inputs.deploy === "true" && due.length > 0;
    if (!isBuilding && builds.length > 0) this.wrong.push("something is built without a merge");
    if (!isBuilding) return;
    for (const { number, mergedAt } of due) {
      if (!lost.includes(`${number}`) && newest < (mergedAt ?? 0))
        this.wrong.push(`#${number} was merged, and is not built`);
    }
  }

  /** In the end each docs pull request of land's ledger is over, or waits for a person, and its comment says so. */
  checkEnd(known: ReadonlySet<string>): void {
    const { preview, comment, "close-after-days": days } = this.setting.inputs;
    const { repository: home, agent } = this.servers;
    for (const pull of agent.pulls) {
      const isKnown = [...known].some((url) => url.endsWith(`/pull/${pull.number}`));
      if (!isKnown || pull.state !== "open") continue;
      const text = home.commentsOn(pull.number).find(({ author }) => author === WORKFLOW)?.body;
      const isShown = text !== undefined && !text.startsWith("### 🤖");
      if (comment === "true" && !isShown) this.wrong.push(`#${pull.number} is shown as "${text}"`);
      const isDue = preview !== "true" && days === "0" && this.#isMergeable(pull);
      if (isDue) this.wrong.push(`#${pull.number} could be merged in the end, and is not`);
    }
  }

  /** Whether nothing is left for the agent or for people. */
  #isMergeable(pull: Pull): boolean {
    const { repository: home } = this.servers;
    const { state, refusal } = mergeabilityOf(home, pull);
    const isOpen = home.reviewComments.some(
      (comment) => comment.pull === pull.number && !comment.isResolved,
    );
    const checks = home.checkRuns.filter(({ head_sha }) => head_sha === pull.head);
    const isGreen = checks.every(({ conclusion }) => conclusion === "success");
    const isAllowed = refusal === undefined && ["clean", "unstable"].includes(state);
    return isAllowed && isGreen && !isOpen && this.missingFor(pull).length === 0;
  }
}
