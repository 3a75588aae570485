/** What a repository holds: git objects and refs, issues and pull requests, and who may do what. */

import { HttpError } from "../http/http-error.ts";
import { between, mergeBase } from "./git/graph.ts";
import { type Commit, Objects, type Signature } from "./git/objects.ts";
import { entryAt, type FileChange, writeTree } from "./git/trees.ts";
import { checkBody, MAX_COMMENTS } from "./limits.ts";
import { COLLABORATORS, ROLES, type Role } from "./people.ts";
import type { Site } from "./site.ts";
import {
  type Comment,
  type Deployment,
  type Issue,
  isPull,
  type Pull,
  type Reaction,
  type Release,
  type ScheduledRun,
} from "./state.ts";
import { RepositorySwitches } from "./switches.ts";
import { Tables } from "./tables.ts";

/** Requirements for a merge. By default, there are none. */
export interface MergeRule {
  /** How many people with write permission, while none of them asks for changes. */
  approvals?: number;
  /** Names of checks and statuses that have to be green. */
  checks?: readonly string[];
  upToDate?: boolean;
  /** Whether all review threads have to be resolved, all commits signed (none is here), a deployment be successful. */
  threads?: boolean;
  signatures?: boolean;
  deployments?: boolean;
  /** Whether it is a classic branch protection, which is not among the rules. */
  isClassic?: boolean;
  /** Whether merges go through a merge queue. */
  queue?: boolean;
  /** Default: all. */
  methods?: readonly ("merge" | "squash" | "rebase")[];
  /** Whether hooks of the server have the last word, which only the merge itself asks. */
  hasHooks?: boolean;
  /** Logins for which it does not count. */
  bypass?: readonly string[];
}

export class RepositoryStore extends Tables {
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
  /** Those of the whole network of forks. */
  readonly objects: Objects;
  /** Commits that GitHub no longer has. */
  readonly gone = new Set<string>();
  /** Present names of branches by their former ones. */
  readonly renamedBranches = new Map<string, string>();
  /** A regular expression for the refs that a rule protects from everybody; empty if there is no rule. */
  protectedRefs = "";
  mergeRule: MergeRule = {};
  readonly switches = new RepositorySwitches();
  /** When GitHub notices that a push merged pull requests, by their numbers. */
  readonly pushedMerges = new Map<number, number>();
  /** How often GitHub was asked about merges, by pull request, head and base. */
  readonly triedMerges = new Map<string, number>();
  readonly deployments: Deployment[] = [];
  /** The heads in the merge queue, by the numbers of their pull requests. */
  readonly mergeQueue = new Map<number, string>();
  /** Those in the queue whose checks never start there, because the token of a workflow put them into it. */
  readonly queuedWithoutRuns = new Set<number>();
  /** Logs of workflows' jobs, by the IDs of their check runs. */
  readonly jobLogs = new Map<number, string>();
  /** States of workflows that are not active, by the paths of their files. */
  readonly workflowStates = new Map<string, string>();
  /** When workflows were enabled again, by the paths of their files, in milliseconds since 1970. */
  readonly workflowsEnabledAt = new Map<string, number>();
  /** Oldest first. */
  readonly scheduledRuns: ScheduledRun[] = [];
  readonly releases: Release[] = [];
  readonly reactions: Reaction[] = [];
  #lastNumber = 0;

  /** An empty repository. @param fullName `owner/name` @param objects of its network, if it is a fork */
  constructor(site: Site, fullName: string, objects = new Objects(() => site.now)) {
    super(() => site.now);
    this.objects = objects;
    [this.owner = "", this.name = ""] = fullName.split("/");
    this.site = site;
    this.id = site.nextRepositoryId();
    this.createdAt = site.second;
  }

  get fullName(): string {
    return `${this.owner}/${this.name}`;
  }

  /** Its URLs: in the API, and for a browser. */
  get api(): string {
    return `${this.site.apiUrl}/repos/${this.fullName}`;
  }

  get page(): string {
    return `${this.site.webUrl}/${this.fullName}`;
  }

  roleOf(login: string | undefined): Role {
    const everybodys = this.visibility === "public" ? "read" : "none";
    return this.roles.get(login ?? "") ?? everybodys;
  }

  may(login: string | undefined, role: Role): boolean {
    return ROLES.indexOf(this.roleOf(login)) >= ROLES.indexOf(role);
  }

  /** SHA of a branch's tip; empty if there is no such branch. */
  tip(branch = this.defaultBranch): string {
    return this.refs.get(`refs/heads/${branch}`) ?? "";
  }

  /** A late copy does not have it yet. */
  find = (sha: string): Commit | undefined => {
    const isHidden = this.isRewound && (this.objects.receivedAt.get(sha) ?? 0) > this.readAt;
    return isHidden ? undefined : this.objects.commits.get(sha);
  };

  /** The commit with this SHA, abbreviated SHA, branch or tag. */
  resolve(name: string): Commit | undefined {
    const candidates = ["refs/heads/", "refs/tags/", "refs/", ""].map((kind) => `${kind}${name}`);
    const ref = candidates.find((candidate) => this.refs.has(candidate));
    const sha = this.objects.peel(this.refs.get(ref ?? "") ?? name);
    const commit = this.find(sha) ?? this.#abbreviated(name);
    return commit === undefined || this.gone.has(commit.sha) ? undefined : commit;
  }

  #abbreviated(name: string): Commit | undefined {
    if (!/^[0-9a-f]{7,39}$/.test(name)) return undefined;
    return [...this.objects.commits.values()].find(({ sha }) => sha.startsWith(name));
  }

  /** Content of a file at a commit; undefined if there is none. */
  read(sha: string, path: string): Buffer | undefined {
    const entry = entryAt(this.objects, this.find(sha)?.tree ?? "", path);
    return entry && this.objects.blobs.get(entry.sha);
  }

  /** Sets a ref, or deletes it (null). Pull requests follow their branch, and are closed with it. */
  setRef(ref: string, sha: string | null): void {
    this.put("refs", ref, sha);
    if (sha === null) this.#draftReleases(ref);
    for (const pull of this.pulls) {
      if (pull.state !== "open" || ref !== `refs/heads/${pull.branch}`) continue;
      if (sha === null) this.setState(pull, "closed", null);
      else if (sha !== pull.head) this.change(pull, { head: sha, ...this.#range(pull.base, sha) });
    }
  }

  /** A release whose tag is deleted is a draft again. */
  #draftReleases(ref: string): void {
    for (const release of this.releases) {
      if (ref !== `refs/tags/${release.tag_name}`) continue;
      release.draft = true;
      release.published_at = null;
    }
  }

  /** Where a pull request forks from its base, and its own commits. */
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

  get pulls(): Pull[] {
    return [...this.issues.values()].filter(isPull);
  }

  get nextNumber(): number {
    return this.#lastNumber + 1;
  }

  openIssue(fields: Partial<Issue> & { title: string }): Issue {
    return this.#open({ ...this.#newIssue(), ...fields });
  }

  /** Opens a pull request for an existing branch. @throws HttpError 422 */
  openPullOf(fields: Partial<Pull> & Pick<Pull, "title" | "branch" | "base">): Pull {
    const head = this.tip(fields.branch);
    return this.#open({
      ...this.#newIssue(),
      head,
      isDraft: false,
      forkOwner: null,
      mergedAt: null,
      mergedBy: null,
      mergeSha: "",
      landed: [],
      baseChanges: [],
      reviewers: [],
      teams: [],
      ...this.#range(fields.base, head),
      ...fields,
    });
  }

  #newIssue(): Issue {
    const at = this.site.second;
    return {
      id: this.site.nextId(),
      number: this.nextNumber,
      title: "",
      body: null,
      author: "writer",
      labels: [],
      assignees: [],
      state: "open",
      isLocked: false,
      createdAt: at,
      updatedAt: at,
      closedAt: null,
      closedBy: null,
    };
  }

  #open<T extends Issue>(issue: T): T {
    checkBody(issue.body);
    this.#lastNumber = issue.number;
    this.put("issues", issue.number, issue);
    return issue;
  }

  change<T extends Issue>(issue: T, fields: Partial<T>): void {
    checkBody(fields.body);
    const at = this.site.second;
    const edit = typeof fields.body === "string" ? { editedAt: at } : {};
    this.put("issues", issue.number, issue, { updatedAt: at, ...edit, ...fields });
  }

  setState(issue: Issue, state: Issue["state"], by: string | null): void {
    if (issue.state === state) return;
    const isClosed = state === "closed";
    const [closedAt, closedBy] = isClosed ? [this.site.second, by] : [null, null];
    this.change(issue, { state, closedAt, closedBy });
  }

  /** Oldest first. */
  commentsOn(issue: number): Comment[] {
    return [...this.comments.values()].filter((comment) => comment.issue === issue);
  }

  comment({ number }: Pick<Issue, "number">, body: string, author: string): Comment {
    checkBody(body);
    if (this.commentsOn(number).length >= MAX_COMMENTS) {
      const message = `Commenting is disabled on issues with more than ${MAX_COMMENTS} comments`;
      throw new HttpError(403, message);
    }
    const at = this.site.second;
    const id = this.site.nextId();
    const comment = { id, issue: number, body, author, createdAt: at, updatedAt: at };
    this.put("comments", id, comment);
    const issue = this.issues.get(number);
    if (issue !== undefined) this.change(issue, {});
    return comment;
  }

  /** Replaces a comment's text, or deletes the comment (null). @throws HttpError 422 */
  setComment(comment: Comment, body: string | null, editor = comment.author): void {
    checkBody(body);
    if (body === null) this.put("comments", comment.id, null);
    else this.put("comments", comment.id, comment, { body, editor, updatedAt: this.site.second });
  }

  /** A pull request's own commits, oldest first. */
  commitsOf({ state, commits, base, head }: Pull): Commit[] {
    if (state === "closed") return commits.flatMap((sha) => this.find(sha) ?? []);
    return between(this.find, this.tip(base), head);
  }

  forkOf({ state, fork, base, head }: Pull): Commit | undefined {
    return state === "open" ? mergeBase(this.find, this.tip(base), head) : this.find(fork);
  }
}
