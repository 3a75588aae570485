/** Commits, pull requests and changed files from GitHub's answers: the fields that the action uses, checked. */

interface Person {
  /** Empty if GitHub knows no account. */
  login: string;
  name: string;
  isBot: boolean;
}

export interface Commit {
  sha: string;
  parents: string[];
  message: string;
  url: string;
  author: Person;
  /** Name and e-mail address of the committer, as in git. */
  committer: string;
  /** The same after a rebase: author, date and message. */
  identity: string;
  /** SHA of its tree: the same for the same contents. */
  tree: string;
  /** Both ISO 8601. */
  authoredAt: string;
  committedAt: string;
}

export interface Pull {
  number: number;
  title: string;
  body: string;
  url: string;
  author: Person;
  labels: string[];
  branch: string;
  /** Whether its branch is in another repository. */
  isFork: boolean;
  /** The last tip of its branch. */
  head: string;
  base: string;
  /** ISO 8601; null: not merged. */
  mergedAt: string | null;
  /** The merge commit; after a rebase, the last commit. */
  mergeSha: string;
  updatedAt: string;
}

/** A pull request with the fields that GitHub leaves out of lists. */
export interface WholePull extends Pull {
  isOpen: boolean;
  /** ID of the repository of its base. */
  repositoryId: number;
  /** How many files it changes. */
  fileCount: number;
}

export interface Review {
  login: string;
  /** `APPROVED`, `DISMISSED`, … */
  state: string;
}

export interface ChangedFile {
  path: string;
  /** The path before the file was renamed. */
  previousPath?: string;
  status: string;
  additions: number;
  deletions: number;
  patch?: string;
}

export interface RepositoryFacts {
  id: number;
  /** `owner/name`: the current name. */
  fullName: string;
  defaultBranch: string;
  /** Higher means that fewer people can read the repository. */
  privacy: number;
}

/** Visibilities, from the one with the most readers. */
const VISIBILITIES = ["public", "internal", "private"];

type Fields = Record<string, unknown>;

/** @throws when it is no repository. */
export function factsOf(told: unknown): RepositoryFacts {
  const data = record(told);
  const visibility = text(data.visibility) || (data.private === true ? "private" : "public");
  return {
    id: Number(data.id),
    fullName: required(data.full_name, "a repository"),
    defaultBranch: required(data.default_branch, "a repository"),
    privacy: VISIBILITIES.indexOf(visibility),
  };
}

/** What identifies a commit, also after a rebase. */
export type CommitIdentity = Pick<Commit, "sha" | "identity">;

/** @throws when it is no commit. */
export function commitOf(data: unknown): Commit {
  const { sha, parents, html_url, author, commit } = record(data);
  const { author: written, committer, message, tree } = record(commit);
  const { name, email, date } = record(written);
  const made = record(committer);
  const account = record(author);
  return {
    sha: required(sha, "a commit"),
    parents: list(parents).map((parent) => required(record(parent).sha, "a commit's parent")),
    message: text(message),
    url: text(html_url),
    author: { login: text(account.login), name: text(name), isBot: account.type === "Bot" },
    committer: `${text(made.name)} <${text(made.email)}>`,
    identity: identityOf({ name, email, date, message }),
    tree: text(record(tree).sha),
    authoredAt: text(date),
    committedAt: text(made.date),
  };
}

/** A commit from the GraphQL API. @throws if it is none */
export function commitIdentityOf(data: unknown): CommitIdentity {
  const { oid, author, authoredDate: date, message } = record(record(data).commit);
  const { name, email } = record(author);
  return { sha: required(oid, "a commit"), identity: identityOf({ name, email, date, message }) };
}

function identityOf({ name, email, date, message }: Fields): string {
  return JSON.stringify([name, email, date, message]);
}

/** @throws when it is no pull request. */
export function pullOf(data: unknown): Pull {
  const pull = record(data);
  const user = record(pull.user);
  const number = Number(pull.number);
  if (!Number.isSafeInteger(number)) throw notA("a pull request");
  return {
    number,
    title: text(pull.title),
    body: text(pull.body),
    url: text(pull.html_url),
    // GitHub, too, shows a deleted account as `ghost`.
    author: { login: text(user.login) || "ghost", name: "", isBot: user.type === "Bot" },
    labels: list(pull.labels ?? []).map((label) => text(record(label).name)),
    branch: text(record(pull.head).ref),
    isFork: repositoryOf(pull.head) !== repositoryOf(pull.base),
    head: text(record(pull.head).sha),
    base: text(record(pull.base).ref),
    mergedAt: text(pull.merged_at) || null,
    mergeSha: text(pull.merge_commit_sha),
    updatedAt: text(pull.updated_at),
  };
}

/** @throws when it is no pull request. */
export function wholePullOf(data: unknown): WholePull {
  const { state, changed_files, base } = record(data);
  return {
    ...{ ...pullOf(data), isOpen: state === "open" },
    ...{ repositoryId: Number(repositoryOf(base)), fileCount: Number(changed_files) },
  };
}

export function reviewOf(data: unknown): Review {
  const { user, state } = record(data);
  return { login: text(record(user).login), state: text(state) };
}

/** The ID of a branch's repository; undefined if the repository was deleted. */
function repositoryOf(side: unknown): unknown {
  return record(record(side).repo).id;
}

/** @throws when it is no file. */
export function fileOf(data: unknown): ChangedFile {
  const file = record(data);
  const [previous, patch] = [text(file.previous_filename), text(file.patch)];
  return {
    path: required(file.filename, "a file"),
    status: text(file.status),
    additions: Number(file.additions) || 0,
    deletions: Number(file.deletions) || 0,
    ...(previous === "" ? {} : { previousPath: previous }),
    ...(patch === "" ? {} : { patch }),
  };
}

/** The fields of an object; empty for any other value. */
export function record(data: unknown): Fields {
  return typeof data === "object" && data !== null ? (data as Fields) : {};
}

/** @throws when it is no list. */
export function list(data: unknown): unknown[] {
  if (!Array.isArray(data)) throw notA("a list");
  return data;
}

/** A string; empty for any other value. */
export function text(data: unknown): string {
  return typeof data === "string" ? data : "";
}

export function required(data: unknown, what: string): string {
  if (typeof data !== "string" || data === "") throw notA(what);
  return data;
}

function notA(what: string): Error {
  return new Error(`GitHub's answer does not describe ${what}`);
}
