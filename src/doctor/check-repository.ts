/** Findings about the workflow's repository, its ledgers and its workflows. */

import { isLessVisible, type RepositoryFacts } from "../github/changes/history-records.ts";
import { DAY } from "../runtime/clock.ts";
import { whyUnknown } from "../runtime/fact.ts";
import { safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import type { DocsFacts, Facts, GitHubFacts, LedgerAge, Schedule } from "./facts.ts";
import { type Finding, fine, unknown, wrong } from "./findings.ts";

/** How long a ledger may be silent although changes were merged, in milliseconds. */
const SILENT = 30 * DAY;

export function checkRepository(facts: Facts, github: GitHubFacts): Finding[] {
  const page = `${facts.serverUrl}/${facts.repository}`;
  return [
    checkTrial(github),
    ...checkSettings(github.own, page),
    checkVisibility(github.own, github.docs),
    checkWorkflow(facts, github),
    ...checkSchedules(github, page),
    ...checkLedgers(github, page),
  ];
}

function checkTrial({ trial }: GitHubFacts): Finding {
  const check = "ledger-ref";
  switch (trial.type) {
    case "made-and-deleted":
      return fine(check, "A ref below `refs/docs-agent/` could be made and deleted.");
    case "refused":
      return wrong(
        check,
        `GitHub refuses a ref below \`refs/docs-agent/\`: ${inlineCode(trial.reason, 500)}.`,
        "Ask the server's administrator to allow these refs, or set `ledger-ref` of upkeep, land and queue to a branch such as `refs/heads/docs-ledger` (docs/ledger.md).",
      );
    case "left":
      return wrong(
        check,
        `The ref \`${trial.ref}\` was made, and could not be deleted: ${trial.reason}.`,
        `Delete it with \`git push origin :${trial.ref}\`, and allow refs below \`refs/docs-agent/\` to be changed.`,
      );
    case "unknown":
      return unknown(
        check,
        `Whether a ref below \`refs/docs-agent/\` can be made is not known: ${trial.reason}.`,
      );
  }
}

function checkSettings(own: RepositoryFacts, page: string): Finding[] {
  const { isArchived, isFork, hasIssues } = own;
  const settings = `${page}/settings`;
  return [
    hasIssues
      ? fine("issues", "Issues are enabled.")
      : wrong(
          "issues",
          "Issues are disabled, so upkeep and queue have no dashboard, and nobody can make requests in issue comments.",
          `Enable them under *Features*: ${settings}`,
        ),
    isArchived
      ? wrong(
          "archived",
          "The repository is archived: nothing in it can be changed, and no schedule runs.",
          `Unarchive it under *Danger Zone*: ${settings}`,
        )
      : fine("archived", "The repository is not archived."),
    isFork
      ? wrong(
          "fork",
          "The repository is a fork: GitHub disables its schedules, gives it no secrets of its parent, and names the parent's pull requests for its commits.",
          `Run the workflow in the parent, or leave the fork network: ${settings}`,
        )
      : fine("fork", "The repository is not a fork."),
  ];
}

function checkVisibility(own: RepositoryFacts, { repository, isOwn, facts }: DocsFacts): Finding {
  const check = "visibility";
  if (isOwn) return fine(check, "The documentation is in the workflow's own repository.");
  if (facts.type !== "known") {
    return unknown(
      check,
      `Who can read the documentation's repository ${repository} is not known.`,
    );
  }
  if (own.visibility === null || facts.value.visibility === null) {
    return unknown(
      check,
      `GitHub does not say who can read this repository or the documentation's, ${repository}.`,
    );
  }
  if (isLessVisible(facts.value, own)) {
    return wrong(
      check,
      `More people can read this repository than the documentation's, ${repository}: they see its pull requests in ledgers, dashboards and logs.`,
      "Run upkeep, land and queue in a private repository, and name this one in `repositories` (docs/upkeep.md).",
    );
  }
  if (own.visibility === facts.value.visibility) {
    return fine(check, `The same people can read ${repository} as can read this repository.`);
  }
  return fine(
    check,
    `More people can read ${repository} than this repository: land names changes there only by their number, and what the agent writes is for all of them.`,
  );
}

function checkWorkflow({ workflow }: Facts, { own, workflows }: GitHubFacts): Finding {
  const check = "workflow-file";
  if (workflow === null)
    return unknown(check, "The runner does not say which file this workflow is.");
  if (workflows.type !== "known") {
    return unknown(check, `The workflow files could not be read: ${whyUnknown(workflows)}.`);
  }
  const file = inlineCode(workflow);
  const branch = inlineCode(own.defaultBranch, 100);
  if (workflows.value.some(({ path }) => path === workflow)) {
    return fine(check, `${file} is on the default branch ${branch}.`);
  }
  return wrong(
    check,
    `${file} is not on the default branch ${branch}, so GitHub runs it neither on a schedule nor for a comment.`,
    "Merge it into the default branch.",
  );
}

/** Maximum number of scheduled workflows that have a finding of their own. */
const MOST_NAMED = 10;

const FAILED = ["failure", "startup_failure", "timed_out", "action_required"];

function checkSchedules({ schedules }: GitHubFacts, page: string): Finding[] {
  const check = "schedule";
  if (schedules.type !== "known") {
    const problem = `Whether the schedule is active, and how its last run ended, is not known: ${whyUnknown(schedules)}.`;
    return [unknown(check, problem, `See ${page}/actions, or give the job \`actions: read\`.`)];
  }
  if (schedules.value.length === 0) {
    return [
      fine(check, "No workflow on the default branch runs one of these actions on a schedule."),
    ];
  }
  const named = schedules.value.slice(0, MOST_NAMED);
  const findings = named.map((schedule) => checkSchedule(schedule, page));
  const others = schedules.value.length - named.length;
  if (others > 0) {
    const problem = `${counted(others, "more scheduled workflow")} with these actions: not checked.`;
    findings.push(unknown(check, problem, `See ${page}/actions`));
  }
  return findings;
}

const DISABLED: Record<string, string> = {
  disabled_inactivity: "GitHub disabled it, because the repository had no activity for 60 days",
  disabled_fork: "GitHub disabled it, because the repository is a fork",
  disabled_manually: "somebody disabled it",
};

function checkSchedule({ path, state, lastRun }: Schedule, page: string): Finding {
  const check = "schedule";
  const file = inlineCode(path);
  if (state === null) {
    return unknown(check, `GitHub does not list ${file}, so whether it is active is not known.`);
  }
  if (state !== "active") {
    const reason = DISABLED[state] ?? `its state is ${inlineCode(state, 60)}`;
    const name = path.slice(path.lastIndexOf("/") + 1);
    // Somebody may paste the command.
    const isPlain = /^[\w.-]{1,100}$/.test(name);
    const command = `with \`gh workflow enable ${name}\`, or at ${page}/actions/workflows/${name}`;
    const problem = `The schedule of ${file} does not run: ${reason}.`;
    return wrong(check, problem, `Enable it ${isPlain ? command : `at ${page}/actions`}`);
  }
  if (lastRun.type === "unread") {
    return unknown(check, `${file} is active; how its last scheduled run ended was not read.`);
  }
  if (lastRun.type === "none")
    return fine(check, `${file} is active, and has not run on its schedule yet.`);
  const { conclusion } = lastRun;
  if (conclusion !== null && FAILED.includes(conclusion)) {
    const ended = inlineCode(conclusion, 60);
    return wrong(
      check,
      `The last scheduled run of ${file} ended with ${ended}.`,
      `Read its log: ${safeLink(lastRun.url) ?? `${page}/actions`}`,
    );
  }
  return fine(check, `${file} is active, and its last scheduled run did not fail.`);
}

function checkLedgers({ ledgers, now }: GitHubFacts, page: string): Finding[] {
  const check = "ledger";
  if (ledgers.type !== "known") {
    return [unknown(check, `The ledgers could not be read: ${whyUnknown(ledgers)}.`)];
  }
  const { ages, unread } = ledgers.value;
  if (ages.length + unread === 0) {
    return [fine(check, "Upkeep has not written a ledger yet; its first run does.")];
  }
  const findings = ages.map((ledger) => checkLedger(ledger, now, page));
  if (unread > 0) {
    findings.push(unknown(check, `${counted(unread, "more ledger")} of upkeep: not read.`));
  }
  return findings;
}

function checkLedger({ ref, writtenAt, changedAt }: LedgerAge, now: number, page: string): Finding {
  const check = "ledger";
  const name = inlineCode(ref);
  const days = Math.floor((now - writtenAt) / DAY);
  if (now - writtenAt <= SILENT || changedAt <= writtenAt) {
    return fine(check, `The ledger ${name} is up to date.`);
  }
  return wrong(
    check,
    `Upkeep has written nothing to the ledger ${name} for ${days} days, although its repository has changed since.`,
    `Look for failed or missing runs of upkeep: ${page}/actions (docs/my-job-is-stuck.md).`,
  );
}
