import type * as z from "zod/mini";
import { once } from "../../runtime/dependencies.ts";
import { ActionError, cancelledRun } from "../../runtime/errors.ts";
import { ABSENT, type Fact, known, mapFact, type Read, type Unread } from "../../runtime/fact.ts";
import type * as issueAnswers from "../api/answers/issues.ts";
import type { Connect } from "../api/connect.ts";
import { kindOfUnread, type Sent } from "../api/explain.ts";
import { mapSent, unsentAfter } from "../api/sent.ts";
import type { ReactionTarget } from "../trigger/run-context.ts";
import { MarkerReader } from "./marker-reader.ts";
import type { CommentDraft, Markers, Place } from "./markers.ts";

/** What a run remembers of its comment. */
export interface CommentRef {
  id: number;
  url: string;
}

export interface Comment extends CommentRef {
  body: string;
  issue: number;
  /** Login; null if the account was deleted. */
  author: string | null;
  isByBot: boolean;
  /**
   * Whether GitHub shows the author as a member or collaborator. Who keeps a membership private is not shown as one.
   */
  isInsider: boolean;
  /** Whether the token's own account wrote it; null if the answer does not say so. */
  isOwn: boolean | null;
  /** When it was last edited, by GitHub's clock, in milliseconds since 1970. */
  updatedAt: number;
  /** Whether it was edited since it was written; GitHub's times have whole seconds. */
  isEdited: boolean;
}

export interface MarkedComment<M> {
  comment: CommentRef & Pick<Comment, "updatedAt">;
  marker: M;
}

/** Whether GitHub shows an author as a member or collaborator. */
export function isInsider(association: string): boolean {
  return ["OWNER", "MEMBER", "COLLABORATOR"].includes(association);
}

/** The comment in an answer. */
export function commentOf({
  id,
  body,
  html_url,
  user,
  ...data
}: z.infer<typeof issueAnswers.comment>): Comment {
  const [, issue = 0] = /\/issues\/(\d+)$/.exec(data.issue_url) ?? [];
  return {
    id,
    body,
    url: html_url,
    issue: Number(issue),
    author: user?.login ?? null,
    isByBot: user?.type === "Bot",
    isInsider: isInsider(data.author_association),
    isOwn: null,
    updatedAt: Date.parse(data.updated_at) || 0,
    isEdited: data.updated_at !== data.created_at,
  };
}

/**
 * The error of a step that asks for nothing, because it cannot know what was asked before.
 *
 * @param whose what the comments are of
 * @param consequence a sentence
 * @param stop aborted if the run was cancelled, which is then why they could not be read
 */
export function unreadBefore(
  unread: Unread,
  whose: string,
  consequence: string,
  stop: AbortSignal,
): ActionError {
  if (stop.aborted) return cancelledRun(consequence);
  const kind = kindOfUnread(unread);
  const when = kind === "github-refused" ? "when this is corrected" : "when GitHub is available";
  const problem = `The comments of the ${whose} could not be read: ${unread.reason}.`;
  return new ActionError(kind, problem, `${consequence} Run again ${when}.`);
}

const UNKNOWN_VIEWER: Unread = {
  type: "unread",
  cause: "unusable",
  reason: "GitHub does not say whose the token is",
  isPassing: false,
  status: null,
};

const TWO_DRAFTS: Unread = {
  type: "unread",
  cause: "unusable",
  reason: "two comments of the token's account are the unfinished one of the same step",
  isPassing: false,
  status: null,
};

/** Entries one by one. After one that cannot be read, there is none. */
export type Entries<T> = AsyncGenerator<Read<T>>;

/** The comments of one issue or pull request. */
export class IssueComments {
  readonly #connect: Connect;
  readonly #place: Place;

  constructor(connect: Connect, place: Place) {
    this.#connect = connect;
    this.#place = place;
  }

  /** Newest first. No more pages are read than are asked for. */
  async *newest(): Entries<Comment> {
    const { repository, issue: number } = this.#place;
    const github = await this.#connect();
    for await (const page of github.issues.comments.back({ repository, number })) {
      if (page.type === "unread") return yield page;
      if (page.type === "known") yield* page.value.map((answer) => known(commentOf(answer)));
    }
  }

  /** Those that end in a valid marker, newest first. */
  async *marked<M extends object>(markers: Markers<M>): Entries<MarkedComment<M>> {
    const reader = new MarkerReader(markers, this.#connect);
    for await (const comment of this.newest()) {
      if (comment.type === "unread") return yield comment;
      const marker = await reader.read(comment.value, this.#place);
      if (marker.type === "unread") return yield marker;
      if (marker.type === "absent") continue;
      yield known({ comment: comment.value, marker: marker.value });
    }
  }

  /**
   * The one comment that a run wrote and could not give its own name, because its runner or GitHub's answer was lost.
   * Anyone can copy what it says, so those of other accounts are passed over, and so are those that were edited: a run
   * edits a comment only to name it.
   *
   * @param read the existing comments, newest first, if they were read already
   */
  async draft<M extends object>(
    markers: Markers<M>,
    isWanted: (draft: CommentDraft<M>) => boolean,
    read: readonly Comment[] | null = null,
  ): Promise<Fact<MarkedComment<M>>> {
    const found: MarkedComment<M>[] = [];
    for await (const comment of read?.map(known) ?? this.newest()) {
      if (comment.type === "unread") return comment;
      if (comment.value.isEdited) continue;
      const draft = markers.readDraft(comment.value.body, this.#place);
      if (draft === null || !isWanted(draft)) continue;
      const isOwn = await this.#isOwn(comment.value);
      if (isOwn.type === "unread") return isOwn;
      if (isOwn.value) found.push({ comment: comment.value, marker: draft.marker });
    }
    const [first, second] = found;
    if (first === undefined) return ABSENT;
    return second === undefined ? known(first) : TWO_DRAFTS;
  }

  async create(body: string): Promise<Sent<Comment>> {
    const { repository, issue: number } = this.#place;
    const github = await this.#connect();
    return mapSent(await github.issues.comment({ repository, number, body }), commentOf);
  }

  async edit(id: number, body: string): Promise<Sent<Comment>> {
    const { repository } = this.#place;
    const github = await this.#connect();
    return mapSent(await github.comments.edit({ repository, id, body }), commentOf);
  }

  /** The current text of a comment. */
  async read(id: number): Promise<Fact<string>> {
    const { repository } = this.#place;
    const github = await this.#connect();
    return mapFact(await github.comments.get({ repository, id }), ({ body }) => body);
  }

  /**
   * Updates the comment that begins with a mark, or creates it. The action reads nothing from it, so it has no
   * signature. Of several, which runs at the same time created, the oldest has the text, and the others lead to it.
   *
   * @param mark a word that no other comment begins with
   * @param read the existing comments, newest first, if they were read already
   * @param mayCreate whether to create a comment if there is none
   * @returns its URL; null for none
   */
  async keep(
    mark: string,
    text: string,
    read: readonly Comment[] | null = null,
    mayCreate = true,
  ): Promise<Sent<string | null>> {
    const begin = `<!-- ${mark} -->`;
    const found = await this.own(begin, read);
    if (found.type === "unread") return unsentAfter(found);
    const oldest = found.value.at(-1);
    if (oldest === undefined) {
      if (!mayCreate) return { type: "accepted", value: null };
      return mapSent(await this.create(`${begin}\n${text}`), (created) => created.url);
    }
    for (const comment of found.value) {
      const shown = comment === oldest ? text : `Continued in [another comment](${oldest.url}).`;
      const body = `${begin}\n${shown}`;
      if (comment.body.trimEnd() === body.trimEnd()) continue;
      const sent = await this.edit(comment.id, body);
      if (sent.type !== "accepted") return sent;
    }
    return { type: "accepted", value: oldest.url };
  }

  /** The action's newest comment that begins with a text. */
  async findOwn(begin: string): Promise<Fact<Comment>> {
    for await (const comment of this.#own(begin, null)) return comment;
    return ABSENT;
  }

  /**
   * The comments of the token's own account that begin with a text, newest first.
   *
   * @param read the existing comments, newest first, if they were read already
   */
  async own(begin: string, read: readonly Comment[] | null = null): Promise<Read<Comment[]>> {
    const own: Comment[] = [];
    for await (const comment of this.#own(begin, read)) {
      if (comment.type === "unread") return comment;
      own.push(comment.value);
    }
    return known(own);
  }

  /** Comments that begin with a text. Anyone can write it, so those of other accounts are passed over. */
  async *#own(begin: string, read: readonly Comment[] | null): Entries<Comment> {
    for await (const comment of read?.map(known) ?? this.newest()) {
      if (comment.type === "unread") return yield comment;
      if (!comment.value.body.startsWith(begin)) continue;
      const isOwn = await this.#isOwn(comment.value);
      if (isOwn.type === "unread") return yield isOwn;
      if (isOwn.value) yield comment;
    }
  }

  /** Whether the token's own account wrote a comment. */
  async #isOwn({ author, isOwn }: Comment): Promise<Read<boolean>> {
    if (isOwn !== null || author === null) return known(isOwn === true);
    const viewer = await this.#viewer();
    return viewer.type === "known" ? known(viewer.value === author) : viewer;
  }

  /** Whose the token is. */
  readonly #viewer = once(async (): Promise<Read<string>> => {
    const github = await this.#connect();
    const viewer = mapFact(await github.repositories.viewer({}), (answer) => answer.viewer.login);
    return viewer.type === "absent" ? UNKNOWN_VIEWER : viewer;
  });
}

/** The reactions' names in the REST API and in GraphQL. */
const REACTIONS = { eyes: "EYES", rocket: "ROCKET", confused: "CONFUSED", "-1": "THUMBS_DOWN" };

export type Reaction = keyof typeof REACTIONS;

/** Adds a reaction. For a review, only GraphQL can do this. An existing one stays. */
export async function addReaction(
  connect: Connect,
  repository: string,
  target: ReactionTarget,
  content: Reaction,
): Promise<Sent<unknown>> {
  const { comments } = await connect();
  return "path" in target
    ? await comments.react({ repository, place: target.path, content })
    : await comments.reactToReview({ id: target.node, content: REACTIONS[content] });
}
