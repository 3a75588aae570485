import * as z from "zod/mini";
import { once } from "../../runtime/dependencies.ts";
import { readAnswer, textOrEmpty, textOrNull } from "../api/answer.ts";
import type { Connect } from "../api/connect.ts";
import {
  explainRefusal,
  type Refusal,
  refusalOf,
  statusOf,
  type TokenPermissions,
} from "../api/refusal.ts";
import { lastPage, nextPage, owned, PAGE, type PageQuery } from "../api/rest.ts";
import { reaches, readPermission } from "../trigger/permission.ts";
import type { ReactionTarget } from "../trigger/run-context.ts";
import { MarkerReader } from "./marker-reader.ts";
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
  /** Login; null if the account was deleted. */
  author: string | null;
  isByBot: boolean;
  /** When it was last edited, by GitHub's clock, in milliseconds since 1970. */
  updatedAt: number;
}

/** Maximum number of pages of a list whose last page is not known. An issue has at most 2,500 comments. */
const MAX_PAGES = 100;

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
  user: z.nullish(z.object({ login: textOrNull, type: textOrEmpty })),
});
const commentsAnswer = z.array(commentAnswer);

const VIEWER = "query { viewer { login } }";
const viewerAnswer = z.object({ viewer: z.object({ login: z.string() }) });

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
  return {
    id,
    body,
    url: html_url,
    issue: Number(issue),
    author: user?.login ?? null,
    isByBot: user?.type === "Bot",
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
   * asked for. Where GitHub does not name the last page, all pages are read.
   */
  async *newest(): AsyncGenerator<Comment> {
    const first = await this.#page({ per_page: PAGE, page: 1 });
    const last = lastPage(first.link);
    if (last !== null) {
      for (let page = last; page > 1; page--) {
        yield* (await this.#page({ per_page: PAGE, page })).comments.reverse();
      }
      yield* first.comments.reverse();
      return;
    }
    const pages = [first];
    for (let newest = first; pages.length < MAX_PAGES; ) {
      const next = nextPage(newest.link, newest.comments.length, pages.length);
      if (next === null) break;
      newest = await this.#page(next);
      pages.push(newest);
    }
    for (const { comments } of pages.reverse()) yield* comments.reverse();
  }

  /** The comments of a page, oldest first. */
  async #page(query: PageQuery): Promise<{ comments: Comment[]; link: unknown }> {
    const { data, headers } = await this.#request("GET", `${this.#place.issue}/comments`, query);
    return { comments: readComments(data), link: headers.link };
  }

  /** Those that end in a valid marker, one by one, newest first. */
  async *marked<M extends object>(markers: Markers<M>): AsyncGenerator<MarkedComment<M>> {
    const reader = new MarkerReader(markers, this.#connect);
    for await (const comment of this.newest()) {
      const marker = await reader.read(comment, this.#place);
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
   * Updates the comment that begins with a mark, or creates it. The action reads nothing from it, so it has no
   * signature.
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
    for await (const comment of this.#own(begin, comments)) {
      // Two runs at the same time may have created two comments.
      if (comment.body.trimEnd() !== body.trimEnd()) await this.edit(comment.id, body);
      ({ url } = comment);
    }
    return url !== null || !mayCreate ? url : (await this.create(body)).url;
  }

  /** The action's newest comment that begins with a text; null if there is none. */
  async findOwn(begin: string): Promise<Comment | null> {
    for await (const comment of this.#own(begin, this.newest())) return comment;
    return null;
  }

  /** The action's comments that begin with a text, newest first. */
  own(begin: string): Promise<Comment[]> {
    return Array.fromAsync(this.#own(begin, this.newest()));
  }

  /** Comments that begin with a text. Anyone can write it, so those of outsiders are ignored. */
  async *#own(
    begin: string,
    comments: Iterable<Comment> | AsyncIterable<Comment>,
  ): AsyncGenerator<Comment> {
    const isOfProject = this.#people();
    for await (const comment of comments) {
      if (!comment.body.startsWith(begin)) continue;
      const { author, isByBot } = comment;
      if (isByBot || (author !== null && (await isOfProject(author)))) yield comment;
    }
  }

  /**
   * Whether a person's comment may be the action's, each asked for once: the person owns the token of this run, or may
   * write to the repository. GitHub shows members whose membership is private as outsiders, so what it says of an author
   * in the list does not count. What cannot be read for now throws: another comment would be created.
   */
  #people(): (login: string) => Promise<boolean> {
    const known = new Map<string, boolean>();
    const viewer = once(() => unlessLasting(() => this.#viewer()));
    return async (login) => {
      const before = known.get(login);
      if (before !== undefined) return before;
      const isKnown =
        login === (await viewer()) || (await unlessLasting(() => this.#mayWrite(login)));
      known.set(login, isKnown === true);
      return isKnown === true;
    };
  }

  /** Whose the token is. */
  async #viewer(): Promise<string> {
    const answer = await (await this.#connect()).graphql(VIEWER);
    return readAnswer(viewerAnswer, answer).viewer.login;
  }

  async #mayWrite(login: string): Promise<boolean> {
    const { repository } = this.#place;
    return reaches(await readPermission(this.#connect, repository, login), "write");
  }

  async #request(method: string, path: string, parameters: object = {}) {
    const route = `${method} /repos/{owner}/{repo}/issues/${path}`;
    return await (await this.#connect()).request(route, { ...owned(this.#place), ...parameters });
  }
}

/** An answer; null if GitHub refuses it. @throws the client's errors if there may be one later */
async function unlessLasting<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (explainRefusal(error, ["metadata: read"]).isPassing) throw error;
    return null;
  }
}

interface KeepOptions {
  /** The existing comments, newest first, if they were read already. */
  comments?: Iterable<Comment> | AsyncIterable<Comment>;
  /** Whether to create a comment if there is none. */
  mayCreate?: boolean;
}

/** The reactions' names in the REST API and in GraphQL. */
const REACTIONS = { eyes: "EYES", rocket: "ROCKET", confused: "CONFUSED", "-1": "THUMBS_DOWN" };

export type Reaction = keyof typeof REACTIONS;

const REACT = `mutation ($id: ID!, $content: ReactionContent!) {
  addReaction(input: { subjectId: $id, content: $content }) { clientMutationId }
}`;

/** Adds a reaction. For a review, only GraphQL can do this. An existing one stays. @returns a refusal */
export async function addReaction(
  connect: Connect,
  repository: string,
  target: ReactionTarget,
  content: Reaction,
): Promise<Refusal | null> {
  const add = async () => {
    const github = await connect();
    const fields = { ...owned({ repository }), content };
    return "path" in target
      ? await github.request(`POST /repos/{owner}/{repo}/${target.path}/reactions`, fields)
      : await github.graphql(REACT, { id: target.node, content: REACTIONS[content] });
  };
  return await refusalOf(add, COMMENT_PERMISSION);
}
