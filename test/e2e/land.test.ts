import { expect, test } from "vitest";
import { documentChange, LAND } from "../support/world/docs-pulls.ts";
import { HOUR, startWorld } from "../support/world/world.ts";

test("a failed check is sent to the agent, and the pull request is merged after its fix is green", async () => {
  await using world = await startWorld({ ...LAND, steering: { checks: "red" } });
  const number = await documentChange(world);
  const inputs = {
    merge: "checks",
    "allowed-paths": "docs/**",
    "required-checks": "docs-check",
    preview: "true",
  };
  const sent = await world.run("land", { inputs });
  expect(sent.outputs).toMatchObject({ followUpCount: "1", openCount: "1", mergedCount: "0" });
  await world.passTime(HOUR);
  const built = await world.run("land", { inputs });
  expect(built.outputs).toMatchObject({ followUpCount: "0", openCount: "1" });
  await world.passTime(HOUR);
  const merged = await world.run("land", { inputs });
  expect(merged.outputs).toMatchObject({ mergedCount: "1", openCount: "0" });
  const [comment] = world.comments(number);
  expect(comment?.body).toContain("Merged");
});
