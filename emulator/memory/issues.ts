/** GitHub's issues and comments in memory: what the actions read and write of them, with GitHub's own rules. */

import { addressOf } from "../github/history/memory-api.ts";
import { MAX_BODY, pageOf } from "../github/limits.ts";

export interface MemoryComment {
  id: number;
  issue: number;
  body: string;
  createdAt: number;
  updatedAt: number;
}

export interface MemoryIssue {
  number: number;
  title: string;
  body: string;
  state: string;
  labels: string[];
}

export interface IssueAnswer {
  status: number;
  body: unknown;
  link?: string;
}

const NOT_FOUND: IssueAnswer = { status: 404, body: { message: "Not Found" } };
const TOO_LONG: IssueAnswer = { status: 422, body: { message: "body is too long" } };

/** What a request brings. */
interface Asked {
  query: URLSearchParams;
  given: Partial<MemoryIssue> & { content?: string };
}

interface Snapshot {
  at: number;
  issues: MemoryIssue[];
  comments: MemoryComment[];
}

const BEGINNING: Snapshot = { at: 0, issues: [], comments: [] };

export class MemoryIssues {
  issues: MemoryIssue[] = [];
  comments: MemoryComment[] = [];
  /** `path content`, each once, as GitHub keeps them for one account. */
  readonly reactions = new Set<string>();
  /** What a copy of the database that is behind still shows. */
  #snapshots: Snapshot[] = [];
  readonly #repository: string;
  readonly #now: () => number;
  #lastId = 10_000;

  /** @param now GitHub's time, in milliseconds since 1970 */
  constructor(repository: string, now: () => number) {
    this.#repository = repository;
    this.#now = now;
  }

  /** What was answered so many milliseconds ago, for a read of issues, of one, or of its comments. */
  answerBehind(path: string, asked: Asked, behind: number): IssueAnswer | undefined {
    const then = this.#snapshots.findLast(({ at }) => at <= this.#now() - behind) ?? BEGINNING;
    const { issues, comments } = this;
    Object.assign(this, { issues: then.issues, comments: then.comments });
    const answer = this.answer("GET", path, asked);
    Object.assign(this, { issues, comments });
    return answer;
  }

  /** Keeps what there is now, for those who read it from a copy that is behind. */
  keep(): void {
    const issues = this.issues.map((it) => ({ ...it, labels: [...it.labels] }));
    const comments = this.comments.map((it) => ({ ...it }));
    const snapshot = { at: this.#now(), issues, comments };
    this.#snapshots = [...this.#snapshots.slice(-20), snapshot];
  }

  /** Undefined: the path is none of these. @param path below `/repos/OWNER/NAME` */
  answer(method: string, path: string, asked: Asked): IssueAnswer | undefined {
    const [, kind, one, below] = path.split("/");
    if (kind !== "issues") return undefined;
    if (one === undefined) return method === "POST" ? this.#open(asked.given) : this.#list(asked);
    if (path.endsWith("/reactions")) return this.#react(path, asked.given);
    if (one === "comments") return this.#answerComments(method, below, asked);
    const issue = this.issues.find(({ number }) => number === Number(one));
    if (below === "comments") {
      const isPull = Number(one) < FIRST_ISSUE;
      if (issue === undefined && !isPull) return NOT_FOUND;
      return method === "POST"
        ? this.#comment(Number(one), asked.given)
        : this.#listComments(Number(one), asked.query);
    }
    if (issue === undefined) return NOT_FOUND;
    if (below === "labels") issue.labels.push(...(asked.given.labels ?? []));
    else if (method === "PATCH") {
      if ((asked.given.body ?? "").length > MAX_BODY) return TOO_LONG;
      Object.assign(issue, asked.given);
    }
    return { status: 200, body: below === "labels" ? issue.labels : this.#told(issue) };
  }

  /** A comment by a person. */
  write(issue: number, body: string): void {
    this.#comment(issue, { body });
  }

  #list({ query }: Asked): IssueAnswer {
    const label = query.get("labels") ?? "";
    const state = query.get("state") ?? "open";
    const found = this.issues.filter(
      (it) =>
        (label === "" || it.labels.includes(label)) && (state === "all" || it.state === state),
    );
    const { items, link } = pageOf(found, addressOf(query));
    return { status: 200, body: items.map((it) => this.#told(it)), link };
  }

  #open({ title = "", body = "", labels = [] }: Partial<MemoryIssue>): IssueAnswer {
    if (body.length > MAX_BODY) return TOO_LONG;
    const number = FIRST_ISSUE + this.issues.length;
    const issue = { number, title, body, labels: [...labels], state: "open" };
    this.issues.push(issue);
    return { status: 201, body: this.#told(issue) };
  }

  #listComments(issue: number, query: URLSearchParams): IssueAnswer {
    return this.#page(
      this.#since(query).filter((it) => it.issue === issue),
      query,
    );
  }

  /** The comments of the whole repository, or one of them. */
  #answerComments(method: string, id: string | undefined, { query, given }: Asked): IssueAnswer {
    if (id === undefined) {
      const isByUpdate = query.get("sort") === "updated";
      const time = (it: MemoryComment) => seconds(isByUpdate ? it.updatedAt : it.createdAt);
      const all = this.#since(query).sort((one, other) => time(one) - time(other));
      const isDown = query.has("sort") && query.get("direction") === "desc";
      return this.#page(isDown ? all.reverse() : all, query);
    }
    const comment = this.comments.find((it) => it.id === Number(id));
    if (comment === undefined) return NOT_FOUND;
    if (method === "GET") return { status: 200, body: this.#toldComment(comment) };
    if (method === "PATCH") return this.#edit(comment, given);
    this.comments = this.comments.filter((it) => it !== comment);
    return { status: 204, body: undefined };
  }

  #react(path: string, { content = "" }: { content?: string }): IssueAnswer {
    this.reactions.add(`${path} ${content}`);
    return { status: 201, body: { id: this.reactions.size, content } };
  }

  #since(query: URLSearchParams): MemoryComment[] {
    const since = Date.parse(query.get("since") ?? "");
    return this.comments.filter(
      ({ updatedAt }) => Number.isNaN(since) || seconds(updatedAt) >= since,
    );
  }

  #page(all: readonly MemoryComment[], query: URLSearchParams): IssueAnswer {
    const { items, link } = pageOf(all, addressOf(query));
    return { status: 200, body: items.map((it) => this.#toldComment(it)), link };
  }

  #comment(issue: number, { body = "" }: Partial<MemoryIssue>): IssueAnswer {
    if (body.length > MAX_BODY) return TOO_LONG;
    this.#lastId += 1;
    const now = this.#now();
    const comment = { id: this.#lastId, issue, body, createdAt: now, updatedAt: now };
    this.comments.push(comment);
    return { status: 201, body: this.#toldComment(comment) };
  }

  #edit(comment: MemoryComment, { body = "" }: Partial<MemoryIssue>): IssueAnswer {
    if (body.length > MAX_BODY) return TOO_LONG;
    Object.assign(comment, { body, updatedAt: this.#now() });
    return { status: 200, body: this.#toldComment(comment) };
  }

  #told(issue: MemoryIssue) {
    const html_url = `https://github.com/${this.#repository}/issues/${issue.number}`;
    return { ...issue, labels: issue.labels.map((name) => ({ name })), html_url };
  }

  #toldComment({ id, issue, body, createdAt, updatedAt }: MemoryComment) {
    return {
      ...{ id, body, created_at: told(createdAt), updated_at: told(updatedAt) },
      html_url: `https://github.com/${this.#repository}/issues/${issue}#issuecomment-${id}`,
      issue_url: `https://api.github.com/repos/${this.#repository}/issues/${issue}`,
    };
  }
}

/** Pull requests have the numbers below. */
const FIRST_ISSUE = 10_000;

/** GitHub tells times without fractions of a second. */
function seconds(at: number): number {
  return Math.floor(at / 1000) * 1000;
}

function told(at: number): string {
  return new Date(seconds(at)).toISOString().replace(".000Z", "Z");
}
