/** A person's permission as GitHub answers it: `permission` is coarse, `role_name` exact. */

import type { App } from "../http/app.ts";
import type { GitHubProxy } from "./proxy.ts";

const COARSE: Record<string, string> = {
  admin: "admin",
  maintain: "write",
  write: "write",
  triage: "read",
  read: "read",
};

export function permission(app: App, proxy: GitHubProxy): void {
  app.get("/repos/:owner/:repo/collaborators/:username/permission", async (call) => {
    const answer = await proxy.forward(call);
    if (answer.ok) {
      const known = (await answer.json()) as { role_name: string };
      return call.json({ ...known, permission: COARSE[known.role_name] ?? "none" });
    }
    // Who is no collaborator may still read a public repository; who does not exist is not found.
    const path = `/users/${encodeURIComponent(call.req.param("username"))}`;
    const user = await proxy.forward(call, { method: "GET", path, body: null });
    if (answer.status !== 404 || !user.ok) return answer;
    return call.json({ permission: "read", role_name: "read", user: await user.json() });
  });
}
