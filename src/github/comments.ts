import type { Octokit } from "@octokit/core";
import type { Markers, Place } from "./markers.ts";
import { owned, PAGE } from "./rest.ts";
import type { ReactionTarget } from "./run-context.ts";

/** A comment on an issue or pull request. */
export interface Comment {
  id: number;
  body: string;
  url: string;
}

/** A comment, and who wrote it. */
export interface WrittenComment extends Comment {
  isByBot: boolean;
  /** When it was last edited, in milliseconds since 1970. */
  writtenAt: number;
  /** By a bot, or by somebody whom GitHub shows as an owner, member or collaborator. */
  isByInsider: boolean;
}

/** A comment that ends in a valid marker. */
export interface MarkedComment<M> {
  comment: Comment;
  marker: M;
}

/**
 * The comments of an issue or pull request, newest first. GitHub lists them oldest first, so this starts
 * at the last page, and reads no more pages than are asked for.
 */
export async function* newestComments(
  github: Octokit,
  place: Place,
): AsyncGenerator<WrittenComment> {
  const first = await readPage(github, place, 1);
  for (let page = first.last; page > 1; page--) {
    yield* (await readPage(github, place, page)).comments.reverse();
  }
  yield* first.comments.reverse();
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

async function readPage(
  github: Octokit,
  place: Place,
  page: number,
): Promise<{ comments: WrittenComment[]; last: number }> {
  const response = await github.request(
    "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
    {
      ...owned(place),
      issue_number: place.issue,
      per_page: PAGE,
      page,
    },
  );
  const comments = response.data.map((comment) => {
    const { id, html_url: url, user, author_association: association = "" } = comment;
    const isByBot = user?.type === "Bot";
    const isByInsider = isByBot || INSIDERS.includes(association);
    const writtenAt = Date.parse(comment.updated_at) || 0;
    return { id: Number(id), body: comment.body ?? "", url, isByBot, isByInsider, writtenAt };
  });
  return { comments, last: lastPage(response.headers.link) };
}

const INSIDERS = ["OWNER", "MEMBER", "COLLABORATOR"];

function lastPage(link: string | undefined): number {
  // One URL at a time: a pattern for the whole header could take very long if nothing matches.
  const last = (link ?? "").split(",").find((it) => it.endsWith('rel="last"')) ?? "";
  const [, page] = /[?&]page=(\d+)/.exec(last) ?? [];
  return Number(page ?? 1);
}

/** Writes a new comment. */
export async function createComment(
  github: Octokit,
  place: Place,
  body: string,
): Promise<{ id: number; url: string }> {
  const { data } = await github.request(
    "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    { ...owned(place), issue_number: place.issue, body },
  );
  return written(data);
}

/**
 * Writes a comment that ends in a marker, unless there is one already, from a run that was killed.
 *
 * @param marked `name` tells this comment from all others with markers of this kind
 */
export async function commentOnce<M extends object>(
  github: Octokit,
  place: Place,
  { markers, name, marker }: { markers: Markers<M>; name: string; marker: M },
  text: string,
): Promise<void> {
  for await (const { body } of newestComments(github, place)) {
    if (markers.isDraft(body, place, name)) return;
  }
  await createComment(github, place, `${text}\n\n${markers.writeDraft(place, marker, name)}`);
}

/** Replaces a comment's text. */
export async function editComment(
  github: Octokit,
  place: Place,
  id: number,
  body: string,
): Promise<{ id: number; url: string }> {
  const { data } = await github.request(
    "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
    { ...owned(place), comment_id: id, body },
  );
  return written(data);
}

/** The current text of a comment; null if it no longer exists. */
export async function readComment(
  github: Octokit,
  place: Place,
  id: number,
): Promise<string | null> {
  try {
    const path = "GET /repos/{owner}/{repo}/issues/comments/{comment_id}";
    const { data } = await github.request(path, { ...owned(place), comment_id: id });
    return String(data.body ?? "");
  } catch (error) {
    const { status } = error as { status?: number };
    if (status === 404 || status === 410) return null;
    throw error;
  }
}

/** Deletes a comment. */
export async function deleteComment(github: Octokit, place: Place, id: number): Promise<void> {
  await github.request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", {
    ...owned(place),
    comment_id: id,
  });
}

function written(data: { id?: unknown; html_url?: unknown }): { id: number; url: string } {
  const id = Number(data.id);
  if (!Number.isSafeInteger(id)) throw new Error("GitHub's response is not a comment");
  return { id, url: String(data.html_url ?? "") };
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
