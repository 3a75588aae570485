import { expect, test } from "vitest";
import { startLocalWorld } from "../../emulator/local-world/index.ts";
import { type EventSubject, readWorkflow } from "../../playground/actions/workflow.ts";
import { WorkflowRuns } from "../../playground/actions/workflow-runs.ts";

interface Checks {
  check_runs: { name: string; conclusion: string }[];
}

test("in the playground, the gate's runs for a push and for a review have a check each", async () => {
  await using world = await startLocalWorld();
  const { github } = world;
  const number = await github.openPull({ commits: [{ files: ["src/a.ts"] }] });
  const runs = new WorkflowRuns(world, readWorkflow("examples/gate.yml"));
  const sender = { login: "writer", type: "User" };
  const review = { id: 1, state: "commented", body: "x", user: sender };
  const gate = async (name: string, more: object) => {
    type PullRecord = EventSubject & { head: { sha: string } };
    const pull_request = await github.api<PullRecord>(`/pulls/${number}`);
    const repository = await github.api("");
    const payload = { ...more, number, pull_request, repository, sender };
    await runs.dispatch({ name, actor: "writer", payload });
    return await github.api<Checks>(`/commits/${pull_request.head.sha}/check-runs`);
  };
  await gate("pull_request", { action: "opened" });
  await github.label(number, "skip-docs");
  const { check_runs } = await gate("pull_request_review", { action: "submitted", review });
  expect(check_runs).toMatchObject([
    { name: "gate", conclusion: "success" },
    { name: "gate", conclusion: "failure" },
  ]);
  await runs.close();
});
