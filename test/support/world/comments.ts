/** Comments that people write. */

import { OWNER } from "../../../emulator/github/people.ts";
import type { Comment } from "../../../emulator/github/state.ts";
import type { World } from "./world.ts";

/** Adds a comment by an account: `octocat`, `writer`, `outsider`, … A body can depend on the comment's ID. */
export function addComment(
  { github: { home } }: World,
  number: number,
  body: string | ((id: number) => string),
  login: string = OWNER,
): Comment {
  if (typeof body === "string") return home.comment({ number }, body, login);
  const comment = home.comment({ number }, "…", login);
  home.setComment(comment, body(comment.id));
  return comment;
}

/** Replaces the text of a comment, as the repository's owner. */
export function editComment({ github: { home } }: World, id: number, body: string): void {
  const comment = home.comments.get(id);
  if (comment === undefined) throw new Error(`There is no comment ${id}`);
  home.setComment(comment, body, OWNER);
}
