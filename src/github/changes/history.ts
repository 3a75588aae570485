/** Reads a repository's history through GitHub's API. */

import { once } from "../../runtime/dependencies.ts";
import type { Connect } from "../api/connect.ts";
import { isOfGitHub, isRateLimit, isServerFault, statusOf } from "../api/refusal.ts";
import { type ReadingClient, RepositoryReader } from "../api/repository.ts";
import { PAGE } from "../api/rest.ts";
import * as answers from "./history-answers.ts";
import {
  type Commit,
  type CommitIdentity,
  type Comparison,
  commitOf,
  type Distance,
  type FileList,
  fileOf,
  identitiesOf,
  type List,
  type Pull,
  pullOf,
  type RepositoryFacts,
  type ReviewResult,
  releaseTagsOf,
  repositoryFactsOf,
  reviewOf,
  type SinglePull,
  singlePullOf,
  type Tag,
  tagsOf,
} from "./history-records.ts";

/** Maximum number of pages of a list: 5,000 commits, pull requests or reviews. */
const MOST_PAGES = 50;
/** Maximum number of pages of files per change. More would not fit into a prompt. */
const FILE_PAGES = 3;
/** Maximum number of pull requests per GraphQL query, and after one that failed. */
const PULLS_AT_ONCE = 40;
const FEW_AT_ONCE = 5;

/** Reads one repository. Every method throws the errors of the client, or `UnusableAnswer`. */
export class History {
  /** `owner/name` */
  readonly repository: string;
  readonly #reader: RepositoryReader;

  constructor(github: ReadingClient, repository: string) {
    this.repository = repository;
    this.#reader = new RepositoryReader(github, repository);
  }

  readonly facts = once(() => this.#readFacts());

  async #readFacts(): Promise<RepositoryFacts> {
    return repositoryFactsOf(await this.#reader.get(answers.repository, ""));
  }

  /** SHA of a branch's tip; undefined if the branch does not exist. */
  async tip(branch: string): Promise<string | undefined> {
    const asked = this.#reader.get(answers.branch, "/branches/{branch}", { branch });
    return (await unlessMissing(asked))?.commit.sha;
  }

  /** Whether a branch has this name. Of a branch that was renamed, GitHub's answer to the former one is the new one. */
  async hasBranch(branch: string): Promise<boolean> {
    const asked = this.#reader.get(answers.branch, "/branches/{branch}", { branch });
    return (await unlessMissing(asked))?.name === branch;
  }

  /** The commit that a SHA, tag or branch names; undefined if there is none. */
  async commit(ref: string): Promise<Commit | undefined> {
    const asked = this.#reader.get(answers.commit, "/commits/{ref}", { ref, per_page: 1 });
    const answer = await unlessMissing(asked).catch(async (error) => {
      // For one commit, GitHub computes its diff, even if that takes too long each time.
      if (!isServerFault(error)) throw error;
      const list = { sha: ref, per_page: 1 };
      return (await unlessMissing(this.#reader.get(answers.commits, "/commits", list)))?.[0];
    });
    return answer && commitOf(answer);
  }

  /** The commits of the head that the base lacks, oldest first; undefined if there is no common ancestor. */
  async compare(base: string, head: string): Promise<Comparison | undefined> {
    const asked = this.#reader.list(answers.comparison, {
      path: "/compare/{basehead}",
      query: { basehead: `${base}...${head}` },
      pages: MOST_PAGES,
      itemsOf: (data) => data.commits.map(commitOf),
      isEnough: (data) => data.total_commits > MOST_PAGES * PAGE,
    });
    const answer = await unlessMissing(asked);
    if (answer === undefined) return undefined;
    const { items: commits, first } = answer;
    return {
      commits,
      isComplete: commits.length >= first.total_commits,
      isDiverged: first.status === "diverged",
    };
  }

  /**
   * A commit and its history, newest first; undefined if GitHub does not know it, or not yet.
   *
   * GitHub could list the commits since a time. But like `git log --since`, it would stop at the first older one, and
   * leave out newer ones behind it.
   *
   * @param isEnough whether the history before these commits is not needed
   */
  async commitsBack(
    sha: string,
    { pages, isEnough }: { pages: number; isEnough: (commits: readonly Commit[]) => boolean },
  ): Promise<List<Commit> | undefined> {
    const asked = this.#reader.list(answers.commits, {
      path: "/commits",
      query: { sha },
      pages,
      itemsOf: (data) => data.map(commitOf),
      isEnough: (data) => isEnough(data.map(commitOf)),
    });
    return await unlessMissing(asked);
  }

  /** The merged pull requests that were updated since a time. @param since in milliseconds since 1970 */
  async mergedPulls(since: number): Promise<{ pulls: Pull[]; isComplete: boolean }> {
    const { items, isComplete } = await this.#reader.list(answers.pulls, {
      path: "/pulls",
      query: { state: "closed", sort: "updated", direction: "desc" },
      pages: MOST_PAGES,
      itemsOf: (data) => data.map(pullOf),
      isEnough: (data) => data.some(({ updated_at }) => Date.parse(updated_at) < since),
    });
    return { pulls: items.filter(isMerged), isComplete };
  }

  /**
   * The merged pull request that a commit of a branch came with; undefined if there is none, `unknown` if GitHub does
   * not know the commit, or not yet. GitHub names every pull request that contains the commit: also into other
   * branches, and, in a fork, those of the repository it is a fork of.
   */
  async mergedPullOf(
    sha: string,
    { id, branch }: { id: number; branch: string },
  ): Promise<Pull | "unknown" | undefined> {
    const asked = this.#reader.get(answers.pulls, "/commits/{sha}/pulls", { sha, per_page: PAGE });
    const answer = await unlessMissing(asked);
    if (answer === undefined) return "unknown";
    const pulls = answer.map(pullOf).filter((pull) => isMerged(pull) && pull.repositoryId === id);
    return (
      pulls.find(({ mergeSha }) => mergeSha === sha) ?? pulls.find(({ base }) => base === branch)
    );
  }

  async pull(number: number): Promise<SinglePull> {
    return singlePullOf(await this.#reader.get(answers.pull, `/pulls/${number}`));
  }

  /** A pull request's reviews, oldest first. */
  async reviews(number: number): Promise<ReviewResult[]> {
    const { items } = await this.#reader.list(answers.reviews, {
      path: `/pulls/${number}/reviews`,
      pages: MOST_PAGES,
      itemsOf: (data) => data.map(reviewOf),
    });
    return items;
  }

  /**
   * The own commits of pull requests by their numbers, oldest first; none for one that was not rebased. One that GitHub
   * cannot resolve, for example because its author is hidden, is missing.
   */
  async commitsOfPulls(
    numbers: readonly number[],
    atOnce = PULLS_AT_ONCE,
  ): Promise<Map<number, CommitIdentity[]>> {
    const own = new Map<number, CommitIdentity[]>();
    for (let at = 0; at < numbers.length; at += atOnce) {
      const part = numbers.slice(at, at + atOnce);
      const read = await this.#commitsOf(part).catch((error) => {
        // GitHub may need too long for so many. After a rate limit, more requests would be refused, too.
        if (atOnce === FEW_AT_ONCE || isRateLimit(error) || !isOfGitHub(error)) throw error;
        return this.commitsOfPulls(part, FEW_AT_ONCE);
      });
      for (const [number, commits] of read) own.set(number, commits);
    }
    return own;
  }

  async #commitsOf(numbers: readonly number[]): Promise<Map<number, CommitIdentity[]>> {
    const names = numbers.map((number) => `p${number}`);
    const fields = numbers.map(
      (number) => `p${number}: pullRequest(number: ${number}) ${answers.OWN_COMMITS}`,
    );
    const pulls = await this.#reader.query(answers.commitsOfPulls(names), fields.join("\n"));
    const known = Object.values(pulls).filter((pull) => pull !== null);
    return new Map(known.map((pull) => [pull.number, identitiesOf(pull)]));
  }

  /** `isComplete`: false if there are more, which GitHub does not list or the action does not read. */
  async pullFiles(number: number, pages = FILE_PAGES): Promise<FileList> {
    const { items: files, isComplete } = await this.#reader.list(answers.files, {
      path: `/pulls/${number}/files`,
      pages,
      itemsOf: (data) => data.map(fileOf),
    });
    return { files, isComplete };
  }

  /** The files that a commit changed, and what its message says of it; undefined if GitHub no longer has it. */
  async commitFiles(sha: string): Promise<(FileList & { body: string }) | undefined> {
    const asked = this.#reader.list(answers.commitWithFiles, {
      path: "/commits/{ref}",
      query: { ref: sha },
      pages: FILE_PAGES,
      itemsOf: ({ files = [] }) => files.map(fileOf),
    });
    const answer = await unlessMissing(asked);
    if (answer === undefined) return undefined;
    const { items: files, first, isComplete } = answer;
    return { body: commitOf(first).body, files, isComplete };
  }

  /** How far a head is ahead of a base, both given as SHAs: 0 if the base contains it. */
  async distance(base: string, head: string): Promise<Distance> {
    const basehead = `${base}...${head}`;
    try {
      const query = { basehead, per_page: 1 };
      return (await this.#reader.get(answers.comparison, "/compare/{basehead}", query))
        .total_commits;
    } catch (error) {
      if (isServerFault(error)) return "unanswered";
      if (statusOf(error) !== 404) throw error;
      return /no common ancestor/i.test(String(error)) ? "unrelated" : "missing";
    }
  }

  /** The tags of published releases without prereleases, the newest first. */
  async releases(): Promise<Tag[]> {
    return releaseTagsOf(await this.#reader.query(answers.releases, answers.RELEASES));
  }

  /** The newest 100 tags, sorted by the dates of their commits, or of themselves if they have a message. */
  async newestTags(): Promise<Tag[]> {
    return tagsOf(await this.#reader.query(answers.tags, answers.TAGS));
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

function isMerged({ mergedAt }: Pull): boolean {
  return mergedAt !== null;
}

/** For a missing commit, GitHub returns 404 to a comparison and 422 to a request for the commit. */
function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error: unknown) => {
    if ([404, 422].includes(statusOf(error))) return undefined;
    throw error;
  });
}
