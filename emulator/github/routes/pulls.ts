/** https://docs.github.com/rest/pulls: pull requests, their files, and their merge. */

import { HttpError } from "../../http/http-error.ts";
import { Answer, type Call, created, invalid, missing, type Routes } from "../call.ts";
import { checkDiff } from "../diffs.ts";
import { descendsFrom } from "../git/graph.ts";
import { type Difference, difference } from "../git/trees.ts";
import { MAX_FILES } from "../limits.ts";
import {
  type MergeMethod,
  mergePull,
  shownMergeability,
  trialMerge,
  updateBranch,
} from "../merge.ts";
import { WORKFLOW } from "../people.ts";
import { repositoryRecord, userOrNull, userRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { isoOrNull } from "../site.ts";
import type { Pull } from "../state.ts";
import { fileRecord, knownCommit, linesOf } from "./commits.ts";
import { change, sharedRecord } from "./issues.ts";

const PULL = "/pulls/{pull_number}";

export const pullRoutes: Routes = {
  "GET /pulls": (call) => page(call, listed(call)),

  "POST /pulls": (call) => created(fullRecord(call, openPull(call))),

  [`GET ${PULL}`]: (call) => fullRecord(call, call.pull),

  [`PATCH ${PULL}`]: (call) => {
    const { pull, repository } = call;
    call.need("write", pull.author);
    const isEnded = pull.mergedAt !== null || repository.tip(pull.branch) === "";
    if (call.text("state") === "open" && isEnded) throw invalid("PullRequest", "state");
    change(call, pull);
    repository.retarget(pull, call.text("base") ?? pull.base);
    return fullRecord(call, pull);
  },

  [`PUT ${PULL}/merge`]: (call) => {
    const { pull, repository } = call;
    if ((call.text("sha") ?? pull.head) !== pull.head) {
      throw new HttpError(409, "Head branch was modified. Review and try the merge again.");
    }
    const sha = mergePull(repository, pull, {
      method: (call.text("merge_method") ?? "merge") as MergeMethod,
      by: call.actor,
      title: call.text("commit_title"),
      body: call.text("commit_message"),
    });
    return { sha, merged: true, message: "Pull Request successfully merged" };
  },

  [`PUT ${PULL}/update-branch`]: (call) => {
    const { pull, repository } = call;
    if ((call.text("expected_head_sha") ?? pull.head) !== pull.head) {
      throw new HttpError(422, "expected head sha didn’t match current head ref.");
    }
    updateBranch(repository, pull, call.actor);
    return new Answer(202, { message: "Updating pull request branch.", url: repository.page });
  },

  [`GET ${PULL}/files`]: (call) => {
    const { pull, repository } = call;
    const shas = repository.commitsOf(pull).map(({ sha }) => sha);
    checkDiff(repository, shas, 422);
    return call.page(filesOf(repository, pull).slice(0, MAX_FILES), (file) =>
      fileRecord(repository, file, pull.head),
    );
  },

  "GET /commits/{commit_sha}/pulls": (call) => {
    const { sha } = knownCommit(call.repository, call.param("commit_sha"));
    // Asked of a fork, GitHub lists the pull requests of what it is a fork of.
    const repository = call.repository.parent ?? call.repository;
    const holds = (pull: Pull) =>
      pull.landed.includes(sha) || repository.commitsOf(pull).some((commit) => commit.sha === sha);
    const isOnDefault = descendsFrom(repository.find, repository.tip(), sha);
    const isListed = ({ state, mergedAt }: Pull) =>
      mergedAt !== null || (state === "open" && !isOnDefault);
    const record = repositoryRecord(repository);
    return call.page(
      repository.pulls.filter((pull) => isListed(pull) && holds(pull)),
      (pull) => pullRecord(repository, pull, record),
    );
  },
};

function openPull(call: Call): Pull {
  const { repository, actor: author } = call;
  if (repository.switches.mayNotOpenPulls && author === WORKFLOW) {
    const what = "GitHub Actions is not permitted to create or approve pull requests.";
    throw new HttpError(403, what);
  }
  const [title, branch, base] = [call.text("title"), call.text("head"), call.text("base")];
  if (title === undefined) throw missing("PullRequest", "title");
  if (branch === undefined || repository.tip(branch) === "") throw invalid("PullRequest", "head");
  if (base === undefined || repository.tip(base) === "") throw invalid("PullRequest", "base");
  const isSame = (pull: Pull) =>
    pull.state === "open" && pull.branch === branch && pull.base === base;
  const refuse = (message: string) => invalid("PullRequest", "base", "custom", message);
  if (repository.pulls.some(isSame)) {
    throw refuse(`A pull request already exists for ${repository.owner}:${branch}.`);
  }
  if (descendsFrom(repository.find, repository.tip(base), repository.tip(branch))) {
    throw refuse(`No commits between ${base} and ${branch}`);
  }
  const body = call.text("body") ?? "";
  return repository.openPullOf({ title, body, author, branch, base });
}

function page(call: Call, pulls: readonly Pull[]) {
  const record = repositoryRecord(call.repository);
  return call.page(pulls, (pull) => pullRecord(call.repository, pull, record));
}

function listed(call: Call): Pull[] {
  const { repository, site } = call;
  const state = call.query("state") ?? "open";
  const head = call.query("head");
  const base = call.query("base");
  const sort = call.query("sort") ?? "created";
  const field = sort === "updated" ? "updatedAt" : "createdAt";
  const isDown = (call.query("direction") ?? (sort === "created" ? "desc" : "asc")) === "desc";
  const isShown = ({ mergedAt }: Pull) =>
    site.pullListBehind === 0 || (mergedAt ?? 0) <= site.now - site.pullListBehind;
  const pulls = repository.pulls
    .filter(
      (pull) =>
        (state === "all" || pull.state === state) &&
        (head === undefined || head === `${repository.owner}:${pull.branch}`) &&
        (base === undefined || base === pull.base) &&
        isShown(pull) &&
        !site.switches.hidden.has(pull.author),
    )
    .sort((first, second) => first[field] - second[field] || first.number - second.number);
  return isDown ? pulls.reverse() : pulls;
}

export function filesOf(repository: Repository, pull: Pull): Difference[] {
  const [from, to] = [repository.forkOf(pull), repository.find(pull.head)];
  if (from === undefined || to === undefined) return [];
  return difference(repository.objects, from.tree, to.tree);
}

/** As in a list. @param repo the record of its repository */
export function pullRecord(repository: Repository, pull: Pull, repo: object) {
  const { site, api, page, owner } = repository;
  const { id, number, base, branch, head, isDraft, forkOwner, mergedAt, reviewers, fork } = pull;
  const url = `${api}/pulls/${number}`;
  const html_url = `${page}/pull/${number}`;
  const issue_url = `${api}/issues/${number}`;
  const links = {
    html_url,
    issue_url,
    comments_url: `${issue_url}/comments`,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${api}/pulls/comments{/number}`,
    statuses_url: `${api}/statuses/${head}`,
  };
  const end = (ref: string, sha: string, by = owner) => ({
    label: `${by}:${ref}`,
    ref,
    sha,
    user: userRecord(site, by),
    repo: by === owner ? repo : { ...repo, ...forkRecord(repository, by) },
  });
  const _links = Object.entries({ ...links, self_url: url }).map(([name, href]) => [
    name.replace("_url", ""),
    { href },
  ]);
  return {
    ...sharedRecord(repository, pull),
    ...links,
    url,
    node_id: `PR_${id}`,
    auto_merge: null,
    diff_url: `${html_url}.diff`,
    patch_url: `${html_url}.patch`,
    draft: isDraft,
    merged_at: isoOrNull(mergedAt),
    merge_commit_sha: pull.mergeSha || trialMerge(pull),
    head: end(branch, head, forkOwner ?? owner),
    base: end(base, mergedAt ? fork : repository.tip(base)),
    _links: Object.fromEntries(_links),
    requested_reviewers: reviewers.map((login) => userRecord(site, login)),
  };
}

/** What differs in the record of a fork. */
function forkRecord({ site, name }: Repository, owner: string) {
  const full_name = `${owner}/${name}`;
  return { id: site.idOf(`fork ${full_name}`), full_name, fork: true };
}

/** As an answer of its own: with its numbers of commits, files and lines, and whether it can be merged. */
function fullRecord({ repository, context }: Call, pull: Pull) {
  const { site, reviewComments } = repository;
  const files = filesOf(repository, pull).map((file) => fileRecord(repository, file, pull.head));
  const state = shownMergeability(repository, pull, context.login);
  const mergeable = state === "unknown" ? null : state !== "dirty";
  return {
    ...pullRecord(repository, pull, repositoryRecord(repository)),
    merged: pull.mergedAt !== null,
    merged_by: userOrNull(site, pull.mergedBy),
    mergeable,
    mergeable_state: state,
    maintainer_can_modify: false,
    comments: repository.commentsOn(pull.number).length,
    review_comments: reviewComments.filter((comment) => comment.pull === pull.number).length,
    commits: repository.commitsOf(pull).length,
    ...linesOf(files),
    changed_files: files.length,
  };
}
