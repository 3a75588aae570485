/** https://docs.github.com/rest/repos: a repository, its collaborators, branches and tags; and accounts. */

import { type Call, found, isRole, moved, noContent, type Routes } from "../call.ts";
import { ROLES, type Role } from "../people.ts";
import { apiPath, nodeId, repositoryRecord, userRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import { commitRecord } from "./commits.ts";

export const repositoryRoutes: Routes = {
  "GET /repos/{owner}/{repo}": (call) => fullRecord(call),

  "PATCH /repos/{owner}/{repo}": (call) => {
    const { repository } = call;
    const given = call.given<Record<string, string> & { has_issues: boolean; archived: boolean }>();
    const { name, default_branch, visibility, has_issues, archived } = given;
    if (name !== undefined) repository.rename(`${repository.owner}/${name}`);
    if (default_branch !== undefined) repository.defaultBranch = default_branch;
    if (visibility === "public" || visibility === "private") repository.visibility = visibility;
    if (has_issues !== undefined) repository.hasIssues = has_issues;
    if (archived !== undefined) repository.isArchived = archived;
    return fullRecord(call);
  },

  "GET /repos/{owner}/{repo}/collaborators/{username}/permission": (call) => {
    const { login } = found(call.site.findAccount(call.param("username")));
    const role_name = call.repository.roleOf(login);
    const user = { ...userRecord(call.site, login), permissions: rights(role_name), role_name };
    return { permission: COARSE[role_name], role_name, user };
  },

  "PUT /repos/{owner}/{repo}/collaborators/{username}": (call) => {
    const { permission = "push" } = call.given<{ permission: string }>();
    const role = { pull: "read", push: "write" }[permission] ?? permission;
    if (isRole(role)) call.repository.roles.set(call.param("username"), role);
    return noContent();
  },

  "GET /repos/{owner}/{repo}/branches": (call) =>
    call.page(refsBelow(call.repository, "refs/heads/"), ([name, sha]) => ({
      ...{ name, commit: { sha, url: `${apiPath(call.repository)}/commits/${sha}` } },
      protected: false,
    })),

  "GET /repos/{owner}/{repo}/branches/{branch}": (call) => {
    const { repository } = call;
    const name = call.param("branch");
    const renamed = repository.renamedBranches.get(name);
    const url = `${apiPath(repository)}/branches/`;
    const sha = repository.tip(name);
    if (sha === "" && renamed !== undefined)
      throw moved(`${url}${encodeURIComponent(renamed)}`, 301);
    const commit = found(repository.find(sha));
    const checks = { enforcement_level: "off", contexts: [], checks: [] };
    return {
      ...{ name, commit: commitRecord(repository, commit), protected: false },
      _links: { self: `${url}${name}`, html: `${pageOf(repository)}/tree/${name}` },
      protection: { enabled: false, required_status_checks: checks },
      protection_url: `${url}${name}/protection`,
    };
  },

  "GET /repos/{owner}/{repo}/tags": (call) => {
    const { repository } = call;
    const tags = refsBelow(repository, "refs/tags/").toReversed();
    return call.page(tags, ([name, object]) => {
      const sha = repository.objects.peel(object)?.sha ?? object;
      return {
        ...{ name, commit: { sha, url: `${apiPath(repository)}/commits/${sha}` } },
        zipball_url: `${pageOf(repository)}/zipball/refs/tags/${name}`,
        tarball_url: `${pageOf(repository)}/tarball/refs/tags/${name}`,
        node_id: nodeId("REF", name),
      };
    });
  },
};

export const accountRoutes: Routes = {
  "GET /user": (call) => publicRecord(call, call.actor),
  "GET /users/{username}": (call) =>
    publicRecord(call, found(call.site.findAccount(call.param("username"))).login),
};

/** How GitHub's former permissions name the roles. */
const COARSE: Record<Role, string> = {
  ...{ none: "none", read: "read", triage: "read", write: "write" },
  ...{ maintain: "write", admin: "admin" },
};

const RIGHTS = {
  pull: "read",
  triage: "triage",
  push: "write",
  maintain: "maintain",
  admin: "admin",
};

function rights(role: Role): Record<string, boolean> {
  const level = (name: string) => ROLES.indexOf(name as Role);
  return Object.fromEntries(
    Object.entries(RIGHTS).map(([right, least]) => [right, level(role) >= level(least)]),
  );
}

function fullRecord({ repository, login }: Call) {
  const role = repository.roleOf(login);
  return {
    ...repositoryRecord(repository),
    ...{ permissions: rights(role), subscribers_count: 0, network_count: 0 },
    ...{ allow_squash_merge: true, allow_merge_commit: true, allow_rebase_merge: true },
    organization: userRecord(repository.site, repository.owner),
  };
}

function publicRecord({ site }: Call, login: string) {
  const at = iso(0);
  return {
    ...userRecord(site, login),
    ...{ name: login, company: null, blog: "", location: null, email: null, hireable: null },
    ...{ bio: null, public_repos: 0, public_gists: 0, followers: 0, following: 0 },
    ...{ created_at: at, updated_at: at },
  };
}

/** Names without the prefix, and what they hold, by name. */
export function refsBelow({ refs }: Repository, prefix: string): [name: string, sha: string][] {
  return [...refs]
    .filter(([ref]) => ref.startsWith(prefix))
    .map(([ref, sha]): [string, string] => [ref.slice(prefix.length), sha])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function pageOf({ site, fullName }: Repository): string {
  return `${site.webUrl}/${fullName}`;
}
