/** Pull requests, reviews, merges. */

import { emulated, FAULT, notOurs, switched } from "./habit.ts";

const REFUSED =
  "is refused for conflicts, drafts, another head, closed pull requests, and accounts that may not push";
const RULE =
  "is refused until the branch's rule is fulfilled: approvals, checks, an up-to-date head, the method";

export const PULLS = [
  emulated(
    "sort=updated moves while it is paged",
    "believed",
    "a list that is sorted by update moves while it is paged",
  ),
  switched(
    "the list lags behind merges",
    "tanium/octobot#75",
    "that were just merged can be missing from lists",
  ),
  switched(
    "pulls/{n}/files names no head, and lags by itself",
    "neomjs/neo-agent-brain#85",
    "has the files of the old head while the pull request has the new one",
  ),
  emulated("merge_commit_sha is a trial merge before the merge", "Get a pull request", REFUSED),
  emulated(
    "a queue merges each pull request with its own commit",
    "Managing a merge queue",
    "a merge queue's group is as many changes as it has pull requests",
  ),
  emulated(
    "a squash's title is the only commit's or the pull request's, with its number",
    "Configuring commit squashing",
    "are squashed under the title of the only commit, or their own, with their number",
  ),
  switched(
    "user is null if the account was deleted",
    "OpenAPI",
    "whose account was deleted have no name, in REST and in GraphQL",
  ),
  switched(
    "pull requests of hidden accounts vanish from lists and are 404",
    "believed",
    "whose account is hidden vanish from lists, and what they opened is 404",
  ),
  emulated(
    "files are added, removed, modified or renamed; no patch for binary ones",
    "List pull requests files",
    "a difference contains added, removed, changed and renamed files",
  ),
  emulated(
    "a base that is deleted closes its pull requests; a deleted branch is for good",
    "Managing branches",
    "are closed with their base, and with their branch, without which they cannot be opened again",
  ),
  switched(
    "mergeable is null until asked for, and after each move of the base",
    "strands-labs/robots#2586",
    "can be of unknown mergeability until they are asked for, and again after each move of the base",
  ),
  emulated(
    "a push of its commits merges a pull request, which conflicts until then",
    "Mergifyio/mergify#4535",
    "merges it, but first GitHub says that it conflicts",
  ),
  emulated(
    "update-branch answers 202, and makes a merge commit by GitHub",
    "Update a pull request branch",
    "an update of a branch merges its base into it, at the expected head",
  ),
  emulated(
    "enqueuePullRequest takes the expected head",
    "GraphQL schema",
    "a pull request joins the merge queue at the expected head, and a push takes it out",
  ),
  notOurs(
    "auto_merge, merged_by and requested_reviewers are in the answer",
    "Get a pull request",
    "the actions do not read them",
  ),
  emulated(
    "commits/{sha}/pulls: of any base; open ones only if the default branch lacks the commit",
    "Commits",
    "a commit that is not on the default branch has its merged and its open pull requests",
  ),
  switched(
    "asked of a fork, it lists the upstream's",
    "TooTallNate/nx.js#410",
    "lists the upstream's pull requests for a commit, with the upstream's ID",
  ),
  emulated(
    "a review that is not submitted has no submitted_at; createdAt is when it was begun",
    "Get a review for a pull request",
    "a review that is not submitted has no time, and answers no request for one",
  ),
  emulated(
    "reviews are from the oldest; an approval stays",
    "Reviews",
    "reviews are listed from the oldest, and an approval stays when its author asks for changes or the head moves",
  ),
  emulated(
    "requesting reviewers is all or nothing, and at most 15",
    "Review requests",
    "are asked all or none: not the author, nobody who is no collaborator, and at most 15",
  ),
  emulated(
    "a team needs a token that reads members: 422",
    "actions/github-script#572",
    "without the members of an organization cannot ask a team for a review",
  ),
  switched(
    "private repositories on Free: one reviewer, one assignee, no teams",
    "peter-evans/create-pull-request#1638",
    "takes one reviewer, one assignee and no team, and drops the rest",
  ),
  emulated("a merge with another head: 409; drafts, conflicts: 405", "cli/cli#8092", REFUSED),
  switched("'Base branch was modified', 'Merge already in progress'", "OpenAPI", FAULT),
  switched(
    "a merge can be done although its answer was lost",
    "believed",
    "a move whose answer is lost may have been made",
  ),
  emulated("only the head is pinned by a merge, never the base", "Merge a pull request", REFUSED),
  switched(
    "a base with a queue refuses merges",
    "NixOS/nixpkgs-merge-bot#202",
    "of a base with a merge queue are not merged by a request",
  ),
  switched("all rules are one BLOCKED", "strands-labs/robots#2578", RULE),
  switched(
    "HAS_HOOKS can be merged",
    "GraphQL schema",
    "can be mergeable although the server's hooks have the last word",
  ),
  switched(
    "mergeStateStatus is CLEAN for a token that can bypass, whose merge goes round the rule",
    "finite-sample/rmcp#71",
    "is CLEAN for an account that can bypass the rule, and its merge goes around the rule",
  ),
  emulated(
    "the workflow's token reads BLOCKED where workflow files change",
    "strands-labs/robots#1917",
    "is BLOCKED for the workflow's token if the pull request changes workflow files",
  ),
  emulated(
    "a review thread can be read by its ID, and its comments page by page, from the newest back",
    "Forming calls with GraphQL",
    "lists the comments of a thread by its ID, page by page",
  ),
  emulated(
    "merging workflow files is refused for it: 403 'refusing to allow a GitHub App …'",
    "getmydia/mydia#634",
    "a merge that changes workflow files is refused for the workflow's token, and for apps without the permission",
  ),
  switched(
    "authors may resolve threads; resolvedBy is null for an app",
    "orgs/community#12961",
    "names who resolved a thread, but not if it was an app",
  ),
  emulated(
    "latestOpinionatedReviews has the newest opinion of each account, with writersOnly of writers",
    "GraphQL schema",
    "gives the newest opinion of each writer, however many reviews others leave",
  ),
  emulated(
    "reviews and comments that are not submitted are seen only by who writes them",
    "Reviews",
    "shows comments that are not submitted yet only to who writes them",
  ),
  emulated(
    "reviewThreads, reviews and contexts are at most 100 a read",
    "GraphQL schema",
    "gives at most 100 of a list at once",
  ),
];
