/** What GitHub tells of a repository's history, a request at a time. */

import {
  type ChangedFile,
  type Commit,
  commitOf,
  fileOf,
  list,
  type Pull,
  pullOf,
  record,
  required,
  text,
} from "./history-records.ts";

/** The part of a client of GitHub's REST API that is needed here; Octokit has it. */
export interface GitHubRequest {
  /** @throws with a `status`, where GitHub refuses. */
  request(
    route: string,
    parameters?: Record<string, unknown>,
  ): Promise<{ headers: Record<string, unknown>; data: unknown }>;
}

/** Files of a change; `isComplete` is false where GitHub, or the budget, has no more of them. */
export interface Files {
  files: ChangedFile[];
  isComplete: boolean;
}

export interface Branch {
  name: string;
  sha: string;
  /** GitHub's clock, in milliseconds since 1970. */
  now: number;
}

export interface Comparison {
  /** What the head has and the base has not, oldest first. */
  commits: Commit[];
  /** The base is not in the head's history, as after a force-push. */
  isDiverged: boolean;
}

/** Entries of a page, the most that GitHub gives. */
const PAGE = 100;
/** Pages of commits that are read at most: 30,000 commits. */
const COMMIT_PAGES = 300;
/** Pages of pull requests that are read at most; after that, commits are asked for theirs. */
const PULL_PAGES = 15;
/** Pages of files that are read of one change: what follows would not fit into a prompt in any case. */
export const FILE_PAGES = 3;
/** Pages of a pull request's commits: GitHub tells 250 of them. */
const OWN_COMMIT_PAGES = 3;

/** More than {@link COMMIT_PAGES} of commits. */
export class TooManyCommits extends Error {
  constructor() {
    super(`more than ${COMMIT_PAGES * PAGE} commits`);
  }
}

/** Reads one repository, and counts the requests. Every method throws what the client throws. */
export class History {
  readonly repository: string;
  readonly #github: GitHubRequest;
  #requests = 0;

  /** @param repository `owner/name` */
  constructor(github: GitHubRequest, repository: string) {
    this.#github = github;
    this.repository = repository;
  }

  /** How many requests were made. */
  get requests(): number {
    return this.#requests;
  }

  /** The name of the default branch. */
  async defaultBranch(): Promise<string> {
    const { data } = await this.#ask("");
    return required(record(data).default_branch, "a repository");
  }

  async branch(name: string): Promise<Branch> {
    const { data, headers } = await this.#ask("/branches/{branch}", { branch: name });
    const sha = required(record(record(data).commit).sha, "a branch");
    const now = Date.parse(text(headers.date));
    if (Number.isNaN(now)) throw new Error("GitHub's response has no valid date");
    return { name, sha, now };
  }

  /** The commit that a SHA, tag or branch names; undefined: there is none. */
  async commit(ref: string): Promise<Commit | undefined> {
    const answer = await unlessMissing(this.#ask("/commits/{ref}", { ref, per_page: 1 }));
    return answer && commitOf(answer.data);
  }

  /** Undefined: GitHub no longer has one of the two, or they have nothing in common. */
  async compare(base: string, head: string): Promise<Comparison | undefined> {
    const commits: Commit[] = [];
    for (let page = 1; page <= COMMIT_PAGES; page += 1) {
      const basehead = `${base}...${head}`;
      const asked = this.#ask("/compare/{basehead}", { basehead, per_page: PAGE, page });
      const answer = page === 1 ? await unlessMissing(asked) : await asked;
      if (answer === undefined) return undefined;
      const { commits: items, total_commits, status } = record(answer.data);
      const told = list(items).map(commitOf);
      commits.push(...told);
      if (told.length < PAGE || commits.length >= Number(total_commits)) {
        return { commits, isDiverged: status === "diverged" };
      }
    }
    throw new TooManyCommits();
  }

  /** What was committed from a time on (ISO 8601), in the history of a commit, newest first. */
  async commitsSince(sha: string, since: string): Promise<Commit[]> {
    const { items, isComplete } = await this.#pages("/commits", { sha, since }, COMMIT_PAGES);
    if (!isComplete) throw new TooManyCommits();
    return items.map(commitOf);
  }

  /**
   * The pull requests merged into a branch, among those that changed from a time on.
   *
   * @param since in milliseconds since 1970
   */
  async mergedPulls(base: string, since: number): Promise<{ pulls: Pull[]; isComplete: boolean }> {
    const query = { state: "closed", base, sort: "updated", direction: "desc" };
    const isOlder = (item: unknown) => Date.parse(pullOf(item).updatedAt) < since;
    const { items, isComplete } = await this.#pages("/pulls", query, PULL_PAGES, isOlder);
    return { pulls: items.map(pullOf).filter(isMerged), isComplete };
  }

  /** The merged pull requests that brought a commit into a branch. */
  async pullsOf(sha: string, base: string): Promise<Pull[]> {
    const answer = await unlessMissing(this.#ask("/commits/{sha}/pulls", { sha }));
    const pulls = list(answer?.data ?? []).map(pullOf);
    return pulls.filter((pull) => isMerged(pull) && pull.base === base);
  }

  async pull(number: number): Promise<Pull> {
    const { data } = await this.#ask("/pulls/{pull_number}", { pull_number: number });
    return pullOf(data);
  }

  /** A pull request's own commits, oldest first. */
  async pullCommits(number: number): Promise<Commit[]> {
    const path = "/pulls/{pull_number}/commits";
    const { items } = await this.#pages(path, { pull_number: number }, OWN_COMMIT_PAGES);
    return items.map(commitOf);
  }

  /** @param pages how many pages of a hundred files are read at most */
  async pullFiles(number: number, pages: number = FILE_PAGES): Promise<Files> {
    const path = "/pulls/{pull_number}/files";
    const { items, isComplete } = await this.#pages(path, { pull_number: number }, pages);
    return { files: items.map(fileOf), isComplete };
  }

  /** What a commit changed in its first parent; undefined: GitHub no longer has it. */
  async commitFiles(sha: string, pages: number = FILE_PAGES): Promise<Files | undefined> {
    const files: ChangedFile[] = [];
    for (let page = 1; page <= pages; page += 1) {
      const asked = this.#ask("/commits/{ref}", { ref: sha, per_page: PAGE, page });
      const answer = await unlessMissing(asked);
      if (answer === undefined) return undefined;
      const told = list(record(answer.data).files ?? []).map(fileOf);
      files.push(...told);
      if (told.length < PAGE) return { files, isComplete: true };
    }
    return { files, isComplete: false };
  }

  /** A list, page by page, until one is not full or ends with an entry that is the last wanted. */
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

/** Not, where GitHub names other pages but no next one. */
function mayHaveNext(link: unknown): boolean {
  return text(link) === "" || text(link).includes('rel="next"');
}

function isMerged({ mergedAt }: Pull): boolean {
  return mergedAt !== null;
}

/** GitHub says 404 of a missing commit in a comparison, and 422 of one that is asked for by itself. */
async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const { status } = error as { status?: unknown };
    if (status === 404 || status === 422) return undefined;
    throw error;
  }
}
