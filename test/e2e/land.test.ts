import { expect, test } from "vitest";
import { setUpLand } from "../support/land-setup.ts";

test("a failed check is sent to the agent, and the pull request is merged after its fix is green", async () => {
  await using scene = await setUpLand({ steering: { checks: "red" } });
  const number = await scene.document();
  const inputs = {
    merge: "checks",
    "allowed-paths": "docs/**",
    "required-checks": "docs-check",
    preview: "true",
  };
  const sent = await scene.run({ inputs });
  expect(sent.outputs).toMatchObject({ followUpCount: "1", openCount: "1", mergedCount: "0" });
  await scene.passTime();
  const built = await scene.run({ inputs });
  expect(built.outputs).toMatchObject({ followUpCount: "0", openCount: "1" });
  await scene.passTime();
  const merged = await scene.run({ inputs });
  expect(merged.outputs).toMatchObject({ mergedCount: "1", openCount: "0" });
  const [comment] = await scene.comments(number);
  expect(comment?.body).toContain("Merged");
});
