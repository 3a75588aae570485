import type { Account, Post } from "./run-context.ts";
import type { GitHubSettings } from "./settings.ts";

/** Accounts that can make requests regardless of their permission, in lower case. */
export type Named = Pick<GitHubSettings, "allowedUsers" | "allowedBots">;

/** Why somebody may not make a request: the rest of a sentence; and how they can be allowed. */
export interface Denial {
  why: string;
  advice: string;
}

/** Whether an account may make a request, according to the event and the inputs. */
type Requester =
  | ({ type: "refused" } & Denial)
  /** The inputs list the account. */
  | { type: "named"; login: string }
  /** Its permission on the repository decides. */
  | { type: "person"; login: string };

/**
 * Checks the account that makes a request. Bots have no permission on a repository, so `allowed-bots` must list them.
 * It must also list an app that posts on behalf of a person, who needs the permission as well.
 *
 * @param sender whoever caused the event
 */
export function checkRequester(post: Post, sender: Account | undefined, named: Named): Requester {
  const isNamedBot = (login = "") => named.allowedBots.includes(login.toLowerCase());
  const bots = [post.user, sender].filter((account) => account?.type === "Bot");
  const bot = bots.find((account) => !isNamedBot(account?.login));
  if (bot) return notNamed(bot.login ?? "", (name) => `${name ?? "the account"} is a bot`);

  const login = post.user?.login ?? "";
  if (!isLogin(login)) {
    const advice = "Make the request again from an account that GitHub names.";
    return { type: "refused", why: "the event does not name the author", advice };
  }
  const app = post.performed_via_github_app;
  if (app && !isNamedBot(`${app.slug ?? ""}[bot]`) && !isNamedBot(login)) {
    const posted = (name: string | null) => `\`${login}\` posted through ${name ?? "an app"}`;
    return notNamed(`${app.slug ?? ""}[bot]`, posted);
  }
  const isNamed = post.user?.type === "Bot" || named.allowedUsers.includes(login.toLowerCase());
  return { type: isNamed ? "named" : "person", login };
}

/** @param what what the account did, given its name as messages show it; null: it has none */
function notNamed(login: string, what: (name: string | null) => string): Requester {
  const name = isLogin(login) ? `\`${login}\`` : null;
  return {
    type: "refused",
    why: `${what(name)}, and \`allowed-bots\` does not list it`,
    advice: `Make the request as a person${name === null ? "" : `, or add ${name} to \`allowed-bots\``}.`,
  };
}

/** Whether an account can have this name. Other names are never shown or sent. */
export function isLogin(name: string): boolean {
  return /^[\w-]{1,100}(?:\[bot\])?$/.test(name);
}
