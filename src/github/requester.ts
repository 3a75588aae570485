import type { Account, Post } from "./run-context.ts";
import type { GitHubSettings } from "./settings.ts";

/** Accounts that may ask by phrase whatever their permission, in lower case. */
export type Named = Pick<GitHubSettings, "allowedUsers" | "allowedBots">;

/** Whether an account may ask by phrase, as far as the event and the inputs can tell. */
export type Requester =
  | { type: "refused"; why: string }
  /** The workflow names it. */
  | { type: "named"; login: string }
  /** Its permission on the repository decides. */
  | { type: "person"; login: string };

/**
 * Checks who asks. A bot has no permission on a repository, so only the workflow can allow it. So it is
 * with an app that writes in a person's name; there, the person's permission is needed as well.
 *
 * @param sender whoever caused the event
 */
export function checkRequester(post: Post, sender: Account | undefined, named: Named): Requester {
  const isNamedBot = (login = "") => named.allowedBots.includes(login.toLowerCase());
  const bots = [post.user, sender].filter((account) => account?.type === "Bot");
  const bot = bots.find((account) => !isNamedBot(account?.login));
  if (bot)
    return {
      type: "refused",
      why: `${isLogin(bot.login ?? "") ? bot.login : "the account"} is a bot ${NOT_NAMED}`,
    };

  const login = post.user?.login ?? "";
  if (!isLogin(login)) return { type: "refused", why: "the event does not name the author" };
  const app = post.performed_via_github_app;
  if (app && !isNamedBot(`${app.slug ?? ""}[bot]`) && !isNamedBot(login)) {
    const name = app.slug || "an app";
    return { type: "refused", why: `${login} used ${name}, an app ${NOT_NAMED}` };
  }
  const isNamed = post.user?.type === "Bot" || named.allowedUsers.includes(login.toLowerCase());
  return { type: isNamed ? "named" : "person", login };
}

/** Whether an account can have this name; of others, nothing is repeated or asked for. */
export function isLogin(name: string): boolean {
  return /^[\w-]{1,100}(?:\[bot\])?$/.test(name);
}

const NOT_NAMED = "that is not listed in allowed-bots";
