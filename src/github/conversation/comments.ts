import * as z from "zod/mini";
import { readAnswer, textOrEmpty } from "../api/answer.ts";
import type { Connect } from "../api/connect.ts";
import { type Refusal, refusalOf, statusOf, type TokenPermissions } from "../api/refusal.ts";
import { owned, PAGE } from "../api/rest.ts";
import type { ReactionTarget } from "../trigger/run-context.ts";
import type { Markers, Place } from "./markers.ts";

/** The permission that the token needs for comments and reactions. */
export const COMMENT_PERMISSION: TokenPermissions = {
  onIssues: "issues: write",
  onPulls: "pull-requests: write",
};

export interface Comment {
  id: number;
  body: string;
  url: string;
  issue: number;
  /** Login; empty if the account was deleted. */
  author: string;
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

const commentAnswer = z.object({
  id: z.int(),
  body: textOrEmpty,
  html_url: textOrEmpty,
  issue_url: textOrEmpty,
  updated_at: textOrEmpty,
  user: z.nullish(z.object({ login: textOrEmpty, type: textOrEmpty })),
  author_association: textOrEmpty,
});
const commentsAnswer = z.array(commentAnswer);

const INSIDERS = ["OWNER", "MEMBER", "COLLABORATOR"];

/** The comment in an answer. @throws UnusableAnswer */
function readComment(data: unknown): Comment {
  return commentOf(readAnswer(commentAnswer, data));
}

/** The comments in an answer, in the same order. @throws UnusableAnswer */
export function readComments(data: unknown): Comment[] {
  return readAnswer(commentsAnswer, data).map(commentOf);
}

function commentOf({ id, body, html_url, user, ...data }: z.infer<typeof commentAnswer>): Comment {
  const [, issue = 0] = /\/issues\/(\d+)$/.exec(data.issue_url) ?? [];
  const isByBot = user?.type === "Bot";
  return {
    id,
    body,
    url: html_url,
    issue: Number(issue),
    author: user?.login ?? "",
    isByBot,
    isByInsider: isByBot || INSIDERS.includes(data.author_association),
    updatedAt: Date.parse(data.updated_at) || 0,
  };
}

/** The comments of one issue or pull request. */
export class IssueComments {
  readonly #connect: Connect;
  readonly #place: Place;

  constructor(connect: Connect, place: Place) {
    this.#connect = connect;
    this.#place = place;
  }

  /**
   * Newest first. GitHub lists them oldest first, so this starts at the last page, and reads no more pages than are
   * asked for.
   */
  async *newest(): AsyncGenerator<Comment> {
    const { issue } = this.#place;
    const readPage = async (page: number) => {
      const { data, headers } = await this.#request("GET", `${issue}/comments`, {
        per_page: PAGE,
        page,
      });
      return { comments: readComments(data).reverse(), last: lastPage(headers.link) };
    };
    const first = await readPage(1);
    for (let page = first.last; page > 1; page--) yield* (await readPage(page)).comments;
    yield* first.comments;
  }

  /** Those that end in a valid marker, one by one, newest first. */
  async *marked<M extends object>(markers: Markers<M>): AsyncGenerator<MarkedComment<M>> {
    for await (const comment of this.newest()) {
      const marker = markers.read(comment.body, this.#place, comment.id);
      if (marker !== null) yield { comment, marker };
    }
  }

  async find(isWanted: (comment: Comment) => boolean): Promise<Comment | null> {
    for await (const comment of this.newest()) if (isWanted(comment)) return comment;
    return null;
  }

  async create(body: string): Promise<Comment> {
    const { data } = await this.#request("POST", `${this.#place.issue}/comments`, { body });
    return readComment(data);
  }

  async edit(id: number, body: string): Promise<Comment> {
    return readComment((await this.#request("PATCH", `comments/${id}`, { body })).data);
  }

  /** The current text of a comment; null if it no longer exists. */
  async read(id: number): Promise<string | null> {
    try {
      return readComment((await this.#request("GET", `comments/${id}`)).data).body;
    } catch (error) {
      if ([404, 410].includes(statusOf(error))) return null;
      throw error;
    }
  }

  /**
   * Updates the comment that begins with a mark, or creates it. The action reads nothing from it, so it has no signature.
   *
   * @param mark a word that no other comment begins with
   * @returns its URL; null for none
   */
  async keep(
    mark: string,
    text: string,
    { comments = this.newest(), mayCreate = true }: KeepOptions = {},
  ): Promise<string | null> {
    const begin = `<!-- ${mark} -->`;
    const body = `${begin}\n${text}`;
    let url: string | null = null;
    for await (const comment of comments) {
      // Anyone can write the mark, so outsiders' comments are ignored.
      if (!comment.isByInsider || !comment.body.startsWith(begin)) continue;
      // Two runs at the same time may have created two comments.
      if (comment.body.trimEnd() !== body.trimEnd()) await this.edit(comment.id, body);
      ({ url } = comment);
    }
    return url !== null || !mayCreate ? url : (await this.create(body)).url;
  }

  async #request(method: string, path: string, parameters: object = {}) {
    const route = `${method} /repos/{owner}/{repo}/issues/${path}`;
    return await (await this.#connect()).request(route, { ...owned(this.#place), ...parameters });
  }
}

interface KeepOptions {
  /** The existing comments, newest first, if they were read already. */
  comments?: Iterable<Comment> | AsyncIterable<Comment>;
  /** Whether to create a comment if there is none. */
  mayCreate?: boolean;
}

function lastPage(link: string | undefined): number {
  // One URL at a time: a pattern for the whole header could take very long if nothing matches.
  const last = (link ?? "").split(",").find((entry) => entry.endsWith('rel="last"')) ?? "";
  const [, page] = /[?&]page=(\d+)/.exec(last) ?? [];
  return Number(page ?? 1);
}

/** The reactions' names in the REST API and in GraphQL. */
const REACTIONS = { eyes: "EYES", rocket: "ROCKET", confused: "CONFUSED", "-1": "THUMBS_DOWN" };

export type Reaction = keyof typeof REACTIONS;

const REACT =
  "mutation ($id: ID!, $content: ReactionContent!) { addReaction(input: { subjectId: $id, content: $content }) { clientMutationId } }";

/** Adds a reaction. For a review, only GraphQL can do this. An existing one stays. @returns a refusal */
export async function addReaction(
  connect: Connect,
  repository: string,
  target: ReactionTarget,
  content: Reaction,
): Promise<Refusal | null> {
  const add = async () => {
    const github = await connect();
    return "path" in target
      ? await github.request(`POST /repos/${repository}/${target.path}/reactions`, { content })
      : await github.graphql(REACT, { id: target.node, content: REACTIONS[content] });
  };
  return await refusalOf(add, COMMENT_PERMISSION);
}
