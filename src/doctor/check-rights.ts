/** Findings about the token: that it is accepted, and its permissions for each action. */

import type { TokenPermission } from "../github/api/explain.ts";
import { neededByDefault, neededForDocsPulls } from "../github/api/permissions.ts";
import { type Fact, whyUnknown } from "../runtime/fact.ts";
import { type Facts, type GitHubFacts, isRefusedRead, type Rights } from "./facts.ts";
import { type Finding, fine, unknown, wrong } from "./findings.ts";
import { CHECKED_ACTIONS, type CheckedAction, PULL_ACTIONS } from "./inputs.ts";

/** What each action needs in the workflow's repository, with its inputs' defaults. */
export const NEEDED = new Map(CHECKED_ACTIONS.map((action) => [action, neededByDefault(action)]));

const PAGE =
  "https://docs.github.com/actions/security-for-github-actions/security-guides/automatic-token-authentication";

/** `missing`: the permissions that a token lacks. `reason`: why something is not known; null if all is. */
function lackingOf(needed: readonly TokenPermission[], rights: Rights) {
  const missing = needed.filter((right) => isMissing(rights[right]));
  const reasons = needed.flatMap((right) => {
    const fact = rights[right];
    if (fact === undefined) return ["it was not tried"];
    return fact.type === "unread" ? [fact.reason] : [];
  });
  return { missing, reason: reasons[0] ?? null };
}

function isMissing(fact: Fact<boolean> | undefined): boolean {
  return fact?.type === "known" && !fact.value;
}

/** The actions that are named; without those, the ones that the token's permissions do not rule out. */
function meantActions({ inputs, github }: Facts): readonly CheckedAction[] {
  const mayUse = (action: CheckedAction) =>
    lackingOf(NEEDED.get(action) ?? [], github.rights).missing.length === 0;
  return inputs.actions ?? CHECKED_ACTIONS.filter(mayUse);
}

/** Whether one of these actions is meant: what no other needs is not wrong. */
export function isMeant(facts: Facts, actions: readonly CheckedAction[]): boolean {
  return meantActions(facts).some((action) => actions.includes(action));
}

export function checkRights(facts: Facts): Finding[] {
  const { github } = facts;
  const { actions } = facts.inputs;
  if (actions !== null) return actions.map((action) => checkNamed(action, github));
  const findings = CHECKED_ACTIONS.map((action) => checkOther(action, facts));
  const isAnyAllowed = findings.some(({ state }) => state === "fine");
  const isAllKnown = CHECKED_ACTIONS.every(
    (action) => lackingOf(NEEDED.get(action) ?? [], github.rights).reason === null,
  );
  const isNoneAllowed = !isAnyAllowed && isAllKnown && hasProject(facts);
  return isNoneAllowed ? [...findings, NOTHING_ALLOWED] : findings;
}

const NOTHING_ALLOWED = wrong(
  "permissions",
  "The token's permissions are enough for none of the actions.",
  `Give the job the \`permissions:\` of the example of your action, such as examples/upkeep.yml: ${PAGE}`,
);

const checkName = (action: CheckedAction) => `permissions-${action}`;

/** An action that the workflow names. */
function checkNamed(action: CheckedAction, { rights }: GitHubFacts): Finding {
  const { missing, reason } = lackingOf(NEEDED.get(action) ?? [], rights);
  const check = checkName(action);
  if (missing.length > 0) {
    return wrong(check, `For ${action}, the token lacks ${listOf(missing)}.`, addAdvice(missing));
  }
  if (reason !== null) return unknown(check, notKnown(action, reason));
  return fine(check, `The token has all permissions for ${action}.`);
}

/** An action that the workflow may not use at all. */
function checkOther(action: CheckedAction, facts: Facts): Finding {
  const { missing, reason } = lackingOf(NEEDED.get(action) ?? [], facts.github.rights);
  const check = checkName(action);
  if (missing.length > 0) {
    const problem = `For ${action}, the token would lack ${listOf(missing)}.`;
    return unknown(check, problem, `If this workflow uses it: ${addAdvice(missing)}`);
  }
  if (reason !== null) return unknown(check, notKnown(action, reason));
  if (!hasKey(action, facts)) {
    const lacks = action === "assistant" ? "its key or domain" : "key or project";
    return unknown(check, `For ${action}, the token has all permissions; ${lacks} is missing.`);
  }
  return fine(check, `The token has all permissions for ${action}.`);
}

function hasKey(action: CheckedAction, facts: Facts): boolean {
  const { assistantApiKey, domain } = facts.inputs;
  if (action === "gate") return true;
  if (action !== "assistant") return hasProject(facts);
  return assistantApiKey?.type === "valid" && domain?.type === "valid";
}

function hasProject({ inputs }: Facts): boolean {
  return inputs.apiKey.type === "valid" && inputs.projectId.type === "valid";
}

function notKnown(action: CheckedAction, reason: string): string {
  return `Whether the token has all permissions for ${action} is not known: ${reason}.`;
}

function listOf(rights: readonly TokenPermission[]): string {
  return rights.map((right) => `\`${right}\``).join(", ");
}

function addAdvice(rights: readonly TokenPermission[]): string {
  return (
    `Add ${listOf(rights)} to the job's \`permissions:\`; for a token of your own, to the token ` +
    `or its app. ${PAGE}`
  );
}

/** Whether land can do its work in the documentation's repository. */
export function checkDocsRights(all: Facts): Finding[] {
  const { repository, isOwn, facts, rights } = all.github.docs;
  const check = "docs-repository";
  if (isOwn) return [];
  const advice =
    "The workflow's own token reaches no other repository: pass a token of an app or a person " +
    `that may write to ${repository} as \`github-token\` (docs/land.md).`;
  const isNeeded = isMeant(all, ["land"]);
  if (facts.type !== "known") {
    const isRefused = isRefusedRead(facts);
    const problem =
      `The documentation's repository ${repository} ${isRefused ? "cannot" : "could not"} be read: ` +
      `${whyUnknown(facts)}.`;
    if (!isRefused) return [unknown(check, problem)];
    return [isNeeded ? wrong(check, problem, advice) : unknown(check, problem, advice)];
  }
  if (facts.value.isArchived) {
    const problem = `The documentation's repository ${repository} is archived: nobody can change it.`;
    const unarchive = "Unarchive it under Settings → General, or name another `repository`.";
    const isOpened = isMeant(all, PULL_ACTIONS);
    return [isOpened ? wrong(check, problem, unarchive) : unknown(check, problem, unarchive)];
  }
  const { missing, reason } = lackingOf(neededForDocsPulls(), rights);
  if (missing.length > 0) {
    const problem = `For land, the token lacks ${listOf(missing)} in the documentation's repository ${repository}.`;
    return [isNeeded ? wrong(check, problem, advice) : unknown(check, problem, advice)];
  }
  if (reason !== null) {
    return [unknown(check, `Whether land can write to ${repository} is not known: ${reason}.`)];
  }
  return [fine(check, `Land can read and write the documentation's repository ${repository}.`)];
}
