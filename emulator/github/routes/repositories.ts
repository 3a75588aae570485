/** https://docs.github.com/rest/repos: a repository, its collaborators and branches. */

import { found, moved, type Routes } from "../call.ts";
import type { Role } from "../people.ts";
import { repositoryRecord, userRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { commitRecord } from "./commits.ts";

export const repositoryRoutes: Routes = {
  "GET ": ({ repository }) => ({
    ...repositoryRecord(repository),
    ...{ subscribers_count: 0, network_count: 0 },
  }),

  "GET /collaborators/{username}/permission": (call) => {
    const { login } = found(call.site.findAccount(call.param("username")));
    const role_name = call.repository.roleOf(login);
    const user = { ...userRecord(call.site, login), role_name };
    return { permission: COARSE[role_name], role_name, user };
  },

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
};

/** How GitHub's former permissions name the roles. */
const COARSE: Record<Role, string> = {
  ...{ none: "none", read: "read", triage: "read", write: "write" },
  ...{ maintain: "write", admin: "admin" },
};

/** Names without the prefix, and what they hold, by name. */
export function refsBelow({ refs }: Repository, prefix: string): [name: string, sha: string][] {
  return [...refs]
    .filter(([ref]) => ref.startsWith(prefix))
    .map(([ref, sha]): [string, string] => [ref.slice(prefix.length), sha])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
