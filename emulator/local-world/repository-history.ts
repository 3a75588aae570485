/** The history of the world's repository in the hands of a test: it grows, is rewritten, and forgotten. */

import type { MergeMethod } from "../github/merge.ts";
import { WORKFLOW } from "../github/people.ts";
import type { GrowOptions, NewCommit, NewPull } from "../github/repository.ts";
import type { Permissions } from "../github/site.ts";
import { isPull, type Pull } from "../github/state.ts";
import type { LocalGitHub } from "./local-github.ts";

export class RepositoryHistory {
  readonly #gitHub: LocalGitHub;

  constructor(gitHub: LocalGitHub) {
    this.#gitHub = gitHub;
  }

  /** SHA of a branch's tip. */
  async tip(branch?: string): Promise<string> {
    return this.#gitHub.home.tip(branch);
  }

  /** Pushes commits onto a branch, one after the other; returns the SHA of the last. */
  async push(commits: NewCommit | NewCommit[], branch?: string): Promise<string> {
    return this.#gitHub.home.push(commits, branch);
  }

  /** Sets a branch to a commit, whatever it was; with `commits`, to those on top of it. */
  async forcePush(sha: string, commits: NewCommit[] = [], branch?: string): Promise<string> {
    return this.#gitHub.home.forcePush(sha, branch, commits);
  }

  /** Opens a pull request; returns its number. */
  async openPull(options?: NewPull): Promise<number> {
    return this.#gitHub.home.openPull(options).number;
  }

  /** Merges one; returns the SHA that `merge_commit_sha` tells. */
  async merge(number: number, method?: MergeMethod, login?: string): Promise<string> {
    return this.#gitHub.home.merge(this.#pull(number), method, login);
  }

  /** Opens one and merges it. */
  async land(options?: NewPull, method?: MergeMethod): Promise<{ number: number; sha: string }> {
    const { number, mergeSha } = this.#gitHub.home.land(options, method);
    return { number, sha: mergeSha };
  }

  async close(number: number): Promise<void> {
    this.#gitHub.home.close(this.#pull(number));
  }

  async label(number: number, ...labels: string[]): Promise<void> {
    await this.#gitHub.api(`/issues/${number}/labels`, { method: "POST", body: { labels } });
  }

  /** Lets GitHub no longer know a commit, as some time after a force-push. */
  async forget(sha: string): Promise<void> {
    this.#gitHub.home.forget(sha);
  }

  /** Puts GitHub's clock forward, in milliseconds. */
  async advance(milliseconds: number): Promise<void> {
    this.#gitHub.emulated.site.advance(milliseconds);
  }

  /** Restricts what an account's token may do; `{}` lifts that. */
  async restrict(permissions: Permissions, login: string = WORKFLOW): Promise<void> {
    this.#gitHub.emulated.restrict(login, permissions);
  }

  /** Switches the repository's issues on or off. */
  async setIssues(isOn: boolean): Promise<void> {
    this.#gitHub.home.hasIssues = isOn;
  }

  /** Makes another repository with many merged pull requests; returns where it began. */
  async grow({ repository, ...options }: GrowOptions & { repository: string }): Promise<string> {
    return this.#gitHub.emulated.create(repository).grow(options);
  }

  #pull(number: number): Pull {
    const pull = this.#gitHub.home.issues.get(number);
    if (!isPull(pull)) throw new Error(`there is no pull request ${number}`);
    return pull;
  }
}
