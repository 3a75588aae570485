/** What a repository holds: git objects and refs, issues and pull requests, and who may do what. */

import { HttpError } from "../http/http-error.ts";
import { between, mergeBase } from "./git/graph.ts";
import { type Commit, Objects, type Signature } from "./git/objects.ts";
import { type FileChange, writeTree } from "./git/trees.ts";
import { checkBody, MAX_COMMENTS } from "./limits.ts";
import { COLLABORATORS, ROLES, type Role } from "./people.ts";
import type { Site } from "./site.ts";
import {
  type CheckRun,
  type Comment,
  type Issue,
  isPull,
  type Pull,
  type Reaction,
  type Release,
  type Review,
  type ReviewComment,
  type Status,
} from "./state.ts";
import { Tables } from "./tables.ts";

export class RepositoryStore {
  readonly site: Site;
  readonly id: number;
  readonly createdAt: number;
  owner: string;
  name: string;
  readonly formerNames: string[] = [];
  defaultBranch = "main";
  visibility: "public" | "private" = "public";
  hasIssues = true;
  isArchived = false;
  readonly roles = new Map<string, Role>(Object.entries(COLLABORATORS));
  readonly objects = new Objects();
  /** Commits that GitHub no longer has, as some time after a force-push. */
  readonly gone = new Set<string>();
  /** Present names of branches by their former ones. */
  readonly renamedBranches = new Map<string, string>();
  /** Refs that a rule lets nobody create or update. */
  protectedRefs: RegExp | null = null;
  /** What a branch rule wants before a merge. */
  mergeRule: { approvals?: number; checks?: readonly string[]; upToDate?: boolean } = {};
  readonly reviews: Review[] = [];
  readonly reviewComments: ReviewComment[] = [];
  readonly checkRuns: CheckRun[] = [];
  readonly statuses: Status[] = [];
  readonly releases: Release[] = [];
  readonly reactions: Reaction[] = [];
  readonly #tables: Tables;
  #lastNumber = 0;

  /** An empty repository. @param fullName `owner/name` */
  constructor(site: Site, fullName: string) {
    [this.owner = "", this.name = ""] = fullName.split("/");
    this.site = site;
    this.#tables = new Tables(() => site.now);
    this.id = site.nextId();
    this.createdAt = site.second;
  }

  get fullName(): string {
    return `${this.owner}/${this.name}`;
  }

  /** Gives it another name, or another owner. GitHub leads on from the former one. */
  rename(fullName: string): void {
    this.formerNames.push(this.fullName);
    [this.owner = "", this.name = ""] = fullName.split("/");
  }

  roleOf(login: string | undefined): Role {
    const everybodys = this.visibility === "public" ? "read" : "none";
    return this.roles.get(login ?? "") ?? everybodys;
  }

  may(login: string | undefined, role: Role): boolean {
    return ROLES.indexOf(this.roleOf(login)) >= ROLES.indexOf(role);
  }

  // Refs and commits.

  get refs(): ReadonlyMap<string, string> {
    return this.#tables.refs;
  }

  /** SHA of a branch's tip; empty: there is no such branch. */
  tip(branch = this.defaultBranch): string {
    return this.refs.get(`refs/heads/${branch}`) ?? "";
  }

  find = (sha: string): Commit | undefined => this.objects.commits.get(sha);

  /** The commit that a SHA, the beginning of one, a branch or a tag names. */
  resolve(name: string): Commit | undefined {
    const whole = ["refs/heads/", "refs/tags/", "refs/", ""].map((kind) => `${kind}${name}`);
    const ref = whole.find((one) => this.refs.has(one));
    const commit = this.objects.peel(this.refs.get(ref ?? "") ?? name) ?? this.#abbreviated(name);
    return commit === undefined || this.gone.has(commit.sha) ? undefined : commit;
  }

  #abbreviated(name: string): Commit | undefined {
    if (!/^[0-9a-f]{7,39}$/.test(name)) return undefined;
    return [...this.objects.commits.values()].find(({ sha }) => sha.startsWith(name));
  }

  /** Sets a ref, or with null takes it out. Pull requests follow their branch, and end with it. */
  setRef(ref: string, sha: string | null): void {
    this.#tables.setRef(ref, sha);
    for (const pull of this.pulls) {
      if (pull.state !== "open" || ref !== `refs/heads/${pull.branch}`) continue;
      if (sha === null) this.setState(pull, "closed", null);
      else if (sha !== pull.head) this.change(pull, { head: sha, ...this.#range(pull.base, sha) });
    }
  }

  /** Where a pull request leaves its base, and its own commits. */
  #range(base: string, head: string): Pick<Pull, "fork" | "commits"> {
    const tip = this.tip(base);
    const commits = between(this.find, tip, head).map(({ sha }) => sha);
    return { commits, fork: mergeBase(this.find, tip, head)?.sha ?? "" };
  }

  /** Makes a commit that changes files of its first parent, or of nothing. */
  writeCommit(
    parents: readonly string[],
    changes: readonly FileChange[],
    by: { message: string; author: Signature; committer?: Signature },
  ): Commit {
    const tree = writeTree(this.objects, this.find(parents[0] ?? "")?.tree, changes);
    return this.objects.commit({ tree, parents, committer: by.author, ...by });
  }

  // Issues, pull requests and comments.

  /** Issues and pull requests by their numbers. */
  get issues(): ReadonlyMap<number, Issue> {
    return this.#tables.issues;
  }

  /** Comments by their ids. */
  get comments(): ReadonlyMap<number, Comment> {
    return this.#tables.comments;
  }

  /** By their numbers. */
  get pulls(): Pull[] {
    return [...this.issues.values()].filter(isPull);
  }

  /** Opens an issue. @throws HttpError 422 */
  openIssue(given: Partial<Issue> & { title: string }): Issue {
    checkBody(given.body);
    return this.#add({ ...this.#newIssue(), ...given });
  }

  /** Opens a pull request for a branch that is there. */
  openPullOf(given: Partial<Pull> & Pick<Pull, "title" | "branch" | "base">): Pull {
    checkBody(given.body);
    const head = this.tip(given.branch);
    return this.#add({
      ...{ ...this.#newIssue(), head, isDraft: false, mergedAt: null, mergedBy: null },
      ...{ mergeSha: "", landed: [], reviewers: [], teams: [] },
      ...{ ...this.#range(given.base, head), ...given },
    });
  }

  /** What the next issue or pull request will have. */
  get nextNumber(): number {
    return this.#lastNumber + 1;
  }

  #newIssue() {
    const at = this.site.second;
    return {
      ...{ id: this.site.nextId(), number: this.nextNumber, title: "", body: null },
      ...{ author: "writer", labels: [], assignees: [], state: "open" as const, stateReason: null },
      ...{ isLocked: false, createdAt: at, updatedAt: at, closedAt: null, closedBy: null },
    };
  }

  #add<T extends Issue>(issue: T): T {
    this.#lastNumber = issue.number;
    this.#tables.setIssue(issue);
    return issue;
  }

  /** Changes an issue or pull request. @throws HttpError 422 */
  change<T extends Issue>(issue: T, fields: Partial<T>): void {
    checkBody(fields.body);
    const all: Partial<Issue> = fields;
    this.#tables.setIssue(issue, { updatedAt: this.site.second, ...all });
  }

  setState(issue: Issue, state: Issue["state"], by: string | null): void {
    if (issue.state === state) return;
    this.change(
      issue,
      state === "closed"
        ? { state, stateReason: "completed", closedAt: this.site.second, closedBy: by }
        : { state, stateReason: "reopened", closedAt: null, closedBy: null },
    );
  }

  commentsOn(issue: number): Comment[] {
    return [...this.comments.values()].filter((comment) => comment.issue === issue);
  }

  /** Adds a comment. @throws HttpError 403, 422 */
  comment({ number }: Pick<Issue, "number">, body: string, author: string): Comment {
    checkBody(body);
    if (this.commentsOn(number).length >= MAX_COMMENTS) {
      const message = `Commenting is disabled on issues with more than ${MAX_COMMENTS} comments`;
      throw new HttpError(403, message);
    }
    const at = this.site.second;
    const id = this.site.nextId();
    const comment = { id, issue: number, body, author, createdAt: at, updatedAt: at };
    this.#tables.setComment(comment);
    const issue = this.issues.get(number);
    if (issue !== undefined) this.change(issue, {});
    return comment;
  }

  /** Replaces a comment's text, or with null takes it out. @throws HttpError 422 */
  setComment(comment: Comment, body: string | null): void {
    checkBody(body);
    if (body === null) this.#tables.deleteComment(comment);
    else this.#tables.setComment(comment, { body, updatedAt: this.site.second });
  }

  /** A pull request's own commits, oldest first. */
  commitsOf({ state, commits, base, head }: Pull): Commit[] {
    if (state === "closed") return commits.flatMap((sha) => this.find(sha) ?? []);
    return between(this.find, this.tip(base), head);
  }

  /** Where a pull request left its base. */
  forkOf({ state, fork, base, head }: Pull): Commit | undefined {
    return state === "open" ? mergeBase(this.find, this.tip(base), head) : this.find(fork);
  }

  /** Lets refs, issues and comments be what they were at a moment, until the result is called. */
  rewind(at: number): () => void {
    return this.#tables.rewind(at);
  }
}
