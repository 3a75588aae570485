/** What the gate reads of GitHub: each answer is a fact. */

import * as z from "zod/mini";
import { textOrEmpty } from "../github/api/answer.ts";
import type { Connect } from "../github/api/connect.ts";
import { readFact } from "../github/api/read-fact.ts";
import type { TokenPermissions } from "../github/api/refusal.ts";
import { type ReadingClient, RepositoryReader } from "../github/api/repository.ts";
import { History } from "../github/changes/history.ts";
import * as answers from "../github/changes/history-answers.ts";
import {
  type ChangedFile,
  type Commit,
  type Pull,
  pullOf,
  type SinglePull,
} from "../github/changes/history-records.ts";
import { checkPermission } from "../github/trigger/permission.ts";
import { ABSENT, type Fact, known, mapFact, type Unread } from "../runtime/fact.ts";
import { MOST_FILES } from "./reasons.ts";

/** Maximum number of pages of open pull requests: 2,000. */
const OPEN_PAGES = 20;
/** Maximum number of pages of a group's commits: 5,000. */
const COMMIT_PAGES = 50;
/** GitHub lists 100 files per page. */
const FILE_PAGES = MOST_FILES / 100;

const OF_PULLS: TokenPermissions = ["pull-requests: read"];

const openPullsAnswer = z.object({
  pullRequests: z.object({
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.nullish(z.string()) }),
    nodes: z.array(
      z.object({
        number: z.int(),
        updatedAt: z.string(),
        headRefOid: z.string(),
        commits: z.object({
          nodes: z.array(
            z.object({
              commit: z.object({
                status: z.nullish(
                  z.object({
                    context: z.nullish(
                      z.object({
                        state: z.string(),
                        description: textOrEmpty,
                        targetUrl: z.nullish(z.string()),
                        createdAt: z.string(),
                      }),
                    ),
                  }),
                ),
              }),
            }),
          ),
        }),
      }),
    ),
  }),
});

const opinion = z.object({
  state: z.string(),
  author: z.nullish(z.object({ __typename: z.string(), login: z.string() })),
});

const approvalAnswer = z.object({
  pullRequest: z.object({
    state: z.string(),
    headRefOid: z.string(),
    opinions: z.object({
      pageInfo: z.object({ hasNextPage: z.boolean() }),
      nodes: z.array(opinion),
    }),
    approvals: z.object({ nodes: z.array(z.object({ state: z.string() })) }),
  }),
});

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

export class GateReader {
  readonly #connect: Connect;
  readonly #reader: RepositoryReader;
  readonly #history: History;

  constructor(github: ReadingClient, repository: string, connect: Connect) {
    this.#connect = connect;
    this.#reader = new RepositoryReader(github, repository);
    this.#history = new History(github, repository);
  }

  pull(number: number): Promise<Fact<SinglePull>> {
    return readFact(() => this.#history.pull(number), OF_PULLS);
  }

  files(number: number): Promise<Fact<ChangedFile[]>> {
    const read = async () => (await this.#history.pullFiles(number, FILE_PAGES)).files;
    return readFact(read, OF_PULLS);
  }

  /** A commit and its history, newest first, up to a base; incomplete if the base is not found. */
  async commitsBack(head: string, base: string): Promise<Fact<Commit[]>> {
    const isEnough = (page: readonly Commit[]) => page.some(({ sha }) => sha === base);
    const options = { pages: COMMIT_PAGES, isEnough };
    // GitHub compares no commits whose diff is too large for it.
    const fact = await readFact(() => this.#history.commitsBack(head, options), ["contents: read"]);
    if (fact.type !== "known") return fact;
    if (fact.value === undefined) return ABSENT;
    const { items, isComplete } = fact.value;
    return isComplete || isEnough(items) ? known(items) : INCOMPLETE;
  }

  /** Why an account has no write permission; absent if it has. */
  async denialOf(login: string): Promise<Fact<string>> {
    const { repository } = this.#reader;
    const denial = await checkPermission(this.#connect, repository, login, "write");
    if (denial === null) return ABSENT;
    const { reason, isPassing } = denial;
    if (isPassing === undefined) return known(reason);
    return {
      type: "unread",
      cause: isPassing ? "unanswered" : "refused",
      reason,
      isPassing,
      status: null,
    };
  }

  /** Whether a pull request is still open, at which head, and what people with write permission say of it. */
  async approval(number: number): Promise<Fact<Approval>> {
    const read = () => this.#reader.query(approvalAnswer, approvalQuery(number));
    const fact = await readFact(read, OF_PULLS);
    if (fact.type !== "known") return fact;
    const { state, headRefOid: head, opinions, approvals } = fact.value.pullRequest;
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
    const { repository } = this.#reader;
    const read = () => this.#reader.get(answers.pulls, "/commits/{sha}/pulls", { sha });
    const fact = await readFact(read, OF_PULLS);
    // In a fork, GitHub lists those of the repository that it was forked from.
    const place = `/${repository}/pull/`.toLowerCase();
    return mapFact(fact, (pulls) =>
      pulls.map(pullOf).filter(({ isOpen, url }) => isOpen && url.toLowerCase().includes(place)),
    );
  }

  /** All open pull requests, with the status of a name on their heads. */
  async openPulls(statusName: string): Promise<Fact<OpenPull[]>> {
    const all: OpenPull[] = [];
    let after: string | null = null;
    for (let page = 0; page < OPEN_PAGES; page++) {
      const query = openPullsQuery(statusName, after);
      const fact: Fact<OpenPullsAnswer> = await readFact(
        () => this.#reader.query(openPullsAnswer, query),
        OF_PULLS,
      );
      if (fact.type !== "known") return fact;
      const { nodes, pageInfo } = fact.value.pullRequests;
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

type OpenPullsAnswer = z.infer<typeof openPullsAnswer>;
type OpenPullAnswer = OpenPullsAnswer["pullRequests"]["nodes"][number];

function openPullOf({ number, updatedAt, headRefOid, commits }: OpenPullAnswer): OpenPull {
  const known = commits.nodes[0]?.commit.status?.context ?? null;
  const status = known && {
    state: known.state.toLowerCase(),
    description: known.description,
    targetUrl: known.targetUrl ?? null,
    setAt: Date.parse(known.createdAt) || 0,
  };
  return { number, head: headRefOid, updatedAt: Date.parse(updatedAt) || 0, status };
}

function approvalQuery(number: number): string {
  return `pullRequest(number: ${number}) {
  state
  headRefOid
  opinions: latestOpinionatedReviews(first: 100, writersOnly: true) {
    pageInfo { hasNextPage }
    nodes { state author { __typename login } }
  }
  approvals: reviews(first: 1, states: [APPROVED, DISMISSED]) { nodes { state } }
}`;
}

/** JSON's strings are also GraphQL's. */
function openPullsQuery(statusName: string, after: string | null): string {
  return `pullRequests(states: [OPEN], first: 100, after: ${JSON.stringify(after)}) {
  pageInfo { hasNextPage endCursor }
  nodes {
    number
    updatedAt
    headRefOid
    commits(last: 1) {
      nodes {
        commit {
          status {
            context(name: ${JSON.stringify(statusName)}) { state description targetUrl createdAt }
          }
        }
      }
    }
  }
}`;
}
