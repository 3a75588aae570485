/** Reads a repository's history through GitHub's API. */

import type { Octokit } from "@octokit/core";
import * as z from "zod/mini";
import { once } from "../runtime/dependencies.ts";
import type { Connect } from "./connect.ts";
import {
  type CommitIdentity,
  commit,
  commitNode,
  file,
  type Pull,
  pull,
  repositoryFacts,
  required,
  review,
  text,
} from "./history-records.ts";
import { owned, PAGE, readList } from "./rest.ts";

/** Maximum number of pages of commits: 5,000 commits. */
const COMMIT_PAGES = 50;
/** Maximum number of pages of pull requests. Beyond it, the action asks for the pull requests of each commit. */
const PULL_PAGES = 15;
/** Maximum number of pages of files per change. More would not fit into a prompt. */
const FILE_PAGES = 3;
const REVIEW_PAGES = 10;
/** Maximum number of pull requests per GraphQL query. */
const PULLS_AT_ONCE = 50;

const comparison = z.object({
  ...{ commits: z.array(commit), total_commits: z.number(), status: text },
  merge_base_commit: z.catch(z.object({ sha: text }), { sha: "" }),
});
const commitFiles = z.object({ files: z.nullish(z.array(file)) });
const release = z.object({
  ...{ tag_name: required, draft: z.boolean(), prerelease: z.boolean(), published_at: text },
});
const ownCommits = z.object({
  commits: z.object({ totalCount: z.number(), nodes: z.array(commitNode) }),
});
const OWN_COMMITS = `{
  commits(first: 100) {
    totalCount
    nodes { commit { oid message authoredDate author { name email } } }
  }
}`;
const tags = z.object({ refs: z.object({ nodes: z.array(z.object({ name: required })) }) });
const TAGS = `refs(
  refPrefix: "refs/tags/", first: 100, orderBy: { field: TAG_COMMIT_DATE, direction: DESC }
) { nodes { name } }`;

/** Reads one repository. Every method throws the errors of the client. */
export class History {
  /** `owner/name` */
  readonly repository: string;
  readonly #github: Pick<Octokit, "request" | "graphql">;

  constructor(github: Pick<Octokit, "request" | "graphql">, repository: string) {
    this.#github = github;
    this.repository = repository;
  }

  readonly facts = once(() => this.#read(repositoryFacts, ""));

  /** SHA of a branch's tip; undefined if the branch does not exist. */
  async tip(branch: string): Promise<string | undefined> {
    const schema = z.object({ commit: z.object({ sha: required }) });
    const read = await unlessMissing(this.#read(schema, "/branches/{branch}", { branch }));
    return read?.commit.sha;
  }

  /** The commit that a SHA, tag or branch names; undefined if there is none. */
  async commit(ref: string) {
    return await unlessMissing(this.#read(commit, "/commits/{ref}", { ref, per_page: 1 }));
  }

  /** The commits of the head that the base lacks, oldest first; undefined if there is no common ancestor. */
  async compare(base: string, head: string) {
    const basehead = `${base}...${head}`;
    const request = (page: object) =>
      this.#ask(comparison, "/compare/{basehead}", { basehead, ...page });
    const asked = readList(
      COMMIT_PAGES,
      request,
      ({ commits }) => commits,
      ({ total_commits: total }, { length }) => length >= total || total > COMMIT_PAGES * PAGE,
    );
    const answer = await unlessMissing(asked);
    if (answer === undefined) return undefined;
    const { total_commits, status, merge_base_commit } = answer.data;
    return {
      commits: answer.items,
      /** The number of these commits. The list may contain fewer. */
      total: total_commits,
      /** SHA of the newest common ancestor. */
      mergeBase: merge_base_commit.sha,
      /** Whether the base is missing from the head's history, for example after a force-push. */
      isDiverged: status === "diverged",
    };
  }

  /** The newest 100 commits of a commit's history, newest first. */
  async newestCommits(sha: string) {
    return await this.#read(z.array(commit), "/commits", { sha, per_page: PAGE });
  }

  /** A commit's history since a time, newest first; at most 5,000 commits. @param since ISO 8601 */
  async commitsSince(sha: string, since: string) {
    return await this.#list(commit, "/commits", { sha, since }, COMMIT_PAGES);
  }

  /** The merged pull requests that were updated since a time. @param since in milliseconds since 1970 */
  async mergedPulls(since: number): Promise<{ pulls: Pull[]; isComplete: boolean }> {
    const query = { state: "closed", sort: "updated", direction: "desc" };
    const isEnough = (pulls: readonly Pull[]) =>
      pulls.some(({ updatedAt }) => Date.parse(updatedAt) < since);
    const { items, isComplete } = await this.#list(pull, "/pulls", query, PULL_PAGES, isEnough);
    return { pulls: items.filter(isMerged), isComplete };
  }

  /** The merged pull request that a commit came with; undefined if there is none. */
  async pullOf(sha: string): Promise<Pull | undefined> {
    const asked = this.#read(z.array(pull), "/commits/{sha}/pulls", { sha });
    const pulls = ((await unlessMissing(asked)) ?? []).filter(isMerged);
    return pulls.find(({ mergeSha }) => mergeSha === sha) ?? pulls[0];
  }

  async pull(number: number): Promise<Pull> {
    return await this.#read(pull, "/pulls/{pull_number}", { pull_number: number });
  }

  /** A pull request's reviews, oldest first. */
  async reviews(number: number) {
    const path = "/pulls/{pull_number}/reviews";
    return (await this.#list(review, path, { pull_number: number }, REVIEW_PAGES)).items;
  }

  /**
   * The own commits of the first of these pull requests, and of as many others as GitHub can answer for at once, oldest
   * first; none for one that has more than 100, and therefore was not rebased.
   */
  async commitsOfPulls(numbers: readonly number[]): Promise<Map<number, CommitIdentity[]>> {
    const first = numbers.slice(0, PULLS_AT_ONCE);
    return await this.#commitsOf(first).catch(() => this.#commitsOf(numbers.slice(0, 1)));
  }

  async #commitsOf(numbers: readonly number[]): Promise<Map<number, CommitIdentity[]>> {
    const fields = numbers.map(
      (number) => `p${number}: pullRequest(number: ${number}) ${OWN_COMMITS}`,
    );
    const pulls = await this.#query(z.record(z.string(), ownCommits), fields.join("\n"));
    return new Map(
      numbers.map((number) => {
        const { nodes = [], totalCount = 0 } = pulls[`p${number}`]?.commits ?? {};
        return [number, totalCount > nodes.length ? [] : nodes];
      }),
    );
  }

  /** `isComplete`: false if there are more, which GitHub does not list or the action does not read. */
  async pullFiles(number: number, pages = FILE_PAGES) {
    const path = "/pulls/{pull_number}/files";
    const query = { pull_number: number };
    const { items: files, isComplete } = await this.#list(file, path, query, pages);
    return { files, isComplete };
  }

  /** The files that a commit changed, and what its message says of it; undefined if GitHub no longer has it. */
  async commitFiles(sha: string) {
    const schema = z.intersection(commit, commitFiles);
    const request = (page: object) => this.#ask(schema, "/commits/{ref}", { ref: sha, ...page });
    const asked = readList(FILE_PAGES, request, ({ files }) => files ?? []);
    const answer = await unlessMissing(asked);
    return answer && { body: answer.data.body, files: answer.items, isComplete: answer.isComplete };
  }

  /** The tags of published releases without prereleases, the newest first. */
  async releases(): Promise<string[]> {
    const all = await this.#read(z.array(release), "/releases", { per_page: PAGE });
    return all
      .filter(({ draft, prerelease }) => !draft && !prerelease)
      .sort((a, b) => Date.parse(b.published_at) - Date.parse(a.published_at))
      .map(({ tag_name }) => tag_name);
  }

  /** The names of the newest 100 tags, sorted by the dates of their commits. */
  async newestTags(): Promise<string[]> {
    return (await this.#query(tags, TAGS)).refs.nodes.map(({ name }) => name);
  }

  #list<T>(
    item: z.ZodMiniType<T>,
    path: string,
    query: object,
    most: number,
    isEnough: (items: readonly T[]) => boolean = () => false,
  ) {
    const request = (page: object) => this.#ask(z.array(item), path, { ...query, ...page });
    return readList(most, request, (items) => items, isEnough);
  }

  async #read<T>(schema: z.ZodMiniType<T>, path: string, parameters?: object): Promise<T> {
    return (await this.#ask(schema, path, parameters)).data;
  }

  async #ask<T>(schema: z.ZodMiniType<T>, path: string, parameters: object = {}) {
    const route = `GET /repos/{owner}/{repo}${path}`;
    const { data, headers } = await this.#github.request(route, { ...owned(this), ...parameters });
    return { data: checked(schema, data), headers };
  }

  async #query<T>(schema: z.ZodMiniType<T>, fields: string): Promise<T> {
    const { owner, repo: name } = owned(this);
    const query = `query ($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { ${fields} }
}`;
    const answer = await this.#github.graphql(query, { owner, name });
    return checked(z.object({ repository: schema }), answer).repository;
  }
}

function checked<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const { data, error } = schema.safeParse(answer);
  if (error) throw new Error("GitHub's response lacks what was asked for", { cause: error });
  return data as T;
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
