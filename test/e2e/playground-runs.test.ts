/** Runs of workflows in the playground: which wait for each other, and what they report. */

import { expect, test } from "vitest";
import { latestStatuses } from "../../emulator/github/checks.ts";
import { startLocalWorld } from "../../emulator/local-world/index.ts";
import {
  readWorkflow,
  type Workflow,
  type WorkflowEvent,
} from "../../playground/actions/workflow.ts";
import { WorkflowRuns } from "../../playground/actions/workflow-runs.ts";
import { startStep } from "../support/run-action.ts";

const [LIST] = readWorkflow("examples/list-jobs.yml") as [Workflow];
const [GATE] = readWorkflow("examples/gate.yml") as [Workflow];
const DISPATCHED: WorkflowEvent = { name: "workflow_dispatch", actor: "writer", payload: {} };

/** How four runs of a group end, the oldest first, which are started at the same moment. */
async function fourRuns(keepsWaiting: boolean) {
  await using world = await startLocalWorld({});
  const runs = new WorkflowRuns(world, [{ ...LIST, group: "Lists", keepsWaiting }], startStep);
  await Promise.all([1, 2, 3, 4].map(() => runs.dispatch(DISPATCHED)));
  return runs.list().toReversed();
}

test("a run that waits in a group is cancelled by the next one, with a message", async () => {
  const runs = await fourRuns(false);
  const conclusions = runs.map(({ conclusion }) => conclusion);
  expect(conclusions).toEqual(["success", "cancelled", "cancelled", "success"]);
  expect(runs[1]?.errors).toEqual([
    "A newer run of the group 'lists' took the place of this one, which waited.",
  ]);
});

test("with `queue: max`, all runs of a group wait", async () => {
  const runs = await fourRuns(true);
  expect(runs.map(({ conclusion }) => conclusion)).toEqual(Array(4).fill("success"));
});

test("a push and a review have a check each, as on GitHub, and one status of the gate", async () => {
  await using world = await startLocalWorld({});
  const { home } = world.github;
  const { number } = home.openPull({ commits: [{ files: ["src/a.ts"] }], author: "maintainer" });
  const runs = new WorkflowRuns(world, [GATE], startStep);
  const send = async (name: string, action: string) => {
    const pull_request = await world.github.api<{
      number: number;
      title: string;
      head: { sha: string };
    }>(`/pulls/${number}`);
    const payload = { action, pull_request };
    await runs.dispatch({ name, actor: "maintainer", payload });
    return pull_request.head.sha;
  };
  await send("pull_request", "opened");
  await world.github.api(`/issues/${number}/labels`, {
    method: "POST",
    body: { labels: ["skip-docs"] },
  });
  const sha = await send("pull_request_review", "submitted");
  const results = async () => {
    const answer = await world.github.api<{ check_runs: { name: string; conclusion: string }[] }>(
      `/commits/${sha}/check-runs`,
    );
    return answer.check_runs.map(({ name, conclusion }) => `${name}: ${conclusion}`).toSorted();
  };
  const expected = ["gate (pull_request): success", "gate (pull_request_review): success"];
  await expect.poll(results).toEqual(expected);
  const states = latestStatuses(home, sha).map(({ context, state }) => `${context}: ${state}`);
  expect(states).toEqual(["docs gate: success"]);
});
