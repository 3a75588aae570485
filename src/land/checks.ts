/** What the checks of a docs pull request mean: which are sent to the agent, and which keep it from being merged. */

import type { DocsPull } from "../github/changes/docs-pull.ts";
import type { Check } from "../github/changes/docs-pull-checks.ts";
import { inlineCode } from "../text/markdown.ts";
import type { LandInputs } from "./inputs.ts";

/** Why it is not merged, as a sentence. */
export interface Obstacle {
  readonly type: "wait" | "person";
  readonly reason: string;
}

type Ignoring = Pick<LandInputs, "ignoreChecks">;

/** The checks that count: not those that `ignore-checks` names. */
export function countingChecks(
  { checks }: Pick<DocsPull, "checks">,
  { ignoreChecks }: Ignoring,
): Check[] {
  return checks.filter(({ name }) => !ignoreChecks.includes(name));
}

/** Whether more checks may fail. */
export function areChecksPending(pull: DocsPull, rules: Ignoring): boolean {
  const isPending = countingChecks(pull, rules).some(({ state }) => state === "pending");
  return isPending || (pull.unfinishedRuns?.pending ?? 0) > 0;
}

/** What a person has to do so that its checks end, as a sentence; null for nothing. */
export function heldReason(pull: DocsPull, rules: Ignoring): string | null {
  const held = countingChecks(pull, rules).find(({ state }) => state === "held");
  if (held !== undefined) return reasonOfHeld(held);
  return (pull.unfinishedRuns?.held ?? 0) > 0 ? `A run of a workflow ${APPROVE_RUN}` : null;
}

const APPROVE_RUN = "waits for an approval: choose *Approve workflows to run* on the pull request.";

function reasonOfHeld({ name, conclusion, isJob }: Check): string {
  const check = `The check ${inlineCode(name, 80)}`;
  if (conclusion === "waiting") {
    return `${check} waits for an approval: choose *Review deployments* in its workflow's run.`;
  }
  if (isJob) return `${check} ${APPROVE_RUN}`;
  return `${check} waits for a person: choose *Details* beside it, and do what it asks for.`;
}

/**
 * Why its checks keep it from being merged; null if they do not.
 *
 * @param isApproved whether its head is approved
 */
export function obstacleOfChecks(
  pull: DocsPull,
  rules: Pick<LandInputs, "ignoreChecks" | "merge" | "requiredChecks">,
  isApproved: boolean,
): Obstacle | null {
  if (pull.checksRead === "none") return { type: "wait", reason: UNREADABLE };
  if (pull.checksRead === "some") return { type: "person", reason: TOO_MANY };
  const checks = countingChecks(pull, rules);
  const red = checks.find(({ state }) => state === "red");
  if (red !== undefined && isApproved) return { type: "person", reason: reasonOfRed(red) };
  if (red !== undefined) return once(`the check ${inlineCode(red.name, 80)} is green`);
  for (const name of rules.requiredChecks) {
    const missing = missingCheck(checks, name);
    if (missing !== null) return once(missing);
  }
  if (checks.some(({ state }) => state === "pending")) return once("its checks have finished");
  if (rules.merge !== "checks") return null;
  if (pull.unfinishedRuns === null) return { type: "person", reason: TOO_MANY_RUNS };
  return pull.unfinishedRuns.pending > 0 ? once("its workflows have finished") : null;
}

const UNREADABLE =
  "The token cannot read its checks, so failed checks are not sent to the agent, and it is not merged. " +
  "A token with `checks: read` and `statuses: read` can.";
const TOO_MANY = "It has too many checks to read them all, so a person has to merge it.";
const TOO_MANY_RUNS =
  "It has too many workflow runs to read them all, so a person has to merge it.";

function reasonOfRed({ name, conclusion }: Check): string {
  const check = inlineCode(name, 80);
  return `The check ${check} ended with ${inlineCode(conclusion) || "no conclusion"}, so it is not merged, although it is approved. Fix it, or name it in \`ignore-checks\`.`;
}

/** @param condition the rest of a sentence */
function once(condition: string): Obstacle {
  return { type: "wait", reason: `It is merged once ${condition}.` };
}

/** What a required check lacks, as the rest of a sentence; null if each with its name has succeeded. */
function missingCheck(checks: readonly Check[], required: string): string | null {
  const named = checks.filter(({ name }) => name === required);
  const other = named.find(({ conclusion }) => conclusion !== "success");
  if (named.length > 0 && other === undefined) return null;
  const condition = `the check ${inlineCode(required, 80)} has succeeded`;
  if (other === undefined || other.state === "pending") return condition;
  return `${condition}, and it ended with ${inlineCode(other.conclusion)}: run it again`;
}
