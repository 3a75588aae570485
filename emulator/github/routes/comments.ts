/** https://docs.github.com/rest/issues/comments and /reactions, for issues and pull requests alike. */

import { HttpError } from "../../http/http-error.ts";
import {
  Answer,
  type Call,
  created,
  found,
  linked,
  missing,
  noContent,
  type Routes,
} from "../call.ts";
import { checkDepth, pageOf } from "../limits.ts";
import { appRecord, associationOf, userOrNull, userRecord } from "../records.ts";
import type { Repository } from "../repository.ts";
import { isBot, iso } from "../site.ts";
import { type Comment, isPull, type Reaction } from "../state.ts";

const ISSUE = "/issues/{issue_number}";
const COMMENT = "/issues/comments/{comment_id}";

/** Maximum number of comments of a whole repository that GitHub lists. */
const MAX_DEPTH = 30_000;

export const commentRoutes: Routes = {
  [`GET ${ISSUE}/comments`]: (call) => listed(call, call.repository.commentsOn(call.issue.number)),

  [`POST ${ISSUE}/comments`]: (call) => {
    const { issue, repository } = call;
    const body = givenBody(call);
    // Only people who may write count; no app's token does.
    if (issue.isLocked && (!call.may("write") || isBot(call.actor))) {
      throw new HttpError(403, "Unable to create comment because issue is locked.");
    }
    return created(commentRecord(repository, repository.comment(issue, body, call.actor)));
  },

  "GET /issues/comments": (call) => {
    const field = call.query("sort") === "updated" ? "updatedAt" : "createdAt";
    // Without `sort`, GitHub ignores the direction.
    const isDown = call.query("sort") !== undefined && call.query("direction") === "desc";
    checkDepth(call.context.url, MAX_DEPTH);
    const sorted = [...call.repository.comments.values()].sort(
      (first, second) => first[field] - second[field] || first.id - second.id,
    );
    return listed(call, isDown ? sorted.reverse() : sorted);
  },

  [`GET ${COMMENT}`]: (call) => commentRecord(call.repository, comment(call)),

  [`PATCH ${COMMENT}`]: (call) => {
    call.need("write", comment(call).author);
    call.repository.setComment(comment(call), givenBody(call), call.actor);
    return commentRecord(call.repository, comment(call));
  },

  [`DELETE ${COMMENT}`]: (call) => {
    call.need("write", comment(call).author);
    call.repository.setComment(comment(call), null);
    return noContent();
  },

  ...reactions(ISSUE, (call) => ["issues", call.issue.number, call.issue.number]),
  ...reactions(COMMENT, (call) => ["issues/comments", comment(call).id, comment(call).issue]),
  ...reactions("/pulls/comments/{comment_id}", (call) => {
    const { id, pull } = call.byId(call.repository.reviewComments, "comment_id");
    return ["pulls/comments", id, pull];
  }),
};

function comment(call: Call): Comment {
  return found(call.repository.comments.get(Number(call.param("comment_id"))));
}

function givenBody(call: Call): string {
  const body = call.text("body") ?? "";
  if (body === "") throw missing("IssueComment", "body");
  return body;
}

function listed(call: Call, comments: readonly Comment[]): Answer {
  const since = comments.filter(({ updatedAt }) => call.isSince(updatedAt));
  const { items, link } = pageOf(since, call.context.url);
  // What hidden accounts wrote is missing, which makes a page shorter.
  const shown = items.filter(({ author }) => !call.site.switches.hidden.has(author));
  return linked(
    shown.map((item) => commentRecord(call.repository, item)),
    link,
  );
}

function commentRecord(repository: Repository, comment: Comment) {
  const { site, api, page, issues } = repository;
  const { id, issue, body, author } = comment;
  const kind = isPull(issues.get(issue)) ? "pull" : "issues";
  return {
    id,
    node_id: `IC_${id}`,
    body,
    user: userOrNull(site, author),
    url: `${api}/issues/comments/${id}`,
    issue_url: `${api}/issues/${issue}`,
    html_url: `${page}/${kind}/${issue}#issuecomment-${id}`,
    created_at: iso(comment.createdAt),
    updated_at: iso(comment.updatedAt),
    author_association: associationOf(repository, author),
    performed_via_github_app: appRecord(site, author),
  };
}

/** What is reacted to, and the number of the issue or pull request that it belongs to. */
type Subject = [kind: string, id: number, issue: number];

/** The routes for reactions. @param subjectOf throws if there is no such subject */
function reactions(path: string, subjectOf: (call: Call) => Subject): Routes {
  return {
    [`POST ${path}/reactions`]: (call) => {
      const content = call.text("content") ?? "";
      const [kind, id, issue] = subjectOf(call);
      const isLocked = call.repository.issues.get(issue)?.isLocked === true;
      if (isLocked && !call.may("write")) {
        throw new HttpError(403, "Unable to create reaction because issue is locked.");
      }
      const subject = `${kind}/${id}`;
      const before = call.repository.reactions.length;
      const reaction = react(call.repository, subject, call.actor, content);
      const isNew = call.repository.reactions.length > before;
      return new Answer(isNew ? 201 : 200, reactionRecord(call, reaction));
    },
  };
}

/** Adds a reaction, unless the account already has this one. */
export function react(to: Repository, subject: string, login: string, content: string): Reaction {
  const same = to.reactions.find(
    (reaction) =>
      reaction.subject === subject && reaction.login === login && reaction.content === content,
  );
  if (same !== undefined) return same;
  const { site } = to;
  const reaction: Reaction = {
    id: site.nextId(),
    subject,
    login,
    content,
    created_at: iso(site.second),
  };
  to.reactions.push(reaction);
  return reaction;
}

function reactionRecord({ site }: Call, { id, login, content, created_at }: Reaction) {
  return { id, node_id: `REA_${id}`, user: userRecord(site, login), content, created_at };
}
