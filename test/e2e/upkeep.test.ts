import { expect, test } from "vitest";
import { setUpUpkeep } from "../support/upkeep-setup.ts";

test("every merged change is handed to the agent once, and the dashboard shows it", async () => {
  await using scene = await setUpUpkeep();
  await scene.run();
  const one = await scene.history.land({ title: "Add retries" }, "squash");
  const two = await scene.history.land({ title: "Rename a flag" }, "merge");
  const first = await scene.run();
  expect(first.exitCode).toBe(0);
  expect(first.outputs).toMatchObject({ result: "started", changeCount: "2", waitingCount: "0" });
  expect(
    JSON.parse(first.outputs.changes ?? "").map((it: { number: number }) => it.number),
  ).toEqual([one.number, two.number]);
  await scene.history.advance(60_000);
  const second = await scene.run();
  expect(second.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  const [finished] = JSON.parse(second.outputs.finished ?? "[]");
  expect(finished).toMatchObject({ jobId: first.outputs.jobId, status: "completed" });
  const body = await scene.body();
  expect(body).toContain("0 of 2 changes documented, 2 in review");
  expect(body).toMatch(/## In review\n\n- \[Docs pull request #\d+\]/);
  const prompts = await scene.prompts();
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).toContain("Add retries");
});
