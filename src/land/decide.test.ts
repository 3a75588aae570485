import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ORDINARY, WORDS } from "../../test/support/land-cases.ts";
import { landInputs, readsOf } from "../../test/support/land-facts.ts";
import { known } from "../runtime/fact.ts";
import { type Decision, decide } from "./decide.ts";
import { countsOf } from "./problems.ts";
import { problemsText } from "./reason-kinds.ts";
import { needsPerson, reasonText } from "./reasons.ts";

/** The table of docs/land-cases.md says what happens in every case; its words are in land-cases.ts. */
const PAGE = path.join(import.meta.dirname, "../../docs/land-cases.md");

const [, TABLE = ""] =
  /<!-- cases -->\n([\s\S]*?)<!-- end of cases -->/.exec(readFileSync(PAGE, "utf8")) ?? [];
const ROWS = TABLE.trim()
  .split("\n")
  .slice(2)
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .filter(([, words = ""]) => !words.startsWith("**"))
  .map(([, words = "", inputs = "", step = "", why = ""]) => {
    return { words, inputs, step: step.replaceAll("`", ""), why };
  });

function rulesOf(cell: string) {
  const inputs: Record<string, string> = {
    merge: "checks",
    "allowed-paths": "docs/**",
    "required-checks": "build",
  };
  for (const [, name = "", value = ""] of cell.matchAll(/`([\w-]+):([^`]*)`/g)) {
    inputs[name] = value.trim();
  }
  return landInputs(inputs);
}

/** A decision in the words of the table. */
function shown(decision: Decision): { step: string; why: string } {
  switch (decision.type) {
    case "wait": {
      const step = needsPerson(decision.reason) ? "person" : "wait";
      const why = reasonText(decision.reason);
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

test.each(ROWS)("$words ($inputs): $step $why", async ({ words, inputs, step, why }) => {
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
  const { decision } = await decide(entry, reads, rulesOf(inputs));
  expect(shown(decision)).toEqual({ step, why });
});

test("the table has every word that there is", () => {
  const used = new Set(ROWS.flatMap(({ words }) => words.split("; ")));
  expect(Object.keys(WORDS).filter((word) => !used.has(word))).toEqual([]);
});
