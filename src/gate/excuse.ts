/** People's word that a pull request needs no documentation: a visible line `docs: none, REASON`. */

import type { Connect } from "../github/api/connect.ts";
import { checkPermission, isLogin } from "../github/trigger/permission.ts";
import { findRequest } from "../github/trigger/phrase.ts";
import { ActionError } from "../runtime/errors.ts";
import { JUDGE_AGAIN } from "./run.ts";

/** How the line begins. */
const PHRASE = "docs: none,";
const LINE = /^[ \t]*docs: none,[ \t]+\S/im;
/** Maximum number of authors whose permission is read. */
const MOST_AUTHORS = 10;

/** The description of a pull request, or a comment on it. */
export interface Post {
  /** Login; null if the account was deleted. */
  author: string | null;
  isByBot: boolean;
  body: string;
}

export interface Excuse {
  /** Who says so, and why; null if nobody may, or does. */
  reason: string | null;
  /** Why lines do not count: the ends of sentences, without words from outside but logins. */
  notes: string[];
}

/** The reason in a text; null if readers do not see the line, or if it gives none. */
async function reasonIn(body: string): Promise<string | null> {
  if (!LINE.test(body)) return null;
  const { request } = await findRequest(body, PHRASE);
  const [reason = ""] = request?.text.split("\n") ?? [];
  return reason.trim() === "" ? null : reason.trim();
}

/**
 * Finds the first excuse by somebody with write permission.
 *
 * @throws ActionError `github-unavailable` if a permission cannot be read now
 */
export async function findExcuse(
  posts: Iterable<Post>,
  repository: string,
  connect: Connect,
): Promise<Excuse> {
  const denied = new Map<string, string>();
  for (const { author, isByBot, body } of posts) {
    if (author === null || isByBot || !isLogin(author) || denied.has(author)) continue;
    const reason = await reasonIn(body);
    if (reason === null) continue;
    if (denied.size === MOST_AUTHORS) break;
    const denial = await checkPermission(connect, repository, author, "write");
    if (denial === null) return { reason: `${author}: ${reason}`, notes: [] };
    if (denial.isPassing === true) {
      const problem = `Whether \`${author}\` may excuse the pull request is not known: ${denial.reason}.`;
      throw new ActionError("github-unavailable", problem, JUDGE_AGAIN);
    }
    denied.set(author, denial.reason);
  }
  const notes = [...denied.values()].map(
    (reason) => `A line \`${PHRASE} …\` does not count: ${reason}.`,
  );
  return { reason: null, notes };
}
