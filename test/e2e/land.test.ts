import { expect, test } from "vitest";
import { setUpUpkeep } from "../support/upkeep-setup.ts";

test("a failed check goes back to the agent, and what it mends is merged once it is green", async () => {
  await using it = await setUpUpkeep({ steering: { durationMs: 0, checks: "red" } });
  await it.history.land({ title: "Add retries" }, "squash");
  const land = (inputs: Record<string, string> = {}) =>
    it.run({ action: "land", inputs: { since: "", merge: "checks", "allowed-paths": "docs/**", ...inputs } });
  console.log((await it.run()).stdout);
  await it.passTime();
  console.log((await it.run()).stdout);
  for (let i = 0; i < 4; i++) {
    const first = await land();
    console.log(first.stdout, first.stderr, first.outputs, first.summary);
    await it.passTime();
  }
  console.log(await it.prompts());
  console.log(it.ledgers().map(({ log, ledger }) => [log, JSON.stringify(ledger).slice(0, 1500)]));
});
