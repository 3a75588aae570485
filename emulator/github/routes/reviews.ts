/** https://docs.github.com/rest/pulls/reviews, /comments and /review-requests. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, invalid, missing, type Routes } from "../call.ts";
import { patchOf } from "../git/trees.ts";
import { checkBody } from "../limits.ts";
import { associationOf, repositoryRecord, userOrNull, userRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import type { Pull, Review, ReviewComment } from "../state.ts";
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
    for (const comment of comments) repository.add("reviewComments", comment);
    if (state !== "PENDING") answerRequest(repository, pull, user);
    return reviewRecord(repository, review);
  },

  [`POST ${PULL}/reviews/{review_id}/events`]: (call) => {
    const { repository, pull, actor, site } = call;
    const review = call.byId(repository.reviews, "review_id");
    const state = STATES[call.text("event") ?? ""];
    if (review.pull !== pull.number || review.user !== actor) throw new HttpError(404, "Not Found");
    if (state === undefined || review.state !== "PENDING") {
      throw invalid("PullRequestReview", "event");
    }
    review.state = state;
    review.submitted_at = iso(site.second);
    answerRequest(repository, pull, actor);
    return reviewRecord(repository, review);
  },

  [`GET ${PULL}/comments`]: (call) => {
    const own = call.repository.reviewComments.filter(({ pull }) => pull === call.pull.number);
    return call.page(own, (comment) => commentRecord(call.repository, comment));
  },
  [`POST ${PULL}/comments`]: (call) => {
    const comment = newComment(call, call.fields as NewComment);
    call.repository.add("reviewComments", comment);
    return created(commentRecord(call.repository, comment));
  },
  [`POST ${PULL}/requested_reviewers`]: (call) => {
    const { pull, repository } = call;
    const { roles, site, owner, fullName } = repository;
    const [logins, slugs] = [call.list("reviewers"), call.list("team_reviewers")];
    if (logins.includes(pull.author)) {
      throw new HttpError(422, "Review cannot be requested from pull request author.");
    }
    if (slugs.length > 0 && !site.mayReadMembers(call.actor)) {
      throw new HttpError(422, "Could not resolve to a node with the global id of 'T_kwDOA'");
    }
    const isTeam = (slug: string) => site.teams.get(owner)?.includes(slug) === true;
    if (!logins.every((login) => roles.has(login)) || !slugs.every(isTeam)) {
      const who = "One or more of the users or teams you specified is not a collaborator";
      const message = `Reviews may only be requested from collaborators. ${who}`;
      throw new HttpError(422, `${message} of the ${fullName} repository.`);
    }
    const reviewers = [...new Set([...pull.reviewers, ...logins])];
    const teams = [...new Set([...pull.teams, ...slugs])];
    if (reviewers.length + teams.length > MAX_REVIEWERS) {
      throw new HttpError(422, `A maximum of ${MAX_REVIEWERS} reviewers can be requested.`);
    }
    const { isOnFreePlan } = repository.switches;
    repository.change(
      pull,
      isOnFreePlan ? { reviewers: reviewers.slice(0, 1), teams: [] } : { reviewers, teams },
    );
    return created(pullRecord(repository, pull, repositoryRecord(repository)));
  },
};

/** Who has reviewed it is no longer asked. */
function answerRequest(repository: Repository, pull: Pull, login: string): void {
  repository.change(pull, { reviewers: pull.reviewers.filter((asked) => asked !== login) });
}

const MAX_REVIEWERS = 15;

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
    submitted_at: state === "PENDING" ? null : iso(site.second),
  };
  call.repository.add("reviews", review);
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
    pull_request_review_id: (review ?? addReview(call)).id,
    created_at: at,
    updated_at: at,
  };
}

function reviewRecord(repository: Repository, given: Review) {
  const { pull, user, submitted_at, ...review } = given;
  const { site, api, page } = repository;
  const html_url = `${page}/pull/${pull}#pullrequestreview-${review.id}`;
  const pull_request_url = `${api}/pulls/${pull}`;
  return {
    ...review,
    ...(submitted_at === null ? {} : { submitted_at }),
    node_id: `PRR_${review.id}`,
    user: userOrNull(site, user),
    html_url,
    pull_request_url,
    author_association: associationOf(repository, user),
    _links: { html: { href: html_url }, pull_request: { href: pull_request_url } },
  };
}

function commentRecord(repository: Repository, comment: ReviewComment) {
  const { site, api, page } = repository;
  const { pull, user, isResolved: _isResolved, resolvedBy: _resolvedBy, ...own } = comment;
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
