/** What is tried with more than one workflow. */

import { answer, comment, prompt, pullRequest, pullRequestInComment } from "./outcomes.ts";
import type { Trial } from "./trial.ts";
import { ISSUE } from "./trial-setup.ts";
import { commented, dispatched, merged, released, scheduled } from "./trigger-events.ts";

export const REQUEST = "/docs Explain webhooks.";

export const BY_COMMENT: Trial = {
  name: "issue_comment: created",
  try: async (setup) => {
    const run = await setup.run(await commented(setup, REQUEST));
    return pullRequestInComment(setup, run);
  },
};

export const RELEASED: Trial = {
  name: "release: published",
  try: async (setup) => {
    const run = await setup.run(released(setup));
    await prompt(setup, "Adds webhooks.");
    return pullRequest(setup, run);
  },
};

export const MERGED: Trial = {
  name: "pull_request_target: closed",
  try: async (setup) => {
    const merge = await merged(setup, "pull_request_target");
    const run = await setup.run(merge);
    await prompt(setup, "Add webhooks");
    return pullRequestInComment(setup, run, merge.number);
  },
};

export const DISPATCHED: Trial = {
  name: "workflow_dispatch",
  try: async (setup) => pullRequest(setup, await setup.run(dispatched())),
};

export const SCHEDULED: Trial = {
  name: "schedule",
  try: async (setup) => pullRequest(setup, await setup.run(scheduled())),
};

export const QUESTION_BY_COMMENT: Trial = {
  name: "issue_comment: created",
  try: async (setup) => {
    const seen = answer(await setup.run(await commented(setup, "/ask How do I rotate a key?")));
    return `${seen}, ${await comment(setup, ISSUE, "rotate")}`;
  },
};
