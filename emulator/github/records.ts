/** What GitHub tells of accounts and repositories, wherever they are named in an answer. */

import type { Repository } from "./repository.ts";
import { isBot, iso, type Site, WEB_FLOW } from "./site.ts";

/** A name for GraphQL. @param kind as GitHub begins the names of its records */
export function nodeId(kind: string, id: number | string): string {
  return `${kind}_${id}`;
}

/**
 * Addresses below another one.
 *
 * @param names each becomes `NAME_url`, and leads to its name or to what follows `=`
 */
function urls(base: string, names: string): Record<string, string> {
  const found = names.trim().matchAll(/(\w+)(=?)(\S*)/g);
  return Object.fromEntries(
    [...found].map(([, name, equals, rest]) => [
      `${name}_url`,
      `${base}/${equals === "=" ? "" : name}${rest}`,
    ]),
  );
}

const USER_URLS = `
  followers following{/other_user} gists{/gist_id} starred{/owner}{/repo} subscriptions
  organizations=orgs repos events{/privacy} received_events`;

/** An account, in short. */
export function userRecord(site: Site, login: string) {
  const { id, type } = site.account(login);
  const url = `${site.apiUrl}/users/${encodeURIComponent(login)}`;
  const page = isBot(login) ? `apps/${login.replace("[bot]", "")}` : login;
  return {
    ...{ login, id, node_id: nodeId("U", id), gravatar_id: "", url },
    ...{ avatar_url: `${site.webUrl}/avatars/${id}`, html_url: `${site.webUrl}/${page}` },
    ...urls(url, USER_URLS),
    ...{ type, user_view_type: "public", site_admin: false },
  };
}

export function userOrNull(site: Site, login: string | null) {
  return login === null ? null : userRecord(site, login);
}

/** The account that made a commit; null: GitHub knows none for its e-mail address. */
export function committerRecord(site: Site, email: string) {
  const [, named = ""] = /^(?:\d+\+)?(.+)@users\.noreply\.github\.com$/.exec(email) ?? [];
  const login = email === "noreply@github.com" ? WEB_FLOW : named;
  return site.findAccount(login) === undefined ? null : userRecord(site, login);
}

/** The app that an account belongs to; null: it is a person's. */
export function appRecord(site: Site, login: string) {
  if (!isBot(login)) return null;
  const { id } = site.account(login);
  const slug = login.replace("[bot]", "");
  const at = iso(0);
  return {
    ...{ id, client_id: `Iv1.${id}`, slug, node_id: nodeId("A", id), name: slug, description: "" },
    ...{ owner: userRecord(site, "github"), external_url: `${site.webUrl}/apps/${slug}` },
    ...{ html_url: `${site.webUrl}/apps/${slug}`, created_at: at, updated_at: at },
    ...{ permissions: { metadata: "read" }, events: [] },
  };
}

export function teamRecord({ site, owner }: Repository, slug: string) {
  const id = site.idOf(`team ${owner}/${slug}`);
  const url = `${site.apiUrl}/organizations/${site.account(owner).id}/team/${id}`;
  return {
    ...{ id, node_id: nodeId("T", id), name: slug, slug, description: null, parent: null, url },
    ...{ html_url: `${site.webUrl}/orgs/${owner}/teams/${slug}`, permission: "push" },
    ...{ members_url: `${url}/members{/member}`, repositories_url: `${url}/repos` },
    ...{ privacy: "closed", notification_setting: "notifications_enabled", type: "organization" },
  };
}

const REPOSITORY_URLS = `
  archive={archive_format}{/ref} assignees{/user} blobs=git/blobs{/sha} branches{/branch}
  collaborators{/collaborator} comments{/number} commits{/sha} compare/{base}...{head}
  contents/{+path} contributors deployments downloads events forks git_commits=git/commits{/sha}
  git_refs=git/refs{/sha} git_tags=git/tags{/sha} hooks issue_comment=issues/comments{/number}
  issue_events=issues/events{/number} issues{/number} keys{/key_id} labels{/name} languages merges
  milestones{/number} notifications{?since,all,participating} pulls{/number} releases{/id}
  stargazers statuses/{sha} subscribers subscription tags teams trees=git/trees{/sha}`;

/** A repository, as it is told of within other records. */
export function repositoryRecord(repository: Repository) {
  const { site, id, name, fullName, owner, isArchived } = repository;
  const page = `${site.webUrl}/${fullName}`;
  const url = apiPath(repository);
  const open = [...repository.issues.values()].filter(({ state }) => state === "open").length;
  const at = iso(repository.createdAt);
  return {
    ...{ id, node_id: nodeId("R", id), name, full_name: fullName, url, html_url: page },
    ...{ owner: userRecord(site, owner), private: repository.visibility === "private" },
    ...{ description: null, fork: false, homepage: null, language: null, license: null },
    ...urls(url, REPOSITORY_URLS),
    ...{ git_url: `git://github.com/${fullName}.git`, ssh_url: `git@github.com:${fullName}.git` },
    ...{ clone_url: `${page}.git`, svn_url: page, mirror_url: null },
    ...{ forks_count: 0, forks: 0, stargazers_count: 0, watchers_count: 0, watchers: 0, size: 1 },
    ...{ open_issues_count: open, open_issues: open, default_branch: repository.defaultBranch },
    ...{ is_template: false, topics: [], has_issues: repository.hasIssues, has_projects: true },
    ...{ has_wiki: true, has_pages: false, has_downloads: true, has_discussions: true },
    ...{ archived: isArchived, disabled: false, visibility: repository.visibility },
    ...{ pushed_at: at, created_at: at, updated_at: at, allow_forking: true },
    ...{ web_commit_signoff_required: false },
  };
}

export type RepositoryRecord = ReturnType<typeof repositoryRecord>;

/** Address of a repository in the API. */
export function apiPath({ site, fullName }: Repository): string {
  return `${site.apiUrl}/repos/${fullName}`;
}

export function associationOf({ roles, owner }: Repository, login: string): string {
  if (login === owner) return "OWNER";
  if (!roles.has(login)) return "NONE";
  return roles.get(login) === "admin" ? "MEMBER" : "COLLABORATOR";
}

/** How many reacted, and with what. */
export function reactionRollup(repository: Repository, subject: string) {
  const contents = repository.reactions.filter((it) => it.subject === subject);
  const count = (content: string) => contents.filter((it) => it.content === content).length;
  return {
    url: `${apiPath(repository)}/${subject}/reactions`,
    total_count: contents.length,
    ...Object.fromEntries(REACTIONS.map((content) => [content, count(content)])),
  };
}

export const REACTIONS = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"];

/** A label; its number and colour follow from its name. */
export function labelRecord(repository: Repository, name: string) {
  const id = repository.site.idOf(`label ${repository.id}/${name}`);
  return {
    ...{ id, node_id: nodeId("LA", id), name, color: "ededed", default: false, description: null },
    url: `${apiPath(repository)}/labels/${encodeURIComponent(name)}`,
  };
}
