import { test } from "vitest";
import { checkHistories, LIMIT } from "./check-histories.ts";
import { QueueHistory, queueEvent, queueSetting } from "./queue-history.ts";

test(
  "histories of a queue: no task is accepted twice, none is lost, and what is in none is visible",
  LIMIT,
  async () => {
    await checkHistories(queueSetting, queueEvent, (it) => new QueueHistory(it), 150);
  },
);
