/** Accounts, repositories and labels as answers show them. */

import { loginByEmail } from "./identities.ts";
import type { Repository } from "./repository.ts";
import { isBot, iso, type Site, WEB_FLOW } from "./site.ts";

/** Paths below a base by fields `NAME_url`. The path is the name, or what follows `=`. */
function pathsOf(names: string): [field: string, path: string][] {
  const parts = names.trim().matchAll(/(\w+)(=?)(\S*)/g);
  return [...parts].map(([, name = "", equals, rest = ""]) => [
    `${name}_url`,
    `/${equals === "=" ? "" : name}${rest}`,
  ]);
}

function urls(base: string, paths: readonly [string, string][]): Record<string, string> {
  return Object.fromEntries(paths.map(([field, path]) => [field, base + path]));
}

const USER_URLS = pathsOf(`
  followers following{/other_user} gists{/gist_id} starred{/owner}{/repo} subscriptions
  organizations=orgs repos events{/privacy} received_events`);

export function userRecord(site: Site, login: string) {
  const { id, type } = site.account(login);
  const url = `${site.apiUrl}/users/${encodeURIComponent(login)}`;
  const page = isBot(login) ? `apps/${login.replace("[bot]", "")}` : login;
  return {
    login,
    id,
    node_id: `U_${id}`,
    gravatar_id: "",
    url,
    ...urls(url, USER_URLS),
    avatar_url: `${site.webUrl}/avatars/${id}`,
    html_url: `${site.webUrl}/${page}`,
    type,
    user_view_type: "public",
    site_admin: false,
  };
}

export function userOrNull(site: Site, login: string | null | undefined) {
  const isKnown = typeof login === "string" && !site.switches.ghosts.has(login);
  return isKnown ? userRecord(site, login) : null;
}

/** The account that made a commit; null if GitHub knows none with its email address. */
export function committerRecord(site: Site, email: string) {
  const { identity } = site;
  const login = email === identity.email ? WEB_FLOW : loginByEmail(identity, email);
  return site.findAccount(login) === undefined ? null : userRecord(site, login);
}

/** The app that an account belongs to; null for a person. */
export function appRecord(site: Site, login: string) {
  if (!isBot(login)) return null;
  const slug = login.replace("[bot]", "");
  const id = site.idOf(`app ${slug}`);
  const html_url = `${site.webUrl}/apps/${slug}`;
  return {
    id,
    client_id: `Iv1.${id}`,
    slug,
    node_id: `A_${id}`,
    name: slug,
    description: "",
    owner: userRecord(site, "github"),
    external_url: html_url,
    html_url,
    created_at: iso(0),
    updated_at: iso(0),
    permissions: { metadata: "read" },
    events: [],
  };
}

const REPOSITORY_URLS = pathsOf(`
  archive={archive_format}{/ref} assignees{/user} blobs=git/blobs{/sha} branches{/branch}
  collaborators{/collaborator} comments{/number} commits{/sha} compare/{base}...{head}
  contents/{+path} contributors deployments downloads events forks git_commits=git/commits{/sha}
  git_refs=git/refs{/sha} git_tags=git/tags{/sha} hooks issue_comment=issues/comments{/number}
  issue_events=issues/events{/number} issues{/number} keys{/key_id} labels{/name} languages merges
  milestones{/number} notifications{?since,all,participating} pulls{/number} releases{/id}
  stargazers statuses/{sha} subscribers subscription tags teams trees=git/trees{/sha}`);

/** A repository as it is part of other records. */
export function repositoryRecord(repository: Repository) {
  const { site, id, name, fullName, owner, isArchived, hasIssues, visibility } = repository;
  const { api: url, page: html_url } = repository;
  const open = [...repository.issues.values()].filter(({ state }) => state === "open").length;
  const at = iso(repository.createdAt);
  return {
    id,
    node_id: `R_${id}`,
    name,
    full_name: fullName,
    url,
    html_url,
    fork: repository.parent !== null,
    owner: userRecord(site, owner),
    private: visibility === "private",
    visibility,
    description: null,
    homepage: null,
    language: null,
    license: null,
    mirror_url: null,
    ...urls(url, REPOSITORY_URLS),
    clone_url: `${html_url}.git`,
    svn_url: html_url,
    git_url: `git://github.com/${fullName}.git`,
    ssh_url: `git@github.com:${fullName}.git`,
    forks_count: 0,
    forks: 0,
    stargazers_count: 0,
    watchers_count: 0,
    watchers: 0,
    size: 1,
    open_issues_count: open,
    open_issues: open,
    default_branch: repository.defaultBranch,
    has_issues: hasIssues,
    has_projects: true,
    has_wiki: true,
    has_pages: false,
    has_downloads: true,
    has_discussions: true,
    archived: isArchived,
    disabled: false,
    pushed_at: at,
    created_at: at,
    updated_at: at,
  };
}

/** As everybody sees it: GitHub does not tell of members who keep that private. */
export function associationOf(repository: Repository, login: string): string {
  const { roles, owner, switches, pulls } = repository;
  if (login === owner) return "OWNER";
  if (switches.privateMembers.has(login)) {
    const hasMerged = pulls.some(({ author, mergedAt }) => author === login && mergedAt !== null);
    return hasMerged ? "CONTRIBUTOR" : "NONE";
  }
  const role = roles.get(login);
  if (role === undefined) return "NONE";
  return role === "admin" ? "MEMBER" : "COLLABORATOR";
}

export function labelRecord({ site, id: of, api }: Repository, name: string) {
  const id = site.idOf(`label ${of}/${name}`);
  const url = `${api}/labels/${encodeURIComponent(name)}`;
  return { id, node_id: `LA_${id}`, url, name, color: "ededed", default: false, description: null };
}
