/** What stands against each act on a docs pull request, by the design. */

import { mergeabilityOf, reviewDecisionOf } from "../../../emulator/github/merge.ts";
import { isQueued } from "../../../emulator/github/merge-queue.ts";
import { WORKFLOW } from "../../../emulator/github/people.ts";
import { filesOf } from "../../../emulator/github/routes/pulls.ts";
import { isPull, type Pull } from "../../../emulator/github/state.ts";
import { endOf, type Job, lastTurn } from "../../../emulator/service/agent/job.ts";
import type { Case, No } from "./judge.ts";
import { thingsOf } from "./things.ts";
import {
  approvalOf,
  checksOf,
  isEditedByOthers,
  isOnHold,
  lastActivity,
  openComments,
  opinionsOf,
  unfinishedRuns,
} from "./truth.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** For how long after a follow-up it is left alone, unless its head changes, less what a run takes. */
const FOLLOW_UP_GRACE = 29 * MINUTE;
const CHECKS_GRACE = 5 * MINUTE;
const REQUIRED = "docs-check";

/** Those that hold, as sentences. */
function holding(demands: readonly [isAgainst: boolean, text: string][]): No[] {
  return demands.flatMap(([isAgainst, text]) => (isAgainst ? [{ shown: "pull", text }] : []));
}

function jobOf({ world, pull }: Case): Job | undefined {
  const { jobs } = world.servers.agent.service.state;
  return jobs.find(({ prLink }) => prLink?.endsWith(`/pull/${pull.number}`));
}

/** What keeps land from any act. */
function againstAll(about: Case): No[] {
  const { world, pull, memory } = about;
  const { now } = world.servers;
  const job = jobOf(about);
  const turn = job === undefined ? null : lastTurn(job);
  const isAtWork =
    turn !== null && turn.outcome === null && (endOf(turn) ?? Number.POSITIVE_INFINITY) > now;
  const last = memory.sent.at(-1);
  const isAwaited = last?.head === pull.head && now - last.at < FOLLOW_UP_GRACE;
  const byJob: No[] = [];
  if (isAtWork) byJob.push({ shown: "job", text: "its job is at work" });
  if (job?.byHand.prLink !== undefined) {
    byJob.push({ shown: "job", text: "its job does not name it" });
  }
  return [
    ...byJob,
    ...holding([
      [pull.state !== "open", "it is over"],
      [isOnHold(pull), "it is on hold"],
      [isAwaited, "a follow-up is open"],
    ]),
  ];
}

export function againstMerge(about: Case): No[] {
  const { world, rules, pull, memory } = about;
  const { home, servers } = world;
  const decision = reviewDecisionOf(home, pull);
  const first = memory.headsSeenAt.get(pull.head) ?? servers.now;
  const isBeyond = filesOf(home, pull).some(({ path }) => !path.startsWith("docs/"));
  const { approvals = 0, checks = [], queue = false } = home.mergeRule;
  return [
    ...againstUpdate(about),
    ...againstByChecks(about),
    ...byCode(about, ({ code }) => [[true, `its code #${code.number} has not landed`]]),
    ...holding([
      [rules.merge === "never", "`merge` is `never`"],
      [pull.isDraft, "it is a draft"],
      [approvals > 0 && decision !== "APPROVED", "the rules want another review"],
      [isBeyond, "it is beyond its paths"],
      [servers.now - memory.movedAt < rules.delayHours * HOUR, "it changed too recently"],
      [
        rules.merge === "checks" && servers.now - first < CHECKS_GRACE,
        "its head is too young for its checks",
      ],
      [
        queue && checks.length > 0 && rules.reader === WORKFLOW,
        "no checks start in the queue for this token",
      ],
    ]),
  ];
}

export function againstUpdate(about: Case): No[] {
  return [...againstAll(about), ...againstByPeople(about)];
}

/** What its code has against an act, while upkeep has not said that this has landed. */
function byCode(
  { world, code }: Case,
  demands: (about: { code: Pull }) => [isAgainst: boolean, text: string][],
): No[] {
  const pull = world.home.issues.get(code?.number ?? 0);
  if (!isPull(pull) || code?.hasLanded !== false) return [];
  return holding(demands({ code: pull })).map(({ text }) => ({ shown: "code", text }));
}

function againstByPeople({ world: { home }, rules, pull, memory }: Case): No[] {
  const approval = approvalOf(home, pull, memory.updates);
  const changed = pull.baseChanges.at(-1) ?? Number.NEGATIVE_INFINITY;
  const isRetargeted = changed >= memory.foundAt;
  const needsApproval =
    rules.merge === "approved" || isEditedByOthers(home, pull, memory.updates) || isRetargeted;
  const objections = opinionsOf(home, pull).filter(({ state }) => state === "CHANGES_REQUESTED");
  // Who approves knows what was said before.
  const since =
    approval === null ? Number.NEGATIVE_INFINITY : Date.parse(approval.submitted_at ?? "");
  const comments = openComments(home, pull).filter(({ at }) => at > since);
  return holding([
    ...objections.map(({ user }): [boolean, string] => [true, `${user} asks for changes`]),
    ...comments.map(({ comment }): [boolean, string] => [true, `comment ${comment.id} is open`]),
    [needsApproval && approval === null, "nobody approves its head"],
    [isRetargeted && rules.merge === "checks", "its base was changed"],
  ]);
}

function againstByChecks({ world, rules, pull }: Case): No[] {
  const { home, servers } = world;
  const checks = checksOf(home, pull.head);
  const runs = unfinishedRuns(home, pull.head);
  const isByChecks = rules.merge === "checks";
  const isRequired = (name: string) => name === REQUIRED && (isByChecks || rules.required);
  const required = checks.filter(({ name }) => isRequired(name));
  const isMet = required.some(({ results }) => results.includes("success"));
  const isHidden = servers.github.site.permissions.get(rules.reader)?.checks === "none";
  const hasAny = home.checkSuites.some(({ sha }) => sha === pull.head);
  return holding([
    ...checks.flatMap(({ name, results }): [boolean, string][] => [
      [results.includes("red"), `${name} is red`],
      [results.includes("held"), `${name} waits for a person`],
      [results.includes("pending") && (isByChecks || isRequired(name)), `${name} is not over`],
    ]),
    [isRequired(REQUIRED) && !isMet, `${REQUIRED} has not succeeded`],
    [runs.held, "a run waits for an approval"],
    [isByChecks && runs.queued, "a run has not begun"],
    [isHidden && hasAny, "its checks cannot be read"],
  ]);
}

export function againstClosing(about: Case): No[] {
  const { world, rules, pull, memory } = about;
  const { home, servers } = world;
  const active = Math.max(
    lastActivity(home, pull, rules.reader),
    memory.reopenedAt,
    ...memory.sent.map(({ at }) => at),
  );
  const { state, refusal } = mergeabilityOf(home, pull);
  const isMergeable = refusal === undefined && ["clean", "unstable"].includes(state);
  // Whether its base was changed before it was found may be a matter of a second.
  const isSame = pull.baseChanges.length === 0;
  const isIdle = servers.now - active >= rules.closeDays * DAY && rules.closeDays > 0;
  // What was drafted for code that is given up is closed at once.
  const isGivenUp = ({ code: { state: its, mergedAt } }: { code: Pull }) =>
    its === "closed" && mergedAt === null && memory.reopenedAt === 0;
  const isWaiting = byCode(about, ({ code }) => [
    [!isGivenUp({ code }), `its code #${code.number} is not given up`],
  ]);
  const isByCode = about.code?.hasLanded === false && isWaiting.length === 0;
  return [
    ...againstAll(about),
    ...isWaiting,
    ...holding([
      [!isByCode && !isIdle, "something happened to it"],
      [!isByCode && isQueued(home, pull), "it is in the queue"],
      [!isByCode && isSame && isMergeable && againstMerge(about).length === 0, "it can be merged"],
    ]),
  ];
}

export function againstSending(about: Case): No[] {
  const { world, rules, pull, memory } = about;
  return [
    ...againstAll(about),
    ...holding([
      [isEditedByOthers(world.home, pull, memory.updates), "somebody else has pushed"],
      [memory.sent.length >= rules.maxFollowUps, "its follow-ups are spent"],
    ]),
    ...thingsOf(about),
  ];
}
