/** What people do in a repository: pushes, pull requests, merges, force-pushes. */

import { suiteFor } from "./checks.ts";
import { between } from "./git/graph.ts";
import { signature } from "./identities.ts";
import { type MergeMethod, mergePull, replay } from "./merge.ts";
import { CHECKS } from "./people.ts";
import { noticePush } from "./pushed-merges.ts";
import { iso, type Site } from "./site.ts";
import type { CheckRun, Issue, Pull } from "./state.ts";
import { RepositoryStore } from "./store.ts";

export interface NewCommit {
  message?: string;
  /** Texts by path, `null` to delete a file; or paths of files to change. Default: a new file. */
  files?: Record<string, string | null> | readonly string[];
  /** Git's modes of files that are not plain ones, by path: `120000` is a symbolic link. */
  modes?: Record<string, string>;
  /** Logins. Default: `writer`, and the author. */
  author?: string;
  committer?: string;
  /** When it was written and when it was committed. Default: now. */
  authoredAt?: Date | number;
  at?: Date | number;
}

export interface NewPull {
  title?: string;
  body?: string;
  branch?: string;
  /** Default: the default branch. */
  base?: string;
  /** Login. Default: `writer`. */
  author?: string;
  labels?: string[];
  assignees?: string[];
  isDraft?: boolean;
  /** Login of the owner of the fork that its branch is in. Default: none. */
  forkOwner?: string;
  /** Oldest first. Default: one. */
  commits?: NewCommit[];
}

/** A check of a commit. Without a conclusion, it is in progress. */
export type NewCheckRun = Pick<CheckRun, "name" | "head_sha"> &
  Partial<Omit<CheckRun, "output">> & {
    output?: Partial<CheckRun["output"]>;
    /** Of the workflow's run that it is a job of. Default: none, the app itself reports. */
    event?: string;
    /** Name of the workflow, if there are several. */
    workflow?: string;
  };

export interface GrowOptions {
  pulls: number;
  /** How many commits each has. Default: 5. */
  commits?: number;
  method?: MergeMethod;
  /** How long ago that began. Default: 30. */
  days?: number;
}

const DAY = 24 * 60 * 60 * 1000;

export class Repository extends RepositoryStore {
  /** What it is a fork of. */
  readonly parent: Repository | null;
  #count = 0;

  /**
   * A repository with one commit, or a fork with the branches and tags of another.
   *
   * @param files texts by their paths
   */
  constructor(
    site: Site,
    fullName: string,
    files: Record<string, string> = {},
    parent: Repository | null = null,
  ) {
    super(site, fullName, parent?.objects);
    this.parent = parent;
    if (parent !== null) {
      this.defaultBranch = parent.defaultBranch;
      const isCopied = (ref: string) => /^refs\/(heads|tags)\//.test(ref);
      for (const [ref, sha] of parent.refs) if (isCopied(ref)) this.setRef(ref, sha);
      return;
    }
    const readme = { "README.md": `# ${this.name}\n` };
    this.push({ message: "Initial commit", author: "octocat", files: { ...readme, ...files } });
  }

  override setRef(ref: string, sha: string | null): void {
    super.setRef(ref, sha);
    noticePush(this, ref);
    if (sha !== null) return;
    for (const pull of this.pulls) if (ref === `refs/heads/${pull.base}`) this.close(pull);
  }

  /** Pushes commits, one on top of the other; returns the SHA of the last. */
  push(commits: NewCommit | readonly NewCommit[] = {}, branch = this.defaultBranch): string {
    return this.forcePush(this.tip(branch), branch, [commits].flat());
  }

  /** Sets a branch to a commit, or to `commits` on top of it. */
  forcePush(sha: string, branch = this.defaultBranch, commits: readonly NewCommit[] = []): string {
    const tip = commits.reduce((parent, commit) => this.commit(parent, commit), sha);
    this.setRef(`refs/heads/${branch}`, tip);
    return tip;
  }

  /** Makes the commits of a branch after `from` again on top of `onto`, as a local rebase does. */
  rewrite(from: string, onto: string, branch = this.defaultBranch): string {
    const made = replay(this, between(this.find, from, this.tip(branch)), onto);
    if (made === undefined) throw new Error("the commits conflict");
    return this.forcePush(made.at(-1)?.sha ?? onto, branch);
  }

  openPull({ commits = [{}], ...pull }: NewPull = {}): Pull {
    const { base = this.defaultBranch, author = "writer", body = "" } = pull;
    const { title = `Improve ${this.nextNumber}`, branch = `work/${this.nextNumber}` } = pull;
    // GitHub proposes the message of a single commit as the title.
    const message = commits.length === 1 ? { message: title } : {};
    const own = commits.map((commit) => ({ author, ...message, ...commit }));
    this.forcePush(this.tip(base), branch, own);
    return this.openPullOf({ ...pull, title, body, author, branch, base });
  }

  /** Merges. @returns `merge_commit_sha` @throws HttpError 405 */
  merge(pull: Pull, method: MergeMethod = "merge", by = "maintainer"): string {
    return mergePull(this, pull, { method, by });
  }

  land(pull?: NewPull, method?: MergeMethod): Pull {
    const opened = this.openPull(pull);
    this.merge(opened, method);
    return opened;
  }

  /** Adds pull requests that were merged evenly over the last days. @returns the commit before the first */
  grow({ pulls, commits = 5, method, days = 30 }: GrowOptions): string {
    const start = this.tip();
    const apart = (days * DAY) / (pulls + 1);
    this.site.advance(-days * DAY);
    for (let number = 1; number <= pulls; number += 1) {
      this.site.advance(apart);
      this.land({ commits: Array.from({ length: commits }, () => ({})) }, method);
    }
    this.site.advance(apart);
    return start;
  }

  /** Changes its name or owner. GitHub redirects from the former one. */
  rename(fullName: string): void {
    this.formerNames.push(this.fullName);
    [this.owner = "", this.name = ""] = fullName.split("/");
  }

  /** Makes an annotated tag, or moves it. @param at when, by the clock of who tags */
  tag(name: string, sha: string, at: Date | number = this.site.second): void {
    const by = signature(this.site.identity, "maintainer", Number(at));
    this.setRef(`refs/tags/${name}`, this.objects.tag(name, sha, by));
  }

  /** Replaces a text as somebody does on GitHub's page, which ends lines with CRLF. */
  editOnPage(issue: Issue, text: string, editor = "maintainer"): void {
    this.change(issue, { body: text.replaceAll(/\r?\n/g, "\r\n"), editor });
  }

  /** Makes a release of a prerelease. It keeps its time. */
  promote(tag: string): void {
    for (const release of this.releases) release.prerelease &&= release.tag_name !== tag;
  }

  /** Aims a pull request at another base, which starts no run, and keeps reviews and checks. */
  retarget(pull: Pull, base: string): void {
    if (base === pull.base) return;
    this.change(pull, { base, baseChanges: [...pull.baseChanges, this.site.second] });
  }

  close(issue: Issue, by = "maintainer"): void {
    this.setState(issue, "closed", by);
  }

  report({
    conclusion = null,
    status = "queued",
    output,
    workflow,
    ...fields
  }: NewCheckRun): CheckRun {
    const at = iso(this.site.second);
    const { app = CHECKS, event = null, head_sha: sha } = fields;
    const run: CheckRun = {
      id: this.site.nextId(),
      app,
      job: fields.name,
      suite: fields.suite ?? suiteFor(this, { sha, app, event, workflow }).id,
      shownAt: this.site.now + this.site.switches.checksLate,
      annotations: [],
      conclusion,
      started_at: at,
      status: conclusion === null ? status : "completed",
      completed_at: conclusion && at,
      details_url: null,
      external_id: "",
      output: { title: null, summary: null, text: null, ...output },
      ...fields,
    };
    this.add("checkRuns", run);
    return run;
  }

  renameBranch(from: string, to: string): void {
    this.setRef(`refs/heads/${to}`, this.tip(from));
    for (const pull of this.pulls) {
      if (pull.branch === from) this.change(pull, { branch: to });
      if (pull.base === from) this.change(pull, { base: to });
    }
    this.setRef(`refs/heads/${from}`, null);
    this.renamedBranches.set(from, to);
    if (this.defaultBranch === from) this.defaultBranch = to;
  }

  /** Moves an issue to another repository; without one, it is deleted or converted to a discussion. */
  moveIssue(number: number, to?: Repository): void {
    const issue = this.#issue(number);
    const { title, body, author, labels, state } = issue;
    const moved = to?.openIssue({ title, body, author, labels, state });
    for (const comment of this.commentsOn(number)) {
      if (moved !== undefined) to?.comment(moved, comment.body, comment.author);
      this.setComment(comment, null);
    }
    this.change(issue, { movedTo: moved ? `/repos/${to?.fullName}/issues/${moved.number}` : "" });
  }

  #issue(number: number): Issue {
    const issue = this.issues.get(number);
    if (issue === undefined) throw new Error(`there is no issue ${number}`);
    return issue;
  }

  /** Makes a commit that is on no branch yet. @param parents SHAs; none or an empty one for a first commit */
  commit(parents: string | readonly string[], options: NewCommit = {}): string {
    this.#count += 1;
    const { message = `Change ${this.#count}`, author = "writer", committer = author } = options;
    const at = Number(options.at ?? this.site.second);
    for (const login of [author, committer]) if (login !== "GitHub") this.site.account(login);
    // A hundred files per folder, because each commit writes its folder again.
    const file = `src/${Math.floor(this.#count / 100)}/file-${this.#count}.ts`;
    const { files = [file], modes = {} } = options;
    const texts = Array.isArray(files)
      ? files.map((path) => [path, `${this.#count}\n`] as const)
      : Object.entries(files as Record<string, string | null>);
    const changes = texts.map(([path, text]) => ({
      path,
      mode: modes[path] ?? "100644",
      sha: text === null ? null : this.objects.blob(text),
    }));
    const known = [parents].flat().filter((parent) => parent !== "");
    return this.writeCommit(known, changes, {
      message,
      author: signature(this.site.identity, author, Number(options.authoredAt ?? at)),
      committer: signature(this.site.identity, committer, at),
    }).sha;
  }
}
