/** Reads the emulated GitHub over its API, as GitHub's own pages would. */

import type { Reaction } from "../../emulator/github/state.ts";
import type { LocalGitHub } from "../../emulator/local-world/local-github.ts";
import type {
  CommentRecord,
  FileRecord,
  IssueRecord,
  Post,
  PullRecord,
  Thread,
} from "./records.ts";

const PAGE = 100;

/** The label of upkeep's dashboard. */
const DASHBOARD_LABEL = "docs-upkeep";

export class SiteReader {
  readonly #github: LocalGitHub;

  constructor(github: LocalGitHub) {
    this.#github = github;
  }

  /** An issue or pull request; undefined: there is none of this number. */
  async thread(number: number): Promise<Thread | undefined> {
    const issue = await this.#find<IssueRecord>(`/issues/${number}`);
    if (issue === undefined) return undefined;
    const [comments, reactions, pull, files] = await Promise.all([
      this.#all<CommentRecord>(`/issues/${number}/comments`),
      this.#github.reactions(),
      issue.pull_request && this.#find<PullRecord>(`/pulls/${number}`),
      issue.pull_request ? this.#all<FileRecord>(`/pulls/${number}/files`) : [],
    ]);
    return { issue, pull, files, posts: postsOf(issue, comments, reactions) };
  }

  /** Newest first. */
  async issues(): Promise<IssueRecord[]> {
    const issues = await this.#all<IssueRecord>("/issues?state=all");
    return newestFirst(issues.filter(({ pull_request }) => pull_request === undefined));
  }

  /** Newest first. */
  async pulls(): Promise<PullRecord[]> {
    return newestFirst(await this.#all<PullRecord>("/pulls?state=all"));
  }

  /** Number of upkeep's dashboard; undefined: upkeep has not run yet. */
  async dashboard(): Promise<number | undefined> {
    const issues = await this.#all<IssueRecord>(`/issues?state=all&labels=${DASHBOARD_LABEL}`);
    return newestFirst(issues).at(-1)?.number;
  }

  async #all<Item>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    for (let page = 1; items.length === (page - 1) * PAGE; page += 1) {
      const query = `${path.includes("?") ? "&" : "?"}per_page=${PAGE}&page=${page}`;
      items.push(...((await this.#find<Item[]>(`${path}${query}`)) ?? []));
    }
    return items;
  }

  /** Undefined: not found. */
  async #find<Answer>(path: string): Promise<Answer | undefined> {
    return await this.#github.api<Answer | undefined>(path, { allow: [404] });
  }
}

function newestFirst<Item extends { number: number }>(items: Item[]): Item[] {
  return items.toSorted((one, other) => other.number - one.number);
}

function postsOf(
  issue: IssueRecord,
  comments: CommentRecord[],
  reactions: Pick<Reaction, "subject" | "content">[],
): Post[] {
  const opening = { ...issue, id: "issue", body: issue.body ?? "", updated_at: issue.created_at };
  return [opening, ...comments].map(({ id, user, body, created_at, updated_at }) => {
    const subject = id === "issue" ? `/issues/${issue.number}` : `/issues/comments/${id}`;
    const counts: Record<string, number> = {};
    for (const { content } of reactions.filter((it) => it.subject.endsWith(subject))) {
      counts[content] = (counts[content] ?? 0) + 1;
    }
    return {
      ...{ id: String(id), author: user.login, body, createdAt: created_at },
      ...{ isEdited: updated_at !== created_at, reactions: counts },
    };
  });
}
