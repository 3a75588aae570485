/** https://docs.github.com/rest/repos: a repository, its collaborators, branches and tags; and accounts. */

import { type Call, found, moved, noContent, type Routes } from "../call.ts";
import { ROLES, type Role } from "../people.ts";
import { repositoryRecord, userRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import { commitRecord } from "./commits.ts";

export const repositoryRoutes: Routes = {
  "GET ": (call) => fullRecord(call),

  "PATCH ": (call) => {
    const { repository } = call;
    const { name, ...given } = call.given as { name?: string; default_branch?: string };
    if (name !== undefined) repository.rename(`${repository.owner}/${name}`);
    repository.defaultBranch = given.default_branch ?? repository.defaultBranch;
    repository.hasIssues = call.flag("has_issues") ?? repository.hasIssues;
    repository.isArchived = call.flag("archived") ?? repository.isArchived;
    const visibility = call.text("visibility");
    if (visibility === "public" || visibility === "private") repository.visibility = visibility;
    return fullRecord(call);
  },

  "GET /collaborators/{username}/permission": (call) => {
    const { login } = found(call.site.findAccount(call.param("username")));
    const role_name = call.repository.roleOf(login);
    const user = { ...userRecord(call.site, login), permissions: rights(role_name), role_name };
    return { permission: COARSE[role_name], role_name, user };
  },

  "PUT /collaborators/{username}": (call) => {
    const permission = call.text("permission") ?? "push";
    const role = { pull: "read", push: "write" }[permission] ?? permission;
    call.repository.roles.set(call.param("username"), role as Role);
    return noContent();
  },

  "GET /branches": (call) =>
    call.page(refsBelow(call.repository, "refs/heads/"), ([name, sha]) => {
      const commit = { sha, url: `${call.repository.api}/commits/${sha}` };
      return { name, commit, protected: false };
    }),

  "GET /branches/{branch}": (call) => {
    const { repository } = call;
    const name = call.param("branch");
    const url = `${repository.api}/branches/`;
    const renamed = repository.renamedBranches.get(name);
    const commit = repository.find(repository.tip(name));
    if (commit === undefined && renamed !== undefined) throw moved(`${url}${renamed}`, 301);
    const checks = { enforcement_level: "off", contexts: [], checks: [] };
    return {
      ...{ name, commit: commitRecord(repository, found(commit)), protected: false },
      _links: { self: `${url}${name}`, html: `${repository.page}/tree/${name}` },
      protection: { enabled: false, required_status_checks: checks },
      protection_url: `${url}${name}/protection`,
    };
  },

  "GET /tags": (call) => {
    const { api, page, objects } = call.repository;
    return call.page(refsBelow(call.repository, "refs/tags/").reverse(), ([name, object]) => {
      const sha = objects.peel(object)?.sha ?? object;
      return {
        ...{ name, commit: { sha, url: `${api}/commits/${sha}` }, node_id: `REF_${name}` },
        zipball_url: `${page}/zipball/refs/tags/${name}`,
        tarball_url: `${page}/tarball/refs/tags/${name}`,
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

/** The role that each right begins with. */
const RIGHTS: Record<string, Role> = {
  ...{ pull: "read", triage: "triage", push: "write", maintain: "maintain", admin: "admin" },
};

function rights(role: Role): Record<string, boolean> {
  const level = (one: Role) => ROLES.indexOf(one);
  const entries = Object.entries(RIGHTS);
  return Object.fromEntries(entries.map(([right, least]) => [right, level(role) >= level(least)]));
}

function fullRecord({ repository, context }: Call) {
  return {
    ...repositoryRecord(repository),
    ...{ permissions: rights(repository.roleOf(context.login)) },
    ...{ subscribers_count: 0, network_count: 0 },
    organization: userRecord(repository.site, repository.owner),
  };
}

function publicRecord({ site }: Call, login: string) {
  return {
    ...userRecord(site, login),
    ...{ name: login, company: null, blog: "", location: null, email: null, hireable: null },
    ...{ bio: null, public_repos: 0, public_gists: 0, followers: 0, following: 0 },
    ...{ created_at: iso(0), updated_at: iso(0) },
  };
}

/** Names without the prefix, and what they hold, by name. */
export function refsBelow({ refs }: Repository, prefix: string): [name: string, sha: string][] {
  return [...refs]
    .filter(([ref]) => ref.startsWith(prefix))
    .map(([ref, sha]): [string, string] => [ref.slice(prefix.length), sha])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
