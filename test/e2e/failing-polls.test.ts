import { expect, test } from "vitest";
import { schedule } from "../support/events.ts";
import { json } from "../support/faulty-server.ts";
import { completed, gaps, LOOK, record, setScene } from "../support/scene.ts";

/** Fast enough for minutes. */
const FAST = 200;
/** Two polls are more than five minutes apart. */
const SELDOM = { "poll-interval-seconds": "400", "poll-max-interval-seconds": "400" };
const busy = json(503, { error: "busy" });

test("one failed poll of a run that polls seldom does not end it", async () => {
  await using scene = await setScene();
  scene.service.on(LOOK, json(200, record("active")), busy, json(200, completed));
  const result = await scene.run({ ...schedule, fastClock: FAST, inputs: SELDOM });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
  expect(result.warnings).toHaveLength(2);
});

test("a long Retry-After does not use up the five minutes", async () => {
  await using scene = await setScene();
  const later = json(503, { error: "busy" }, { "retry-after": "320" });
  scene.service.on(LOOK, later, busy, json(200, completed));
  const result = await scene.run({
    ...schedule,
    fastClock: FAST,
    inputs: { "poll-interval-seconds": "3", "poll-max-interval-seconds": "15" },
  });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
  expect(gaps(scene.service.requestsTo(LOOK))[0]).toBeGreaterThan(320_000 / FAST - 50);
});

test("the third failed poll gives up, once five minutes have passed since the first", async () => {
  await using scene = await setScene();
  scene.service.on(LOOK, json(200, record("active")), busy);
  const inputs = { ...SELDOM, "timeout-minutes": "600" };
  const result = await scene.run({ ...schedule, fastClock: FAST, inputs });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ errorKind: "service-unavailable", jobId: "job_1" });
  expect(scene.service.requestsTo(LOOK)).toHaveLength(4);
  expect(result.errors[0]).toMatch(/Polls have failed for 1\d min/);
});
