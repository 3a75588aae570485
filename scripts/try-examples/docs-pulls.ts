/** Trials with docs pull requests: upkeep leaves one, and land looks after it. */

import { comment } from "./checks.ts";
import { type Happens, merged, reviewed, scheduled } from "./happenings.ts";
import { around } from "./later-runs.ts";
import { expectThat, outputsOf, type Trial, TrialError, type TrialWorld } from "./trial.ts";
import { ACCESS, type Step, type WorkflowFile } from "./workflow.ts";

const workflowOf = (action: string) => {
  const step: Step = { uses: `OWNER/docs-agent-action/${action}@v1`, with: ACCESS };
  return around({ schedule: [] })([step]);
};

/** How jobs, checks and builds go: what the agent writes can be merged. */
const STEERING = { checks: "green", buildMs: 0 } as const;

/** Upkeep hands over what was merged. @param workflow the one it is in. @returns the number of the docs pull request */
async function documented(trial: TrialWorld, workflow?: WorkflowFile): Promise<number> {
  await merged()(trial);
  const upkeep = async () => await trial.succeed(await scheduled(trial), workflow);
  await upkeep();
  await trial.untilJobsEnd();
  const [batch] = JSON.parse(outputsOf(await upkeep(), "upkeep").finished ?? "[]");
  const number = Number(String(batch?.prLink).split("/").at(-1));
  if (Number.isNaN(number)) throw new TrialError("upkeep's next run found no docs pull request");
  return number;
}

/**
 * A run writes the comment on a docs pull request.
 *
 * @param merges whether it merges what is approved
 * @param withUpkeep whether upkeep is in the same workflow
 */
export function land(happens: Happens, { merges = false, withUpkeep = false } = {}): Trial {
  return {
    steering: STEERING,
    try: async (trial) => {
      const number = await documented(trial, withUpkeep ? undefined : workflowOf("upkeep"));
      const run = await trial.succeed(await happens(trial));
      expectThat("the output openCount", outputsOf(run, "land").openCount, "1");
      const happening = { ...(await scheduled(trial)), number };
      const seen = await comment("Ready for review")({ trial, run, happening });
      if (!merges) return seen;
      await reviewed("", { number, event: "APPROVE" })(trial);
      trial.advance();
      const after = await trial.succeed(await happens(trial));
      expectThat("the output mergedCount", outputsOf(after, "land").mergedCount, "1");
      return `${seen}; approved, then merged`;
    },
  };
}

/** A run labels a docs pull request, and asks the author of the change for a review. */
export const labelsAndReviewers: Trial = {
  ...{ steering: STEERING, around: around({ schedule: [] }) },
  try: async (trial) => {
    const number = await documented(trial);
    await trial.succeed(await scheduled(trial));
    const pull = await trial.world.github.api<{
      labels: { name: string }[];
      requested_reviewers: { login: string }[];
    }>(`/pulls/${number}`);
    const labels = pull.labels.map(({ name }) => name).join();
    const reviewers = pull.requested_reviewers.map(({ login }) => login).join();
    expectThat("the labels", labels, "documentation");
    // The first commit is documented, too.
    expectThat("the reviewers", reviewers, "octocat,writer");
    return `label ${labels}, review by ${reviewers}`;
  },
};

/** A chat and an issue are told what became of docs pull requests. */
export function digest(happens: Happens): Trial {
  return {
    steering: STEERING,
    try: async (trial) => {
      await documented(trial, workflowOf("upkeep"));
      await trial.succeed(await scheduled(trial), workflowOf("land"));
      const happening = await happens(trial);
      const run = await trial.succeed(happening);
      const [message = "{}"] = trial.messages;
      const { text } = JSON.parse(message) as { text?: string };
      expectThat("the message", text, "Docs, last 30 days: 0 merged, 0 closed, 1 open.");
      return `chat; ${await comment("last 30 days:** 1 opened")({ trial, run, happening })}`;
    },
  };
}
