/** Findings about the workflow's repository, and about the ref of its ledgers. */

import { isLessVisible, type RepositoryFacts } from "../github/changes/history-records.ts";
import { type Fact, whyUnknown } from "../runtime/fact.ts";
import { inlineCode } from "../text/markdown.ts";
import { checkLedgers } from "./check-ledgers.ts";
import { isMeant } from "./check-rights.ts";
import { checkSchedules, checkWorkflow } from "./check-schedules.ts";
import type { Facts, GitHubFacts } from "./facts.ts";
import { type Finding, fine, unknown, wrong } from "./findings.ts";
import { type CheckedAction, DASHBOARD_ACTIONS, REF_ACTIONS } from "./inputs.ts";

export function checkRepository(facts: Facts): Finding[] {
  const { github } = facts;
  const page = `${facts.serverUrl}/${facts.repository}`;
  return [
    checkTrial(facts),
    ...checkSettings(facts, page),
    checkVisibility(facts),
    checkWorkflow(facts),
    ...checkSchedules(github, page),
    ...checkLedgers(facts, page),
  ];
}

function checkTrial(facts: Facts): Finding {
  const check = "ledger-ref";
  const { trial } = facts.github;
  const { ledgerRef } = facts.inputs;
  const place =
    ledgerRef === null ? "below `refs/docs-agent/`" : `beside ${inlineCode(ledgerRef, 200)}`;
  switch (trial.type) {
    case "made-and-deleted":
      return fine(check, `A ref ${place} could be made and deleted.`);
    case "refused": {
      const problem = `GitHub refuses a ref ${place}: ${inlineCode(trial.reason, 500)}.`;
      if (!isMeant(facts, REF_ACTIONS)) return unknown(check, problem);
      return wrong(
        check,
        problem,
        "Set `ledger-ref` of upkeep, land, gate and queue to a branch that the rules allow, such as " +
          "`refs/heads/docs-ledger`, and that of doctor, too (docs/ledger.md).",
      );
    }
    case "left":
      return wrong(
        check,
        `The ref \`${trial.ref}\` was made, and could not be deleted: ${trial.reason}.`,
        `Delete it with \`git push origin :${trial.ref}\`. If a rule forbids that to the token, set ` +
          "`trial: false`: ledgers are never deleted.",
      );
    case "unknown":
      return unknown(check, `Whether a ref ${place} can be made is not known: ${trial.reason}.`);
  }
}

/** What the settings of the repository say, or why they are not known. */
function checkSettings(facts: Facts, page: string): Finding[] {
  const { own } = facts.github;
  if (own.type !== "known") {
    const problem = `The repository's settings could not be read: ${whyUnknown(own)}.`;
    return ["issues", "archived", "fork"].map((check) => unknown(check, problem));
  }
  const { isArchived, isFork } = own.value;
  const settings = `${page}/settings`;
  return [
    checkIssues(own.value, facts, settings),
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
          "The repository is a fork: GitHub disables its schedules, gives it no secrets of its parent, " +
            "and names the parent's pull requests for its commits.",
          `Run the workflow in the parent, or leave the fork network: ${settings}`,
        )
      : fine("fork", "The repository is not a fork."),
  ];
}

function checkIssues({ hasIssues }: RepositoryFacts, facts: Facts, settings: string): Finding {
  const check = "issues";
  if (hasIssues) return fine(check, "Issues are enabled.");
  if (!isMeant(facts, DASHBOARD_ACTIONS)) {
    return fine(check, "Issues are disabled; none of these actions has a dashboard there.");
  }
  return wrong(
    check,
    "Issues are disabled, so upkeep and queue have no dashboard, and nobody can make requests in issue comments.",
    `Enable them under *Features*: ${settings}`,
  );
}

/** Those that show changes of other repositories. */
const SHOWING: readonly CheckedAction[] = ["upkeep", "land", "queue"];

function checkVisibility(facts: Facts): Finding {
  const { own, docs } = facts.github;
  const check = "visibility";
  if (docs.isOwn) {
    return docs.isNamed
      ? fine(check, "The documentation is in the workflow's own repository.")
      : unknown(
          check,
          "Where the documentation is is not known before the agent's first pull request: it is taken " +
            "for the workflow's own repository.",
          "Name its repository in `repository`.",
        );
  }
  if (!isMeant(facts, SHOWING)) {
    return fine(check, "None of these actions shows what another repository has.");
  }
  return compareVisibility(own, docs);
}

function compareVisibility(
  own: Fact<RepositoryFacts>,
  { repository, facts }: GitHubFacts["docs"],
): Finding {
  const check = "visibility";
  if (own.type !== "known" || facts.type !== "known") {
    return unknown(
      check,
      `Who can read this repository or the documentation's, ${repository}, is not known.`,
    );
  }
  if (own.value.visibility === null || facts.value.visibility === null) {
    return unknown(
      check,
      `GitHub does not say who can read this repository or the documentation's, ${repository}.`,
    );
  }
  if (isLessVisible(facts.value, own.value)) {
    return wrong(
      check,
      `More people can read this repository than the documentation's, ${repository}: they see its ` +
        "pull requests in ledgers, dashboards and logs.",
      "Run upkeep, land and queue in a private repository, and name this one in `repositories` (docs/upkeep.md).",
    );
  }
  if (own.value.visibility === facts.value.visibility) {
    return fine(check, `The same people can read ${repository} as can read this repository.`);
  }
  return fine(
    check,
    `More people can read ${repository} than this repository: land names changes there only by ` +
      "their number, and what the agent writes is for all of them.",
  );
}
