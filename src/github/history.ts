/** Reads a repository's history through GitHub's REST API. */

import { once } from "../runtime/dependencies.ts";
import type { Connect } from "./connect.ts";
import { type GitHubRequest, readCommitsOfPulls, readNewestTags } from "./history-queries.ts";
import {
  type ChangedFile,
  type Commit,
  type CommitIdentity,
  commitOf,
  factsOf,
  fileOf,
  list,
  type Pull,
  pullOf,
  type RepositoryFacts,
  type Review,
  record,
  required,
  reviewOf,
  text,
  type WholePull,
  wholePullOf,
} from "./history-records.ts";

/** Files of a change. `isComplete`: false if there are more, which GitHub does not list or the action does not read. */
export interface Files {
  files: ChangedFile[];
  isComplete: boolean;
}

export interface Comparison {
  /** Commits of the head that the base lacks, oldest first. */
  commits: Commit[];
  /** The number of these commits. The list may contain fewer. */
  total: number;
  /** SHA of the newest common ancestor. */
  mergeBase: string;
  /** Whether the base is missing from the head's history, for example after a force-push. */
  isDiverged: boolean;
}

/** Entries per page: GitHub's maximum. */
const PAGE = 100;
/** Maximum number of pages of commits: 5,000 commits. */
export const COMMIT_PAGES = 50;
/** Maximum number of pages of pull requests. Beyond it, the action asks for the pull requests of each commit. */
const PULL_PAGES = 15;
/** Maximum number of pages of files per change. More would not fit into a prompt. */
const FILE_PAGES = 3;
/** Maximum number of pages of a pull request's commits: GitHub lists at most 250. */
const OWN_COMMIT_PAGES = 3;

const REVIEW_PAGES = 10;

/** Reads one repository, and counts the requests. Every method throws the errors of the client. */
export class History {
  readonly repository: string;
  readonly #github: GitHubRequest;
  #requests = 0;

  /** @param repository `owner/name` */
  constructor(github: GitHubRequest, repository: string) {
    this.#github = github;
    this.repository = repository;
  }

  /** The number of requests so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Requested once. */
  readonly facts = once(async (): Promise<RepositoryFacts> => factsOf((await this.#ask("")).data));

  /** SHA of a branch's tip; undefined if the branch does not exist. */
  async tip(branch: string): Promise<string | undefined> {
    const answer = await unlessMissing(this.#ask("/branches/{branch}", { branch }));
    return answer && required(record(record(answer.data).commit).sha, "a branch");
  }

  /** The commit that a SHA, tag or branch names; undefined if there is none. */
  async commit(ref: string): Promise<Commit | undefined> {
    const answer = await unlessMissing(this.#ask("/commits/{ref}", { ref, per_page: 1 }));
    return answer && commitOf(answer.data);
  }

  /** Undefined if GitHub no longer has one of the commits, or if they have no common ancestor. */
  async compare(base: string, head: string): Promise<Comparison | undefined> {
    const commits: Commit[] = [];
    for (let page = 1; ; page += 1) {
      const basehead = `${base}...${head}`;
      const asked = this.#ask("/compare/{basehead}", { basehead, per_page: PAGE, page });
      const answer = page === 1 ? await unlessMissing(asked) : await asked;
      if (answer === undefined) return undefined;
      const { commits: items, total_commits, status, merge_base_commit } = record(answer.data);
      const told = list(items).map(commitOf);
      commits.push(...told);
      const total = Number(total_commits);
      const isEnd = told.length < PAGE || commits.length >= total;
      if (isEnd || total > COMMIT_PAGES * PAGE) {
        const mergeBase = text(record(merge_base_commit).sha);
        return { commits, total, mergeBase, isDiverged: status === "diverged" };
      }
    }
  }

  /** A page of a commit's history, newest first. @param since ISO 8601: nothing older */
  async commits(sha: string, page: number, since?: string): Promise<Commit[]> {
    const query = { sha, page, per_page: PAGE, ...(since === undefined ? {} : { since }) };
    return list((await this.#ask("/commits", query)).data).map(commitOf);
  }

  /**
   * The merged pull requests that were updated since a time.
   *
   * @param since in milliseconds since 1970
   */
  async mergedPulls(since: number): Promise<{ pulls: Pull[]; isComplete: boolean }> {
    const query = { state: "closed", sort: "updated", direction: "desc" };
    const isOlder = (item: unknown) => Date.parse(pullOf(item).updatedAt) < since;
    const { items, isComplete } = await this.#pages("/pulls", query, PULL_PAGES, isOlder);
    return { pulls: items.map(pullOf).filter(isMerged), isComplete };
  }

  /** The merged pull request that a commit came with; undefined if there is none. */
  async pullOf(sha: string): Promise<Pull | undefined> {
    const answer = await unlessMissing(this.#ask("/commits/{sha}/pulls", { sha }));
    const pulls = list(answer?.data ?? [])
      .map(pullOf)
      .filter(isMerged);
    return pulls.find(({ mergeSha }) => mergeSha === sha) ?? pulls[0];
  }

  async pull(number: number): Promise<WholePull> {
    const { data } = await this.#ask("/pulls/{pull_number}", { pull_number: number });
    return wholePullOf(data);
  }

  /** A pull request's reviews, oldest first. */
  async reviews(number: number): Promise<Review[]> {
    const path = "/pulls/{pull_number}/reviews";
    const { items } = await this.#pages(path, { pull_number: number }, REVIEW_PAGES);
    return items.map(reviewOf);
  }

  /** A pull request's own commits, oldest first. */
  async pullCommits(number: number): Promise<Commit[]> {
    const path = "/pulls/{pull_number}/commits";
    const { items } = await this.#pages(path, { pull_number: number }, OWN_COMMIT_PAGES);
    return items.map(commitOf);
  }

  /** The own commits of many pull requests; see {@link readCommitsOfPulls}. */
  async commitsOfPulls(numbers: readonly number[]): Promise<Map<number, CommitIdentity[]>> {
    this.#requests += 1;
    return await readCommitsOfPulls(this.#github, this.repository, numbers);
  }

  async pullFiles(number: number, pages = FILE_PAGES): Promise<Files> {
    const path = "/pulls/{pull_number}/files";
    const { items, isComplete } = await this.#pages(path, { pull_number: number }, pages);
    return { files: items.map(fileOf), isComplete };
  }

  /** A commit and its changes to its first parent; undefined if GitHub no longer has it. */
  async commitWithFiles(sha: string): Promise<(Files & { commit: Commit }) | undefined> {
    const files: ChangedFile[] = [];
    for (let page = 1; ; page += 1) {
      const asked = this.#ask("/commits/{ref}", { ref: sha, per_page: PAGE, page });
      const answer = await unlessMissing(asked);
      if (answer === undefined) return undefined;
      const told = list(record(answer.data).files ?? []).map(fileOf);
      files.push(...told);
      if (told.length >= PAGE && page < FILE_PAGES) continue;
      return { commit: commitOf(answer.data), files, isComplete: told.length < PAGE };
    }
  }

  /** The tag of the newest published release, prereleases excluded; undefined if there is none. */
  async newestRelease(): Promise<string | undefined> {
    const releases = list((await this.#ask("/releases", { per_page: PAGE })).data).map(record);
    const published = releases.filter(
      ({ draft, prerelease }) => draft !== true && prerelease !== true,
    );
    const [newest] = published.sort(
      (a, b) => Date.parse(text(b.published_at)) - Date.parse(text(a.published_at)),
    );
    return newest && required(newest.tag_name, "a release");
  }

  /** The names of the newest tags, sorted by the dates of their commits. */
  async newestTags(): Promise<string[]> {
    this.#requests += 1;
    return await readNewestTags(this.#github, this.repository);
  }

  /** Reads the pages of a list until a page is not full, or `isLast` accepts its last entry. */
  async #pages(
    path: string,
    query: Record<string, unknown>,
    most: number,
    isLast: (item: unknown) => boolean = () => false,
  ): Promise<{ items: unknown[]; isComplete: boolean }> {
    const items: unknown[] = [];
    for (let page = 1; page <= most; page += 1) {
      const { data, headers } = await this.#ask(path, { ...query, per_page: PAGE, page });
      const told = list(data);
      items.push(...told);
      const isEnd = told.length < PAGE || isLast(told.at(-1)) || !mayHaveNext(headers.link);
      if (isEnd) return { items, isComplete: true };
    }
    return { items, isComplete: false };
  }

  #ask(path: string, parameters: Record<string, unknown> = {}) {
    const [owner, repo] = this.repository.split("/");
    this.#requests += 1;
    return this.#github.request(`GET /repos/{owner}/{repo}${path}`, { owner, repo, ...parameters });
  }
}

/** Returns one reader per repository. */
export function histories(connect: Connect): (repository: string) => Promise<History> {
  const known = new Map<string, History>();
  return async (repository) => {
    const history = known.get(repository) ?? new History(await connect(), repository);
    known.set(repository, history);
    return history;
  };
}

/** False if the `link` header names other pages, but no next one. */
function mayHaveNext(link: unknown): boolean {
  return text(link) === "" || text(link).includes('rel="next"');
}

function isMerged({ mergedAt }: Pull): boolean {
  return mergedAt !== null;
}

/** For a missing commit, GitHub returns 404 to a comparison and 422 to a request for the commit. */
async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const { status } = error as { status?: unknown };
    if (status === 404 || status === 422) return undefined;
    throw error;
  }
}
