import { test } from "vitest";
import { checkHistories, LIMIT } from "./check-histories.ts";
import { UpkeepHistory, upkeepEvent, upkeepSetting } from "./upkeep-history.ts";

test(
  "histories of upkeep: no change is accepted twice, none is lost, and what is in none is visible",
  LIMIT,
  async () => {
    await checkHistories(upkeepSetting, upkeepEvent, (it) => new UpkeepHistory(it), 300);
  },
);
