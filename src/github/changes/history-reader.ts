/** Reads a repository's history through GitHub's API. */

import { once } from "../../runtime/dependencies.ts";
import { ABSENT, type Fact, known, mapFact } from "../../runtime/fact.ts";
import type { GitHub } from "../api/client.ts";
import type { Connect } from "../api/connect.ts";
import { PAGE } from "../api/pages.ts";
import {
  type BranchPlace,
  branchPlaceOf,
  type Commit,
  type CommitIdentity,
  type Comparison,
  commitOf,
  type FileList,
  fileOf,
  identitiesOf,
  type Pull,
  pullOf,
  type RepositoryFacts,
  releaseTagsOf,
  repositoryFactsOf,
  type SinglePull,
  singlePullOf,
  type Tag,
  tagsOf,
} from "./history-records.ts";

/** Maximum number of pages of a list, unless there is a budget: 5,000 commits. */
const MOST_PAGES = 50;
/** Maximum number of pages of files per change. More would not fit into a prompt. */
const FILE_PAGES = 3;

/** Reads one repository. */
export class HistoryReader {
  /** `owner/name` */
  readonly repository: string;
  /** How many pages of a list may be read now. */
  readonly mostPages: () => number;
  readonly #github: GitHub;

  constructor(github: GitHub, repository: string, mostPages = () => MOST_PAGES) {
    this.#github = github;
    this.repository = repository;
    this.mostPages = mostPages;
  }

  readonly facts = once(() => this.#readFacts());

  async #readFacts(): Promise<Fact<RepositoryFacts>> {
    const { repository } = this;
    return mapFact(await this.#github.repositories.get({ repository }), repositoryFactsOf);
  }

  /**
   * The repository and a branch's tip; absent if GitHub shows none by these names. Those of several repositories that
   * are asked for at the same moment cost one request.
   *
   * @param branch null for the default one
   */
  async place(branch: string | null): Promise<Fact<BranchPlace>> {
    const { repository } = this;
    const named = { ref: `refs/heads/${branch ?? ""}`, isNamed: branch !== null };
    const fact = await this.#github.repositories.source({ repository, ...named });
    if (fact.type !== "known") return fact;
    const place = branchPlaceOf(fact.value.data, branch);
    return place === null ? ABSENT : known(place);
  }

  /** The same by two requests of REST, which also follows the former name of a branch. */
  async placeAlone(branch: string | null): Promise<Fact<BranchPlace>> {
    const facts = await this.facts();
    if (facts.type !== "known") return facts;
    const name = branch ?? facts.value.defaultBranch;
    const tip = await this.tip(name);
    return mapFact(tip, (head) => ({ repository: facts.value, branch: name, head }));
  }

  /** SHA of a branch's tip; absent if the branch does not exist. */
  async tip(branch: string): Promise<Fact<string>> {
    const { repository } = this;
    const fact = await this.#github.branches.get({ repository, branch });
    return mapFact(fact, ({ commit }) => commit.sha);
  }

  /** Whether a branch has this name. Of a branch that was renamed, GitHub's answer to the former one is the new one. */
  async hasBranch(branch: string): Promise<Fact<boolean>> {
    const { repository } = this;
    const fact = await this.#github.branches.get({ repository, branch });
    if (fact.type === "absent") return known(false);
    return mapFact(fact, ({ name }) => name === branch);
  }

  /** The commit that a SHA, tag or branch names; absent if there is none. */
  async commit(ref: string): Promise<Fact<Commit>> {
    const { repository } = this;
    const { commits } = this.#github;
    const fact = await commits.get({ repository, ref });
    if (!isServerFault(fact)) return mapFact(fact, commitOf);
    // For one commit, GitHub computes its diff, even if that takes too long each time.
    const list = await commits.list({ repository, sha: ref }, { most: 1 });
    if (list.type !== "known") return list;
    const [first] = list.value.items;
    return first === undefined ? ABSENT : known(commitOf(first));
  }

  /** The commits of the head that the base lacks, oldest first; absent if there is no common ancestor. */
  async compare(base: string, head: string): Promise<Fact<Comparison>> {
    const { repository } = this;
    const most = this.mostPages();
    const fact = await this.#github.commits.compare(
      { repository, base, head },
      { most, isEnough: ({ total_commits }) => total_commits > most * PAGE },
    );
    return mapFact(fact, ({ items, first }) => ({
      commits: items.map(commitOf),
      isComplete: items.length >= first.total_commits,
      isDiverged: first.status === "diverged",
    }));
  }

  /**
   * A commit and its history, newest first; absent if GitHub does not know it, or not yet.
   *
   * GitHub could list the commits since a time. But like `git log --since`, it would stop at the first older one, and
   * leave out newer ones behind it.
   *
   * @param isEnough whether the history before these commits is not needed
   */
  async commitsBack(
    sha: string,
    { pages, isEnough }: { pages: number; isEnough: (commits: readonly Commit[]) => boolean },
  ): Promise<Fact<{ items: Commit[]; isComplete: boolean }>> {
    const { repository } = this;
    const fact = await this.#github.commits.list(
      { repository, sha },
      {
        most: Math.min(pages, this.mostPages()),
        isEnough: (page) => isEnough(page.map(commitOf)),
      },
    );
    return mapFact(fact, ({ items, isComplete }) => ({ items: items.map(commitOf), isComplete }));
  }

  /** The merged pull requests that were updated since a time. @param since in milliseconds since 1970 */
  async mergedPulls(since: number): Promise<Fact<{ pulls: Pull[]; isComplete: boolean }>> {
    const { repository } = this;
    const isEnough = (page: readonly { updated_at: string }[]) =>
      page.some(({ updated_at }) => Date.parse(updated_at) < since);
    const most = this.mostPages();
    const fact = await this.#github.pulls.closed({ repository }, { most, isEnough });
    return mapFact(fact, ({ items, isComplete }) => ({
      pulls: items.map(pullOf).filter(isMerged),
      isComplete,
    }));
  }

  /**
   * The merged pull request that a commit of a branch came with, null if there is none; absent if GitHub does not know
   * the commit, or not yet. GitHub names every pull request that contains the commit: also into other branches, and, in
   * a fork, those of the repository it is a fork of.
   */
  async mergedPullOf(
    sha: string,
    { id, branch }: { id: number; branch: string },
  ): Promise<Fact<Pull | null>> {
    const { repository } = this;
    const fact = await this.#github.commits.pulls({ repository, sha });
    return mapFact(fact, (answer) => {
      const pulls = answer.map(pullOf).filter((pull) => isMerged(pull) && pull.repositoryId === id);
      const own = pulls.find(({ mergeSha }) => mergeSha === sha);
      return own ?? pulls.find(({ base }) => base === branch) ?? null;
    });
  }

  async pull(number: number): Promise<Fact<SinglePull>> {
    const { repository } = this;
    return mapFact(await this.#github.pulls.get({ repository, number }), singlePullOf);
  }

  /**
   * The own commits of a pull request, oldest first; null if GitHub does not show all of them. Of some it cannot
   * resolve any, for example of a hidden account. Those of several that are asked for at the same moment cost one
   * request.
   */
  async ownCommits(number: number): Promise<Fact<CommitIdentity[] | null>> {
    const { repository } = this;
    const fact = await this.#github.pulls.ownCommits({ repository, number });
    return mapFact(fact, (answer) => identitiesOf(answer.repository.pullRequest));
  }

  /** `isComplete`: false if there are more, which GitHub does not list or the action does not read. */
  async pullFiles(number: number, pages = FILE_PAGES): Promise<Fact<FileList>> {
    const { repository } = this;
    const fact = await this.#github.pulls.files({ repository, number }, { most: pages });
    return mapFact(fact, ({ items, isComplete }) => ({ files: items.map(fileOf), isComplete }));
  }

  /** The files, and what the message says of them; absent if GitHub no longer has the commit. */
  async commitFiles(sha: string): Promise<Fact<FileList & { body: string }>> {
    const { repository } = this;
    const fact = await this.#github.commits.files({ repository, ref: sha });
    return mapFact(fact, ({ items, first, isComplete }) => ({
      body: commitOf(first).body,
      files: items.map(fileOf),
      isComplete,
    }));
  }

  /**
   * How far a head is ahead of a base, both given as SHAs: 0 if the base contains it. Absent: they have no common
   * ancestor. For an unread one, see
   * {@link isUnknownCommit}.
   */
  async distance(base: string, head: string): Promise<Fact<number>> {
    const { repository } = this;
    const fact = await this.#github.commits.distance({ repository, base, head });
    return mapFact(fact, ({ total_commits }) => total_commits);
  }

  /** How a base is related to a head, both given as SHAs: as in {@link distance}, and whether the head contains it. */
  async standing(
    base: string,
    head: string,
  ): Promise<Fact<{ distance: number; isContained: boolean }>> {
    const { repository } = this;
    const fact = await this.#github.commits.distance({ repository, base, head });
    return mapFact(fact, ({ total_commits: distance, status }) => {
      return { distance, isContained: status === "ahead" || status === "identical" };
    });
  }

  /** The tags of published releases without prereleases, the newest first. */
  async releases(): Promise<Fact<Tag[]>> {
    const { repository } = this;
    const fact = await this.#github.releases.list({ repository });
    return mapFact(fact, (answer) => releaseTagsOf(answer.repository));
  }

  /** The newest 100 tags, sorted by the dates of their commits, or of themselves if they have a message. */
  async newestTags(): Promise<Fact<Tag[]>> {
    const { repository } = this;
    const fact = await this.#github.releases.tags({ repository });
    return mapFact(fact, (answer) => tagsOf(answer.repository));
  }

  /** All tags whose names begin with a text, in the order of their names. */
  async tagsBelow(beginning: string): Promise<Fact<Tag[]>> {
    const { repository } = this;
    const prefix = `tags/${beginning}`;
    const fact = await this.#github.refs.list({ repository, prefix });
    return mapFact(fact, (refs) =>
      refs.map(({ ref, object: { sha, type } }) => {
        return { name: ref.replace("refs/tags/", ""), sha, isCommit: type === "commit" };
      }),
    );
  }
}

function isMerged({ mergedAt }: Pull): boolean {
  return mergedAt !== null;
}

/** Whether GitHub failed to answer. For some requests, such as those with a large diff, it fails each time. */
export function isServerFault(fact: Fact<unknown>): boolean {
  return fact.type === "unread" && fact.status !== null && fact.status >= 500;
}

/** Whether GitHub does not know one of the commits of a distance, or not yet. */
export function isUnknownCommit(fact: Fact<unknown>): boolean {
  return fact.type === "unread" && fact.status === 404;
}

/** Returns one reader per repository. @param mostPages how many pages of a list may be read now */
export function histories(
  connect: Connect,
  mostPages: () => number,
): (repository: string) => Promise<HistoryReader> {
  const readers = new Map<string, HistoryReader>();
  return async (repository) => {
    const history =
      readers.get(repository) ?? new HistoryReader(await connect(), repository, mostPages);
    readers.set(repository, history);
    return history;
  };
}
