/** People's word that a pull request needs no documentation: a visible line `docs: none, REASON`. */

import { isLogin } from "../github/trigger/permission.ts";
import { findRequest } from "../github/trigger/phrase.ts";
import { ABSENT, type Fact, known } from "../runtime/fact.ts";
import type { GatePost, GatePull } from "./gate-pull.ts";

/** How the line begins. */
const PHRASE = "docs: none,";
const LINE = /^[ \t]*docs: none,[ \t]+\S/im;
/** Maximum number of authors whose permission is read. Those whom GitHub shows as members come first. */
const MOST_AUTHORS = 100;
/** Why so many lines do not count is said. */
const MOST_DENIALS = 3;

/** The reason in a text; null if readers do not see the line, or if it gives none. */
async function reasonIn(body: string): Promise<string | null> {
  if (!LINE.test(body)) return null;
  const { request } = await findRequest(body, PHRASE);
  const [reason = ""] = request?.text.split("\n") ?? [];
  return reason.trim() === "" ? null : reason.trim();
}

/**
 * Finds an excuse by somebody with write permission. Lines of others are passed over, however many there are.
 *
 * @param posts the description and the comments
 */
export async function findExcuse(
  pull: Pick<GatePull, "isFork" | "headOwner" | "head">,
  posts: readonly GatePost[],
  reads: {
    /** Why an account has no write permission; absent if it has. */
    denialOf(login: string): Promise<Fact<string>>;
    /** When a head was there at the latest, in milliseconds since 1970; absent if that is not known. */
    firstSeen(head: string): Promise<Fact<number>>;
  },
): Promise<
  Fact<{
    /** Who says so, and why; null if nobody may, or does. */
    by: { login: string; words: string } | null;
    /** Why other lines do not count: the ends of sentences, without words from outside but logins. */
    denials: string[];
  }>
> {
  const denied = new Map<string, string>();
  const asked = new Set<string>();
  for (const post of membersFirst(posts)) {
    const { author, isByBot, body } = post;
    if (author === null || isByBot || !isLogin(author)) continue;
    const words = await reasonIn(body);
    if (words === null) continue;
    if (!asked.has(author) && asked.size === MOST_AUTHORS) break;
    asked.add(author);
    const denial = await denialOf(author, post, pull, reads);
    if (denial.type === "absent") {
      return known({ by: { login: author, words }, denials: [] });
    }
    if (denial.type === "known") denied.set(author, denial.value);
    // One that is refused stays unknown, and does not count.
    else if (!denial.isPassing) denied.set(author, denial.reason);
    else
      return {
        ...denial,
        reason: `whether \`${author}\` may excuse it is not known: ${denial.reason}`,
      };
  }
  return known({ by: null, denials: [...denied.values()].slice(0, MOST_DENIALS) });
}

function membersFirst(posts: readonly GatePost[]): GatePost[] {
  return posts.toSorted((post, other) => Number(other.isInsider) - Number(post.isInsider));
}

/** Why a line does not count; absent if it does. */
async function denialOf(
  author: string,
  { writtenAt }: GatePost,
  { isFork, headOwner, head }: Pick<GatePull, "isFork" | "headOwner" | "head">,
  reads: Parameters<typeof findExcuse>[2],
): Promise<Fact<string>> {
  const denial = await reads.denialOf(author);
  if (denial.type !== "absent") return denial;
  // Nobody without write permission pushes to these.
  if (!isFork || headOwner === author) return ABSENT;
  const seen = await reads.firstSeen(head);
  if (seen.type === "unread") return seen;
  if (seen.type === "known" && seen.value <= writtenAt) return ABSENT;
  return known(`the line of \`${author}\` is older than the newest commit of the fork`);
}
