import { expect, test } from "vitest";
import { json, redirect } from "../support/answers.ts";
import { startFaultyServer } from "../support/faulty-server.ts";
import { someOf } from "../support/sample.ts";
import { CREATE, completed, POLL, startScenario } from "../support/scenario.ts";

// 301 and 302: the fault matrix in test/trust.
test.each(someOf([303, 307, 308]))(
  "a %i at creating is not followed: the key would travel",
  async (status) => {
    await using scenario = await startScenario();
    await using other = await startFaultyServer();
    other.on(CREATE, json(201, completed));
    scenario.service.on(CREATE, redirect(status, `${other.url}/v2/agent/docs/job`));
    const result = await scenario.run();
    expect(other.connections).toBe(0);
    expect(scenario.asked()).toEqual([CREATE]);
    expect(result.exitCode).toBe(1);
    expect(result.outputs.errorKind).toBe("invalid-response");
    expect(result.errors[0]).toContain("base-url");
  },
);

test("a redirect at a poll is not followed either", async () => {
  await using scenario = await startScenario();
  await using other = await startFaultyServer();
  scenario.service.on(POLL, redirect(302, `${other.url}/sign-in?to=job_1`));
  const result = await scenario.run();
  expect(other.connections).toBe(0);
  expect(scenario.asked()).toEqual([CREATE, POLL]);
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ errorKind: "invalid-response", jobId: "job_1" });
  expect(result.errors[0]).toContain("base-url");
});

test("not even to the same host", async () => {
  await using scenario = await startScenario();
  scenario.service.on("GET /elsewhere", json(200, completed));
  scenario.service.on(POLL, redirect(307, "/elsewhere"));
  const result = await scenario.run();
  expect(scenario.asked()).toEqual([CREATE, POLL]);
  expect(result.outputs.errorKind).toBe("invalid-response");
});
