/** https://docs.github.com/rest/repos: a repository, its collaborators, branches and releases. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, found, invalid, missing, moved, type Routes } from "../call.ts";
import type { Role } from "../people.ts";
import { repositoryRecord, userRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import type { Release } from "../state.ts";
import type { MergeRule } from "../store.ts";
import { commitRecord } from "./commits.ts";

export const repositoryRoutes: Routes = {
  "GET ": ({ repository }) => ({
    ...repositoryRecord(repository),
    subscribers_count: 0,
    network_count: 0,
  }),

  "GET /collaborators/{username}/permission": (call) => {
    const name = call.param("username");
    const { login, type } = call.site.findAccount(name) ?? {};
    if (login === undefined || type !== "User") throw new HttpError(404, `${name} is not a user`);
    const role = call.repository.roleOf(login);
    // Who has a custom role has at least the role that it extends.
    const role_name = call.repository.switches.customRoles.get(login) ?? role;
    const user = { ...userRecord(call.site, login), role_name };
    return { permission: COARSE[role], role_name, user };
  },

  "GET /branches/{branch}": (call) => {
    const { repository } = call;
    const name = call.param("branch");
    const url = `${repository.api}/branches/`;
    const renamed = repository.renamedBranches.get(name);
    const commit = repository.find(repository.tip(name));
    if (commit === undefined && renamed !== undefined) throw moved(`${url}${renamed}`, 301);
    const { mergeRule } = repository;
    const enabled = mergeRule.isClassic === true && name === repository.defaultBranch;
    return {
      name,
      commit: commitRecord(repository, found(commit)),
      protected: enabled,
      _links: { self: `${url}${name}`, html: `${repository.page}/tree/${name}` },
      protection: { enabled, required_status_checks: checksOf(enabled ? mergeRule : {}) },
      protection_url: `${url}${name}/protection`,
    };
  },

  "GET /rules/branches/{branch}": (call) => {
    const { mergeRule, defaultBranch, fullName } = call.repository;
    const source = { ruleset_source_type: "Repository", ruleset_source: fullName, ruleset_id: 1 };
    const isOfBranch = call.param("branch") === defaultBranch && mergeRule.isClassic !== true;
    const rules = isOfBranch ? rulesOf(mergeRule) : [];
    return call.page(rules, (rule) => ({ ...rule, ...source }));
  },

  // Only those who may push see drafts.
  "GET /releases": (call) => {
    const shown = call.repository.releases.filter(({ draft }) => !draft || call.may("write"));
    return call.page(shown.reverse(), (release) => releaseRecord(call.repository, release));
  },

  "POST /releases": (call) => {
    const release = newRelease(call);
    call.repository.releases.push(release);
    return created(releaseRecord(call.repository, release));
  },
};

/** The checks of a classic branch protection, which everybody who can read the branch can read. */
function checksOf({ checks = [] }: MergeRule) {
  return {
    enforcement_level: checks.length > 0 ? "non_admins" : "off",
    contexts: checks,
    checks: checks.map((context) => ({ context, app_id: null })),
  };
}

/** The requirements of a merge, as GitHub's rules. */
function rulesOf({ approvals = 0, checks = [], upToDate = false, ...rule }: MergeRule) {
  const { queue = false, threads = false, signatures = false, deployments = false } = rule;
  const environments = { required_deployment_environments: ["preview"] };
  const required = checks.map((context) => ({ context }));
  return [
    ...(approvals > 0 || threads
      ? [{ type: "pull_request", parameters: reviewsOf(approvals, threads) }]
      : []),
    ...(signatures ? [{ type: "required_signatures" }] : []),
    ...(deployments ? [{ type: "required_deployments", parameters: environments }] : []),
    ...(required.length > 0
      ? [
          {
            type: "required_status_checks",
            parameters: {
              required_status_checks: required,
              strict_required_status_checks_policy: upToDate,
            },
          },
        ]
      : []),
    ...(queue ? [{ type: "merge_queue", parameters: QUEUE }] : []),
  ];
}

function reviewsOf(
  required_approving_review_count: number,
  required_review_thread_resolution: boolean,
) {
  return {
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count,
    required_review_thread_resolution,
  };
}

const QUEUE = {
  check_response_timeout_minutes: 60,
  grouping_strategy: "ALLGREEN",
  max_entries_to_build: 5,
  max_entries_to_merge: 5,
  merge_method: "SQUASH",
  min_entries_to_merge: 1,
  min_entries_to_merge_wait_minutes: 5,
};

/** The roles as GitHub's former permissions. */
const COARSE: Record<Role, string> = {
  none: "none",
  read: "read",
  triage: "read",
  write: "write",
  maintain: "write",
  admin: "admin",
};

/** Refs whose names begin with the prefix, without it, sorted by name. */
export function refsBelow({ refs }: Repository, prefix: string): [name: string, sha: string][] {
  return [...refs]
    .filter(([ref]) => ref.startsWith(prefix))
    .map(([ref, sha]): [string, string] => [ref.slice(prefix.length), sha])
    .sort(([first], [second]) => (first < second ? -1 : 1));
}

function newRelease(call: Call): Release {
  const { repository, site } = call;
  const tag_name = call.text("tag_name") ?? "";
  if (tag_name === "") throw missing("Release", "tag_name");
  if (repository.releases.some((release) => release.tag_name === tag_name)) {
    throw invalid("Release", "tag_name", "already_exists");
  }
  const target_commitish = call.text("target_commitish") ?? repository.defaultBranch;
  const draft = call.fields.draft === true;
  const commit = repository.resolve(`tags/${tag_name}`) ?? repository.resolve(target_commitish);
  if (commit === undefined) throw invalid("Release", "target_commitish");
  const ref = `refs/tags/${tag_name}`;
  if (!draft && !repository.refs.has(ref)) repository.setRef(ref, commit.sha);
  return {
    id: site.nextId(),
    tag_name,
    target_commitish,
    author: call.actor,
    draft,
    name: call.text("name") ?? null,
    body: call.text("body") ?? null,
    prerelease: call.fields.prerelease === true,
    created_at: iso(commit.at),
    published_at: draft ? null : iso(site.second),
  };
}

function releaseRecord({ site, api, page }: Repository, { author, ...release }: Release) {
  const { id, tag_name } = release;
  const url = `${api}/releases/${id}`;
  return {
    ...release,
    node_id: `RE_${id}`,
    url,
    html_url: `${page}/releases/tag/${tag_name}`,
    assets_url: `${url}/assets`,
    upload_url: `${url}/assets{?name,label}`,
    assets: [],
    tarball_url: `${page}/tarball/${tag_name}`,
    zipball_url: `${page}/zipball/${tag_name}`,
    author: userRecord(site, author),
    immutable: false,
  };
}
