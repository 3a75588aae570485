/** The history of the world's repository in the hands of a test: it grows, is rewritten, and forgotten. */

import type { MergeMethod } from "../github/merge.ts";
import { CHECKS, tokenOf, WORKFLOW } from "../github/people.ts";
import type { GrowOptions, NewCommit, NewPull } from "../github/repository.ts";
import type { Permissions } from "../github/site.ts";
import { type Annotation, isPull, type Pull } from "../github/state.ts";
import type { LocalGitHub } from "./local-github.ts";

export interface NewCheck {
  /** Default: `docs-check`. */
  name?: string;
  /** Default: `failure`; empty: it is in progress. */
  conclusion?: string;
  title?: string;
  summary?: string;
  annotations?: (Annotation & { message: string })[];
}

export type ReviewEvent = "APPROVE" | "REQUEST_CHANGES" | "COMMENT";

export interface NewReview {
  /** Default: `maintainer`. */
  login?: string;
  body?: string;
  /** On lines of the pull request's files. */
  comments?: { path: string; line: number; body: string }[];
}

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

  /** Pushes a commit to a pull request's branch, as a person does; returns its SHA. */
  async pushTo(number: number, commit: NewCommit = {}): Promise<string> {
    return this.#gitHub.home.push(commit, this.#pull(number).branch);
  }

  /** Reports a check on a pull request's head; returns the run's id. */
  async report(number: number, check: NewCheck = {}): Promise<number> {
    const { name = "docs-check", conclusion = "failure", annotations = [] } = check;
    const { title = conclusion, summary = "" } = check;
    const run = await this.#gitHub.api<{ id: number }>("/check-runs", {
      ...{ method: "POST", token: tokenOf(CHECKS) },
      body: {
        ...{ name, head_sha: this.#pull(number).head, output: { title, summary, annotations } },
        ...(conclusion === "" ? { status: "in_progress" } : { conclusion }),
      },
    });
    return run.id;
  }

  /** Reviews a pull request; returns the review's id. */
  async review(number: number, event: ReviewEvent, review: NewReview = {}): Promise<number> {
    const { login = "maintainer", body = "", comments = [] } = review;
    const made = await this.#gitHub.api<{ id: number }>(`/pulls/${number}/reviews`, {
      ...{ method: "POST", token: tokenOf(login), body: { event, body, comments } },
    });
    return made.id;
  }

  /** Resolves every thread of a pull request. */
  async resolve(number: number): Promise<void> {
    const { home } = this.#gitHub;
    for (const { pull, id } of home.reviewComments) if (pull === number) home.resolveThread(id);
  }

  /** Lets a pull request conflict: its first file is written on the base, too. */
  async conflict(number: number): Promise<void> {
    const files = await this.#gitHub.api<{ filename: string }[]>(`/pulls/${number}/files`);
    const path = files[0]?.filename;
    if (path === undefined) throw new Error(`pull request ${number} changes no file`);
    const { home } = this.#gitHub;
    const text = `Written on the base at ${home.tip()}.\n`;
    home.push({ files: { [path]: text } }, this.#pull(number).base);
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
