import type { Octokit } from "@octokit/core";
import type { Markers, Place } from "./markers.ts";
import { owned, PAGE, readPages } from "./rest.ts";
import type { ReactionTarget } from "./run-context.ts";

export interface Comment {
  id: number;
  body: string;
  url: string;
  issue: number;
  isByBot: boolean;
  /** By a bot, or by somebody whom GitHub shows as an owner, member or collaborator. */
  isByInsider: boolean;
  /** When it was last edited, by GitHub's clock, in milliseconds since 1970. */
  updatedAt: number;
}

export interface MarkedComment<M> {
  comment: Pick<Comment, "id" | "body" | "url">;
  marker: M;
}

interface CommentData {
  id: number | bigint;
  body?: string | null;
  html_url?: string;
  issue_url?: string;
  updated_at?: string;
  user?: { type?: string } | null;
  author_association?: string;
}

const ON_ISSUE = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
const BY_ID = "/repos/{owner}/{repo}/issues/comments/{comment_id}";
const RECENT = "/repos/{owner}/{repo}/issues/comments";
const INSIDERS = ["OWNER", "MEMBER", "COLLABORATOR"];

/** Maximum number of pages of recent comments. Of more than 10,000, only the newest are read. */
export const MAX_PAGES = 100;

function commentOf({ id, body, html_url, user, ...data }: CommentData): Comment {
  if (!Number.isSafeInteger(Number(id))) throw new Error("GitHub's response is not a comment");
  const [, issue = 0] = /\/issues\/(\d+)$/.exec(data.issue_url ?? "") ?? [];
  const isByBot = user?.type === "Bot";
  return {
    ...{ id: Number(id), body: body ?? "", url: html_url ?? "", issue: Number(issue), isByBot },
    isByInsider: isByBot || INSIDERS.includes(data.author_association ?? ""),
    updatedAt: Date.parse(data.updated_at ?? "") || 0,
  };
}

/**
 * The comments of an issue or pull request, newest first. GitHub lists them oldest first, so this starts
 * at the last page, and reads no more pages than are asked for.
 */
export async function* newestComments(github: Octokit, place: Place): AsyncGenerator<Comment> {
  const readPage = async (page: number) => {
    const query = { ...owned(place), issue_number: place.issue, per_page: PAGE, page };
    const { data, headers } = await github.request(`GET ${ON_ISSUE}`, query);
    return { comments: data.map(commentOf).reverse(), last: lastPage(headers.link) };
  };
  const first = await readPage(1);
  for (let page = first.last; page > 1; page--) yield* (await readPage(page)).comments;
  yield* first.comments;
}

function lastPage(link: string | undefined): number {
  // One URL at a time: a pattern for the whole header could take very long if nothing matches.
  const last = (link ?? "").split(",").find((entry) => entry.endsWith('rel="last"')) ?? "";
  const [, page] = /[?&]page=(\d+)/.exec(last) ?? [];
  return Number(page ?? 1);
}

/** The comments that end in a valid marker, one by one, newest first. */
export async function* markedComments<M extends object>(
  github: Octokit,
  place: Place,
  markers: Markers<M>,
): AsyncGenerator<MarkedComment<M>> {
  for await (const comment of newestComments(github, place)) {
    const marker = markers.read(comment.body, place, comment.id);
    if (marker !== null) yield { comment, marker };
  }
}

/**
 * The comments on all issues and pull requests since a time, the newest first: if one is added meanwhile, another one
 * appears twice, but none is missed. `now`: the time of the answer by GitHub's clock; null if unknown.
 */
export async function* recentComments(github: Octokit, repository: string, since: number) {
  const query = {
    ...owned({ repository }),
    since: new Date(since).toISOString().replace(/\.\d+Z$/, "Z"),
    ...({ sort: "updated", direction: "desc" } as const),
  };
  const request = (page: object) => github.request(`GET ${RECENT}`, { ...query, ...page });
  const pages = readPages(MAX_PAGES, request, (data: CommentData[]) => data.map(commentOf));
  for await (const { response, items: comments } of pages) {
    yield { comments, now: Date.parse(response.headers.date ?? "") || null };
  }
}

export async function createComment(github: Octokit, place: Place, body: string): Promise<Comment> {
  const parameters = { ...owned(place), issue_number: place.issue, body };
  return commentOf((await github.request(`POST ${ON_ISSUE}`, parameters)).data);
}

/**
 * Updates the comment that begins with a mark, or creates it. The action reads nothing from it, so it has no signature.
 *
 * @param mark a word that no other comment begins with
 * @param comments the existing comments, newest first
 * @param isNews whether to create a comment if there is none
 * @returns its URL; empty for none
 */
export async function keepComment(
  github: Octokit,
  place: Place,
  mark: string,
  text: string,
  comments: Iterable<Comment> | AsyncIterable<Comment>,
  isNews = true,
): Promise<string> {
  const begin = `<!-- ${mark} -->`;
  const body = `${begin}\n${text}`;
  let url = "";
  for await (const comment of comments) {
    // Anyone can write the mark, so outsiders' comments are ignored.
    if (!comment.isByInsider || !comment.body.startsWith(begin)) continue;
    // Two runs at the same time may have created two comments.
    if (comment.body.trimEnd() !== body.trimEnd()) {
      await editComment(github, place, comment.id, body);
    }
    ({ url } = comment);
  }
  return url !== "" || !isNews ? url : (await createComment(github, place, body)).url;
}

export async function editComment(
  github: Octokit,
  place: Place,
  id: number,
  body: string,
): Promise<Comment> {
  const parameters = { ...owned(place), comment_id: id, body };
  return commentOf((await github.request(`PATCH ${BY_ID}`, parameters)).data);
}

export async function deleteComment(github: Octokit, place: Place, id: number): Promise<void> {
  await github.request(`DELETE ${BY_ID}`, { ...owned(place), comment_id: id });
}

/** The current text of a comment; null if it no longer exists. */
export async function readComment(
  github: Octokit,
  place: Place,
  id: number,
): Promise<string | null> {
  try {
    const { data } = await github.request(`GET ${BY_ID}`, { ...owned(place), comment_id: id });
    return commentOf(data).body;
  } catch (error) {
    const { status } = error as { status?: number };
    if (status === 404 || status === 410) return null;
    throw error;
  }
}

/** The reactions' names in the REST API and in GraphQL. */
const REACTIONS = { eyes: "EYES", rocket: "ROCKET", confused: "CONFUSED", "-1": "THUMBS_DOWN" };

export type Reaction = keyof typeof REACTIONS;

/** Adds a reaction. For a review, only GraphQL can do this. */
export async function addReaction(
  github: Octokit,
  repository: string,
  target: ReactionTarget,
  content: Reaction,
): Promise<void> {
  if ("path" in target) {
    await github.request(`POST /repos/${repository}/${target.path}/reactions`, { content });
    return;
  }
  await github.graphql(
    "mutation ($id: ID!, $content: ReactionContent!) { addReaction(input: { subjectId: $id, content: $content }) { clientMutationId } }",
    { id: target.node, content: REACTIONS[content] },
  );
}
