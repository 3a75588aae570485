import type * as z from "zod/mini";
import { type Fact, mapFact, type Unread } from "../../runtime/fact.ts";
import type * as issueAnswers from "../api/answers/issues.ts";
import type { Connect } from "../api/connect.ts";
import { type Account, inRepository, type Post, type RunContext, textIn } from "./run-context.ts";

export const PERMISSIONS = ["read", "triage", "write", "maintain", "admin"] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Accounts that can make requests regardless of their permission, in lower case. */
export interface Named {
  allowedUsers: readonly string[];
  /** Logins of bots, such as `renovate[bot]`. */
  allowedBots: readonly string[];
}

/** Why somebody may not make a request: the rest of a sentence; and how they can be allowed. */
export interface Denial {
  reason: string;
  advice: string;
  /** What could not be read; null for an answer about the account. */
  unread: Unread | null;
}

/** Null if an account has at least the required permission. Fails closed: no answer means no permission. */
export async function checkPermission(
  connect: Connect,
  repository: string,
  login: string,
  required: Permission,
): Promise<Denial | null> {
  const fact = await readPermission(connect, repository, login);
  if (fact.type === "unread") return unreadDenial(`the permission of \`${login}\``, fact);
  const permission = fact.type === "known" ? fact.value : null;
  if (reaches(permission, required)) return null;
  const granted = permission === null ? "no" : `\`${permission}\``;
  const has = `\`${login}\` has ${granted} permission on \`${repository}\``;
  const allow = `To allow \`${login}\`, add them to \`allowed-users\`, or lower \`required-permission\`.`;
  return {
    reason: `${has}, and \`${required}\` is required`,
    advice: `Someone with this permission can make the request. ${allow}`,
    unread: null,
  };
}

/** The permission of an account; null for none. */
async function readPermission(
  connect: Connect,
  repository: string,
  login: string,
): Promise<Fact<Permission | null>> {
  const github = await connect();
  return mapFact(await github.repositories.permission({ repository, login }), permissionOf);
}

/**
 * Asks GitHub whether an app posted the issue or comment for a person, if the event does not say so. GitHub never says
 * so of reviews and their comments. Null if none did, or if it is named.
 */
export async function checkApp(
  connect: Connect,
  context: RunContext,
  post: Post,
  named: Named,
): Promise<Denial | null> {
  const { eventName, payload } = context;
  const isIssue = eventName === "issues";
  const isAsked = isIssue || eventName === "issue_comment";
  if (!isAsked || post.performed_via_github_app !== undefined) return null;
  const { repository } = inRepository(context);
  const github = await connect();
  const fact = await (isIssue
    ? github.issues.origin({ repository, number: payload.issue?.number })
    : github.comments.origin({ repository, id: post.id }));
  if (fact.type === "unread") return unreadDenial("whether an app wrote it", fact);
  const { performed_via_github_app = null } = fact.type === "known" ? fact.value : {};
  const requester = checkRequester({ ...post, performed_via_github_app }, payload.sender, named);
  return "reason" in requester ? requester : null;
}

function unreadDenial(subject: string, unread: Unread): Denial {
  const advice = "Correct this, and make the request again.";
  return { reason: `${subject} could not be read: ${unread.reason}`, advice, unread };
}

/**
 * The permission in GitHub's answer. `role_name` distinguishes triage and maintain, which
 * `permission` counts as read and write; a custom role is judged by its base, `permission`.
 */
export function permissionOf(answer: z.infer<typeof issueAnswers.permission>): Permission | null {
  const find = (name: unknown) => PERMISSIONS.find((permission) => permission === name);
  return find(answer.role_name) ?? find(answer.permission) ?? null;
}

/** Whether a permission is the required one or a higher one. */
export function reaches(permission: Permission | null, required: Permission): boolean {
  return permission !== null && PERMISSIONS.indexOf(permission) >= PERMISSIONS.indexOf(required);
}

/**
 * Checks the account that makes a request. Bots have no permission on a repository, so `allowed-bots` must list them.
 * It must also list an app that posts on behalf of a person, who needs the permission as well.
 *
 * @param sender the account that caused the event
 * @returns the account, and whether the inputs list it: if not, it needs the permission
 */
export function checkRequester(
  post: Post,
  sender: Account | undefined,
  named: Named,
): { login: string; isNamed: boolean } | Denial {
  const isNamedBot = (login: unknown) => named.allowedBots.includes(textIn(login).toLowerCase());
  const bot = [post.user, sender].find(
    (account) => account?.type === "Bot" && !isNamedBot(account.login),
  );
  if (bot) return notNamed(bot.login, (name) => `${name ?? "the account"} is a bot`);

  const login = post.user?.login;
  if (!isLogin(login)) {
    const advice = "Make the request again from an account that GitHub names.";
    return { reason: "the event does not name the author", advice, unread: null };
  }
  const app = post.performed_via_github_app;
  const appLogin = `${textIn(app?.slug)}[bot]`;
  if (app && !isNamedBot(appLogin) && !isNamedBot(login)) {
    const posted = (name: string | null) => `\`${login}\` posted through ${name ?? "an app"}`;
    return notNamed(appLogin, posted);
  }
  const isNamed = post.user?.type === "Bot" || named.allowedUsers.includes(login.toLowerCase());
  return { login, isNamed };
}

/** @param describe what the account did, by its name in messages; null if it has none */
function notNamed(login: string | undefined, describe: (name: string | null) => string): Denial {
  const name = isLogin(login) ? `\`${login}\`` : null;
  return {
    reason: `${describe(name)}, and \`allowed-bots\` does not list it`,
    advice: `Make the request as a person${name === null ? "" : `, or add ${name} to \`allowed-bots\``}.`,
    unread: null,
  };
}

/** Whether an account can have this name. Other names are never shown or sent. */
export function isLogin(name: string | null | undefined): name is string {
  return typeof name === "string" && /^[\w-]{1,100}(?:\[bot\])?$/.test(name);
}
