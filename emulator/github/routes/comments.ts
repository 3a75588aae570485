/** https://docs.github.com/rest/issues/comments and /reactions, for issues and pull requests alike. */

import { HttpError } from "../../http/http-error.ts";
import { Answer, type Call, created, found, invalid, noContent, type Routes } from "../call.ts";
import {
  apiPath,
  appRecord,
  associationOf,
  nodeId,
  REACTIONS,
  reactionRollup,
  userRecord,
} from "../records.ts";
import type { Repository } from "../repository.ts";
import { iso } from "../site.ts";
import { type Comment, isPull, type Reaction } from "../state.ts";

const ISSUES = "/repos/{owner}/{repo}/issues";
const ISSUE = `${ISSUES}/{issue_number}`;
const COMMENT = `${ISSUES}/comments/{comment_id}`;

export const commentRoutes: Routes = {
  [`GET ${ISSUE}/comments`]: (call) =>
    listed(
      call,
      call.repository.commentsOn(call.issue.number).toSorted((one, other) => one.id - other.id),
    ),

  [`POST ${ISSUE}/comments`]: (call) => {
    const { issue, repository } = call;
    const { body = "" } = call.given<Comment>();
    if (body === "") throw invalid("IssueComment", "body", "missing_field");
    if (issue.isLocked && !repository.may(call.login, "write")) {
      throw new HttpError(403, "Unable to create comment because issue is locked.");
    }
    return created(commentRecord(repository, repository.comment(issue, body, call.actor)));
  },

  [`GET ${ISSUES}/comments`]: (call) => {
    const field = call.query("sort") === "updated" ? "updatedAt" : "createdAt";
    // Without `sort`, GitHub pays no heed to the direction.
    const isDown = call.query("sort") !== undefined && call.query("direction") === "desc";
    const sorted = [...call.repository.comments.values()].sort(
      (one, other) => one[field] - other[field] || one.id - other.id,
    );
    return listed(call, isDown ? sorted.reverse() : sorted);
  },

  [`GET ${COMMENT}`]: (call) => commentRecord(call.repository, comment(call)),

  [`PATCH ${COMMENT}`]: (call) => {
    const one = comment(call);
    call.need("write", one.author);
    const { body = "" } = call.given<Comment>();
    if (body === "") throw invalid("IssueComment", "body", "missing_field");
    call.repository.setComment(one, body);
    return commentRecord(call.repository, one);
  },

  [`DELETE ${COMMENT}`]: (call) => {
    const one = comment(call);
    call.need("write", one.author);
    call.repository.setComment(one, null);
    return noContent();
  },

  ...reactions(ISSUE, (call) => `issues/${call.issue.number}`),
  ...reactions(COMMENT, (call) => `issues/comments/${comment(call).id}`),
  ...reactions("/repos/{owner}/{repo}/pulls/comments/{comment_id}", (call) => {
    const id = call.number("comment_id");
    return `pulls/comments/${found(call.repository.reviewComments.find((one) => one.id === id)).id}`;
  }),
};

function comment(call: Call): Comment {
  return found(call.repository.comments.get(call.number("comment_id")));
}

/** Those that were written since the time that is asked for. */
function listed(call: Call, comments: readonly Comment[]): Answer {
  const since = Date.parse(call.query("since") ?? "");
  return call.page(
    comments.filter(({ updatedAt }) => !(updatedAt < since)),
    (one) => commentRecord(call.repository, one),
  );
}

function commentRecord(repository: Repository, comment: Comment) {
  const { site, fullName } = repository;
  const { id, issue, body, author } = comment;
  const kind = isPull(repository.issues.get(issue)) ? "pull" : "issues";
  const url = `${apiPath(repository)}/issues/comments/${id}`;
  const html_url = `${site.webUrl}/${fullName}/${kind}/${issue}#issuecomment-${id}`;
  return {
    ...{ id, node_id: nodeId("IC", id), url, html_url, body, user: userRecord(site, author) },
    ...{ created_at: iso(comment.createdAt), updated_at: iso(comment.updatedAt) },
    issue_url: `${apiPath(repository)}/issues/${issue}`,
    author_association: associationOf(repository, author),
    ...{ performed_via_github_app: appRecord(site, author) },
    reactions: reactionRollup(repository, `issues/comments/${id}`),
  };
}

/** The routes of the reactions to something. @param subjectOf throws where it is not there */
function reactions(path: string, subjectOf: (call: Call) => string): Routes {
  return {
    [`GET ${path}/reactions`]: (call) => {
      const subject = subjectOf(call);
      const all = call.repository.reactions.filter((one) => one.subject === subject);
      return call.page(all, (one) => reactionRecord(call, one));
    },
    [`POST ${path}/reactions`]: (call) => {
      const { content = "" } = call.given<{ content: string }>();
      const subject = subjectOf(call);
      if (!REACTIONS.includes(content)) throw invalid("Reaction", "content");
      const { reaction, isNew } = react(call.repository, subject, call.actor, content);
      return new Answer(isNew ? 201 : 200, reactionRecord(call, reaction));
    },
  };
}

/** Adds a reaction, unless the account has reacted so before. */
export function react(
  { reactions, site }: Repository,
  subject: string,
  login: string,
  content: string,
) {
  const same = reactions.find(
    (one) => one.subject === subject && one.login === login && one.content === content,
  );
  if (same !== undefined) return { reaction: same, isNew: false };
  const reaction = { id: site.nextId(), subject, login, content, at: site.second };
  reactions.push(reaction);
  return { reaction, isNew: true };
}

function reactionRecord({ site }: Call, { id, login, content, at }: Reaction) {
  const user = userRecord(site, login);
  return { id, node_id: nodeId("REA", id), user, content, created_at: iso(at) };
}
