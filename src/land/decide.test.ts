import { expect, test } from "vitest";
import { CASE_ROWS, inputsOfCase } from "../../test/support/land-case-rows.ts";
import { ORDINARY, WORDS } from "../../test/support/land-cases.ts";
import { landInputs, readsOf } from "../../test/support/land-facts.ts";
import { known } from "../runtime/fact.ts";
import { decide, type PullDecision } from "./decide.ts";
import { countsOf } from "./problems.ts";
import { problemsText } from "./reason-kinds.ts";
import { reasonText } from "./reasons.ts";
import { waitText } from "./waits.ts";

/** A decision in the words of the table. */
function shown(decision: PullDecision): { step: string; why: string } {
  switch (decision.type) {
    case "wait": {
      const step = decision.waitsFor === "person" ? "person" : "wait";
      const why = waitText(decision);
      return { step: decision.isReminder ? `${step} + reminder` : step, why };
    }
    case "close":
      return { step: "close", why: reasonText(decision.reason) };
    case "follow-up":
      return { step: "follow-up", why: problemsText(countsOf(decision.problems)) };
    default:
      return { step: decision.type, why: "" };
  }
}

test.each(CASE_ROWS)("$words ($inputs): $step $why", async ({ words, inputs, step, why }) => {
  const {
    pull: docsPull,
    facts,
    entry,
  } = (words === "" ? [] : words.split("; ")).reduce((before, word) => {
    expect(WORDS).toHaveProperty([word]);
    return WORDS[word]?.(before) ?? before;
  }, ORDINARY);
  const isShown = facts.pull.type === "known";
  const reads = readsOf(isShown ? { ...facts, pull: known(docsPull) } : facts);
  const { decision } = await decide(entry, reads, landInputs(inputsOfCase(inputs)));
  expect(shown(decision)).toEqual({ step, why });
});

test("the table has every word that there is", () => {
  const used = new Set(CASE_ROWS.flatMap(({ words }) => words.split("; ")));
  expect(Object.keys(WORDS).filter((word) => !used.has(word))).toEqual([]);
});
