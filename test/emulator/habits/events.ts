/** Events, their payloads, and what starts a run. */

import { emulated, notOurs, switched } from "./habit.ts";

const EVENTS_PAGE = "Events that trigger workflows";
const NO_RUN = "a pull request that conflicts, or whose head says [skip ci], starts no run";
const SECOND = "a second attempt waits for the job of the first one";
const MERGE_GROUP = "the verdict of a %s and a %s pull request is %s";
const NO_TARGET = "no action needs the event; the docs say what it is blocked by";
const PAYLOAD = "an event that lacks what it is about asks for nothing";

export const EVENTS = [
  notOurs(
    "pull_request_target is blocked in public repositories",
    "About Actions policies",
    NO_TARGET,
  ),
  notOurs(
    "pull_request_target runs the default branch's file",
    "Securely using pull_request_target",
    NO_TARGET,
  ),
  emulated("none for a pull request that conflicts", EVENTS_PAGE, NO_RUN),
  emulated("[skip ci] in the head's message: none", "Skipping workflow runs", NO_RUN),
  emulated(
    "two events make two checks of one name, in the playground too",
    "quay/quay#6044",
    "a push and a review have a check each, as on GitHub, and one status of the gate",
  ),
  switched(
    "runs of first-time contributors, and of pull requests by the workflow's token, are held",
    "go-to-k/cdkd#2793",
    "a run that is held for approval has a suite and no check, so the rollup may be green without it",
  ),
  notOurs(
    "checks of issue_comment and workflow_dispatch are not on the pull request",
    EVENTS_PAGE,
    "the playground reports checks of events with a pull request only",
  ),
  emulated(
    "types and paths of an event decide",
    "Workflow syntax",
    "an event starts a workflow that names it, with one of the types that it names",
  ),
  emulated(
    "push: the payload names no files",
    EVENTS_PAGE,
    "of a workflow, a checkout is known, and of pushes the paths count",
  ),
  emulated(
    "a condition's `==` and `contains` ignore case; missing properties are empty",
    "Evaluate expressions",
    "a job's condition is what GitHub makes of it",
  ),
  notOurs(
    "status functions in conditions",
    "Evaluate expressions",
    "jobs of the playground have one step",
  ),
  notOurs(
    "an `if:` of which a part is in an expression is always true",
    "rhysd/actionlint",
    "no workflow of the project has one; actionlint checks it",
  ),
  emulated(
    "a group keeps one run and one waiting; a newer one replaces that",
    "Control workflow concurrency",
    "a run that waits in a group is cancelled by the next one, with a message",
  ),
  emulated(
    "queue: max lets a hundred wait",
    "Control workflow concurrency",
    "with `queue: max`, all runs of a group wait",
  ),
  emulated(
    "groups ignore case, and all workflows share them",
    "Control workflow concurrency",
    "a run that waits in a group is cancelled by the next one, with a message",
  ),
  emulated(
    "a run that is replaced leaves a cancelled check",
    "apache/texera#8522",
    "of a run that was superseded stay in the rollup",
  ),
  emulated(
    "a run can take its place in the group before `if:`",
    "believed",
    "$where: a stranger's $name $action has a group of its own",
  ),
  emulated("a re-run has the first payload and SHA", "Re-running workflows and jobs", SECOND),
  notOurs(
    "secrets and variables are read anew by a re-run; 30 days, 50 times",
    "Re-running workflows and jobs",
    "the runner gives a step what it gets",
  ),
  switched(
    "Dependabot and forks: a token that only reads, no secrets",
    "Dependabot on Actions",
    "that is restricted is refused only what it has no permission for, with GitHub's message",
  ),
  notOurs(
    "a fork runs its schedules without secrets",
    EVENTS_PAGE,
    "the playground has one repository",
  ),
  notOurs(
    "schedules are late, dropped, or off after 60 days",
    EVENTS_PAGE,
    "a run catches up with all that it finds",
  ),
  notOurs(
    "a release of an old branch runs an old file",
    EVENTS_PAGE,
    "the files of the playground are those of the project",
  ),
  notOurs("workflow_call is no event name", EVENTS_PAGE, "no run of the emulation has it"),
  notOurs(
    "check_run, check_suite, status, deployment_status, workflow_run",
    EVENTS_PAGE,
    "no example runs on them",
  ),
  notOurs("repository_dispatch: 10 keys, 64 KB", EVENTS_PAGE, "no example sends one"),
  notOurs("matrices of 256, 500 runs in 10 s, 35 days", "Actions limits", "no example comes near"),
  notOurs(
    "environments hold a job, and make a deployment",
    "Managing environments",
    "only the project's own release has one",
  ),
  notOurs(
    "reusable workflows: permissions, groups, names of checks, inputs",
    "Reuse workflows",
    "the project has none",
  ),
  notOurs(
    "what a checker could read of a repository's settings",
    "REST API",
    "the project has no checker",
  ),
  notOurs(
    "the Marketplace's rules, moved tags, policies for actions",
    "Publishing actions",
    "GitHub checks them at a release",
  ),
  notOurs(
    "Actor rules, allowed actions, default permissions",
    "Actions policies",
    "no action can read them",
  ),
];

export const PAYLOADS = [
  switched(
    "push: zeros for new and deleted branches",
    "Webhook events and payloads",
    "of %s, no files are read",
  ),
  emulated(
    "issue_comment: issue.pull_request only marks it",
    "believed",
    "an issue is a pull request if GitHub marks it as one",
  ),
  emulated(
    "pull_request_review: the body may be null, its author a bot",
    "anthropics/claude-code-action#1018",
    PAYLOAD,
  ),
  emulated(
    "a review comment's line is null if it is outdated",
    "Webhook events and payloads",
    "a comment is read with its place, and one of a deleted account has no author",
  ),
  emulated(
    "merge_group: one pull request an entry, its number only in head_ref",
    "firezone/firezone#13268",
    MERGE_GROUP,
  ),
  emulated("issues edited: changes.body.from may be missing", "believed", PAYLOAD),
  emulated("sender and user can be null", "believed", PAYLOAD),
  notOurs(
    "release: body and name can be null",
    "Webhook events and payloads",
    "what is empty has no heading in a prompt",
  ),
];
