/** What the gate reads of GitHub. */

import type * as z from "zod/mini";
import type { openPulls } from "../github/api/answers/questions.ts";
import type { GitHub } from "../github/api/client.ts";
import type { Connect } from "../github/api/connect.ts";
import { HistoryReader } from "../github/changes/history-reader.ts";
import {
  type ChangedFile,
  type Commit,
  type Pull,
  pullOf,
  type SinglePull,
} from "../github/changes/history-records.ts";
import { type Comment, commentOf } from "../github/conversation/comments.ts";
import { checkPermission } from "../github/trigger/permission.ts";
import { ABSENT, type Fact, known, mapFact, type Unread } from "../runtime/fact.ts";
import { MOST_FILES } from "./reasons.ts";

/** Maximum number of pages of open pull requests: 2,000. */
const OPEN_PAGES = 20;
/** Maximum number of pages of a group's commits: 5,000. */
const COMMIT_PAGES = 50;
/** GitHub lists 100 files per page. */
const FILE_PAGES = MOST_FILES / 100;

/** A status that a head has. */
export interface KnownStatus {
  /** In lower case. */
  state: string;
  description: string;
  /** Null for none. */
  targetUrl: string | null;
  /** In milliseconds since 1970. */
  setAt: number;
}

/** An open pull request, and the status of its head; null for none. */
export interface OpenPull {
  number: number;
  /** SHA of its branch's tip. */
  head: string;
  /** In milliseconds since 1970. */
  updatedAt: number;
  status: KnownStatus | null;
}

/** Who approves a pull request, and who asks for changes. */
export interface Approval {
  isOpen: boolean;
  /** SHA of its branch's tip. */
  head: string;
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
  readonly #history: HistoryReader;

  constructor(github: GitHub, repository: string, connect: Connect) {
    this.#github = github;
    this.#connect = connect;
    this.#repository = repository;
    this.#history = new HistoryReader(github, repository);
  }

  async pull(number: number): Promise<Fact<SinglePull>> {
    return await this.#history.pull(number);
  }

  async files(number: number): Promise<Fact<ChangedFile[]>> {
    return mapFact(await this.#history.pullFiles(number, FILE_PAGES), ({ files }) => files);
  }

  /** The comments on a pull request, newest first. */
  async comments(number: number): Promise<Fact<Comment[]>> {
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
    const denial = await checkPermission(this.#connect, this.#repository, login, "write");
    if (denial === null) return ABSENT;
    const { reason, isPassing } = denial;
    if (isPassing === undefined) return known(reason);
    const cause = isPassing ? "unanswered" : "refused";
    return { type: "unread", cause, reason, isPassing, status: null };
  }

  /** Whether a pull request is still open, at which head, and what people with write permission say of it. */
  async approval(number: number): Promise<Fact<Approval>> {
    const repository = this.#repository;
    const fact = await this.#github.pulls.approval({ repository, number });
    if (fact.type !== "known") return fact;
    const { state, headRefOid: head, opinions, approvals } = fact.value.repository.pullRequest;
    if (opinions.pageInfo.hasNextPage) return INCOMPLETE;
    const by = (wanted: string) =>
      opinions.nodes.flatMap((given) =>
        given.state === wanted && given.author?.__typename === "User" ? [given.author.login] : [],
      );
    return known({
      isOpen: state === "OPEN",
      head,
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

  /** All open pull requests, with the status of a name on their heads. */
  async openPulls(status: string): Promise<Fact<OpenPull[]>> {
    const repository = this.#repository;
    const all: OpenPull[] = [];
    let after: string | null = null;
    for (let page = 0; page < OPEN_PAGES; page++) {
      const fact: Fact<z.infer<typeof openPulls>> = await this.#github.pulls.open({
        repository,
        status,
        after,
      });
      if (fact.type !== "known") return fact;
      const { nodes, pageInfo } = fact.value.repository.pullRequests;
      all.push(...nodes.map(openPullOf));
      after = pageInfo.endCursor ?? null;
      if (!pageInfo.hasNextPage || after === null) break;
    }
    return known(all);
  }
}

const INCOMPLETE: Unread = {
  type: "unread",
  cause: "incomplete",
  reason: "GitHub does not show all of it",
  isPassing: true,
  status: null,
};

function openPullOf(
  node: z.infer<typeof openPulls>["repository"]["pullRequests"]["nodes"][number],
): OpenPull {
  const { number, updatedAt, headRefOid, commits } = node;
  const given = commits.nodes[0]?.commit.status?.context ?? null;
  const status = given && {
    state: given.state.toLowerCase(),
    description: given.description,
    targetUrl: given.targetUrl ?? null,
    setAt: Date.parse(given.createdAt) || 0,
  };
  return { number, head: headRefOid, updatedAt: Date.parse(updatedAt) || 0, status };
}
