/**
 * Every request that the actions make to GitHub, by what it is about and what it reads or does. The client's methods,
 * and what is said about a token's permissions, come from this table.
 */

import * as z from "zod/mini";
import * as checks from "./answers/checks.ts";
import { DOCS_PULL, docsPullAnswer, MORE_CHECKS, moreChecksAnswer } from "./answers/docs-pull.ts";
import {
  MORE_COMMENTS,
  MORE_WORDS,
  moreCommentsAnswer,
  moreWordsAnswer,
} from "./answers/docs-pull-words.ts";
import { GATE_PULL, gatePullAnswer, isOfStatus } from "./answers/gate-pull.ts";
import * as git from "./answers/git.ts";
import * as history from "./answers/history.ts";
import * as issues from "./answers/issues.ts";
import * as questions from "./answers/questions.ts";
import { CHECKS } from "./check-routes.ts";
import { DEPLOYMENTS } from "./deployment-routes.ts";
import {
  list,
  listIn,
  type MissingPart,
  mutate,
  partialQuestion,
  question,
  read,
  write,
} from "./route.ts";

/** Answers of which nothing is used. */
const anything = z.unknown();
/** An answer of which the ID is used. */
const made = z.object({ id: z.int() });
const numbered = z.object({ number: z.int() });

/** Comments and reactions need one permission on issues, and another one on pull requests. */
const OF_COMMENTS = { onIssues: "issues: write", onPulls: "pull-requests: write" } as const;
const OF_POSTS = { onIssues: "issues: read", onPulls: "pull-requests: read" } as const;
const OF_CHECKS = ["pull-requests: read", "checks: read", "statuses: read"] as const;
/** GitHub says that a commit does not exist by one of these. */
const NO_COMMIT = [404, 422];
/** An empty repository has no refs. */
const NO_REF = [404, 409];
const GONE = [404, 410];

/** No ref names them yet: if one is made twice, nobody sees it. */
const TREE = { isRepeatable: true, sends: ["base_tree", "tree"] } as const;
const COMMIT = { isRepeatable: true, sends: ["message", "parents", "tree"] } as const;
const BODY = { sends: ["body"] } as const;
const REOPENING = { ...BODY, fixed: { state: "open" } } as const;
const HUNDRED = { fixed: { per_page: 100 } };

/** Checks need permissions of their own, and so does the workflow that one is of. */
function isOfChecks({ type, path }: MissingPart): boolean {
  const isChecks = path.includes("statusCheckRollup") || path.includes("checkSuites");
  return type === "FORBIDDEN" && isChecks;
}

export const ROUTES = {
  repositories: {
    get: read("GET /repos/{+repository}", ["metadata: read"], history.repository),
    /** It follows a former name. */
    id: read("GET /repos/{+repository}", ["metadata: read"], made),
    byId: read("GET /repositories/{id}", ["metadata: read"], history.repository),
    visibility: question(questions.VISIBILITY, ["metadata: read"], questions.visibility, 8),
    withPull: partialQuestion(
      questions.REPOSITORY_WITH_PULL,
      ["pull-requests: read"],
      questions.repositoryWithPull,
      () => true,
      50,
    ),
    /** With the tip of a branch. Those of several are asked for together. */
    source: partialQuestion(questions.SOURCE, ["contents: read"], questions.source, () => true, 50),
    folder: question(questions.FOLDER, ["contents: read"], questions.folder),
    rules: read("GET rules/branches/{branch}", ["metadata: read"], checks.rules, HUNDRED),
    viewer: question(questions.VIEWER, ["metadata: read"], questions.viewer),
    permission: read("GET collaborators/{login}/permission", ["metadata: read"], issues.permission),
  },
  users: { get: read("GET /users/{login}", ["metadata: read"], history.user) },
  branches: {
    get: read("GET branches/{branch}", ["contents: read"], history.branch, { absent: NO_COMMIT }),
    protection: read("GET branches/{branch}", ["contents: read"], checks.protectedBranch),
  },
  commits: {
    get: read("GET commits/{ref}", ["contents: read"], history.commit, {
      fixed: { per_page: 1 },
      absent: NO_COMMIT,
    }),
    newest: read("GET commits", ["contents: read"], anything, { fixed: { per_page: 1 } }),
    /** The commits that a SHA or a branch leads to, newest first. */
    list: list("GET commits", ["contents: read"], history.commits, {
      sends: ["sha"],
      absent: NO_COMMIT,
      most: 50,
    }),
    /** The commits of the head that the base lacks, oldest first. */
    compare: listIn(
      "GET compare/{base}...{head}",
      ["contents: read"],
      history.comparison,
      ({ commits }) => commits,
      { absent: NO_COMMIT, most: 50 },
    ),
    /** How a head is related to a base. */
    relation: read("GET compare/{base}...{head}", ["contents: read"], git.relation, {
      fixed: { per_page: 1 },
      absent: [404],
    }),
    /** How far a head is ahead of a base. Absent: they have no common ancestor. */
    distance: read("GET compare/{base}...{head}", ["contents: read"], history.comparison, {
      fixed: { per_page: 1 },
      absent: [404],
      absentWords: /no common ancestor/i,
    }),
    /** The files that differ, at most 300. */
    comparedFiles: read("GET compare/{base}...{head}", ["contents: read"], history.fileComparison, {
      fixed: { per_page: 1, page: 1 },
    }),
    fileMode: question(questions.FILE_MODE, ["contents: read"], questions.fileMode, 50),
    files: listIn(
      "GET commits/{ref}",
      ["contents: read"],
      history.commitWithFiles,
      ({ files = [] }) => files,
      { absent: NO_COMMIT, most: 3 },
    ),
    /** Every pull request that contains a commit. */
    pulls: read("GET commits/{sha}/pulls", ["pull-requests: read"], history.pulls, {
      fixed: { per_page: 100 },
      absent: NO_COMMIT,
    }),
    ...CHECKS,
    setStatus: write("POST statuses/{sha}", ["statuses: write"], anything, {
      sends: ["state", "context", "description", "target_url"],
    }),
  },
  releases: {
    list: question(questions.RELEASES, ["contents: read"], questions.releases, 20),
    tags: question(questions.TAGS, ["contents: read"], questions.tags, 20),
  },
  pulls: {
    get: read("GET pulls/{number}", ["pull-requests: read"], history.pull),
    head: read("GET pulls/{number}", ["pull-requests: read"], history.headed),
    /** GitHub refuses it for its content to whoever may open pull requests: the actions open none. */
    tryOpening: write("POST pulls", ["pull-requests: write"], anything, {
      fixed: { title: "", head: "", base: "" },
    }),
    /** Towards a branch. */
    newest: read("GET pulls", ["pull-requests: read"], history.pulls, {
      sends: ["base"],
      fixed: { state: "all", per_page: 1 },
    }),
    /** The closed ones, those that were changed last first. */
    closed: list("GET pulls", ["pull-requests: read"], history.pulls, {
      fixed: { state: "closed", sort: "updated", direction: "desc" },
      most: 50,
    }),
    open: question(
      questions.OPEN_PULLS,
      ["pull-requests: read", "statuses: read"],
      questions.openPulls,
    ),
    /** What the gate reads of an open one. */
    toJudge: partialQuestion(
      GATE_PULL,
      ["pull-requests: read", "statuses: read"],
      gatePullAnswer,
      isOfStatus,
      10,
    ),
    /** What people with write permission say of one. */
    approval: question(questions.APPROVAL, ["pull-requests: read"], questions.approval),
    state: question(questions.PULL_STATE, ["pull-requests: read"], questions.pullState, 8),
    files: list("GET pulls/{number}/files", ["pull-requests: read"], history.files, { most: 30 }),
    ownCommits: question(questions.OWN_COMMITS, ["pull-requests: read"], questions.ownCommits, 40),
    close: write("PATCH pulls/{number}", ["pull-requests: write"], anything, {
      fixed: { state: "closed" },
      isPatient: false,
    }),
    requestReviewers: write(
      "POST pulls/{number}/requested_reviewers",
      ["pull-requests: write"],
      anything,
      { sends: ["reviewers", "team_reviewers"] },
    ),
    merge: write(
      "PUT pulls/{number}/merge",
      ["contents: write", "pull-requests: write"],
      anything,
      { sends: ["sha", "merge_method", "commit_title", "commit_message"], isPatient: false },
    ),
    updateBranch: write("PUT pulls/{number}/update-branch", ["pull-requests: write"], anything, {
      sends: ["expected_head_sha"],
      isPatient: false,
    }),
    enqueue: mutate(
      questions.ENQUEUE,
      ["pull", "head"],
      ["contents: write", "pull-requests: write"],
      anything,
      { doneWords: /already in the (?:merge )?queue/i, isPatient: false },
    ),
  },
  docsPulls: {
    get: partialQuestion(DOCS_PULL, OF_CHECKS, docsPullAnswer, isOfChecks, 8),
    moreChecks: partialQuestion(MORE_CHECKS, OF_CHECKS, moreChecksAnswer, isOfChecks, 8),
    moreWords: question(MORE_WORDS, ["pull-requests: read"], moreWordsAnswer, 8),
    moreComments: question(MORE_COMMENTS, ["pull-requests: read"], moreCommentsAnswer, 8),
  },
  issues: {
    get: read("GET issues/{number}", ["issues: read"], issues.issue, { absent: GONE }),
    labelled: list("GET issues", ["issues: read"], issues.listedIssues, {
      sends: ["labels"],
      fixed: { state: "all" },
      most: 5,
    }),
    open: write("POST issues", ["issues: write"], numbered, { sends: ["title", "body", "labels"] }),
    edit: write("PATCH issues/{number}", ["issues: write"], anything, BODY),
    reopen: write("PATCH issues/{number}", ["issues: write"], anything, REOPENING),
    label: write("POST issues/{number}/labels", OF_COMMENTS, anything, { sends: ["labels"] }),
    assign: write("POST issues/{number}/assignees", OF_COMMENTS, issues.assigned, {
      sends: ["assignees"],
    }),
    /** Whether an app opened it for a person. */
    origin: read("GET issues/{number}", OF_POSTS, issues.post),
    comment: write("POST issues/{number}/comments", OF_COMMENTS, issues.comment, BODY),
    /** An issue takes at most 2,500. */
    comments: list("GET issues/{number}/comments", OF_COMMENTS, issues.comments, { most: 100 }),
  },
  comments: {
    get: read("GET issues/comments/{id}", OF_COMMENTS, issues.comment, { absent: GONE }),
    /** Whether an app wrote it for a person. */
    origin: read("GET issues/comments/{id}", OF_POSTS, issues.post),
    edit: write("PATCH issues/comments/{id}", OF_COMMENTS, issues.comment, {
      sends: ["body"],
      isRepeatable: true,
    }),
    /** Those on all issues and pull requests, the one that was changed last first. */
    changed: list("GET issues/comments", OF_COMMENTS, issues.comments, {
      sends: ["since"],
      fixed: { sort: "updated", direction: "desc" },
      most: 100,
    }),
    /** @param place of what is reacted to, below the repository */
    react: write("POST {+place}/reactions", OF_COMMENTS, anything, { sends: ["content"] }),
    reactToReview: mutate(questions.REACT, ["id", "content"], ["pull-requests: write"], anything),
  },
  refs: {
    get: read("GET git/ref/{+name}", ["contents: read"], git.ref, { absent: NO_REF }),
    list: read("GET git/matching-refs/{+prefix}", ["contents: read"], git.refs),
    create: write("POST git/refs", ["contents: write"], anything, { sends: ["ref", "sha"] }),
    move: write("PATCH git/refs/{+name}", ["contents: write"], anything, {
      sends: ["sha"],
      fixed: { force: false },
    }),
    remove: write("DELETE git/refs/{+name}", ["contents: write"], anything),
  },
  git: {
    commit: read("GET git/commits/{sha}", ["contents: read"], git.commitOfTree),
    makeTree: write("POST git/trees", ["contents: write"], git.object, TREE),
    makeCommit: write("POST git/commits", ["contents: write"], git.object, COMMIT),
    file: read("GET contents/{+path}", ["contents: read"], z.string(), {
      sends: ["ref"],
      absent: NO_COMMIT,
      format: "raw",
    }),
  },
  actions: {
    workflows: read("GET actions/workflows", ["actions: read"], checks.workflows, HUNDRED),
    scheduledRuns: read("GET actions/workflows/{id}/runs", ["actions: read"], checks.workflowRuns, {
      fixed: { event: "schedule", per_page: 50 },
    }),
    /** GitHub keeps it on another host. */
    log: read("GET actions/jobs/{id}/logs", ["actions: read"], z.string(), { format: "text" }),
  },
  deployments: DEPLOYMENTS,
} as const;
