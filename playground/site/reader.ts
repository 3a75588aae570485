/** Reads the emulated GitHub over its API, as GitHub's own pages would. */

import { latestStatuses } from "../../emulator/github/checks.ts";
import { AGENT } from "../../emulator/github/people.ts";
import type { Reaction } from "../../emulator/github/state.ts";
import type { LocalGitHub } from "../../emulator/local-world/local-github.ts";
import {
  type AnnotationRecord,
  type Check,
  type CheckRunRecord,
  type CommentRecord,
  type CommitRecord,
  type Deployment,
  type DeploymentRecord,
  type DeploymentStatusRecord,
  type FileRecord,
  type IssueRecord,
  isBot,
  type Post,
  type PullFacts,
  type PullRecord,
  type ReviewCommentRecord,
  type ReviewRecord,
  type Thread,
} from "./records.ts";
import { TASKS_FILE } from "./tasks.ts";

const PAGE = 100;

/** The labels of dashboards, and the action that keeps each. */
const DASHBOARDS: Record<string, string> = { "docs-upkeep": "upkeep", "docs-queue": "queue" };

/** Pull requests of which a list shows checks and reviews. */
const LATEST = 12;

export class SiteReader {
  readonly #github: LocalGitHub;

  constructor(github: LocalGitHub) {
    this.#github = github;
  }

  /** An issue or pull request; undefined if there is none with this number. */
  async thread(number: number): Promise<Thread | undefined> {
    const issue = await this.#find<IssueRecord>(`/issues/${number}`);
    if (issue === undefined) return undefined;
    const pull = `/pulls/${number}`;
    const { home } = this.#github;
    const [comments, reactions, facts, files, onLines] = await Promise.all([
      this.#all<CommentRecord>(`/issues/${number}/comments`),
      this.#github.reactions(),
      issue.pull_request && this.factsOf(number),
      issue.pull_request ? this.#all<FileRecord>(`${pull}/files`) : [],
      issue.pull_request ? this.#all<ReviewCommentRecord>(`${pull}/comments`) : [],
    ]);
    const written = [
      ...comments.map((comment) => ({
        ...commentPost(comment),
        editor: personOf(home.comments.get(comment.id)),
      })),
      ...(facts?.reviews ?? [])
        .filter(({ body, state }) => body || state !== "COMMENTED")
        .map(reviewPost),
      ...onLines.map(linePost),
    ];
    const posts = [
      { ...openingPost(issue), editor: personOf(home.issues.get(number)) },
      ...written.toSorted((first, second) => (first.createdAt < second.createdAt ? -1 : 1)),
    ].map(({ subject, ...post }) => ({ ...post, reactions: countsOf(reactions, subject) }));
    return { issue, facts, files, posts };
  }

  /** A commit with its files; undefined if there is none. */
  commit(sha: string): Promise<CommitRecord | undefined> {
    // GitHub answers 422 for a commit that it does not have.
    return this.#github.api<CommitRecord | undefined>(`/commits/${sha}`, { allow: [404, 422] });
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
    return Promise.all(own.map(({ number }) => this.factsOf(number)));
  }

  /** The text of the queue's list of tasks; empty if there is none. */
  async tasks(): Promise<string> {
    const file = await this.#find<{ content: string }>(`/contents/${TASKS_FILE}`);
    return Buffer.from(file?.content ?? "", "base64").toString("utf8");
  }

  /** How many reacted to something. @param subject the end of its path, such as `comments/5` */
  async reactionsTo(subject: string): Promise<Record<string, number>> {
    return countsOf(await this.#github.reactions(), `/${subject}`);
  }

  /** The path of a page of the emulated GitHub, which is also a page here; undefined for any other link. */
  pathOf(link: string): string | undefined {
    const { url } = this.#github;
    return link.startsWith(`${url}/`) ? link.slice(url.length) : undefined;
  }

  /** The title of an issue or pull request; undefined if there is none with this number. */
  titleOf(number: number): string | undefined {
    return this.#github.home.issues.get(number)?.title;
  }

  /** A pull request with its checks, deployments and reviews. */
  async factsOf(number: number): Promise<PullFacts> {
    const path = `/pulls/${number}`;
    const pull = await this.#github.api<PullRecord>(path);
    const [checks, deployments, reviews] = await Promise.all([
      this.#checksOf(pull.head.sha),
      this.#deploymentsOf(pull.head.sha),
      this.#all<ReviewRecord>(`${path}/reviews`),
    ]);
    return { pull, checks, deployments, reviews };
  }

  async #deploymentsOf(sha: string): Promise<Deployment[]> {
    const all = await this.#all<DeploymentRecord>(`/deployments?sha=${sha}`);
    const deployments = all.map(async ({ id, environment }) => {
      const [last] = await this.#all<DeploymentStatusRecord>(`/deployments/${id}/statuses`);
      const { state = "pending", description = "", environment_url: url = "" } = last ?? {};
      return { environment, state, description, url };
    });
    return await Promise.all(deployments);
  }

  async #checksOf(sha: string): Promise<Check[]> {
    const { api } = this.#github;
    const path = `/commits/${sha}/check-runs?per_page=${PAGE}`;
    const { check_runs } = await api<{ check_runs: CheckRunRecord[] }>(path);
    const checks = check_runs.map(async ({ id, name, status, conclusion, output }) => ({
      name,
      result: conclusion ?? status,
      title: output.title ?? "",
      annotations: await this.#all<AnnotationRecord>(`/check-runs/${id}/annotations`),
    }));
    const statuses = latestStatuses(this.#github.home, sha).map(
      ({ context, state, description }): Check => ({
        name: context,
        result: state,
        title: description ?? "",
        annotations: [],
      }),
    );
    return [...(await Promise.all(checks)), ...statuses];
  }

  async #all<Item>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    for (let page = 1; items.length === (page - 1) * PAGE; page += 1) {
      const query = `${path.includes("?") ? "&" : "?"}per_page=${PAGE}&page=${page}`;
      items.push(...((await this.#find<Item[]>(`${path}${query}`)) ?? []));
    }
    return items;
  }

  /** Undefined if it is not found. */
  async #find<Answer>(path: string): Promise<Answer | undefined> {
    return await this.#github.api<Answer | undefined>(path, { allow: [404] });
  }
}

/** The action whose dashboard an issue is; undefined if it is none. */
export function keeperOf({ labels, user }: IssueRecord): string | undefined {
  const [action] = labels.flatMap(({ name }) => DASHBOARDS[name] ?? []);
  return isBot(user.login) ? action : undefined;
}

/** Who edited a text last, if that was a person. */
function personOf(text: { editor?: string } | undefined): string | undefined {
  return text?.editor === undefined || isBot(text.editor) ? undefined : text.editor;
}

function newestFirst<Item extends { number: number }>(items: Item[]): Item[] {
  return items.toSorted((first, second) => second.number - first.number);
}

/** A post without its reactions, with the end of the path by which they are found. */
type Written = Omit<Post, "reactions"> & { subject: string };

function openingPost({ number, user, body, created_at }: IssueRecord): Written {
  return {
    id: "issue",
    author: user.login,
    verb: "opened this",
    body: body ?? "",
    createdAt: created_at,
    subject: `/issues/${number}`,
  };
}

function commentPost({ id, user, body, created_at }: CommentRecord): Written {
  return {
    id: `issuecomment-${id}`,
    author: user.login,
    verb: "commented",
    body,
    createdAt: created_at,
    subject: `/issues/comments/${id}`,
  };
}

function linePost(comment: ReviewCommentRecord): Written {
  const { id, path, line, diff_hunk: hunk } = comment;
  const verb = `commented on line ${line} of ${path}`;
  return {
    ...commentPost(comment),
    id: `discussion_r${id}`,
    verb,
    hunk,
    subject: `/pulls/comments/${id}`,
  };
}

const VERBS: Record<string, string> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "requested changes",
};

function reviewPost({ id, user, body, state, commit_id, submitted_at }: ReviewRecord): Written {
  const verb = `${VERBS[state] ?? `reviewed (${state.toLowerCase()})`} ${commit_id.slice(0, 7)}`;
  const anchor = `pullrequestreview-${id}`;
  return {
    id: anchor,
    author: user.login,
    verb,
    body,
    createdAt: submitted_at,
    subject: anchor,
  };
}

function countsOf(reactions: readonly Reaction[], subject: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reaction of reactions) {
    if (!reaction.subject.endsWith(subject)) continue;
    counts[reaction.content] = (counts[reaction.content] ?? 0) + 1;
  }
  return counts;
}
