/** Findings about the workflow's file and the schedules. */

import { HOUR } from "../runtime/clock.ts";
import { whyUnknown } from "../runtime/fact.ts";
import { safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import { lastDue } from "./cron.ts";
import type { Facts, GitHubFacts, Schedule } from "./facts.ts";
import { type Finding, fine, unknown, wrong } from "./findings.ts";

export function checkWorkflow({ workflow, github: { own, workflows } }: Facts): Finding {
  const check = "workflow-file";
  if (workflow === null)
    return unknown(check, "The runner does not say which file this workflow is.");
  if (workflows.type !== "known") {
    return unknown(check, `The workflow files could not be read: ${whyUnknown(workflows)}.`);
  }
  const file = inlineCode(workflow);
  const branch =
    own.type === "known"
      ? `the default branch ${inlineCode(own.value.defaultBranch, 100)}`
      : "the default branch";
  if (workflows.value.some(({ path }) => path === workflow)) {
    return fine(check, `${file} is on ${branch}.`);
  }
  return wrong(
    check,
    `${file} is not on ${branch}, so GitHub runs it neither on a schedule nor for a comment.`,
    "Merge it into the default branch.",
  );
}

/** Maximum number of scheduled workflows that have a finding of their own. */
const MOST_NAMED = 10;

export function checkSchedules({ schedules, now }: GitHubFacts, page: string): Finding[] {
  const check = "schedule";
  if (schedules.type !== "known") {
    const problem =
      "Whether the schedule is active, and how its last run ended, " +
      `is not known: ${whyUnknown(schedules)}.`;
    const isRefused = schedules.type === "unread" && schedules.cause === "refused";
    return [unknown(check, problem, isRefused ? "Give the job `actions: read`." : null)];
  }
  const { named, unreadFiles } = schedules.value;
  const findings = named.slice(0, MOST_NAMED).map((schedule) => checkSchedule(schedule, now, page));
  const others = named.length - findings.length;
  if (others > 0) {
    const problem = `${counted(others, "more scheduled workflow")} with these actions: not checked (${page}/actions).`;
    findings.push(unknown(check, problem));
  }
  const [unread] = unreadFiles;
  if (unread !== undefined) {
    const more = unreadFiles.length > 1 ? `, and ${unreadFiles.length - 1} more` : "";
    findings.push(unknown(check, `What starts ${inlineCode(unread)}${more} could not be read.`));
  }
  const none = "No workflow on the default branch runs one of these actions on a schedule.";
  return findings.length > 0 ? findings : [fine(check, none)];
}

const DISABLED: Record<string, string> = {
  disabled_inactivity: "GitHub disabled it, because the repository had no activity for 60 days",
  disabled_fork: "GitHub disabled it, because the repository is a fork",
  disabled_manually: "somebody disabled it",
};

function checkSchedule(schedule: Schedule, now: number, page: string): Finding {
  const { path, state } = schedule;
  const check = "schedule";
  const file = inlineCode(path);
  if (state === null) {
    return unknown(check, `GitHub does not list ${file}, so whether it is active is not known.`);
  }
  if (state === "active") return checkRuns(schedule, now, page);
  const reason = DISABLED[state] ?? `its state is ${inlineCode(state, 60)}`;
  const name = path.slice(path.lastIndexOf("/") + 1);
  // Somebody may paste the command.
  const isPlain = /^[\w.-]{1,100}$/.test(name);
  const command = `with \`gh workflow enable ${name}\`, or at ${page}/actions/workflows/${name}`;
  return wrong(
    check,
    `Nothing of ${file} runs, neither its schedule nor what comments and pull requests start, ` +
      `and a status that it sets stays *Expected*: ${reason}.`,
    `Enable it ${isPlain ? command : `at ${page}/actions`}`,
  );
}

/** How late or seldom GitHub may start a schedule, in milliseconds: it leaves some runs out. */
const LATENESS = 3 * HOUR;
/** By how much a time zone of its own may move a schedule. */
const MOST_OFFSET = 15 * HOUR;

/** The time since which a schedule was due three times; null if that is not known. */
function dueSince({ crons, isUtc }: Schedule, now: number): number | null {
  const third = lastDue(crons, now, 3);
  return third === null ? null : Math.min(third, now - LATENESS) - (isUtc ? HOUR : MOST_OFFSET);
}

function checkRuns(schedule: Schedule, now: number, page: string): Finding {
  const { path, since, runs } = schedule;
  const check = "schedule";
  const file = inlineCode(path);
  if (runs.type !== "known") {
    const problem = `${file} is active; how its scheduled runs ended is not known: ${whyUnknown(runs)}.`;
    return unknown(check, problem);
  }
  const { newestAt, concluded } = runs.value;
  if (concluded?.isFailed === true) {
    return wrong(
      check,
      `The last scheduled run of ${file} that came to its end ended with ${inlineCode(concluded.conclusion, 60)}.`,
      `Read its log, correct what it names, and run it again: ${safeLink(concluded.url) ?? `${page}/actions`}`,
    );
  }
  const due = dueSince(schedule, now);
  if (due === null) {
    return unknown(check, `${file} is active; how often it should run could not be read.`);
  }
  if (newestAt === null || newestAt < due) {
    if (since === null || since > due) {
      return unknown(
        check,
        `${file} is active; its schedule is too new to tell whether runs come.`,
      );
    }
    return wrong(
      check,
      `${file} is active, and no run came the last three times that its schedule was due.`,
      "Edit the line with `cron` in it: a schedule stops when the account that edited it last " +
        "has left (docs/troubleshooting.md).",
    );
  }
  if (concluded !== null) {
    return fine(check, `${file} is active, and its last scheduled run succeeded.`);
  }
  return unknown(
    check,
    `${file} is active, and none of its scheduled runs has succeeded or failed.`,
  );
}
