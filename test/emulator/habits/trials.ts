/** What doctor asks of GitHub: requests that are bound to be refused, rules, workflows. */

import { emulated, switched } from "./habit.ts";

export const TRIALS = [
  emulated(
    "a permission is checked before the content: 403 without it, 422 with it",
    "believed",
    "is refused for the permission first, then for the content: %s",
  ),
  switched(
    "writes to an archived repository: 403 with words of its own",
    "believed",
    "in an archived repository is refused before anything else",
  ),
  switched(
    "Issues that are disabled: 410, to whoever may write them",
    "Create an issue",
    "for an issue is refused for disabled Issues only with the permission",
  ),
  switched(
    "workflows open no pull requests unless a setting allows it: 403",
    "Managing GitHub Actions settings for a repository",
    "for a pull request is refused to workflows by a setting of the repository",
  ),
  emulated(
    "a workflow's token names no commit that changes workflow files: 403",
    "cli/cli#9514",
    "a ref that names a commit with changed workflow files is refused to a workflow's token",
  ),
  switched(
    "rules of a branch need only metadata: read",
    "Get rules for a branch",
    "everybody who can read the repository can read a branch's rules",
  ),
  switched(
    "the checks of a classic branch protection are shown with the branch, and not among its rules",
    "Get a branch; isaacs/github#1940",
    "a branch shows the checks of its classic protection to everybody who can read it",
  ),
  switched(
    "a workflow's state says why it is disabled; its runs can be listed by event",
    "List repository workflows",
    "a workflow has a state, and the runs that its schedule started",
  ),
];
