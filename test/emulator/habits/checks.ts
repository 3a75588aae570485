/** Check suites, check runs, statuses. */

import { emulated, notOurs, switched } from "./habit.ts";

const CONCLUSIONS = "end with whatever is reported: %s";
const NO_RUN =
  "a head without any run, for example with [skip ci] in its message, has no suites and no rollup";
const TWO_EVENTS =
  "of two events are two, and a green one does not clear a red one of the same name";

export const CHECKS = [
  switched(
    "a held run has a suite (action_required) and no check; the rollup may be SUCCESS",
    "dtzp555-max/ocp#335",
    "a run that is held for approval has a suite and no check, so the rollup may be green without it",
  ),
  switched(
    "the run of a suite's workflow needs `actions: read`, or is an error beside the answer",
    "tellahq/opensession#212",
    "of workflows do not name their workflow to a token without actions: read",
  ),
  emulated(
    "a request for a log is redirected to another host, where no token is allowed",
    "Workflow jobs",
    "the log of a job is on another host",
  ),
  switched("checks register late", "github/docs#9126", "appear late if the scenario says so"),
  emulated(
    "REST lists the suites of a commit",
    "Check suites",
    "suites are listed in REST, too, with those that have no check",
  ),
  emulated("[skip ci] in the head's message: no run, no check", "pmcfadin/cqlite#2910", NO_RUN),
  emulated("checks of two events do not replace each other", "quay/quay#6044", TWO_EVENTS),
  emulated(
    "the rollup keeps the runs that were superseded",
    "apache/texera#8522",
    "of a run that was superseded stay in the rollup",
  ),
  emulated(
    "a re-run replaces the runs of its own suite only; any app may use a name",
    "About rulesets",
    "of a re-run replace those of its own suite only",
  ),
  emulated(
    "a check and a status of one name are both required",
    "Troubleshooting required status checks",
    "and a status of one name are both required",
  ),
  emulated(
    "a status's description has at most 140 characters; of a context, the newest counts",
    "Create a commit status",
    "a status has a description of at most 140 characters, and GraphQL shows the newest of a name",
  ),
  emulated("conclusions beyond success and failure", "GraphQL schema", CONCLUSIONS),
  emulated("a job that `if` skips leaves a SKIPPED run", "actions/runner#2566", CONCLUSIONS),
  switched(
    "contexts that may not be read are null, beside an error",
    "coleam00/Archon#3185",
    "that a token may not read are null in the rollup, beside an error",
  ),
  emulated("a head by the workflow's token has no suites", "strands-labs/robots#2578", NO_RUN),
  emulated("no check: the rollup is null", "believed", NO_RUN),
  notOurs(
    "runs of schedule, workflow_run and issue_comment belong to the default branch",
    "Events that trigger workflows",
    "the actions read checks of pull requests only, and the playground reports no others",
  ),
];
