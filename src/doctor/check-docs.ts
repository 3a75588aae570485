/** Findings about the docs agent's pull requests: whether checks start on them, and whether they can be merged. */

import { MINUTE } from "../runtime/clock.ts";
import { type Fact, whyUnknown } from "../runtime/fact.ts";
import { safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import { isMeant } from "./check-rights.ts";
import type { DocsFacts, Facts, PullChecks } from "./facts.ts";
import { type Finding, fine, unknown, wrong } from "./findings.ts";
import { PULL_ACTIONS } from "./inputs.ts";

/** How old a head is whose checks have all begun, in milliseconds. */
const LEAST_AGE = 10 * MINUTE;

export function checkDocs(facts: Facts): Finding[] {
  const { docs, now } = facts.github;
  if (!isMeant(facts, PULL_ACTIONS)) {
    const problem = "None of these actions has the agent open pull requests.";
    return ["agent-checks", "required-checks", "merge-queue"].map((check) => fine(check, problem));
  }
  return [checkAgentPull(docs, now), checkRequired(docs, now), checkQueue(docs)];
}

/** Whether a check that is not among those of a pull request was not made. */
function isSettled({ isComplete, changedAt, heldRuns }: PullChecks, now: number): boolean {
  return isComplete && now - changedAt >= LEAST_AGE && heldRuns === 0;
}

function checkAgentPull({ agentPull, newestPull, rules }: DocsFacts, now: number): Finding {
  const check = "agent-checks";
  if (agentPull.type === "unread") {
    return unknown(
      check,
      `The agent's newest pull request could not be read: ${agentPull.reason}.`,
    );
  }
  if (agentPull.type === "absent") {
    const problem =
      "No pull request of the agent is known yet, so whether checks start on them is not known.";
    return unknown(check, problem);
  }
  const pull = agentPull.value;
  if (pull.heldRuns !== null && pull.heldRuns > 0) {
    const link = safeLink(pull.url);
    const place = link === null ? "on its page" : `at ${link}/checks`;
    return wrong(
      check,
      `On the agent's pull request #${pull.number}, workflow runs wait for somebody's approval.`,
      `Look at what it changes, and approve them ${place} (docs/land.md).`,
    );
  }
  if (pull.heldRuns === null) {
    return unknown(check, `Which workflow runs #${pull.number} of the agent has was not read.`);
  }
  if (pull.checks.length > 0) {
    return fine(check, `Checks start on the agent's pull requests, such as #${pull.number}.`);
  }
  if (!isSettled(pull, now)) {
    return unknown(check, `Pull request #${pull.number} of the agent may get checks yet.`);
  }
  return checkSilentPull(pull, { newestPull, rules });
}

/** Of a pull request without checks. */
function checkSilentPull(
  pull: PullChecks,
  { newestPull, rules }: Pick<DocsFacts, "newestPull" | "rules">,
): Finding {
  const check = "agent-checks";
  const required = rules.type === "known" ? rules.value.requiredChecks.length : 0;
  const others = newestPull.type === "known" ? newestPull.value.checks.length : 0;
  if (required + others > 0) {
    return wrong(
      check,
      `No checks started on the agent's pull request #${pull.number}, although other pull requests have checks.`,
      "Look for `paths:` or `branches:` at `pull_request:` in your workflows that leave it out, " +
        "for `[skip ci]` in its commits, and whether its branch was pushed with a workflow's own " +
        "token, which starts no runs (docs/land.md).",
    );
  }
  if (newestPull.type === "unread" || rules.type !== "known") {
    const problem =
      `No checks start on pull request #${pull.number} of the agent; ` +
      "whether others have some was not read.";
    return unknown(check, problem);
  }
  return fine(
    check,
    `No checks start on pull request #${pull.number} of the agent, nor on others.`,
  );
}

/** Maximum number of checks that are named. */
const MOST_NAMES = 10;

function checkRequired({ rules, agentPull, newestPull }: DocsFacts, now: number): Finding {
  const check = "required-checks";
  if (rules.type !== "known") {
    return unknown(
      check,
      `The rules of the default branch could not be read: ${whyUnknown(rules)}.`,
    );
  }
  const { requiredChecks } = rules.value;
  if (requiredChecks.length === 0) return fine(check, "The default branch requires no check.");
  const pulls = pullsIn([agentPull, newestPull]);
  const made = new Set(pulls.flatMap(({ checks }) => checks));
  const missing = requiredChecks.filter((name) => !made.has(name));
  if (missing.length === 0) return fine(check, "Every required check is made on pull requests.");
  const example = pulls.find((pull) => isSettled(pull, now));
  const isRead = [agentPull, newestPull].every(({ type }) => type !== "unread");
  if (example === undefined || !isRead || !pulls.every((pull) => isSettled(pull, now))) {
    return unknown(
      check,
      "Whether the required checks are made shows only a pull request from no fork, whose checks " +
        "were all read, ten minutes after its last change.",
    );
  }
  const names = missing.slice(0, MOST_NAMES).map((name) => inlineCode(name, 100));
  const others = missing.length - names.length;
  if (others > 0) names.push(`${others} more`);
  return wrong(
    check,
    `Pull request #${example.number} cannot be merged, because it lacks checks that the default ` +
      `branch requires: ${names.join(", ")}.`,
    "Let a workflow make each of them on every pull request (one with `paths:` makes none for other files), " +
      "or correct its name in the rule (Settings → Rules, or Settings → Branches), which is that of the job.",
  );
}

function pullsIn(pulls: readonly Fact<PullChecks>[]): PullChecks[] {
  return pulls.flatMap((pull) => (pull.type === "known" ? [pull.value] : []));
}

function checkQueue({ rules, workflows, agentPull, newestPull }: DocsFacts): Finding {
  const check = "merge-queue";
  if (rules.type !== "known") {
    return unknown(
      check,
      `The rules of the default branch could not be read: ${whyUnknown(rules)}.`,
    );
  }
  const { hasMergeQueue, requiredChecks } = rules.value;
  if (!hasMergeQueue) return fine(check, "The default branch has no merge queue.");
  if (requiredChecks.length === 0) {
    return fine(check, "The default branch has a merge queue, which waits for no check.");
  }
  if (workflows.type !== "known") {
    return unknown(check, `The workflow files could not be read: ${whyUnknown(workflows)}.`);
  }
  if (workflows.value.some(({ triggers }) => triggers?.events.includes("merge_group") === true)) {
    return fine(check, "The default branch has a merge queue, and a workflow runs for it.");
  }
  const unread = workflows.value.find(({ triggers }) => triggers === null);
  if (unread !== undefined) {
    return unknown(check, `What starts ${inlineCode(unread.path)} could not be read.`);
  }
  const elsewhere = pullsIn([agentPull, newestPull]).flatMap(({ fromElsewhere }) => fromElsewhere);
  if (requiredChecks.every((name) => elsewhere.includes(name))) {
    return unknown(
      check,
      "The default branch has a merge queue, and no workflow makes the required checks: whether they " +
        "come for the queue, too, is not known.",
    );
  }
  return wrong(
    check,
    "The default branch has a merge queue and required checks, and no workflow runs on " +
      "`merge_group`: the queue waits for checks that never come.",
    "Add `merge_group:` to `on:` of the workflows with the required checks.",
  );
}
