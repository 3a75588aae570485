/** What a token may do, as `permissions:` in a workflow would have it. */

import type { App, Call } from "../../http/app.ts";
import type { GitHubProxy } from "../proxy.ts";

export type Scope = "contents" | "issues" | "pull_requests";
export type Access = "none" | "read" | "write";

/** What is not named is not restricted. */
export type Permissions = Partial<Record<Scope, Access>>;

/** The permissions that a request needs one of, by its path below the repository; the first match counts. */
const NEEDED: [path: RegExp, ...scopes: Scope[]][] = [
  [/^\/pulls\/\d+\/merge$/, "contents"],
  [/^\/(pulls|commits\/[^/]+\/pulls)(\/|$)/, "pull_requests"],
  // Reactions too are governed by what they belong to, an issue or a pull request, not by the path.
  [/^\/issues\/\d+\/(comments|reactions)$/, "issues", "pull_requests"],
  [/^\/issues\/comments(\/\d+(\/reactions)?)?$/, "issues", "pull_requests"],
  [/^\/(issues|labels)(\/|$)/, "issues"],
  [/^\/(branches|commits|compare|contents|git)(\/|$)/, "contents"],
];

/** Refuses what a restricted account has no permission for. */
export function permissions(
  app: App,
  proxy: GitHubProxy,
  restricted: ReadonlyMap<string, Permissions>,
): void {
  app.use(async (call, next) => {
    const held = restricted.get(proxy.loginOf(call) ?? "");
    if (call.req.path.startsWith("/repos/") && held !== undefined && !isPermitted(held, call)) {
      const message = "Resource not accessible by integration";
      return call.json({ message, documentation_url: "https://docs.github.com/rest" }, 403);
    }
    return next();
  });
}

function isPermitted(held: Permissions, call: Call): boolean {
  const path = call.req.path.split("/").slice(4).join("/");
  const [, ...scopes] = NEEDED.find(([pattern]) => pattern.test(`/${path}`)) ?? [];
  const isRead = call.req.method === "GET" || call.req.method === "HEAD";
  const enough: (Access | undefined)[] = isRead
    ? [undefined, "read", "write"]
    : [undefined, "write"];
  return scopes.length === 0 || scopes.some((scope) => enough.includes(held[scope]));
}
