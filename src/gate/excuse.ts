/** People's word that a pull request needs no documentation: a visible line `docs: none, REASON`. */

import { isLogin } from "../github/trigger/permission.ts";
import { findRequest } from "../github/trigger/phrase.ts";
import { type Fact, known } from "../runtime/fact.ts";

/** How the line begins. */
const PHRASE = "docs: none,";
const LINE = /^[ \t]*docs: none,[ \t]+\S/im;
/** Maximum number of authors whose permission is read. */
const MOST_AUTHORS = 10;

export interface Excuse {
  /** Who says so, and why; null if nobody may, or does. */
  by: { login: string; words: string } | null;
  /** Why other lines do not count: the ends of sentences, without words from outside but logins. */
  denials: string[];
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
 * @param denialOf why an account has no write permission; absent if it has
 */
export async function findExcuse(
  posts: Iterable<{
    /** Login; null if the account was deleted. */
    author: string | null;
    isByBot: boolean;
    body: string;
  }>,
  denialOf: (login: string) => Promise<Fact<string>>,
): Promise<Fact<Excuse>> {
  const denied = new Map<string, string>();
  for (const { author, isByBot, body } of posts) {
    if (author === null || isByBot || !isLogin(author) || denied.has(author)) continue;
    const words = await reasonIn(body);
    if (words === null) continue;
    if (denied.size === MOST_AUTHORS) break;
    const denial = await denialOf(author);
    switch (denial.type) {
      case "absent":
        return known({ by: { login: author, words }, denials: [] });
      case "known":
        denied.set(author, denial.value);
        break;
      case "unread":
        // One that is refused stays unknown, and does not count.
        if (!denial.isPassing) denied.set(author, denial.reason);
        else
          return {
            ...denial,
            reason: `whether \`${author}\` may excuse it is not known: ${denial.reason}`,
          };
    }
  }
  return known({ by: null, denials: [...denied.values()] });
}
