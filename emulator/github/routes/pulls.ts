/** https://docs.github.com/rest/pulls: pull requests, what they hold, and their merge. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, forbidden, invalid, type Routes } from "../call.ts";
import { difference } from "../git/trees.ts";
import { MAX_FILES, MAX_PULL_COMMITS } from "../limits.ts";
import { type MergeMethod, mergeabilityOf, mergePull, trialMerge } from "../merge.ts";
import {
  apiPath,
  type RepositoryRecord,
  repositoryRecord,
  teamRecord,
  userOrNull,
  userRecord,
} from "../records.ts";
import type { Repository } from "../repository.ts";
import { isoOrNull } from "../site.ts";
import type { Pull } from "../state.ts";
import { commitRecord, fileRecord, knownCommit } from "./commits.ts";
import { change, checkTitle, sharedRecord } from "./issues.ts";

const PULL = "/repos/{owner}/{repo}/pulls/{pull_number}";

export const pullRoutes: Routes = {
  "GET /repos/{owner}/{repo}/pulls": (call) => {
    const record = repositoryRecord(call.repository);
    return call.page(listed(call), (pull) => pullRecord(call.repository, pull, record));
  },

  "POST /repos/{owner}/{repo}/pulls": (call) => created(fullRecord(call.repository, open(call))),

  [`GET ${PULL}`]: (call) => fullRecord(call.repository, call.pull),

  [`PATCH ${PULL}`]: (call) => {
    const { pull, repository } = call;
    call.need("write", pull.author);
    const given = call.given<{ state: "open" | "closed"; base: string }>();
    if (given.state === "open" && pull.state === "closed") checkReopening(repository, pull);
    change(call, pull, given);
    if (given.base !== undefined) repository.change(pull, { base: given.base });
    return fullRecord(repository, pull);
  },

  [`PUT ${PULL}/merge`]: (call) => {
    const { pull, repository } = call;
    const order = call.given<MergeRequest>();
    if (order.sha !== undefined && order.sha !== pull.head) {
      throw new HttpError(409, "Head branch was modified. Review and try the merge again.");
    }
    const { merge_method: method = "merge", commit_title: title, commit_message: message } = order;
    const sha = mergePull(repository, pull, { method, by: call.actor, title, message });
    return { sha, merged: true, message: "Pull Request successfully merged" };
  },

  [`GET ${PULL}/commits`]: (call) =>
    call.page(call.repository.commitsOf(call.pull).slice(0, MAX_PULL_COMMITS), (commit) =>
      commitRecord(call.repository, commit),
    ),

  [`GET ${PULL}/files`]: (call) => {
    const { pull, repository } = call;
    return call.page(filesOf(repository, pull).slice(0, MAX_FILES), (file) =>
      fileRecord(repository, file, pull.head),
    );
  },

  "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls": (call) => {
    const { repository } = call;
    const { sha } = knownCommit(repository, call.param("commit_sha"));
    const { pulls } = repository;
    const merged = pulls.filter(
      ({ landed, commits }) => landed.includes(sha) || commits.includes(sha),
    );
    const holds = (pull: Pull) =>
      pull.state === "open" && repository.commitsOf(pull).some((commit) => commit.sha === sha);
    const record = repositoryRecord(repository);
    return call.page(merged.length > 0 ? merged : pulls.filter(holds), (pull) =>
      pullRecord(repository, pull, record),
    );
  },
};

interface NewPull {
  title: string;
  body: string | null;
  head: string;
  base: string;
  draft: boolean;
}

interface MergeRequest {
  merge_method: MergeMethod;
  commit_title: string;
  commit_message: string;
  sha: string;
}

function listed(call: Call): Pull[] {
  const { repository, site } = call;
  const state = call.query("state") ?? "open";
  const base = call.query("base");
  const head = call.query("head");
  const sort = call.query("sort") ?? "created";
  const field = sort === "updated" ? "updatedAt" : "createdAt";
  const isDown = (call.query("direction") ?? (sort === "created" ? "desc" : "asc")) === "desc";
  const shown = site.now - site.pullListBehind;
  const pulls = repository.pulls
    .filter(
      (pull) =>
        (state === "all" || pull.state === state) &&
        (base ?? pull.base) === pull.base &&
        (head === undefined || head === `${repository.owner}:${pull.branch}`) &&
        (site.pullListBehind === 0 || (pull.mergedAt ?? 0) <= shown),
    )
    .sort((one, other) => one[field] - other[field] || one.number - other.number);
  return isDown ? pulls.reverse() : pulls;
}

/** @throws HttpError 403, 422 */
function open(call: Call): Pull {
  const { repository } = call;
  const { title = "", body = null, head = "", base = "", draft = false } = call.given<NewPull>();
  const branch = head.replace(`${repository.owner}:`, "");
  checkTitle(title);
  if (!repository.may(call.actor, "write")) throw forbidden();
  if (repository.tip(branch) === "") throw invalid("PullRequest", "head");
  if (repository.tip(base) === "") throw invalid("PullRequest", "base");
  const isThere = repository.pulls.some(
    (pull) => pull.state === "open" && pull.branch === branch && pull.base === base,
  );
  const refuse = (message: string) => {
    const errors = [{ resource: "PullRequest", code: "custom", message }];
    return new HttpError(422, "Validation Failed", {}, { errors });
  };
  if (isThere) throw refuse(`A pull request already exists for ${repository.owner}:${branch}.`);
  const given = { title, body, branch, base, isDraft: draft, author: call.actor };
  const pull = { ...given, head: repository.tip(branch), mergedAt: null } as Pull;
  if (repository.commitsOf(pull).length === 0) {
    throw refuse(`No commits between ${base} and ${branch}`);
  }
  return repository.openPullOf(given);
}

/** @throws HttpError 422 */
function checkReopening(repository: Repository, pull: Pull): void {
  if (pull.mergedAt !== null || repository.tip(pull.branch) === "") {
    throw invalid("PullRequest", "state", "invalid", "state cannot be changed.");
  }
}

export function filesOf(repository: Repository, pull: Pull) {
  const [from, to] = [repository.forkOf(pull), repository.find(pull.head)];
  if (from === undefined || to === undefined) return [];
  return difference(repository.objects, from.tree, to.tree);
}

/** As in a list. */
export function pullRecord(repository: Repository, pull: Pull, repo: RepositoryRecord) {
  const { site, fullName, owner } = repository;
  const { number, base, branch, head, isDraft, mergedAt, reviewers, teams, assignees } = pull;
  const url = `${apiPath(repository)}/pulls/${number}`;
  const page = `${site.webUrl}/${fullName}/pull/${number}`;
  const issue = `${apiPath(repository)}/issues/${number}`;
  const links = {
    ...{ html_url: page, issue_url: issue, comments_url: `${issue}/comments` },
    ...{ commits_url: `${url}/commits`, review_comments_url: `${url}/comments` },
    review_comment_url: `${apiPath(repository)}/pulls/comments{/number}`,
    statuses_url: `${apiPath(repository)}/statuses/${head}`,
  };
  const end = (ref: string, sha: string) => ({
    ...{ label: `${owner}:${ref}`, ref, sha, user: userRecord(site, owner), repo },
  });
  const _links = Object.entries({ ...links, self_url: url }).map(([name, href]) => [
    name.replace("_url", ""),
    { href },
  ]);
  return {
    ...sharedRecord(repository, pull),
    ...{ url, node_id: `PR_${pull.id}`, ...links, _links: Object.fromEntries(_links) },
    ...{ diff_url: `${page}.diff`, patch_url: `${page}.patch`, draft: isDraft, auto_merge: null },
    ...{ head: end(branch, head), base: end(base, baseSha(repository, pull)) },
    ...{ merged_at: isoOrNull(mergedAt), merge_commit_sha: pull.mergeSha || trialMerge(pull) },
    assignee: userOrNull(site, assignees[0] ?? null),
    requested_reviewers: reviewers.map((login) => userRecord(site, login)),
    requested_teams: teams.map((slug) => teamRecord(repository, slug)),
  };
}

function baseSha(repository: Repository, pull: Pull): string {
  return pull.mergedAt === null ? repository.tip(pull.base) : pull.fork;
}

/** By itself: with how many commits, files and lines it has, and whether it can be merged. */
function fullRecord(repository: Repository, pull: Pull) {
  const files = filesOf(repository, pull).map((file) => fileRecord(repository, file, pull.head));
  const sum = (count: "additions" | "deletions") =>
    files.reduce((total, file) => total + file[count], 0);
  const { state } = mergeabilityOf(repository, pull);
  const mergeable = pull.state === "open" ? state !== "dirty" : null;
  return {
    ...pullRecord(repository, pull, repositoryRecord(repository)),
    ...{ merged: pull.mergedAt !== null, merged_by: userOrNull(repository.site, pull.mergedBy) },
    ...{ mergeable, rebaseable: mergeable, mergeable_state: state },
    // Told in short here, and in full in a list.
    requested_teams: pull.teams.map((slug) => {
      const { parent: _, ...team } = teamRecord(repository, slug);
      return team;
    }),
    comments: repository.commentsOn(pull.number).length,
    review_comments: repository.reviewComments.filter((one) => one.pull === pull.number).length,
    ...{ maintainer_can_modify: false, commits: repository.commitsOf(pull).length },
    ...{ additions: sum("additions"), deletions: sum("deletions"), changed_files: files.length },
  };
}
