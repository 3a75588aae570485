import { test } from "vitest";
import { checkHistories, LIMIT } from "./check-histories.ts";
import { landEvent, landSetting } from "./land-events.ts";
import { LandHistory } from "./land-history.ts";

test(
  "histories of land: nothing is told twice, merged against a rule, or touched that is not the agent's",
  LIMIT,
  async () => {
    await checkHistories(landSetting, landEvent, (it) => new LandHistory(it), 300);
  },
);
