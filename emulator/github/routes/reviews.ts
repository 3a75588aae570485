/** https://docs.github.com/rest/pulls/reviews, /comments and /review-requests. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, invalid, missing, type Routes } from "../call.ts";
import { patchOf } from "../git/trees.ts";
import { checkBody } from "../limits.ts";
import { associationOf, repositoryRecord, userRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import type { Review, ReviewComment } from "../state.ts";
import { pullRecord } from "./pulls.ts";

const PULL = "/pulls/{pull_number}";

export const reviewRoutes: Routes = {
  [`GET ${PULL}/reviews`]: (call) => {
    const own = call.repository.reviews.filter(({ pull }) => pull === call.pull.number);
    return call.page(own, (review) => reviewRecord(call.repository, review));
  },

  [`POST ${PULL}/reviews`]: (call) => {
    const { pull, repository, actor: user } = call;
    const event = call.text("event");
    const state = event === undefined ? "PENDING" : STATES[event];
    if (state === undefined) throw invalid("PullRequestReview", "event");
    const body = checkBody(call.text("body") ?? "");
    const review = addReview(call, state, body);
    const comments = call
      .list<NewComment>("comments")
      .map((comment) => newComment(call, comment, review));
    repository.reviewComments.push(...comments);
    repository.change(pull, { reviewers: pull.reviewers.filter((login) => login !== user) });
    return reviewRecord(repository, review);
  },

  [`GET ${PULL}/comments`]: (call) => {
    const own = call.repository.reviewComments.filter(({ pull }) => pull === call.pull.number);
    return call.page(own, (comment) => commentRecord(call.repository, comment));
  },
  [`POST ${PULL}/comments`]: (call) => {
    const comment = newComment(call, call.fields as NewComment);
    call.repository.reviewComments.push(comment);
    return created(commentRecord(call.repository, comment));
  },
  [`POST ${PULL}/requested_reviewers`]: (call) => {
    const { pull, repository } = call;
    const { roles, site, owner, fullName } = repository;
    const [logins, slugs] = [call.list("reviewers"), call.list("team_reviewers")];
    if (logins.includes(pull.author)) {
      throw new HttpError(422, "Review cannot be requested from pull request author.");
    }
    const isTeam = (slug: string) => site.teams.get(owner)?.includes(slug) === true;
    if (!logins.every((login) => roles.has(login)) || !slugs.every(isTeam)) {
      const who = "One or more of the users or teams you specified is not a collaborator";
      const message = `Reviews may only be requested from collaborators. ${who}`;
      throw new HttpError(422, `${message} of the ${fullName} repository.`);
    }
    const reviewers = [...new Set([...pull.reviewers, ...logins])];
    repository.change(pull, { reviewers, teams: [...new Set([...pull.teams, ...slugs])] });
    return created(pullRecord(repository, pull, repositoryRecord(repository)));
  },
};

const STATES: Record<string, string> = {
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  COMMENT: "COMMENTED",
};

function addReview(call: Call, state = "COMMENTED", body = ""): Review {
  const { pull, site } = call;
  const review: Review = {
    id: site.nextId(),
    pull: pull.number,
    user: call.actor,
    body,
    state,
    commit_id: call.text("commit_id") ?? pull.head,
    submitted_at: iso(site.second),
  };
  call.repository.reviews.push(review);
  return review;
}

interface NewComment {
  body?: string | undefined;
  path?: string;
  line?: number;
  side?: string;
  commit_id?: string;
}

/** @param review default: a review of its own @throws HttpError 404, 422 */
function newComment(call: Call, comment: NewComment, review?: Review): ReviewComment {
  const { repository, pull, site } = call;
  const { commit_id = pull.head, side = "RIGHT" } = comment;
  const body = checkBody(comment.body ?? "");
  if (body === "") throw missing("PullRequestReviewComment", "body");
  const { path = "", line = 1 } = comment;
  const before = repository.read(repository.forkOf(pull)?.sha ?? "", path);
  const after = repository.read(pull.head, path);
  if (before === undefined && after === undefined) {
    throw invalid("PullRequestReviewComment", "path");
  }
  const at = iso(site.second);
  return {
    id: site.nextId(),
    pull: pull.number,
    user: call.actor,
    body,
    path,
    line,
    side,
    diff_hunk: patchOf(before, after).patch ?? "",
    commit_id,
    isResolved: false,
    resolvedBy: null,
    pull_request_review_id: (review ?? addReview(call)).id,
    created_at: at,
    updated_at: at,
  };
}

function reviewRecord(repository: Repository, { pull, user, ...review }: Review) {
  const { site, api, page } = repository;
  const html_url = `${page}/pull/${pull}#pullrequestreview-${review.id}`;
  const pull_request_url = `${api}/pulls/${pull}`;
  return {
    ...review,
    node_id: `PRR_${review.id}`,
    user: userRecord(site, user),
    html_url,
    pull_request_url,
    author_association: associationOf(repository, user),
    _links: { html: { href: html_url }, pull_request: { href: pull_request_url } },
  };
}

function commentRecord(repository: Repository, comment: ReviewComment) {
  const { site, api, page } = repository;
  const { pull, user, isResolved: _, resolvedBy: __, ...own } = comment;
  const { id, commit_id } = own;
  const self = `${api}/pulls/comments/${id}`;
  const html = `${page}/pull/${pull}#discussion_r${id}`;
  const pull_request = `${api}/pulls/${pull}`;
  return {
    ...own,
    node_id: `PRRC_${id}`,
    url: self,
    html_url: html,
    pull_request_url: pull_request,
    original_commit_id: commit_id,
    user: userRecord(site, user),
    author_association: associationOf(repository, user),
    _links: { self: { href: self }, html: { href: html }, pull_request: { href: pull_request } },
  };
}
