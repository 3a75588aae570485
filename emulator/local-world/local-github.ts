/** The emulated GitHub. Tests call it directly; actions use it over HTTP. */

import type { GitHub } from "../github/github.ts";
import type { MergeMethod } from "../github/merge.ts";
import { OWNER, tokenOf, WORKFLOW } from "../github/people.ts";
import type { NewCommit, NewPull, Repository } from "../github/repository.ts";
import type { Permissions } from "../github/site.ts";
import { type Annotation, isPull, type Pull, type Reaction } from "../github/state.ts";
import type { RecordedRequest } from "../http/app.ts";
import { HttpError } from "../http/http-error.ts";

interface GitHubCall {
  method?: string;
  token?: string;
  body?: unknown;
  /** Error statuses for which the result is undefined, instead of an error. */
  allow?: number[];
}

type Refusal = { message: string; errors?: (string | { message?: string; field?: string })[] };

interface NewCheck {
  name?: string;
  /** Default: `failure`; empty if it is in progress. */
  conclusion?: string;
  title?: string;
  summary?: string;
  annotations?: (Annotation & { message: string })[];
}

interface NewReview {
  login?: string;
  body?: string;
  /** On lines of the pull request's files. */
  comments?: { path: string; line: number; body: string }[];
}

export class LocalGitHub {
  /** The emulated GitHub itself. */
  readonly emulated: GitHub;
  readonly home: Repository;
  readonly token = tokenOf(WORKFLOW);
  /** The token of an account: `octocat`, `maintainer`, `writer`, `triager`, `reader`, `outsider`. */
  readonly tokenOf = tokenOf;

  constructor(emulated: GitHub, home: Repository) {
    this.emulated = emulated;
    this.home = home;
  }

  /** URL of both the API and the pages. */
  get url(): string {
    return this.emulated.site.webUrl;
  }

  get inspectorUrl(): string {
    return `${this.url}/_emulate`;
  }

  /** Its present name. */
  get repository(): string {
    this.emulated.catchUp();
    return this.home.fullName;
  }

  /** Whether a name leads to the world's repository: its own, or a former one that no other has taken. */
  isHome(fullName: string): boolean {
    this.emulated.catchUp();
    return this.emulated.lookUp(fullName) === this.home;
  }

  /** Calls a path of the repository. @throws HttpError with GitHub's message, if it refuses */
  api = async <Answer>(path: string, call: GitHubCall = {}): Promise<Answer> => {
    const { method = "GET", token = tokenOf(OWNER), body, allow = [] } = call;
    const { status, body: text } = this.emulated.handle({
      method,
      path: `/repos/${this.repository}${path}`,
      headers: { authorization: `Bearer ${token}` },
      body: body === undefined ? "" : JSON.stringify(body),
    });
    if (status < 300) return (text === "" ? undefined : JSON.parse(String(text))) as Answer;
    if (allow.includes(status)) return undefined as Answer;
    const { message, errors = [] } = JSON.parse(String(text)) as Refusal;
    const details = errors.map((detail) =>
      typeof detail === "string" ? detail : (detail.message ?? detail.field),
    );
    const reason = [message, ...details].join(": ");
    throw new HttpError(status, `GitHub answered ${status} to ${method} ${path}: ${reason}`);
  };

  async requests(): Promise<RecordedRequest[]> {
    return [...this.emulated.received.requests];
  }

  async reactions(): Promise<Reaction[]> {
    return this.emulated.reactions();
  }

  /** How many requests that may change something were answered. */
  async writes(): Promise<number> {
    return this.emulated.received.writes;
  }

  // What people do in the world's repository.

  /** Opens a pull request; returns its number. */
  openPull = async (options?: NewPull) => this.home.openPull(options).number;
  /** Merges one. @returns `merge_commit_sha` */
  merge = async (number: number, method?: MergeMethod, login?: string) =>
    this.home.merge(this.#pull(number), method, login);
  land = async (options?: NewPull, method?: MergeMethod) => {
    const { number, mergeSha: sha } = this.home.land(options, method);
    return { number, sha };
  };
  close = async (number: number) => this.home.close(this.#pull(number));
  label = (number: number, ...labels: string[]) =>
    this.#post(`/issues/${number}/labels`, OWNER, { labels });
  /** Pushes a commit to a pull request's branch, as a person does; returns its SHA. */
  pushTo = async (number: number, commit: NewCommit = {}) =>
    this.home.push(commit, this.#pull(number).branch);
  /** Reports a check on a pull request's head; returns the run's id. */
  report = async (number: number, check: NewCheck = {}) => {
    const { name = "docs-check", conclusion = "failure", annotations = [] } = check;
    const { title = conclusion, summary = "" } = check;
    const state = conclusion === "" ? { status: "in_progress" } : { conclusion };
    const run = this.home.report({
      name,
      head_sha: this.#pull(number).head,
      annotations,
      ...state,
      output: { title, summary },
    });
    return run.id;
  };
  /** Reviews a pull request; returns the review's id. */
  review = async (
    number: number,
    event: "APPROVE" | "REQUEST_CHANGES" | "COMMENT",
    review: NewReview = {},
  ) => {
    const { login = "maintainer", body = "", comments = [] } = review;
    return (await this.#post(`/pulls/${number}/reviews`, login, { event, body, comments })).id;
  };
  /** Resolves every thread of a pull request. */
  resolve = async (number: number, login = "maintainer") => {
    for (const comment of this.home.reviewComments) {
      if (comment.pull !== number) continue;
      comment.isResolved = true;
      comment.resolvedBy = login;
    }
  };
  /** Makes a pull request conflict: writes its first file on the base, too. */
  conflict = async (number: number) => {
    const [file] = await this.api<{ filename: string }[]>(`/pulls/${number}/files`);
    if (file === undefined) throw new Error(`pull request ${number} changes no file`);
    const text = `Written on the base at ${this.home.tip()}.\n`;
    this.home.push({ files: { [file.filename]: text } }, this.#pull(number).base);
  };
  advance = async (milliseconds: number) => this.emulated.site.advance(milliseconds);
  /** Restricts what an account's token may do; `{}` lifts that. */
  restrict = async (permissions: Permissions, login: string = WORKFLOW) =>
    this.emulated.restrict(login, permissions);
  #pull(number: number): Pull {
    const pull = this.home.issues.get(number);
    if (!isPull(pull)) throw new Error(`there is no pull request ${number}`);
    return pull;
  }

  #post(path: string, login: string, body: object): Promise<{ id: number }> {
    return this.api(path, { method: "POST", body, token: tokenOf(login) });
  }
}
