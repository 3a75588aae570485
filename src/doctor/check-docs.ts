/** Findings about the docs agent's pull requests: whether checks start on them, and whether they can be merged. */

import { whyUnknown } from "../runtime/fact.ts";
import { safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import type { DocsFacts, PullChecks } from "./facts.ts";
import { type Finding, fine, unknown, wrong } from "./findings.ts";

export function checkDocs(docs: DocsFacts): Finding[] {
  return [checkAgentPull(docs), checkRequired(docs), checkQueue(docs)];
}

function checkAgentPull({ agentPull, newestPull, rules }: DocsFacts): Finding {
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
  if (pull.heldRuns > 0) {
    const link = safeLink(pull.url);
    const place = link === null ? "on its page" : `at ${link}/checks`;
    return wrong(
      check,
      `On the agent's pull request #${pull.number}, workflow runs wait for somebody's approval.`,
      `Approve them ${place}, and let the agent's app run workflows without approval (Settings → Actions → General).`,
    );
  }
  if (pull.checks.length > 0) {
    return fine(check, `Checks start on the agent's pull requests, such as #${pull.number}.`);
  }
  const required = rules.type === "known" ? rules.value.requiredChecks.length : 0;
  const others = newestPull.type === "known" ? newestPull.value.checks.length : 0;
  if (required + others === 0) {
    return fine(
      check,
      `No checks start on pull request #${pull.number} of the agent, nor on others.`,
    );
  }
  return wrong(
    check,
    `No checks started on the agent's pull request #${pull.number}, although other pull requests have checks.`,
    "Look for `paths:` or `branches:` at `pull_request:` in your workflows that leave it out, for `[skip ci]` in its commits, and whether its branch was pushed with a workflow's own token, which starts no runs (docs/land.md).",
  );
}

/** Maximum number of checks that are named. */
const MOST_NAMES = 10;

function checkRequired({ rules, agentPull, newestPull }: DocsFacts): Finding {
  const check = "required-checks";
  if (rules.type !== "known") {
    return unknown(
      check,
      `The rules of the default branch could not be read: ${whyUnknown(rules)}.`,
    );
  }
  const { requiredChecks } = rules.value;
  if (requiredChecks.length === 0) return fine(check, "The default branch requires no check.");
  const pulls = [agentPull, newestPull].flatMap((pull): PullChecks[] =>
    pull.type === "known" ? [pull.value] : [],
  );
  const [example] = pulls;
  if (example === undefined) {
    return unknown(
      check,
      "Without a pull request, it is not known whether the required checks are made.",
    );
  }
  const made = new Set(pulls.flatMap(({ checks }) => checks));
  const missing = requiredChecks.filter((name) => !made.has(name));
  if (missing.length === 0) return fine(check, "Every required check is made on pull requests.");
  const names = missing.slice(0, MOST_NAMES).map((name) => inlineCode(name, 100));
  const others = missing.length - names.length;
  if (others > 0) names.push(`${others} more`);
  return wrong(
    check,
    `Pull request #${example.number} cannot be merged, because it lacks checks that the default branch requires: ${names.join(", ")}.`,
    "Require no such check (Settings → Rules, or Settings → Branches), or correct its name, " +
      "which is that of the job. A workflow with `paths:` does not run for other files.",
  );
}

function checkQueue({ rules, workflows }: DocsFacts): Finding {
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
  if (workflows.value.some(({ events }) => events.includes("merge_group"))) {
    return fine(check, "The default branch has a merge queue, and a workflow runs for it.");
  }
  return wrong(
    check,
    "The default branch has a merge queue and required checks, and no workflow runs on `merge_group`: the queue waits for checks that never come.",
    "Add `merge_group:` to `on:` of the workflows with the required checks.",
  );
}
