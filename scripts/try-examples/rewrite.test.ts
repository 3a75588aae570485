import { expect, test } from "vitest";
import { rewrite } from "./rewrite.ts";
import type { Step, WorkflowFile } from "./workflow-file.ts";

const LOCAL = { serviceUrl: "http://s", gitHubUrl: "http://g", token: "t" };
const INPUTS: Record<string, string[]> = {
  ".": ["prompt", "base-url", "github-api-url"],
  jobs: ["state", "base-url"],
};

function rewritten(...steps: Step[]) {
  const workflow: WorkflowFile = {
    name: "Docs",
    on: { push: null },
    jobs: { docs: { "runs-on": "ubuntu-latest", steps } },
  };
  const result = rewrite(workflow, LOCAL, (action) => INPUTS[action] ?? []);
  return { ...result, original: workflow, steps: result.workflow.jobs.docs?.steps };
}

test("the addresses of the local world are added to the inputs, as far as the action has them", () => {
  const { steps } = rewritten(
    { id: "a", uses: "OWNER/docs-agent-action@v1", with: { prompt: "p" } },
    { uses: "OWNER/docs-agent-action/jobs@v1" },
  );
  expect(steps).toEqual([
    {
      ...{ id: "a", uses: "OWNER/docs-agent-action@v1" },
      with: { prompt: "p", "base-url": "http://s", "github-api-url": "http://g" },
    },
    { uses: "OWNER/docs-agent-action/jobs@v1", with: { "base-url": "http://s" } },
  ]);
});

test("everything else stays as it is written, and the workflow itself is not changed", () => {
  const step = { if: "always()", run: "echo done", env: { A: "b" } };
  const { steps, workflow, original } = rewritten(step, { uses: "OWNER/docs-agent-action@v1" });
  expect(steps?.[0]).toEqual(step);
  expect({ ...workflow, jobs: {} }).toEqual({ ...original, jobs: {} });
  expect(workflow.jobs.docs).toMatchObject({ "runs-on": "ubuntu-latest" });
  expect(original.jobs.docs?.steps[1]).toEqual({ uses: "OWNER/docs-agent-action@v1" });
});

test("a step that makes a token puts out the local one, under the same id", () => {
  const { steps, replaced } = rewritten({
    ...{ id: "token", uses: "actions/create-github-app-token@v3", with: { owner: "acme" } },
  });
  expect(steps).toEqual([{ id: "token", run: 'echo "token=t" >> "$GITHUB_OUTPUT"' }]);
  expect(replaced).toEqual(["create-github-app-token: the local token"]);
});

test("a checkout is left to act, and named", () => {
  const { steps, replaced } = rewritten({ uses: "actions/checkout@v7" });
  expect(steps).toEqual([{ uses: "actions/checkout@v7" }]);
  expect(replaced).toEqual(["checkout: act copies the files"]);
});

test("an action of others that nothing stands in for is refused", () => {
  expect(() => rewritten({ uses: "actions/cache@v5" })).toThrow(/actions\/cache@v5/);
});
