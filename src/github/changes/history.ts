/** Reads a repository's history through GitHub's API. */

import type { Octokit } from "@octokit/core";
import type { OctokitResponse } from "@octokit/types";
import { once } from "../../runtime/dependencies.ts";
import { pullRequestAt } from "../../text/link.ts";
import type { Connect } from "../api/connect.ts";
import { owned, PAGE, readList } from "../api/rest.ts";
import {
  type CommitData,
  type CommitIdentity,
  type ComparisonData,
  commitOf,
  fileOf,
  identitiesOf,
  type OwnCommits,
  type Pull,
  type PullData,
  pullOf,
  type ReleaseData,
  type Review,
  repositoryFactsOf,
  reviewOf,
} from "./history-records.ts";

/** Maximum number of pages of a list: 5,000 commits, pull requests or reviews. */
const MOST_PAGES = 50;
/** Maximum number of pages of files per change. More would not fit into a prompt. */
const FILE_PAGES = 3;
/** Maximum number of pull requests per GraphQL query, and after one that failed. */
const PULLS_AT_ONCE = 40;
const FEW_AT_ONCE = 5;

const OWN_COMMITS = `{
  number
  commits(first: 100) {
    totalCount
    nodes { commit { oid message authoredDate author { name email } } }
  }
}`;
const TAGS = `refs(
  refPrefix: "refs/tags/", first: 100, orderBy: { field: TAG_COMMIT_DATE, direction: DESC }
) { nodes { name } }`;

/**
 * Reads one repository. Every method throws the errors of the client, or a TypeError if the answer is not what was asked
 * for.
 */
export class History {
  /** `owner/name` */
  readonly repository: string;
  readonly #github: Pick<Octokit, "request" | "graphql">;

  constructor(github: Pick<Octokit, "request" | "graphql">, repository: string) {
    this.#github = github;
    this.repository = repository;
  }

  readonly facts = once(() => this.#read(repositoryFactsOf, ""));

  /** SHA of a branch's tip; undefined if the branch does not exist. */
  async tip(branch: string): Promise<string | undefined> {
    const tipOf = ({ commit }: { commit: { sha: string } }) => commit.sha;
    return await unlessMissing(this.#read(tipOf, "/branches/{branch}", { branch }));
  }

  /** The commit that a SHA, tag or branch names; undefined if there is none. */
  async commit(ref: string) {
    return await unlessMissing(this.#read(commitOf, "/commits/{ref}", { ref, per_page: 1 }));
  }

  /** The commits of the head that the base lacks, oldest first; undefined if there is no common ancestor. */
  async compare(base: string, head: string) {
    const basehead = `${base}...${head}`;
    const asked = readList(
      MOST_PAGES,
      (page) => this.#ask<ComparisonData>("/compare/{basehead}", { basehead, ...page }),
      (data) => data.commits.map(commitOf),
      (data) => data.total_commits > MOST_PAGES * PAGE,
    );
    const answer = await unlessMissing(asked);
    if (answer === undefined) return undefined;
    const { items: commits, first } = answer;
    return {
      commits,
      /** Whether these are all. */
      isComplete: commits.length >= first.data.total_commits,
      /** Whether the base is missing from the head's history, for example after a force-push. */
      isDiverged: first.data.status === "diverged",
    };
  }

  /** A commit's history since a time, newest first; at most 5,000 commits. @param since ISO 8601 */
  async commitsSince(sha: string, since: string) {
    return await this.#list(commitOf, "/commits", { sha, since }, MOST_PAGES);
  }

  /** The merged pull requests that were updated since a time. @param since in milliseconds since 1970 */
  async mergedPulls(since: number): Promise<{ pulls: Pull[]; isComplete: boolean }> {
    const query = { state: "closed", sort: "updated", direction: "desc" };
    const isEnough = (pulls: PullData[]) =>
      pulls.some(({ updated_at }) => Date.parse(updated_at) < since);
    const { items, isComplete } = await this.#list(pullOf, "/pulls", query, MOST_PAGES, isEnough);
    return { pulls: items.filter(isMerged), isComplete };
  }

  /** The merged pull request that a commit came with; undefined if there is none. */
  async pullOf(sha: string): Promise<Pull | undefined> {
    const pullsOf = (all: PullData[]) => all.map(pullOf).filter(isMerged);
    const asked = this.#read(pullsOf, "/commits/{sha}/pulls", { sha });
    const pulls = (await unlessMissing(asked)) ?? [];
    return pulls.find(({ mergeSha }) => mergeSha === sha) ?? pulls[0];
  }

  async pull(number: number): Promise<Pull> {
    return await this.#read(pullOf, `/pulls/${number}`);
  }

  /** A pull request's reviews, oldest first. */
  async reviews(number: number): Promise<Review[]> {
    return (await this.#list(reviewOf, `/pulls/${number}/reviews`, {}, MOST_PAGES)).items;
  }

  /** The own commits of pull requests by their numbers, oldest first; none for one that was not rebased. */
  async commitsOfPulls(
    numbers: readonly number[],
    atOnce = PULLS_AT_ONCE,
  ): Promise<Map<number, CommitIdentity[]>> {
    const own = new Map<number, CommitIdentity[]>();
    for (let at = 0; at < numbers.length; at += atOnce) {
      const some = numbers.slice(at, at + atOnce);
      const read = await this.#commitsOf(some).catch((error) => {
        // GitHub may need too long for so many.
        if (atOnce === FEW_AT_ONCE) throw error;
        return this.commitsOfPulls(some, FEW_AT_ONCE);
      });
      for (const [number, commits] of read) own.set(number, commits);
    }
    return own;
  }

  async #commitsOf(numbers: readonly number[]): Promise<Map<number, CommitIdentity[]>> {
    const fields = numbers.map(
      (number) => `p${number}: pullRequest(number: ${number}) ${OWN_COMMITS}`,
    );
    const pulls = await this.#query<Record<string, OwnCommits>>(fields.join("\n"));
    return new Map(Object.values(pulls).map((pull) => [pull.number, identitiesOf(pull)]));
  }

  /** `isComplete`: false if there are more, which GitHub does not list or the action does not read. */
  async pullFiles(number: number, pages = FILE_PAGES) {
    const path = `/pulls/${number}/files`;
    const { items: files, isComplete } = await this.#list(fileOf, path, {}, pages);
    return { files, isComplete };
  }

  /** The files that a commit changed, and what its message says of it; undefined if GitHub no longer has it. */
  async commitFiles(sha: string) {
    const asked = readList(
      FILE_PAGES,
      (page) => this.#ask<CommitData>("/commits/{ref}", { ref: sha, ...page }),
      ({ files = [] }) => files.map(fileOf),
    );
    const answer = await unlessMissing(asked);
    if (answer === undefined) return undefined;
    const { items: files, first, isComplete } = answer;
    return { body: commitOf(first.data).body, files, isComplete };
  }

  /** The tags of published releases without prereleases, the newest first. */
  async releases(): Promise<string[]> {
    const { data } = await this.#ask<ReleaseData[]>("/releases", { per_page: PAGE });
    return data
      .filter(({ draft, prerelease }) => !draft && !prerelease)
      .sort((a, b) => Date.parse(b.published_at ?? "") - Date.parse(a.published_at ?? ""))
      .map(({ tag_name }) => tag_name);
  }

  /** The names of the newest 100 tags, sorted by the dates of their commits. */
  async newestTags(): Promise<string[]> {
    const { refs } = await this.#query<{ refs: { nodes: { name: string }[] } }>(TAGS);
    return refs.nodes.map(({ name }) => name);
  }

  async #list<D, T>(
    itemOf: (data: D) => T,
    path: string,
    query: object,
    most: number,
    isEnough?: (data: D[]) => boolean,
  ) {
    const request = (page: object) => this.#ask<D[]>(path, { ...query, ...page });
    return await readList(most, request, (data) => data.map(itemOf), isEnough);
  }

  async #read<D, T>(recordOf: (data: D) => T, path: string, parameters?: object): Promise<T> {
    return recordOf((await this.#ask<D>(path, parameters)).data);
  }

  async #ask<D>(path: string, parameters: object = {}): Promise<OctokitResponse<D>> {
    const route = `GET /repos/{owner}/{repo}${path}`;
    return await this.#github.request(route, { ...owned(this), ...parameters });
  }

  async #query<T>(fields: string): Promise<T> {
    const { owner, repo: name } = owned(this);
    const query = `query ($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { ${fields} }
}`;
    const answer = await this.#github.graphql<{ repository: T }>(query, { owner, name });
    return answer.repository;
  }
}

/** Returns one reader per repository. */
export function histories(connect: Connect): (repository: string) => Promise<History> {
  const readers = new Map<string, History>();
  return async (repository) => {
    const history = readers.get(repository) ?? new History(await connect(), repository);
    readers.set(repository, history);
    return history;
  };
}

/**
 * The state of a pull request by its link. `unread`: the token cannot read it, or it is not on this GitHub.
 * `lastCommitAt`: when the last commit of its branch was made, ISO 8601, if it was merged or closed; empty if unknown.
 *
 * @param serverUrl address of GitHub for people
 */
export async function readPullRequest(link: string, serverUrl: string, connect: Connect) {
  const place = pullRequestAt(link, serverUrl);
  const unread = { state: "unread" as const, lastCommitAt: "" };
  if (place === null) return unread;
  try {
    const history = new History(await connect(), place.repository);
    const { isOpen, mergedAt, head } = await history.pull(place.number);
    if (isOpen) return { state: "open" as const, lastCommitAt: "" };
    const state = mergedAt === null ? ("closed" as const) : ("merged" as const);
    const last = await history.commit(head).catch(() => undefined);
    return { state, lastCommitAt: last?.committedAt ?? "" };
  } catch {
    return unread;
  }
}

function isMerged({ mergedAt }: Pull): boolean {
  return mergedAt !== null;
}

/** For a missing commit, GitHub returns 404 to a comparison and 422 to a request for the commit. */
function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error) => {
    if (error.status === 404 || error.status === 422) return undefined;
    throw error;
  });
}
