/** https://docs.github.com/rest/pulls/reviews, /comments and /review-requests. */

import { HttpError } from "../../http/http-error.ts";
import { type Call, created, found, invalid, noContent, type Routes } from "../call.ts";
import { patchOf } from "../git/patch.ts";
import { entryAt } from "../git/trees.ts";
import { checkBody } from "../limits.ts";
import {
  apiPath,
  associationOf,
  nodeId,
  reactionRollup,
  repositoryRecord,
  teamRecord,
  userRecord,
} from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import type { Pull, Review, ReviewComment, ReviewState } from "../state.ts";
import { pullRecord } from "./pulls.ts";

const PULLS = "/repos/{owner}/{repo}/pulls";
const PULL = `${PULLS}/{pull_number}`;
const COMMENT = `${PULLS}/comments/{comment_id}`;

export const reviewRoutes: Routes = {
  [`GET ${PULL}/reviews`]: (call) =>
    call.page(
      call.repository.reviews.filter(({ pull }) => pull === call.pull.number),
      (review) => reviewRecord(call.repository, review),
    ),

  [`POST ${PULL}/reviews`]: (call) => {
    const { pull, repository } = call;
    const { body = "", event, comments = [], commit_id = pull.head } = call.given<NewReview>();
    const state = event === undefined ? "PENDING" : STATES[event];
    if (state === undefined) throw invalid("PullRequestReview", "event");
    checkBody(body);
    if (state !== "COMMENTED" && state !== "PENDING" && call.actor === pull.author) {
      const what = state === "APPROVED" ? "approve" : "request changes on";
      throw new HttpError(
        422,
        "Unprocessable Entity",
        {},
        {
          errors: [`Can not ${what} your own pull request`],
        },
      );
    }
    const id = call.site.nextId();
    const given = { body, state, commit: commit_id, at: call.site.second };
    const review: Review = { id, pull: pull.number, author: call.actor, ...given };
    repository.reviews.push(review);
    for (const comment of comments) addComment(call, pull, comment, id);
    repository.change(pull, {
      reviewers: pull.reviewers.filter((login) => login !== call.actor),
    });
    return reviewRecord(repository, review);
  },

  [`PUT ${PULL}/reviews/{review_id}/dismissals`]: (call) => {
    call.need("write");
    const id = call.number("review_id");
    const review = found(call.repository.reviews.find((one) => one.id === id));
    review.state = "DISMISSED";
    return reviewRecord(call.repository, review);
  },

  [`GET ${PULL}/comments`]: (call) =>
    listed(
      call,
      call.repository.reviewComments.filter(({ pull }) => pull === call.pull.number),
    ),
  [`POST ${PULL}/comments`]: (call) => {
    const comment = addComment(call, call.pull, call.given<NewComment>(), null);
    return created(commentRecord(call.repository, comment));
  },
  [`POST ${PULL}/comments/{comment_id}/replies`]: (call) => {
    const { body = "" } = call.given<NewComment>();
    const reply = { body, in_reply_to: call.number("comment_id") };
    return created(commentRecord(call.repository, addComment(call, call.pull, reply, null)));
  },

  [`GET ${PULLS}/comments`]: (call) => listed(call, call.repository.reviewComments),
  [`GET ${COMMENT}`]: (call) => commentRecord(call.repository, comment(call)),
  [`PATCH ${COMMENT}`]: (call) => {
    const one = comment(call);
    call.need("write", one.author);
    const { body = one.body } = call.given<NewComment>();
    checkBody(body);
    return commentRecord(
      call.repository,
      Object.assign(one, { body, updatedAt: call.site.second }),
    );
  },
  [`DELETE ${COMMENT}`]: (call) => {
    const one = comment(call);
    call.need("write", one.author);
    call.repository.reviewComments.splice(call.repository.reviewComments.indexOf(one), 1);
    return noContent();
  },

  [`GET ${PULL}/requested_reviewers`]: ({ repository, pull }) => ({
    users: pull.reviewers.map((login) => userRecord(repository.site, login)),
    teams: pull.teams.map((slug) => teamRecord(repository, slug)),
  }),
  [`POST ${PULL}/requested_reviewers`]: (call) => {
    const { pull, repository } = call;
    const { reviewers = [], team_reviewers = [] } = call.given<NewRequest>();
    const known = repository.site.teams.get(repository.owner) ?? [];
    const isCollaborator =
      reviewers.every((login) => repository.roles.has(login)) &&
      team_reviewers.every((slug) => known.includes(slug));
    if (reviewers.includes(pull.author)) {
      throw new HttpError(422, "Review cannot be requested from pull request author.");
    }
    if (!isCollaborator) {
      const who = "One or more of the users or teams you specified is not a collaborator";
      const message = `Reviews may only be requested from collaborators. ${who}`;
      throw new HttpError(422, `${message} of the ${repository.fullName} repository.`);
    }
    const [logins, slugs] = [
      [...pull.reviewers, ...reviewers],
      [...pull.teams, ...team_reviewers],
    ];
    repository.change(pull, { reviewers: [...new Set(logins)], teams: [...new Set(slugs)] });
    return created(pullRecord(repository, pull, repositoryRecord(repository)));
  },
};

const STATES: Record<string, ReviewState> = {
  ...{ APPROVE: "APPROVED", REQUEST_CHANGES: "CHANGES_REQUESTED", COMMENT: "COMMENTED" },
};

interface NewReview {
  body: string;
  event: string;
  comments: Partial<NewComment>[];
  commit_id: string;
}

interface NewComment {
  body: string;
  path: string;
  line: number;
  side: "LEFT" | "RIGHT";
  commit_id: string;
  in_reply_to: number;
}

interface NewRequest {
  reviewers: string[];
  team_reviewers: string[];
}

/** @throws HttpError 404, 422 */
function addComment(call: Call, pull: Pull, given: Partial<NewComment>, review: number | null) {
  const { repository, site } = call;
  const { body = "", commit_id: commit = pull.head, in_reply_to, side = "RIGHT" } = given;
  if (body === "") throw invalid("PullRequestReviewComment", "body", "missing_field");
  checkBody(body);
  const thread = repository.reviewComments.find(({ id }) => id === in_reply_to);
  if (in_reply_to !== undefined) found(thread);
  const [path, line] = [thread?.path ?? given.path, thread?.line ?? given.line ?? 1];
  if (path === undefined) throw invalid("PullRequestReviewComment", "path", "missing_field");
  const [before, after] = [repository.forkOf(pull), repository.find(pull.head)].map((one) => {
    const file = entryAt(repository.objects, one?.tree ?? "", path);
    return repository.objects.blobs.get(file?.sha ?? "");
  });
  if (before === undefined && after === undefined) {
    throw invalid("PullRequestReviewComment", "path");
  }
  const at = site.second;
  const comment: ReviewComment = {
    ...{ id: site.nextId(), pull: pull.number, review, path, line, side, commit, body },
    ...{
      hunk: patchOf(before, after).patch ?? "",
      author: call.actor,
      createdAt: at,
      updatedAt: at,
    },
    ...{ replyTo: thread?.replyTo ?? thread?.id ?? null, isResolved: false },
  };
  repository.reviewComments.push(comment);
  return comment;
}

function comment(call: Call): ReviewComment {
  const id = call.number("comment_id");
  return found(call.repository.reviewComments.find((one) => one.id === id));
}

function listed(call: Call, comments: readonly ReviewComment[]) {
  const since = Date.parse(call.query("since") ?? "");
  return call.page(
    comments.filter(({ updatedAt }) => !(updatedAt < since)),
    (one) => commentRecord(call.repository, one),
  );
}

function reviewRecord(repository: Repository, review: Review) {
  const { site, fullName } = repository;
  const { id, pull, author, body, state, commit, at } = review;
  const html_url = `${site.webUrl}/${fullName}/pull/${pull}#pullrequestreview-${id}`;
  const pull_request_url = `${apiPath(repository)}/pulls/${pull}`;
  return {
    ...{ id, node_id: nodeId("PRR", id), user: userRecord(site, author), body, state, html_url },
    ...{
      pull_request_url,
      commit_id: commit,
      author_association: associationOf(repository, author),
    },
    _links: { html: { href: html_url }, pull_request: { href: pull_request_url } },
    ...(state === "PENDING" ? {} : { submitted_at: iso(at) }),
  };
}

function commentRecord(repository: Repository, comment: ReviewComment) {
  const { site, fullName } = repository;
  const { id, pull, review, author, path, line, side, hunk, commit, replyTo, body } = comment;
  const url = `${apiPath(repository)}/pulls/comments/${id}`;
  const html_url = `${site.webUrl}/${fullName}/pull/${pull}#discussion_r${id}`;
  const pull_request_url = `${apiPath(repository)}/pulls/${pull}`;
  return {
    ...{ id, node_id: nodeId("PRRC", id), url, html_url, pull_request_url, body, path, side, line },
    ...{ pull_request_review_id: review, diff_hunk: hunk, position: line, original_position: line },
    ...{ original_line: line, start_line: null, original_start_line: null, start_side: null },
    ...{ commit_id: commit, original_commit_id: commit, subject_type: "line" },
    ...(replyTo === null ? {} : { in_reply_to_id: replyTo }),
    ...{ user: userRecord(site, author), author_association: associationOf(repository, author) },
    ...{ created_at: iso(comment.createdAt), updated_at: iso(comment.updatedAt) },
    reactions: reactionRollup(repository, `pulls/comments/${id}`),
    _links: {
      ...{ self: { href: url }, html: { href: html_url } },
      pull_request: { href: pull_request_url },
    },
  };
}
