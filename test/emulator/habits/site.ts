/** Limits, redirects, versions, tokens, releases, other servers. */

import { emulated, FAULT, notOurs, switched } from "./habit.ts";

const RESTRICTED =
  "that is restricted is refused only what it has no permission for, with GitHub's message";
const RENAMED = "that was renamed or transferred is redirected to by its ID";

export const LIMITS = [
  switched(
    "1,000 requests an hour for the workflow's token: 403 with remaining 0",
    "Rate limits for the REST API",
    "has a limited number of requests in an hour",
  ),
  switched("secondary limits: 403 or 429, with retry-after or without", "Rate limits", FAULT),
  emulated("reads of a renamed repository: 301; writes: 307", "Best practices", RENAMED),
  emulated(
    "an old name can be taken by somebody else",
    "Renaming a repository",
    "a repository's old name can be taken by somebody else, which ends its redirects",
  ),
  switched("403 for single sign-on, address lists, suspended apps", "ossf/scorecard#1504", FAULT),
  switched("422 with code abuse, and 403 for abuse without a delay", "nf-core/tools#911", FAULT),
  emulated(
    "a missing permission is named by x-accepted-github-permissions",
    "aquasecurity/trivy#10567",
    RESTRICTED,
  ),
  emulated(
    "every answer says how many requests remain, and that the old version ends in March 2028",
    "API Versions",
    "of GitHub says what remains of the hour, and until when the old version is answered",
  ),
  switched("5xx come as HTML", "believed", FAULT),
  switched(
    "Date may be seconds apart",
    "believed",
    "the clock of an answer can be behind GitHub's time",
  ),
  switched(
    "without a version header GitHub answers as the oldest; 2026-03-10 lacks fields",
    "API Versions",
    "2026-03-10 has no merge_commit_sha and no assignee, and one that does not exist is refused",
  ),
];

export const TOKENS = [
  switched(
    "tokens end after an hour: 401",
    "Generating an installation access token",
    "of an app ends after an hour: 401",
  ),
  emulated(
    "a wrong token: 401",
    "Troubleshooting the REST API",
    "that does not exist is refused with 401, and an unknown account has no permission",
  ),
  switched("each request needs its permission", "Permissions required for GitHub Apps", RESTRICTED),
  switched(
    "of issues and pull requests one is enough for comments",
    "Permissions required for GitHub Apps",
    "can react and comment with the permission %s alone",
  ),
  notOurs(
    "what the workflow's token does triggers nothing",
    "GITHUB_TOKEN",
    "in the playground only people cause events",
  ),
  emulated(
    "another repository is 404",
    "Troubleshooting the REST API",
    "that is private is visible only to accounts with a role, and one that is archived is read-only",
  ),
  switched(
    "runs from forks and of Dependabot read only",
    "Events that trigger workflows",
    RESTRICTED,
  ),
];

export const RELEASES = [
  switched(
    "a promoted prerelease keeps published_at; a backport is newer",
    "tooomm/github-release-stats#43",
    "that was a prerelease keeps its time when it is promoted",
  ),
  switched(
    "a moved tag keeps the release's name; without its tag it is a draft",
    "believed",
    "keeps its name when its tag is moved, and is a draft when its tag is deleted",
  ),
  notOurs("the list has no promised order", "Releases", "the newest is found by published_at"),
  notOurs("immutable releases", "Immutable releases", "no action makes a release"),
  notOurs(
    "deployments: auto_merge, required_contexts, states, environments",
    "Create a deployment",
    "no action makes a deployment",
  ),
];

export const ENTERPRISE = [
  switched(
    "web commits are by GitHub Enterprise, addresses of the server",
    "desktop/desktop#13852",
    "on GitHub Enterprise Server, web commits and addresses are of the server",
  ),
  emulated(
    "the API has another address",
    "GitHub Enterprise Server",
    "the emulated GitHub serves the world's repository over HTTP, with GitHub's headers",
  ),
  notOurs("no rate limits unless switched on", "Rate limits", "nothing is asked of a limit"),
  switched(
    "pre-receive hooks refuse refs with any words: 422",
    "believed",
    "that a rule protects are refused with the rule's words",
  ),
  switched(
    "the schema is years behind",
    "octokit/graphql-schema#892",
    "refuses a query with a field that it does not know",
  ),
  notOurs(
    "github.com's data residency has its own hosts",
    "About data residency",
    "addresses come from the runner",
  ),
];
