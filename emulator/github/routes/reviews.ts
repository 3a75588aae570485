/** https://docs.github.com/rest/pulls/reviews, /comments and /review-requests. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, found, invalid, missing, noContent, type Routes } from "../call.ts";
import { patchOf } from "../git/patch.ts";
import { entryAt } from "../git/trees.ts";
import { checkBody } from "../limits.ts";
import {
  associationOf,
  reactionRollup,
  repositoryRecord,
  teamRecord,
  userRecord,
} from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import type { Review, ReviewComment } from "../state.ts";
import { pullRecord } from "./pulls.ts";

const PULL = "/pulls/{pull_number}";
const COMMENT = "/pulls/comments/{comment_id}";

export const reviewRoutes: Routes = {
  [`GET ${PULL}/reviews`]: (call) => {
    const own = call.repository.reviews.filter(({ pull }) => pull === call.pull.number);
    return call.page(own, (review) => reviewRecord(call.repository, review));
  },

  [`POST ${PULL}/reviews`]: (call) => {
    const { pull, repository, actor: user } = call;
    const event = call.text("event");
    const state = event === undefined ? "PENDING" : STATES[event];
    if (state === undefined) throw unprocessable(`${event} is no event of a review`);
    const body = checkBody(call.text("body") ?? "");
    if (user === pull.author && (state === "APPROVED" || state === "CHANGES_REQUESTED")) {
      const what = state === "APPROVED" ? "approve" : "request changes on";
      throw unprocessable(`Can not ${what} your own pull request`);
    }
    const review = addReview(call, state, body);
    for (const comment of call.list<NewComment>("comments")) addComment(call, comment, review);
    repository.change(pull, { reviewers: pull.reviewers.filter((login) => login !== user) });
    return reviewRecord(repository, review);
  },

  [`PUT ${PULL}/reviews/{review_id}/dismissals`]: (call) => {
    call.need("write");
    const review = call.byId(call.repository.reviews, "review_id");
    review.state = "DISMISSED";
    return reviewRecord(call.repository, review);
  },

  [`GET ${PULL}/comments`]: (call) => {
    const { number } = call.pull;
    return listed(call, (comment) => comment.pull === number);
  },
  [`POST ${PULL}/comments`]: (call) => addComment(call, call.given as NewComment),
  [`POST ${PULL}/comments/{comment_id}/replies`]: (call) =>
    addComment(call, { body: call.text("body"), in_reply_to: Number(call.param("comment_id")) }),

  "GET /pulls/comments": (call) => listed(call, () => true),
  [`GET ${COMMENT}`]: (call) => commentRecord(call.repository, comment(call)),
  [`PATCH ${COMMENT}`]: (call) => {
    const one = comment(call);
    call.need("write", one.user);
    const body = checkBody(call.text("body") ?? one.body);
    Object.assign(one, { body, updated_at: iso(call.site.second) });
    return commentRecord(call.repository, one);
  },
  [`DELETE ${COMMENT}`]: (call) => {
    const { reviewComments } = call.repository;
    call.need("write", comment(call).user);
    reviewComments.splice(reviewComments.indexOf(comment(call)), 1);
    return noContent();
  },

  [`GET ${PULL}/requested_reviewers`]: ({ repository, pull }) => ({
    users: pull.reviewers.map((login) => userRecord(repository.site, login)),
    teams: pull.teams.map((slug) => ({ ...teamRecord(repository, slug), parent: null })),
  }),
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

/** What each event of a review makes it. */
const STATES: Record<string, string> = {
  ...{ APPROVE: "APPROVED", REQUEST_CHANGES: "CHANGES_REQUESTED", COMMENT: "COMMENTED" },
};

function addReview(call: Call, state = "COMMENTED", body = ""): Review {
  const { pull, site, actor: user } = call;
  const commit_id = call.text("commit_id") ?? pull.head;
  const at = { commit_id, submitted_at: iso(site.second) };
  const review = { id: site.nextId(), pull: pull.number, user, body, state, ...at };
  call.repository.reviews.push(review);
  return review;
}

function unprocessable(error: string): HttpError {
  return new HttpError(422, "Unprocessable Entity", {}, { errors: [error] });
}

interface NewComment {
  body?: string | undefined;
  path?: string;
  line?: number;
  side?: string;
  commit_id?: string;
  in_reply_to?: number;
}

/** @param review a comment by itself gets one of its own @throws HttpError 404, 422 */
function addComment(call: Call, given: NewComment, review?: Review) {
  const { repository, pull, site } = call;
  const { commit_id = pull.head, side = "RIGHT", in_reply_to } = given;
  const body = checkBody(given.body ?? "");
  if (body === "") throw missing("PullRequestReviewComment", "body");
  const thread = repository.reviewComments.find(({ id }) => id === in_reply_to);
  if (in_reply_to !== undefined) found(thread);
  const { path = "", line = 1 } = thread ?? given;
  const [before, after] = [repository.forkOf(pull), repository.find(pull.head)].map((one) => {
    const file = entryAt(repository.objects, one?.tree ?? "", path);
    return file && repository.objects.blobs.get(file.sha);
  });
  if (before === undefined && after === undefined) {
    throw invalid("PullRequestReviewComment", "path");
  }
  const first = thread?.in_reply_to_id ?? thread?.id;
  const at = iso(site.second);
  const comment: ReviewComment = {
    ...{ id: site.nextId(), pull: pull.number, user: call.actor, body, path, line, side },
    ...{ diff_hunk: patchOf(before, after).patch ?? "", commit_id, isResolved: false },
    ...{ pull_request_review_id: (review ?? addReview(call)).id, created_at: at, updated_at: at },
    ...(first === undefined ? {} : { in_reply_to_id: first }),
  };
  repository.reviewComments.push(comment);
  return created(commentRecord(repository, comment));
}

function comment(call: Call): ReviewComment {
  return call.byId(call.repository.reviewComments, "comment_id");
}

function listed(call: Call, isWanted: (comment: ReviewComment) => boolean) {
  const { repository } = call;
  const wanted = repository.reviewComments.filter(
    (one) => isWanted(one) && call.isSince(Date.parse(one.updated_at)),
  );
  return call.page(wanted, (one) => commentRecord(repository, one));
}

function reviewRecord(repository: Repository, { pull, user, ...review }: Review) {
  const { site, api, page } = repository;
  const html_url = `${page}/pull/${pull}#pullrequestreview-${review.id}`;
  const pull_request_url = `${api}/pulls/${pull}`;
  return {
    ...{ ...review, node_id: `PRR_${review.id}`, user: userRecord(site, user), html_url },
    ...{ pull_request_url, author_association: associationOf(repository, user) },
    _links: { html: { href: html_url }, pull_request: { href: pull_request_url } },
  };
}

function commentRecord(repository: Repository, comment: ReviewComment) {
  const { site, api, page } = repository;
  const { pull, user, isResolved: _, ...own } = comment;
  const { id, line, commit_id } = own;
  const self = `${api}/pulls/comments/${id}`;
  const html = `${page}/pull/${pull}#discussion_r${id}`;
  const pull_request = `${api}/pulls/${pull}`;
  return {
    ...{ ...own, node_id: `PRRC_${id}`, url: self, html_url: html, pull_request_url: pull_request },
    ...{ position: line, original_position: line, original_line: line, subject_type: "line" },
    ...{ start_line: null, original_start_line: null, start_side: null },
    ...{ original_commit_id: commit_id, user: userRecord(site, user) },
    author_association: associationOf(repository, user),
    reactions: reactionRollup(repository, `pulls/comments/${id}`),
    _links: { self: { href: self }, html: { href: html }, pull_request: { href: pull_request } },
  };
}
