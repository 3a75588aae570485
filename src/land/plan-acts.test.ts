import { expect, test } from "vitest";
import { entryOf, factsOf, landInputs, NOW } from "../../test/support/land-facts.ts";
import { actsOn } from "./plan-acts.ts";
import { wait } from "./step.ts";

test("a reviewer is asked once, also if a run could not do all of the setting up", () => {
  const entry = { ...entryOf(), isSetUp: false, asked: ["ada"] };
  const read = {
    entry,
    facts: factsOf(),
    step: wait("It waits."),
  };
  const inputs = landInputs({ labels: "docs", reviewers: "ada\nbob", comment: "false" });
  const [act] = actsOn(read, { id: "run", readAt: NOW }, inputs);
  expect(act).toMatchObject({ type: "set-up", labels: ["docs"], reviewers: ["bob"] });
});

test.each([
  ["merge", { sha: "head", method: "squash" }],
  ["enqueue", { sha: "head", pullId: "PR_7" }],
  ["update", { sha: "head" }],
] as const)("what takes it to its base is done at the head that was judged: %s", (type, fields) => {
  const read = {
    entry: entryOf({ isSetUp: true }),
    facts: factsOf(),
    step: { type },
  };
  const [act] = actsOn(read, { id: "run", readAt: NOW }, landInputs({ comment: "false" }));
  expect(act).toMatchObject({ type, readAt: NOW, ...fields });
});
