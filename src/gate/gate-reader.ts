/** What the gate reads of GitHub. */

import type * as z from "zod/mini";
import type { openPulls } from "../github/api/answers/questions.ts";
import type { GitHub } from "../github/api/client.ts";
import type { Connect } from "../github/api/connect.ts";
import { HistoryReader } from "../github/changes/history-reader.ts";
import { type Commit, type Pull, pullOf } from "../github/changes/history-records.ts";
import { comparedFiles, listedFiles, type PullFiles } from "../github/changes/pull-files.ts";
import { type Comment, commentOf } from "../github/conversation/comments.ts";
import { checkPermission } from "../github/trigger/permission.ts";
import { once } from "../runtime/dependencies.ts";
import { ABSENT, type Fact, known, mapFact, type Unread } from "../runtime/fact.ts";
import {
  type GatePull,
  gatePullOf,
  type KnownStatus,
  type OpenPull,
  openPullOf,
} from "./gate-pull.ts";

/** Maximum number of pages of open pull requests: 5,000. */
const OPEN_PAGES = 50;
/** Maximum number of pages of a group's commits: 5,000. */
const COMMIT_PAGES = 50;

/** Who approves a pull request, who asks for changes, and what else its draft depends on. */
export interface Approval {
  /** Whether it is open, and no draft itself. */
  isReady: boolean;
  /** SHA of its branch's tip. */
  head: string;
  labels: readonly string[];
  /** Whether anybody approves it, or did until it was dismissed. */
  wasGiven: boolean;
  /** Logins of people with write permission. */
  approving: string[];
  objecting: string[];
}

export class GateReader {
  readonly #github: GitHub;
  readonly #connect: Connect;
  readonly #repository: string;
  readonly #statusName: string;
  readonly #history: HistoryReader;
  /** Why accounts have no write permission, each asked for once. */
  readonly #denials = new Map<string, Promise<Fact<string>>>();

  constructor(github: GitHub, repository: string, statusName: string, connect: Connect) {
    this.#github = github;
    this.#connect = connect;
    this.#repository = repository;
    this.#statusName = statusName;
    this.#history = new HistoryReader(github, repository);
  }

  /** How many requests were made to GitHub so far. */
  get requests(): number {
    return this.#github.traffic.count;
  }

  /** GitHub's time, in milliseconds since 1970; null if no answer named it. */
  get now(): number | null {
    return this.#github.traffic.now;
  }

  /** Those that are asked for at the same moment cost one request. */
  async pull(number: number): Promise<Fact<GatePull>> {
    const place = { repository: this.#repository, number };
    const fact = await this.#github.pulls.toJudge({ ...place, status: this.#statusName });
    return mapFact(fact, ({ data }) => gatePullOf(number, data.repository));
  }

  /**
   * The files at the head. A comparison at it lists all of them. The list of the pull request names no head, and may be
   * behind: it counts only if it has as many files as the pull request.
   */
  async files(
    pull: Pick<GatePull, "number" | "base" | "head" | "fileCount">,
  ): Promise<Fact<PullFiles>> {
    const { number, base, head, fileCount } = pull;
    const at = { repository: this.#repository, number, base, head };
    const compared = await comparedFiles(this.#github, at);
    const isBehind = compared.type === "known" && isEmpty(compared.value) && fileCount > 0;
    if (isBehind) return fewer(0, fileCount);
    if (compared.type !== "absent") return compared;
    const listed = await listedFiles(this.#github, at);
    if (listed.type !== "known") return listed;
    if (listed.value.type === "moved") return { ...INCOMPLETE, reason: "its head has moved" };
    const { type, files } = listed.value;
    return type === "listed" && files.length < fileCount ? fewer(files.length, fileCount) : listed;
  }

  /** The comments on a pull request, newest first. */
  async comments({ number, comments }: GatePull): Promise<Fact<Comment[]>> {
    if (comments !== null) return known(comments);
    const repository = this.#repository;
    const all: Comment[] = [];
    for await (const page of this.#github.issues.comments.back({ repository, number })) {
      if (page.type !== "known") return page;
      all.push(...page.value.map(commentOf));
    }
    return known(all);
  }

  /** A commit and its history, newest first, up to a base; incomplete if the base is not found. */
  async commitsBack(head: string, base: string): Promise<Fact<Commit[]>> {
    const isEnough = (page: readonly Commit[]) => page.some(({ sha }) => sha === base);
    // GitHub compares no commits whose diff is too large for it.
    const fact = await this.#history.commitsBack(head, { pages: COMMIT_PAGES, isEnough });
    if (fact.type !== "known") return fact;
    const { items, isComplete } = fact.value;
    return isComplete || isEnough(items) ? known(items) : INCOMPLETE;
  }

  /** Why an account has no write permission; absent if it has. */
  async denialOf(login: string): Promise<Fact<string>> {
    const denial = this.#denials.get(login) ?? this.#denialOf(login);
    this.#denials.set(login, denial);
    return await denial;
  }

  async #denialOf(login: string): Promise<Fact<string>> {
    const denial = await checkPermission(this.#connect, this.#repository, login, "write");
    if (denial === null) return ABSENT;
    const { reason, unread } = denial;
    return unread === null ? known(reason) : { ...unread, reason, status: null };
  }

  /**
   * When GitHub first had a status or a check suite of a head, in milliseconds since 1970; absent if it has none. What
   * the token may not read counts as not there: the time is then later.
   */
  async firstSeen(sha: string): Promise<Fact<number>> {
    const { commits } = this.#github;
    const repository = this.#repository;
    const [listed, answered] = await Promise.all([
      commits.statuses({ repository, ref: sha }),
      commits.suites({ repository, ref: sha }),
    ]);
    const statuses = mapFact(listed, ({ items }) => items);
    const suites = mapFact(answered, ({ check_suites }) => check_suites);
    const times: number[] = [];
    for (const fact of [statuses, suites]) {
      if (fact.type === "unread" && fact.isPassing) return fact;
      if (fact.type === "known") times.push(...fact.value.flatMap(timeOf));
    }
    return times.length === 0 ? ABSENT : known(Math.min(...times));
  }

  /** Whether a commit already has a status, by another read than that of its pull request, which may be behind. */
  async hasStatus(
    sha: string,
    { state, description }: Pick<KnownStatus, "state" | "description">,
  ): Promise<boolean> {
    const status = await this.#github.commits.status({ repository: this.#repository, ref: sha });
    if (status.type !== "known") return false;
    const own = status.value.items.find(({ context }) => context === this.#statusName);
    return own?.state === state && own.description === description;
  }

  /** Whether a pull request is still open, at which head, and what people with write permission say of it. */
  async approval(number: number): Promise<Fact<Approval>> {
    const repository = this.#repository;
    const fact = await this.#github.pulls.approval({ repository, number });
    if (fact.type !== "known") return fact;
    const pull = fact.value.repository.pullRequest;
    const { headRefOid: head, opinions, approvals } = pull;
    if (opinions.pageInfo.hasNextPage) return INCOMPLETE;
    const by = (wanted: string) =>
      opinions.nodes.flatMap((given) =>
        given.state === wanted && given.author?.__typename === "User" ? [given.author.login] : [],
      );
    return known({
      isReady: pull.state === "OPEN" && !pull.isDraft,
      head,
      labels: (pull.labels?.nodes ?? []).map(({ name }) => name),
      wasGiven: approvals.nodes.length > 0,
      approving: by("APPROVED"),
      objecting: by("CHANGES_REQUESTED"),
    });
  }

  /** The open pull requests of this repository that a commit belongs to. */
  async openPullsOf(sha: string): Promise<Fact<Pull[]>> {
    const repository = this.#repository;
    const fact = await this.#github.commits.pulls({ repository, sha });
    // In a fork, GitHub lists those of the repository that it was forked from.
    const place = `/${repository}/pull/`.toLowerCase();
    return mapFact(fact, (pulls) =>
      pulls.map(pullOf).filter(({ isOpen, url }) => isOpen && url.toLowerCase().includes(place)),
    );
  }

  /** The default branch. Read once. */
  readonly defaultBranch = once(async (): Promise<Fact<string>> => {
    return mapFact(await this.#history.facts(), ({ defaultBranch }) => defaultBranch);
  });

  /** All open pull requests, with the status of their heads. Read once. */
  readonly openPulls = once(async (): Promise<Fact<OpenPull[]>> => {
    const repository = this.#repository;
    const all: OpenPull[] = [];
    let after: string | null = null;
    for (let page = 0; page < OPEN_PAGES; page++) {
      const fact: Fact<z.infer<typeof openPulls>> = await this.#github.pulls.open({
        repository,
        status: this.#statusName,
        after,
      });
      if (fact.type !== "known") return fact;
      const { nodes, pageInfo } = fact.value.repository.pullRequests;
      all.push(...nodes.map(openPullOf));
      after = pageInfo.endCursor ?? null;
      if (!pageInfo.hasNextPage || after === null) break;
    }
    return known(all);
  });
}

function isEmpty(files: PullFiles): boolean {
  return files.type === "listed" && files.files.length === 0;
}

function timeOf({ created_at }: { created_at: string }): number[] {
  const time = Date.parse(created_at);
  return Number.isNaN(time) ? [] : [time];
}

const INCOMPLETE: Unread = {
  type: "unread",
  cause: "incomplete",
  reason: "GitHub does not show all of it",
  isPassing: true,
  status: null,
};

/** A missing file could be the documentation, or the only one that needs any. */
function fewer(listed: number, all: number): Unread {
  return { ...INCOMPLETE, reason: `GitHub lists ${listed} of its ${all} files` };
}
