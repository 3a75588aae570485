import { expect, test } from "vitest";
import { inputsOfAllCases } from "../support/land-case-rows.ts";
import { documentChange, LAND } from "../support/world/docs-pulls.ts";
import { startWorld } from "../support/world/world.ts";

test("a workflow may set every input that the cases of src/land/cases.md set", async () => {
  await using world = await startWorld(LAND);
  await documentChange(world);
  const run = await world.run("land", { inputs: { ...inputsOfAllCases(), "dry-run": "true" } });
  expect(run).toMatchObject({ exitCode: 0, outputs: { openCount: "1", closedCount: "0" } });
});
