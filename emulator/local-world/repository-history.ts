/** The history of the world's repository in the hands of a test: it grows, is rewritten, and forgotten. */

import type { MergeMethod } from "../github/merge.ts";
import { CHECKS, OWNER, tokenOf, WORKFLOW } from "../github/people.ts";
import type { GrowOptions, NewCommit, NewPull, Repository } from "../github/repository.ts";
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
  readonly #home: Repository;

  constructor(gitHub: LocalGitHub) {
    this.#gitHub = gitHub;
    this.#home = gitHub.home;
  }

  /** SHA of a branch's tip. */
  tip = async (branch?: string) => this.#home.tip(branch);
  /** Pushes commits onto a branch, one after the other; returns the SHA of the last. */
  push = async (commits: NewCommit | NewCommit[], branch?: string) =>
    this.#home.push(commits, branch);
  /** Sets a branch to a commit, whatever it was; with `commits`, to those on top of it. */
  forcePush = async (sha: string, commits: NewCommit[] = [], branch?: string) =>
    this.#home.forcePush(sha, branch, commits);
  /** Opens a pull request; returns its number. */
  openPull = async (options?: NewPull) => this.#home.openPull(options).number;
  /** Merges one; returns the SHA that `merge_commit_sha` tells. */
  merge = async (number: number, method?: MergeMethod, login?: string) =>
    this.#home.merge(this.#pull(number), method, login);
  /** Opens one and merges it. */
  land = async (options?: NewPull, method?: MergeMethod) => {
    const { number, mergeSha: sha } = this.#home.land(options, method);
    return { number, sha };
  };
  close = async (number: number) => this.#home.close(this.#pull(number));
  label = (number: number, ...labels: string[]) =>
    this.#post(`/issues/${number}/labels`, OWNER, { labels });
  /** Pushes a commit to a pull request's branch, as a person does; returns its SHA. */
  pushTo = async (number: number, commit: NewCommit = {}) =>
    this.#home.push(commit, this.#pull(number).branch);
  /** Reports a check on a pull request's head; returns the run's id. */
  report = async (number: number, check: NewCheck = {}) => {
    const { name = "docs-check", conclusion = "failure", annotations = [] } = check;
    const { title = conclusion, summary = "" } = check;
    const output = { title, summary, annotations };
    const state = conclusion === "" ? { status: "in_progress" } : { conclusion };
    const run = { name, head_sha: this.#pull(number).head, output, ...state };
    return (await this.#post("/check-runs", CHECKS, run)).id;
  };
  /** Reviews a pull request; returns the review's id. */
  review = async (number: number, event: ReviewEvent, review: NewReview = {}) => {
    const { login = "maintainer", body = "", comments = [] } = review;
    return (await this.#post(`/pulls/${number}/reviews`, login, { event, body, comments })).id;
  };
  /** Resolves every thread of a pull request. */
  resolve = async (number: number) => {
    for (const one of this.#home.reviewComments) one.isResolved ||= one.pull === number;
  };
  /** Lets a pull request conflict: its first file is written on the base, too. */
  conflict = async (number: number) => {
    const [file] = await this.#gitHub.api<{ filename: string }[]>(`/pulls/${number}/files`);
    if (file === undefined) throw new Error(`pull request ${number} changes no file`);
    const text = `Written on the base at ${this.#home.tip()}.\n`;
    this.#home.push({ files: { [file.filename]: text } }, this.#pull(number).base);
  };
  /** Lets GitHub no longer know a commit, as some time after a force-push. */
  forget = async (sha: string) => void this.#home.gone.add(sha);
  /** Puts GitHub's clock forward, in milliseconds. */
  advance = async (milliseconds: number) => this.#gitHub.emulated.site.advance(milliseconds);
  /** Restricts what an account's token may do; `{}` lifts that. */
  restrict = async (permissions: Permissions, login: string = WORKFLOW) =>
    this.#gitHub.emulated.restrict(login, permissions);
  /** Makes another repository with many merged pull requests; returns where it began. */
  grow = async ({ repository, ...options }: GrowOptions & { repository: string }) =>
    this.#gitHub.emulated.create(repository).grow(options);

  #pull(number: number): Pull {
    const pull = this.#home.issues.get(number);
    if (!isPull(pull)) throw new Error(`there is no pull request ${number}`);
    return pull;
  }

  #post(path: string, login: string, body: object): Promise<{ id: number }> {
    return this.#gitHub.api(path, { method: "POST", body, token: tokenOf(login) });
  }
}
