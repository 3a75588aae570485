/** The permission of a person, told in GitHub's words: `permission` is coarse, `role_name` exact. */

import type { App } from "../http.ts";
import type { GitHubFront } from "./index.ts";

const COARSE: Record<string, string> = {
  admin: "admin",
  maintain: "write",
  write: "write",
  triage: "read",
  read: "read",
};

export function permission(app: App, front: GitHubFront): void {
  app.get("/repos/:owner/:repo/collaborators/:username/permission", async (call) => {
    const answer = await front.forward(call);
    if (answer.ok) {
      const told = (await answer.json()) as { role_name: string };
      return call.json({ ...told, permission: COARSE[told.role_name] ?? "none" });
    }
    // Whoever is no collaborator may still read a public repository; nobody is not found.
    const path = `/users/${encodeURIComponent(call.req.param("username"))}`;
    const user = await front.forward(call, { method: "GET", path, body: null });
    if (answer.status !== 404 || !user.ok) return answer;
    return call.json({ permission: "read", role_name: "read", user: await user.json() });
  });
}
