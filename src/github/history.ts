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
import { owned, PAGE, readList } from "./rest.ts";

/** Files of a change. `isComplete`: false if there are more, which GitHub does not list or the action does not read. */
interface Files {
  files: ChangedFile[];
  isComplete: boolean;
}

interface Comparison {
  /** Commits of the head that the base lacks, oldest first. */
  commits: Commit[];
  /** The number of these commits. The list may contain fewer. */
  total: number;
  /** SHA of the newest common ancestor. */
  mergeBase: string;
  /** Whether the base is missing from the head's history, for example after a force-push. */
  isDiverged: boolean;
}

/** Maximum number of pages of commits: 5,000 commits. */
const COMMIT_PAGES = 50;
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
    const query = { basehead: `${base}...${head}` };
    const asked = this.#list("/compare/{basehead}", query, COMMIT_PAGES, {
      itemsOf: (data) => list(record(data).commits),
      isEnough: (data, commits) => {
        const total = Number(record(data).total_commits);
        return commits.length >= total || total > COMMIT_PAGES * PAGE;
      },
    });
    const answer = await unlessMissing(asked);
    if (answer === undefined) return undefined;
    const { total_commits, status, merge_base_commit } = record(answer.data);
    return {
      commits: answer.items.map(commitOf),
      total: Number(total_commits),
      mergeBase: text(record(merge_base_commit).sha),
      isDiverged: status === "diverged",
    };
  }

  /** The newest 100 commits of a commit's history, newest first. */
  async newestCommits(sha: string): Promise<Commit[]> {
    const { data } = await this.#ask("/commits", { sha, per_page: PAGE });
    return list(data).map(commitOf);
  }

  /** A commit's history since a time, newest first; at most 5,000 commits. @param since ISO 8601 */
  async commitsSince(
    sha: string,
    since: string,
  ): Promise<{ commits: Commit[]; isComplete: boolean }> {
    const { items, isComplete } = await this.#list("/commits", { sha, since }, COMMIT_PAGES);
    return { commits: items.map(commitOf), isComplete };
  }

  /**
   * The merged pull requests that were updated since a time.
   *
   * @param since in milliseconds since 1970
   */
  async mergedPulls(since: number): Promise<{ pulls: Pull[]; isComplete: boolean }> {
    const query = { state: "closed", sort: "updated", direction: "desc" };
    const isOlder = (item: unknown) => Date.parse(pullOf(item).updatedAt) < since;
    const { items, isComplete } = await this.#list("/pulls", query, PULL_PAGES, {
      isEnough: (_, pulls) => pulls.some(isOlder),
    });
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
    const { items } = await this.#list(path, { pull_number: number }, REVIEW_PAGES);
    return items.map(reviewOf);
  }

  /** A pull request's own commits, oldest first. */
  async pullCommits(number: number): Promise<Commit[]> {
    const path = "/pulls/{pull_number}/commits";
    const { items } = await this.#list(path, { pull_number: number }, OWN_COMMIT_PAGES);
    return items.map(commitOf);
  }

  /** The own commits of many pull requests; see {@link readCommitsOfPulls}. */
  async commitsOfPulls(numbers: readonly number[]): Promise<Map<number, CommitIdentity[]>> {
    this.#requests += 1;
    return await readCommitsOfPulls(this.#github, this.repository, numbers);
  }

  async pullFiles(number: number, pages = FILE_PAGES): Promise<Files> {
    const path = "/pulls/{pull_number}/files";
    const { items, isComplete } = await this.#list(path, { pull_number: number }, pages);
    return { files: items.map(fileOf), isComplete };
  }

  /** A commit and its changes to its first parent; undefined if GitHub no longer has it. */
  async commitWithFiles(sha: string): Promise<(Files & { commit: Commit }) | undefined> {
    const asked = this.#list("/commits/{ref}", { ref: sha }, FILE_PAGES, {
      itemsOf: (data) => list(record(data).files ?? []),
    });
    const answer = await unlessMissing(asked);
    if (answer === undefined) return undefined;
    const { data, items, isComplete } = answer;
    return { commit: commitOf(data), files: items.map(fileOf), isComplete };
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

  #list(path: string, query: object, most: number, options: ListOptions = {}) {
    const { itemsOf = list, isEnough } = options;
    return readList(most, (page) => this.#ask(path, { ...query, ...page }), itemsOf, isEnough);
  }

  #ask(path: string, parameters: object = {}) {
    this.#requests += 1;
    return this.#github.request(`GET /repos/{owner}/{repo}${path}`, {
      ...owned(this),
      ...parameters,
    });
  }
}

interface ListOptions {
  /** The entries of a page; the default: the page is a list. */
  itemsOf?: (data: unknown) => unknown[];
  isEnough?: (data: unknown, items: readonly unknown[]) => boolean;
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
