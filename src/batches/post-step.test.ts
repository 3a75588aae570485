import { expect, test } from "vitest";
import { bareJob } from "../service/agent.ts";
import { startedText } from "./post-step.ts";

function started(id: string) {
  const job = bareJob(id, "active");
  return { type: "accepted", value: { job, isFollowUp: false } } as const;
}

test("a warning names the jobs that a run has started", () => {
  const deliveries = [started("job-1"), { type: "limited" } as const, started("job-2")];
  expect(startedText(deliveries)).toBe("Jobs that were started: job-1, job-2.");
  expect(startedText([{ type: "busy" }])).toBe(null);
});
