/** What holds for every workflow that users copy. Each rule gives back where a workflow breaks it, in words. */

import type { Happening } from "./happening.ts";
import { happenings, inFork } from "./happenings.ts";
import { actionOf, filterOf, groupsOf, isTriggered, type Started, startedBy } from "./outcome.ts";
import type { CopiedWorkflow, Step, Workflow } from "./workflows.ts";

/** @returns what is wrong, one sentence each */
type Rule = (copied: CopiedWorkflow, all: readonly CopiedWorkflow[]) => string[];

/** The steps of all jobs. */
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);
const uses = (workflow: Workflow, action: string) =>
  stepsOf(workflow).some((step) => actionOf(step) === action);

/** What can happen to one workflow. */
export function happeningsFor({ workflow }: CopiedWorkflow): Happening[] {
  const names = filterOf(workflow, "workflow_run")?.workflows ?? [];
  return happenings(names).filter((one) => isTriggered(workflow, one));
}

const label = ({ event, by, title }: Happening) => `${event}, ${title}, by ${by}`;

/** The happenings of a workflow that start a job for which something holds. */
function starting(
  copied: CopiedWorkflow,
  isMeant: (happening: Happening, jobs: Started[]) => boolean,
): string[] {
  return happeningsFor(copied)
    .filter((one) => {
      const jobs = startedBy(copied.workflow, one);
      return jobs.length > 0 && isMeant(one, jobs);
    })
    .map(label);
}

/** Actions whose every run pays for something, unless nothing is asked. Others find out by themselves what is new. */
const PAID = ["root", "assistant"];
const isPaid = (step: Step) => PAID.includes(actionOf(step) ?? "");
/** Whether a paid step answers requests only. */
const isGuarded = (step: Step) => step.with?.["trigger-phrase"] !== undefined;
const pays = (jobs: Started[]) => jobs.some(({ steps }) => steps.some(isPaid));

/** The words for which a comment matters to a workflow. */
function phrasesOf(workflow: Workflow): string[] {
  const phrases = stepsOf(workflow).map((step) => step.with?.["trigger-phrase"]);
  const own = phrases.filter((phrase) => typeof phrase === "string").map(unquoted);
  return uses(workflow, "gate") ? [...own, "docs: none"] : own;
}

/** The value of an input of the team workflow, as its caller gives it. */
const unquoted = (value: string) => /^\$\{\{ '([^']*)' \}\}$/.exec(value)?.[1] ?? value;

const isByBot = ({ by }: Happening) => ["a bot", "Dependabot", "the agent"].includes(by);
const isByOutsider = ({ by, payload }: Happening) =>
  by === "a stranger" || payload.pull_request?.head.repo.full_name === "contributor/app";

/** Events of which only what is written counts, by the one who wrote it. */
const ASKING = ["issue_comment", "pull_request_review", "pull_request_review_comment"];
const isRequest = ({ event, action }: Happening) =>
  ASKING.includes(event) || (event === "issues" && action === "opened");

/** The group that a happening's run shares with others: undefined if it waits alone. */
function sharedGroups({ workflow }: CopiedWorkflow, one: Happening): string[] {
  const [first, second] = [groupsOf(workflow, one, 1), groupsOf(workflow, one, 2)];
  return first.map(({ name }) => name).filter((name, index) => name === second[index]?.name);
}

/** Whether a run's work is done by any later run of its kind, too. */
function isRepeated(workflow: Workflow, { event }: Happening, jobs: Started[]): boolean {
  const { inputs } = Object(filterOf(workflow, event));
  if (event === "workflow_dispatch" && inputs !== undefined) return false;
  if (event === "schedule" || event === "workflow_dispatch") return true;
  const isReleased = event === "release" && jobs.some(({ steps }) => steps.some(({ run }) => run));
  return !pays(jobs) && !isReleased;
}

const isGate = ({ workflow }: CopiedWorkflow) => uses(workflow, "gate");
const pathsOf = ({ workflow }: CopiedWorkflow, action: string) =>
  stepsOf(workflow)
    .filter((step) => actionOf(step) === action)
    .map((step) => String(step.with?.paths ?? ""));

/** Workflows that a person can ask for documentation, by their names in the examples and the README. */
const askedByComment = (all: readonly CopiedWorkflow[]) =>
  all
    .filter(({ where }) => where.startsWith("examples/") || where.startsWith("README"))
    .filter(({ workflow }) => phrasesOf(workflow).includes("/docs") && uses(workflow, "root"))
    .map(({ workflow }) => workflow.name ?? "");

const RULES_OF_EVENTS: Record<string, Rule> = {
  "no runner starts for a comment that cannot matter": (copied) => {
    const phrases = phrasesOf(copied.workflow);
    return starting(
      copied,
      ({ text }) => text !== null && !phrases.some((phrase) => text.includes(phrase)),
    );
  },
  "the gate starts no runner for a comment on an issue": (copied) =>
    isGate(copied) ? starting(copied, ({ title }) => title.endsWith("on an issue")) : [],
  "nothing runs in a fork": (copied) =>
    happeningsFor(copied)
      .map(inFork)
      .filter((one) => startedBy(copied.workflow, one).length > 0)
      .map(label),
  "bots' comments, labels and issues start nothing": (copied) =>
    starting(
      copied,
      (one) =>
        isByBot(one) &&
        ["issues", "issue_comment", "pull_request_review", "pull_request_review_comment"].includes(
          one.event,
        ),
    ),
  "bots' and the agent's pull requests cost nothing": (copied) =>
    starting(copied, (one, jobs) => isByBot(one) && pays(jobs)),
  "a stranger costs nothing": (copied) =>
    starting(
      copied,
      (one, jobs) =>
        one.by === "a stranger" &&
        jobs.some(({ steps }) =>
          steps.some((step) => isPaid(step) && !(isGuarded(step) && isRequest(one))),
        ),
    ),
  "a run without secrets is not red": (copied) =>
    starting(
      copied,
      (one, jobs) =>
        !one.hasSecrets &&
        jobs.some(({ steps }) =>
          steps.some(
            (step) => actionOf(step) !== undefined && actionOf(step) !== "gate" && !isGuarded(step),
          ),
        ),
    ),
  "prereleases start nothing": (copied) => starting(copied, ({ title }) => title === "prerelease"),
};

const RULES_OF_GROUPS: Record<string, Rule> = {
  "a stranger's and a fork's run wait in groups of their own": (copied) =>
    happeningsFor(copied)
      // The next rule is about what follows the run of another workflow.
      .filter(({ event }) => event !== "workflow_run")
      .filter((one) => isByOutsider(one) && sharedGroups(copied, one).length > 0)
      .map(label),
  "what follows other runs replaces only what follows them, too": (copied) => {
    const all = happeningsFor(copied);
    const others = all.filter(({ event }) => event !== "workflow_run");
    const taken = new Set(others.flatMap((one) => sharedGroups(copied, one)));
    return all
      .filter(({ event }) => event === "workflow_run")
      .filter((one) => {
        const shared = sharedGroups(copied, one);
        const isIdle = startedBy(copied.workflow, one).length === 0;
        return shared.some((name) => isIdle || taken.has(name));
      })
      .map(label);
  },
  "nothing is lost to a group that keeps one waiting run": (copied) => {
    const all = happeningsFor(copied);
    return all
      .filter((one) => {
        const jobs = startedBy(copied.workflow, one);
        const lossy = groupsOf(copied.workflow, one, 1).filter(({ queue }) => queue !== "max");
        const shared = new Set(sharedGroups(copied, one));
        return (
          jobs.length > 0 &&
          lossy.some(({ name }) => shared.has(name)) &&
          !isRepeated(copied.workflow, one, jobs)
        );
      })
      .map(label);
  },
  "jobs for merges, pushes and releases do not run beside each other": (copied) =>
    starting(copied, (one, jobs) => {
      const isMerged = one.event === "pull_request" && one.payload.pull_request.merged;
      const isMeant = isMerged || one.event === "push" || one.event === "release";
      return isMeant && pays(jobs) && sharedGroups(copied, one).length === 0;
    }),
};

const STATUS_EVENTS = [
  "pull_request",
  "pull_request_review",
  "issue_comment",
  "merge_group",
  "workflow_run",
];

const RULES_OF_FILES: Record<string, Rule> = {
  "a status that a rule may require is set for merge groups, too": (copied) =>
    isGate(copied) &&
    filterOf(copied.workflow, "pull_request") &&
    !filterOf(copied.workflow, "merge_group")
      ? ["no merge_group"]
      : [],
  "the gate can be run by hand, and runs once at a time for a pull request": (copied) => {
    if (!isGate(copied) || !filterOf(copied.workflow, "pull_request")) return [];
    const isManual = filterOf(copied.workflow, "workflow_dispatch") !== undefined;
    return [
      ...(isManual ? [] : ["no workflow_dispatch"]),
      ...(copied.workflow.concurrency ? [] : ["no group"]),
    ];
  },
  "a schedule is apart from what sets a status": (copied) =>
    isGate(copied) && filterOf(copied.workflow, "schedule")
      ? STATUS_EVENTS.filter((event) => filterOf(copied.workflow, event) !== undefined)
      : [],
  "a gate that follows requests follows every workflow that takes them": (copied, all) => {
    const followed = filterOf(copied.workflow, "workflow_run")?.workflows;
    const isOfForks = followed?.includes("Docs gate") ?? true;
    if (!isGate(copied) || isOfForks) return [];
    return askedByComment(all).filter((name) => !followed?.includes(name));
  },
  "files that belong together have the same paths": (copied, all) => {
    const first = all.find(({ where }) => where === "examples/upkeep.yml");
    const [expected] = first === undefined ? [] : pathsOf(first, "upkeep");
    return isGate(copied) ? pathsOf(copied, "gate").filter((paths) => paths !== expected) : [];
  },
  "a file that answers people and has a schedule says how to enable it again": ({
    where,
    text,
    workflow,
  }) => {
    const isBoth = filterOf(workflow, "schedule") && filterOf(workflow, "issue_comment");
    // The README's shows no comments: its page does.
    const isExplained = text.includes("gh workflow enable") || where.startsWith("README");
    return isBoth && !isExplained ? ["does not name the command"] : [];
  },
  "requests by comment and upkeep together have a sweep": ({ workflow }) => {
    const isTeam = uses(workflow, "root") && uses(workflow, "upkeep");
    return isTeam && !uses(workflow, "collect") ? ["no collect"] : [];
  },
  "what land merges is deployed by land, which remembers it": ({ workflow }) =>
    uses(workflow, "land") && uses(workflow, "deploy") ? ["a step of deploy"] : [],
};

export const RULES: Record<string, Rule> = {
  ...RULES_OF_EVENTS,
  ...RULES_OF_GROUPS,
  ...RULES_OF_FILES,
};
