/**
 * Why land waits before the merge is asked for: what a run finds, the job, and what the agent or a person has to fix.
 */

import { DAY, HOUR, MINUTE } from "../runtime/clock.ts";
import { fixed, varying } from "../runtime/reason.ts";
import { inlineCode } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import {
  BY_HAND,
  BY_ITSELF,
  BY_PUSH,
  checkName,
  type ProblemCounts,
  problemsText,
} from "./reason-kinds.ts";

const ABOUT: ProblemCounts = { check: 1 };
const APPROVE_RUN = "waits for an approval: choose *Approve workflows to run* on the pull request.";

export const WORK_REASONS = {
  // What a run finds first.
  elsewhere: fixed(
    "person",
    null,
    "It is not on the GitHub that this workflow runs on, so it is left as it is.",
    "Merge it by hand, where it is.",
  ),
  unread: varying(
    "person",
    null,
    { words: "GitHub returned 404" },
    ({ words }) => `It cannot be read: ${words}.`,
    "Check that the token can read its repository.",
  ),
  "unread-for-now": varying(
    "github",
    DAY,
    { words: "GitHub returned 502" },
    ({ words }) => `It cannot be read: ${words}. The next run tries again.`,
    "Check that the token can read its repository, or merge it by hand.",
  ),
  "by-person": varying(
    "person",
    null,
    { author: "ada" },
    ({ author }) =>
      `Its author, ${inlineCode(author, 60)}, is a person and not the agent, so it is left as it is.`,
    "Merge it by hand.",
  ),
  "on-hold": varying(
    "reviewer",
    null,
    { label: "docs-hold" },
    ({ label }) => `It is left alone as long as it has the label ${inlineCode(label, 60)}.`,
    "Take the label off.",
  ),
  "other-run": fixed("limit", 10 * MINUTE, "Another run is working on it.", BY_ITSELF),
  // The job.
  "agent-at-work": fixed(
    "agent",
    DAY,
    "The agent is at work on it.",
    "Look at the job at the service. If it has hung, merge or close it by hand.",
  ),
  "follow-up-open": fixed(
    "agent",
    HOUR / 2,
    "The agent was sent a follow-up and has not changed its branch yet.",
    BY_ITSELF,
  ),
  "job-busy": fixed(
    "agent",
    DAY,
    "Its job is busy, and accepts no follow-up at the moment.",
    "Once it is free, comment on the pull request. If it has hung, merge or close it by hand.",
  ),
  "job-unread": fixed(
    "service",
    DAY,
    "Its job could not be polled; the next run tries again.",
    BY_HAND,
  ),
  "job-missing": fixed(
    "service",
    DAY,
    "The service did not find its job; the next run asks again.",
    BY_HAND,
  ),
  "job-other-pull": fixed(
    "person",
    null,
    "Its job's record no longer names this pull request, so it is left as it is.",
    "Merge or close it by hand.",
  ),
  "job-forgotten": fixed(
    "person",
    null,
    "The service no longer knows its job, so it accepts no follow-ups and is not merged.",
    "Merge or close it by hand.",
  ),
  // Why it is closed.
  idle: varying(
    "reviewer",
    null,
    { days: 14 },
    ({ days }) => `Nothing has happened here for ${counted(days, "day")}.`,
    "Land closes it.",
  ),
  // What the agent can fix.
  "in-base": fixed(
    "github",
    DAY,
    "Its base has all of its commits. GitHub has not noticed yet that it is merged.",
    "Close it by hand.",
  ),
  "checks-unfinished": fixed(
    "checks",
    HOUR,
    "Checks or builds have not finished.",
    "After that, what is known is sent to the agent.",
  ),
  unfixed: varying(
    "person",
    null,
    { problems: ABOUT },
    ({ problems }) =>
      `The agent got a follow-up about ${problemsText(problems)} and has not fixed it.`,
    BY_PUSH,
  ),
  "edited-by-others": varying(
    "person",
    null,
    { problems: ABOUT },
    ({ problems }) =>
      `Somebody other than the agent has pushed to it, so no follow-up about ${problemsText(problems)} is sent.`,
    BY_PUSH,
  ),
  "job-takes-none": varying(
    "person",
    null,
    { problems: ABOUT },
    ({ problems }) =>
      `Its job accepts no follow-ups, so none about ${problemsText(problems)} can be sent.`,
    BY_PUSH,
  ),
  "no-follow-ups": varying(
    "person",
    null,
    { problems: ABOUT },
    ({ problems }) =>
      `It has ${problemsText(problems)}, and \`max-follow-ups\` allows no follow-up.`,
    BY_PUSH,
  ),
  "follow-ups-spent": varying(
    "person",
    null,
    { problems: ABOUT, sent: 3, most: 3 },
    ({ problems, sent, most }) =>
      `It still has ${problemsText(problems)} after ${sent} of at most ${counted(most, "follow-up")}.`,
    BY_PUSH,
  ),
  "reviews-unread": fixed(
    "person",
    null,
    "It has more reviews or comments than can be read, so it is not merged: a person looks at them.",
    "Merge it by hand.",
  ),
  "check-held": varying(
    "person",
    null,
    { name: "build" },
    (given) => `The check ${checkName(given.name)} ${APPROVE_RUN}`,
    "Choose *Approve workflows to run*.",
  ),
  "check-held-deployment": varying(
    "person",
    null,
    { name: "build" },
    (given) =>
      `The check ${checkName(given.name)} waits for an approval: choose *Review deployments* in its workflow's run.`,
    "Choose *Review deployments*.",
  ),
  "check-held-by-app": varying(
    "person",
    null,
    { name: "build" },
    (given) =>
      `The check ${checkName(given.name)} waits for a person: choose *Details* beside it, and do what it asks for.`,
    "Choose *Details*.",
  ),
  "run-held": fixed(
    "person",
    null,
    `A run of a workflow ${APPROVE_RUN}`,
    "Choose *Approve workflows to run*.",
  ),
};
