import { once } from "../../runtime/dependencies.ts";
import type { Fact } from "../../runtime/fact.ts";
import type { CommentAnswer } from "../api/answers/issues.ts";
import type { Connect } from "../api/connect.ts";
import { madeBy, type Refusal, refusalOf, type TokenPermissions, valueIn } from "../api/refusal.ts";
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

export interface MarkedComment<M> {
  comment: Pick<Comment, "id" | "body" | "url">;
  marker: M;
}

/** The comment in an answer. */
export function commentOf({ id, body, html_url, user, ...data }: CommentAnswer): Comment {
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

  /** Newest first. No more pages are read than are asked for. @throws what `explainRefusal` explains */
  async *newest(): AsyncGenerator<Comment> {
    const { repository, issue: number } = this.#place;
    const github = await this.#connect();
    for await (const page of github.issues.comments.back({ repository, number })) {
      yield* (valueIn(page) ?? []).map(commentOf);
    }
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
    const { repository, issue: number } = this.#place;
    const github = await this.#connect();
    return commentOf(madeBy(await github.issues.comment({ repository, number, body })));
  }

  async edit(id: number, body: string): Promise<Comment> {
    const { repository } = this.#place;
    const github = await this.#connect();
    return commentOf(madeBy(await github.comments.edit({ repository, id, body })));
  }

  /** The current text of a comment; null if it no longer exists. */
  async read(id: number): Promise<string | null> {
    const { repository } = this.#place;
    const github = await this.#connect();
    return valueIn(await github.comments.get({ repository, id }))?.body ?? null;
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
    const viewer = once(() => this.#viewer());
    return async (login) => {
      const before = known.get(login);
      if (before !== undefined) return before;
      const isKnown = login === (await viewer()) || (await this.#mayWrite(login));
      known.set(login, isKnown);
      return isKnown;
    };
  }

  /** Whose the token is; null if GitHub refuses to say so. */
  async #viewer(): Promise<string | null> {
    const github = await this.#connect();
    return unlessPassing(await github.repositories.viewer({}))?.viewer.login ?? null;
  }

  async #mayWrite(login: string): Promise<boolean> {
    const { repository } = this.#place;
    const permission = unlessPassing(await readPermission(this.#connect, repository, login));
    return reaches(permission, "write");
  }
}

/** An answer; null if GitHub refuses it. @throws what `explainRefusal` explains if there may be one later */
function unlessPassing<T>(fact: Fact<T>): T | null {
  return fact.type === "unread" && !fact.isPassing ? null : valueIn(fact);
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

/** Adds a reaction. For a review, only GraphQL can do this. An existing one stays. @returns a refusal */
export async function addReaction(
  connect: Connect,
  repository: string,
  target: ReactionTarget,
  content: Reaction,
): Promise<Refusal | null> {
  const add = async () => {
    const { comments } = await connect();
    const sent =
      "path" in target
        ? await comments.react({ repository, place: target.path, content })
        : await comments.reactToReview({ id: target.node, content: REACTIONS[content] });
    madeBy(sent);
  };
  return await refusalOf(add, COMMENT_PERMISSION);
}
