/** Reads the emulated GitHub over its API, as GitHub's own pages would. */

import { AGENT } from "../../emulator/github/people.ts";
import type { Reaction } from "../../emulator/github/state.ts";
import type { LocalGitHub } from "../../emulator/local-world/local-github.ts";
import type {
  AnnotationRecord,
  Check,
  CheckRunRecord,
  CommentRecord,
  FileRecord,
  IssueRecord,
  Post,
  PullFacts,
  PullRecord,
  ReviewCommentRecord,
  ReviewRecord,
  StatusRecord,
  Thread,
} from "./records.ts";

const PAGE = 100;

/** The label of upkeep's dashboard. */
const DASHBOARD_LABEL = "docs-upkeep";

/** Pull requests of which a list shows checks and reviews. */
const LATEST = 12;

export class SiteReader {
  readonly #github: LocalGitHub;

  constructor(github: LocalGitHub) {
    this.#github = github;
  }

  /** An issue or pull request; undefined: there is none of this number. */
  async thread(number: number): Promise<Thread | undefined> {
    const issue = await this.#find<IssueRecord>(`/issues/${number}`);
    if (issue === undefined) return undefined;
    const pull = `/pulls/${number}`;
    const [comments, reactions, facts, files, onLines] = await Promise.all([
      this.#all<CommentRecord>(`/issues/${number}/comments`),
      this.#github.reactions(),
      issue.pull_request && this.#factsOf(number),
      issue.pull_request ? this.#all<FileRecord>(`${pull}/files`) : [],
      issue.pull_request ? this.#all<ReviewCommentRecord>(`${pull}/comments`) : [],
    ]);
    const written = [
      ...comments.map(commentPost),
      ...(facts?.reviews ?? [])
        .filter(({ body, state }) => body || state !== "COMMENTED")
        .map(reviewPost),
      ...onLines.map(linePost),
    ];
    const posts = [
      openingPost(issue),
      ...written.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1)),
    ].map(({ subject, ...post }) => ({ ...post, reactions: countsOf(reactions, subject) }));
    return { issue, facts, files, posts };
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

  /** The newest of the agent's among some pull requests, with their checks and reviews. */
  docsPulls(pulls: readonly PullRecord[]): Promise<PullFacts[]> {
    const own = pulls.filter(({ user }) => user.login === AGENT).slice(0, LATEST);
    return Promise.all(own.map(({ number }) => this.#factsOf(number)));
  }

  /** Number of upkeep's dashboard; undefined: upkeep has not run yet. */
  async dashboard(): Promise<number | undefined> {
    const issues = await this.#all<IssueRecord>(`/issues?state=all&labels=${DASHBOARD_LABEL}`);
    return newestFirst(issues).at(-1)?.number;
  }

  async #factsOf(number: number): Promise<PullFacts> {
    const path = `/pulls/${number}`;
    const pull = await this.#github.api<PullRecord>(path);
    const [checks, reviews] = await Promise.all([
      this.#checksOf(pull.head.sha),
      this.#all<ReviewRecord>(`${path}/reviews`),
    ]);
    return { pull, checks, reviews };
  }

  async #checksOf(sha: string): Promise<Check[]> {
    const { api } = this.#github;
    const commit = `/commits/${sha}`;
    const [{ check_runs }, { statuses }] = await Promise.all([
      api<{ check_runs: CheckRunRecord[] }>(`${commit}/check-runs?per_page=${PAGE}`),
      api<{ statuses: StatusRecord[] }>(`${commit}/status?per_page=${PAGE}`),
    ]);
    const runs = check_runs.map(async ({ id, name, status, conclusion, output }) => ({
      ...{ name, result: conclusion ?? status, title: output.title ?? "" },
      annotations: await this.#all<AnnotationRecord>(`/check-runs/${id}/annotations`),
    }));
    const others = statuses.map(({ context, state, description }) => ({
      ...{ name: context, result: state, title: description ?? "", annotations: [] },
    }));
    return [...(await Promise.all(runs)), ...others];
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

/** A post without its reactions, and the end of the path of what they are to. */
type Written = Omit<Post, "reactions"> & { subject: string };

function openingPost({ number, user, body, created_at }: IssueRecord): Written {
  return {
    ...{ id: "issue", author: user.login, verb: "opened this", body: body ?? "" },
    ...{ createdAt: created_at, isEdited: false, subject: `/issues/${number}` },
  };
}

function commentPost({ id, user, body, created_at, updated_at }: CommentRecord): Written {
  return {
    ...{ id: `issuecomment-${id}`, author: user.login, verb: "commented", body },
    ...{ createdAt: created_at, isEdited: updated_at !== created_at },
    subject: `/issues/comments/${id}`,
  };
}

function linePost(comment: ReviewCommentRecord): Written {
  const { id, path, line, diff_hunk: hunk } = comment;
  const verb = `commented on line ${line} of ${path}`;
  const own = { id: `discussion_r${id}`, verb, hunk, subject: `/pulls/comments/${id}` };
  return { ...commentPost(comment), ...own };
}

const VERBS: Record<string, string> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "requested changes",
};

function reviewPost({ id, user, body, state, commit_id, submitted_at }: ReviewRecord): Written {
  const verb = `${VERBS[state] ?? `reviewed (${state.toLowerCase()})`} ${commit_id.slice(0, 7)}`;
  const anchor = `pullrequestreview-${id}`;
  return {
    ...{ id: anchor, author: user.login, verb, body, createdAt: submitted_at },
    ...{ isEdited: false, subject: anchor },
  };
}

function countsOf(reactions: readonly Reaction[], subject: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { content } of reactions.filter((it) => it.subject.endsWith(subject))) {
    counts[content] = (counts[content] ?? 0) + 1;
  }
  return counts;
}
