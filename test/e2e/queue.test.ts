import { expect, test } from "vitest";
import { setUpQueue, statesIn } from "../support/queue-setup.ts";

const FIVE = `
- id: one
  prompt: Document the first endpoint.
- id: two
  prompt: |
    Document the second endpoint.
    With examples.
- id: three
  prompt: Document the third endpoint.
- id: four
  prompt: Document the fourth endpoint.
- Document the fifth endpoint.
`;

test("the tasks of a file are worked off over several runs, and the dashboard shows how far they are", async () => {
  await using scene = await setUpQueue(FIVE);
  const first = await scene.run();
  expect(first.errors).toEqual([]);
  expect(first.exitCode).toBe(0);
  expect(first.visible.join("\n")).toMatch(/no ledger at refs\S+ yet: no task has been started\./);
  expect(first.outputs).toMatchObject({
    ...{ result: "started", startedCount: "3", runningCount: "3", doneCount: "0" },
    ...{ waitingCount: "2", needsDecisionCount: "0" },
  });
  expect(await scene.dashboards()).toMatchObject([{ title: "Docs queue: docs/tasks.yml" }]);
  expect(await scene.body()).toContain("0 of 5 tasks done, 3 running, 2 waiting");

  const second = await scene.run();
  expect(second.outputs).toMatchObject({ result: "started", startedCount: "2", doneCount: "3" });
  const third = await scene.run();
  expect(third.outputs).toMatchObject({ result: "finished", startedCount: "0", doneCount: "5" });
  expect(statesIn(third).slice(0, 4)).toEqual(
    ["one", "two", "three", "four"].map((id) => `${id}: done`),
  );
  const [done] = JSON.parse(third.outputs.tasks ?? "");
  expect(done).toMatchObject({ jobId: expect.any(String), prLink: expect.any(String) });
  expect(await scene.prompts()).toEqual([
    "Document the first endpoint.",
    "Document the second endpoint.\nWith examples.\n",
    ...["third", "fourth", "fifth"].map((it) => `Document the ${it} endpoint.`),
  ]);
  expect(await scene.body()).toMatch(
    /5 of 5 tasks done[\s\S]*## In review\n\n- \[Docs pull request #\d+\]/,
  );
});
