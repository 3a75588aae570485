/** How the runner starts a step, reads it, and ends it. */

import { emulated, notOurs, switched } from "./habit.ts";

const CANCEL =
  "%s during a delay ends the step with cancelled, and log, summary and comment say how to wait for the job";
const COMMANDS =
  "a command is recognized after white space, in any case, and in its legacy form anywhere";
const STATE = "what a step writes is in the result, and the post entry gets the state";
const INPUTS =
  "inputs are environment variables with the runner's names, and the defaults of action.yml";

export const RUNNER = [
  emulated(
    "a variable has less than 128 KiB: the step cannot start",
    "Handler.cs of the runner",
    "a step with a variable of 128 KiB does not start",
  ),
  emulated(
    "an output with a masked text is dropped from a job's",
    "actions/runner#2109",
    "an output with a masked text is no output of the job",
  ),
  emulated(
    "all outputs of a job: 1 MB of UTF-16",
    "Passing information between jobs",
    "all outputs of a job together have at most 1 MB of UTF-16",
  ),
  emulated(
    "a summary above 1 MiB is dropped, with an error",
    "Workflow commands",
    "a summary above 1 MiB is dropped with an error",
  ),
  emulated(
    "10 annotations of a kind a step, 4,096 characters each",
    "ExecutionContext.cs of the runner",
    "ten annotations of each kind are kept of a step, and 4,096 characters of each",
  ),
  emulated(
    "cancel: SIGINT, SIGTERM after 7.5 s, the end after 2.5 s",
    "ProcessInvoker.cs of the runner",
    CANCEL,
  ),
  switched(
    "a shutdown, *Force cancel* or a lost runner: no post step",
    "StepsRunner.cs of the runner",
    "a third attempt waits for the job of a first one that was killed",
  ),
  emulated(
    "outputs and state are read after a step that was killed",
    "ActionRunner.cs of the runner",
    "after a kill before the comment was posted, the post step posts it",
  ),
  emulated("state is visible in the same step's post entry only", "Workflow commands", STATE),
  emulated(
    "command files: NAME=VALUE, or a delimiter",
    "Workflow commands",
    "values of one line and of several lines are read",
  ),
  emulated("::cmd:: and ##[…] count in printed text", "Workflow commands", COMMANDS),
  emulated(
    "stop-commands",
    "Workflow commands",
    "commands between stop-commands and its token are ignored",
  ),
  emulated(
    "masks hold from then on",
    "ActionCommandManager.cs of the runner",
    "the log shows what a person would see, and no secret",
  ),
  emulated(
    "INPUT_ in upper case; hyphens stay; defaults with expressions",
    "ActionRunner.cs of the runner",
    INPUTS,
  ),
  emulated(
    "an input that is not declared only warns",
    "ActionRunner.cs of the runner",
    "an input that is not declared is a warning, and the step gets it all the same",
  ),
  emulated(
    "a time limit ends a step",
    "Actions limits",
    "a step that exceeds its limit is killed, and the error contains its log",
  ),
  emulated(
    "the workspace is empty without a checkout",
    "Self-hosted runners reference",
    "of a workflow, a checkout is known, and of pushes the paths count",
  ),
  notOurs(
    "container jobs: signals reach docker, paths are mapped",
    "StepHost.cs of the runner",
    "a step here is a process of its own",
  ),
  notOurs(
    "NODE_OPTIONS and GITHUB_* cannot be set by GITHUB_ENV",
    "Workflow commands",
    "no action writes it",
  ),
  notOurs("composite actions", "Metadata syntax", "the project has none"),
  notOurs(
    "a secret that does not exist is the empty text",
    "Using secrets",
    "an input is a text like any other",
  ),
  notOurs(
    "problem matchers of earlier steps",
    "actions/toolkit",
    "lines of the actions are prefixed",
  ),
  notOurs(
    "node24 needs runner 2.327.1; no node24 on 32-bit ARM",
    "Runner releases",
    "steps run on this machine's Node",
  ),
  notOurs(
    "act knows no groups, permissions, limits",
    "nektos/act#6096",
    "the playground has groups; act is for trials",
  ),
];
