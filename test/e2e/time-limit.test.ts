import { expect, test } from "vitest";
import { json, late } from "../support/answers.ts";
import { CREATE, POLL, record, WITH_JOB } from "../support/world/jobs.ts";
import { startWorld } from "../support/world/world.ts";

/** 0.6 seconds. */
const BRIEF = { "timeout-minutes": "0.01" };

test("a job that is running at the time limit fails the step with timeout, and the error says how to wait for it", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(200, record("active")));
  const result = await world.run("root", {
    inputs: { ...BRIEF, "poll-max-interval-seconds": "0.05" },
  });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({
    status: "active",
    jobId: "job_1",
    errorKind: "timeout",
  });
  expect(result.errors).toHaveLength(1);
  expect(result.errors[0]).toContain("job-id");
  expect(result.errors[0]).toContain("job_1");
  expect(world.comment(7)).toContain("job_1");
  expect(world.comment(7)).toContain("job-id");
});

test("a delay ends at the time limit, and the result of the poll at the limit counts", async () => {
  await using world = await startWorld(WITH_JOB);
  const inputs = {
    ...BRIEF,
    "poll-interval-seconds": "600",
    "poll-max-interval-seconds": "600",
  };
  const result = await world.run("root", { inputs });
  expect(world.asked("service")).toEqual([CREATE, POLL]);
  const [create, poll] = world.received("service");
  // Instead of 10 minutes, the delay takes 0.6 seconds, or longer on a busy machine.
  expect((poll?.at ?? 0) - (create?.at ?? 0)).toBeLessThan(30_000);
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
});

test("a request that the service accepts after the time limit is not lost", async () => {
  await using world = await startWorld(WITH_JOB);
  // On this clock, 10 seconds.
  world.on(CREATE, late(json(201, record("active")), 200));
  const result = await world.run("root", { fastClock: 50, inputs: BRIEF });
  expect(world.asked("service")).toEqual([CREATE, POLL]);
  expect(result).toMatchObject({ exitCode: 0, outputs: { jobId: "job_1", status: "completed" } });
});
