/** An open pull request, as the gate judges it. */

import type * as z from "zod/mini";
import type * as answers from "../github/api/answers/gate-pull.ts";
import type { openPulls, statusContext } from "../github/api/answers/questions.ts";
import { fullLogin } from "../github/changes/docs-pull-words.ts";
import type { SinglePull } from "../github/changes/history-records.ts";
import { type Comment, isInsider } from "../github/conversation/comments.ts";

/** A status that a head has. */
export interface KnownStatus {
  /** In lower case. */
  state: string;
  description: string;
  /** Null for none. */
  targetUrl: string | null;
  /** In milliseconds since 1970. */
  setAt: number;
}

/** An open pull request in the list of all, and the status of its head; null for none. */
export interface OpenPull {
  number: number;
  /** SHA of its branch's tip. */
  head: string;
  /** In milliseconds since 1970. */
  updatedAt: number;
  status: KnownStatus | null;
}

/** A text that somebody wrote, which may say that a pull request needs no documentation. */
export interface GatePost extends Pick<Comment, "author" | "isByBot" | "isInsider" | "body"> {
  /** When it was written or edited, in milliseconds since 1970. */
  writtenAt: number;
}

/** A pull request, what is said on it, and the status of its head. */
export interface GatePull extends Omit<SinglePull, "mergeSha"> {
  isDraft: boolean;
  /** Login of the owner of the repository that its branch is in; null if that was deleted. */
  headOwner: string | null;
  /** `owner/name` of the repository that its branch is in; null if that was deleted. */
  headRepository: string | null;
  description: GatePost;
  /** In milliseconds since 1970. */
  updatedAt: number;
  /** The newest first; null if there are more than GitHub shows at once. */
  comments: Comment[] | null;
  /** Null for none, and where the token may not read it. */
  status: KnownStatus | null;
}

export function gatePullOf(
  number: number,
  { databaseId, pullRequest: answer }: z.infer<typeof answers.gatePullAnswer>["repository"],
): GatePull {
  const { head, base, branch, title, body, url, isFork, isDraft, mergedAt, comments } = answer;
  // GitHub, too, shows a deleted account as `ghost`.
  const author = { login: fullLogin(answer.author) ?? "ghost", name: "", isBot: isBot(answer) };
  const tip = answer.tip.nodes.find(({ commit }) => commit.oid === head)?.commit;
  return {
    number,
    title,
    body,
    url,
    labels: answer.labels?.nodes.map(({ name }) => name) ?? [],
    author,
    branch,
    head,
    base,
    isFork,
    repositoryId: databaseId,
    isOpen: answer.state === "OPEN",
    mergedAt,
    fileCount: answer.changedFiles,
    isDraft,
    headOwner: answer.headOwner?.login ?? null,
    headRepository: answer.headRepository?.nameWithOwner ?? null,
    description: {
      author: author.login,
      isByBot: author.isBot,
      isInsider: isInsider(answer.association),
      body,
      writtenAt: Date.parse(answer.lastEditedAt ?? answer.createdAt),
    },
    updatedAt: Date.parse(answer.updatedAt),
    comments:
      comments.totalCount > comments.nodes.length
        ? null
        : comments.nodes.map((comment) => commentOf(comment, number)).reverse(),
    status: statusOf(tip?.status?.context ?? null),
  };
}

function isBot({ author }: Pick<z.infer<typeof answers.gatePull>, "author">): boolean {
  return author?.__typename === "Bot";
}

/** The ID of a comment in GraphQL is too large for its type. Its address ends in it. */
function commentOf(comment: z.infer<typeof answers.gateComment>, issue: number): Comment {
  const { url, body, author, createdAt, lastEditedAt, association, isOwn } = comment;
  return {
    id: Number(/-(\d+)$/.exec(url)?.[1]),
    url,
    body,
    issue,
    author: fullLogin(author),
    isByBot: isBot(comment),
    isInsider: isInsider(association),
    isOwn,
    updatedAt: Date.parse(lastEditedAt ?? createdAt),
    isEdited: lastEditedAt !== null,
  };
}

export function openPullOf(
  node: z.infer<typeof openPulls>["repository"]["pullRequests"]["nodes"][number],
): OpenPull {
  const { number, updatedAt, headRefOid, commits } = node;
  const status = statusOf(commits.nodes[0]?.commit.status?.context ?? null);
  return { number, head: headRefOid, updatedAt: Date.parse(updatedAt) || 0, status };
}

function statusOf(given: z.infer<typeof statusContext> | null): KnownStatus | null {
  return (
    given && {
      state: given.state.toLowerCase(),
      description: given.description,
      targetUrl: given.targetUrl ?? null,
      setAt: Date.parse(given.createdAt) || 0,
    }
  );
}
