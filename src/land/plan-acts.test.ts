import { expect, test } from "vitest";
import { entryOf, factsOf, landInputs, NOW } from "../../test/support/land-facts.ts";
import { wait } from "./decide.ts";
import { actsOn } from "./plan-acts.ts";

test("a reviewer is asked once, also if a run could not do all of the setting up", () => {
  const entry = { ...entryOf(), isSetUp: false, asked: ["ada"] };
  const read = {
    entry,
    facts: factsOf(),
    step: wait("It waits."),
    needed: null,
    plainReason: null,
  };
  const inputs = landInputs({ labels: "docs", reviewers: "ada\nbob", comment: "false" });
  const [act] = actsOn(read, { id: "run", readAt: NOW }, inputs);
  expect(act).toMatchObject({ type: "set-up", labels: ["docs"], reviewers: ["bob"] });
});
