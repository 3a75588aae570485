/** Refs, git objects, contents, comparisons, commits. */

import { emulated, FAULT, notOurs, switched } from "./habit.ts";

const LAG = "each kind of read lags by itself: %s";
const CREATED = "a ref of any name is created once, and moves only forward unless it is forced";

export const GIT_DATA = [
  emulated(
    "git/ref finds whole names only: 404; refs mind the case of letters",
    "References",
    "are found by their whole name only",
  ),
  emulated(
    "reads of refs and commits in an empty repository: 409",
    "References",
    "an empty repository answers reads of refs and commits with 409",
  ),
  emulated(
    "trees, commits and refs in an empty repository: 409",
    "github/rest-api-description#637",
    "an empty repository refuses git data",
  ),
  emulated(
    "matching-refs lists what begins with a text, at any depth, all at once",
    "References",
    "that begin with a text are listed all at once, at any depth, whatever page is asked for",
  ),
  emulated("creating a ref twice, or of no object: 422", "isaacs/github#308", CREATED),
  emulated("a bad name of a ref: 422", "References", "the ref %s is refused"),
  emulated(
    "refs/x beside refs/x/y: 422",
    "believed",
    "cannot be beside one that is a folder of theirs",
  ),
  emulated("no fast forward, no such ref: 422", "webspace-sdk/webspace-engine#104", CREATED),
  switched(
    "an answer is lost after the ref moved",
    "believed",
    "a move whose answer is lost may have been made",
  ),
  switched("reads show the old ref, or none, after a write", "PyGithub/PyGithub#2759", LAG),
  switched(
    "a late copy says 404 for a commit that exists",
    "cli/cli#4907",
    "says 404 for a commit that exists",
  ),
  switched(
    "base_tree is now and then no valid tree",
    "PyGithub/PyGithub#1732",
    "where GitHub takes no commit for a tree, the tree is read first",
  ),
  switched(
    "push protection refuses contents with 409",
    "Working with push protection from the REST API",
    FAULT,
  ),
  notOurs(
    "bodies of tens of MB, and work above 10 s, are refused",
    "Troubleshooting the REST API",
    "ledgers and trees of the actions are small",
  ),
  emulated(
    "a commit without an author is the token's account, now",
    "believed",
    "files are written on top of those of the parent, and GitHub names author and date",
  ),
  emulated(
    "refs outside of heads and tags are not in forks",
    "wearerequired/git-mirror-action#28",
    "has the branches and tags, and no other refs",
  ),
  switched(
    "rulesets refuse refs: 422 with the rule's words",
    "About rulesets",
    "that a rule protects are refused with the rule's words",
  ),
  switched(
    "commits of forks are readable by SHA through the parent",
    "Compare two commits",
    "lists the upstream's pull requests for a commit, with the upstream's ID",
  ),
  switched(
    "unreachable commits are dropped some day",
    "believed",
    "a commit that GitHub dropped is gone from every answer",
  ),
  emulated(
    "contents: JSON up to 1 MB, raw up to 100 MB, 403 too_large, 404",
    "Repository contents",
    "are returned in JSON up to a megabyte, and raw beyond",
  ),
  emulated(
    "404 may mean no access; names of repositories ignore case",
    "Troubleshooting the REST API",
    "that is private is visible only to accounts with a role, and one that is archived is read-only",
  ),
  emulated(
    "compare: the last 250 without pages, from the oldest with them",
    "Compare two commits",
    "without pages has the last 250 commits, and with pages begins with the oldest",
  ),
  emulated(
    "compare names files on its first page only",
    "Compare two commits",
    "has files on its first page only",
  ),
  emulated(
    "compare without a common ancestor: 404",
    "OpenAPI",
    "branches without a common ancestor cannot be compared: 404",
  ),
  emulated(
    "names with slashes must be encoded; a trailing slash is 404",
    "Troubleshooting the REST API",
    "takes names with slashes, which are encoded, and nothing has a slash at its end",
  ),
  emulated(
    "of a tag and a branch with one name, compare takes the branch",
    "adlnet/xAPI-Spec#568",
    "of a tag and a branch with one name, a comparison takes the branch",
  ),
  switched(
    "large diffs: compare, commits and files answer 500 or 422 every time",
    "github-changelog-generator/github-changelog-generator#920",
    "makes each comparison with it fail, but not the pages after the first, nor the list of commits",
  ),
  switched(
    "the files of a huge commit or pull request cannot be read",
    "OpenAPI",
    "cannot be read with its files, nor can the files of a pull request with it",
  ),
  switched(
    "/commits?since= stops at the first older commit",
    "elfshaker/elfshaker#94",
    "finds nothing behind an older commit, however new, as `git log --since` does",
  ),
  emulated(
    "/commits is in order of date; dates are whatever a clock said",
    "believed",
    "commits with dates in the future are listed as they are",
  ),
  emulated("commits/{ref}: 300 files a page", "OpenAPI", "a commit has 300 files on a page"),
  switched(
    "a renamed branch is 301 until its name is used again",
    "OpenAPI",
    "a branch that was renamed is redirected to until its name is used again",
  ),
  notOurs("with several merge bases the diff uses one", "believed", "only commits are used"),
];
