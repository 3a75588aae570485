/** What is tried with more than one workflow. */

import { answer, comment, prompt, pullRequest, pullRequestInComment } from "./outcomes.ts";
import { ISSUE } from "./stage.ts";
import type { Trial } from "./trial.ts";
import { commented, dispatched, merged, released, scheduled } from "./trigger-events.ts";

export const REQUEST = "/docs Explain webhooks.";

export const BY_COMMENT: Trial = {
  name: "issue_comment: created",
  try: async (stage) => {
    const run = await stage.run(await commented(stage, REQUEST));
    return pullRequestInComment(stage, run);
  },
};

export const RELEASED: Trial = {
  name: "release: published",
  try: async (stage) => {
    const run = await stage.run(released(stage));
    await prompt(stage, "Adds webhooks.");
    return pullRequest(stage, run);
  },
};

export const MERGED: Trial = {
  name: "pull_request_target: closed",
  try: async (stage) => {
    const merge = await merged(stage, "pull_request_target");
    const run = await stage.run(merge);
    await prompt(stage, "Add webhooks");
    return pullRequestInComment(stage, run, merge.number);
  },
};

export const DISPATCHED: Trial = {
  name: "workflow_dispatch",
  try: async (stage) => pullRequest(stage, await stage.run(dispatched())),
};

export const SCHEDULED: Trial = {
  name: "schedule",
  try: async (stage) => pullRequest(stage, await stage.run(scheduled())),
};

export const QUESTION_BY_COMMENT: Trial = {
  name: "issue_comment: created",
  try: async (stage) => {
    const seen = answer(await stage.run(await commented(stage, "/ask How do I rotate a key?")));
    return `${seen}, ${await comment(stage, ISSUE, "rotate")}`;
  },
};
