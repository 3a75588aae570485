import { expect, test } from "vitest";
import { setUpLand } from "../support/land-setup.ts";

test("a failed check goes back to the agent, and what it mends is merged once it is green", async () => {
  await using it = await setUpLand({ steering: { checks: "red" } });
  const number = await it.document();
  const inputs = { merge: "checks", "allowed-paths": "docs/**", preview: "true" };
  const told = await it.run({ inputs });
  expect(told.outputs).toMatchObject({ followUpCount: "1", openCount: "1", mergedCount: "0" });
  await it.passTime();
  const built = await it.run({ inputs });
  expect(built.outputs).toMatchObject({ followUpCount: "0", openCount: "1" });
  await it.passTime();
  const merged = await it.run({ inputs });
  expect(merged.outputs).toMatchObject({ mergedCount: "1", openCount: "0" });
  const [comment] = await it.comments(number);
  expect(comment?.body).toContain("Merged");
});
