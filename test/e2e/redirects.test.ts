import { expect, test } from "vitest";
import { json, redirect } from "../support/answers.ts";
import { startFaultyServer } from "../support/faulty-server.ts";
import { CREATE, completed, LOOK, setScene } from "../support/scene.ts";

// 301 and 302: the fault matrix in test/trust.
test.each([303, 307, 308])(
  "a %i at creating is not followed: the key would travel",
  async (status) => {
    await using scene = await setScene();
    await using other = await startFaultyServer();
    other.on(CREATE, json(201, completed));
    scene.service.on(CREATE, redirect(status, `${other.url}/v2/agent/docs/job`));
    const result = await scene.run();
    expect(other.connections).toBe(0);
    expect(scene.asked()).toEqual([CREATE]);
    expect(result.exitCode).toBe(1);
    expect(result.outputs.errorKind).toBe("invalid-response");
    expect(result.errors[0]).toContain("base-url");
  },
);

test("a redirect at a look is not followed either", async () => {
  await using scene = await setScene();
  await using other = await startFaultyServer();
  scene.service.on(LOOK, redirect(302, `${other.url}/sign-in?to=job_1`));
  const result = await scene.run();
  expect(other.connections).toBe(0);
  expect(scene.asked()).toEqual([CREATE, LOOK]);
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ errorKind: "invalid-response", jobId: "job_1" });
  expect(result.errors[0]).toContain("base-url");
});

test("not even to the same host", async () => {
  await using scene = await setScene();
  scene.service.on("GET /elsewhere", json(200, completed));
  scene.service.on(LOOK, redirect(307, "/elsewhere"));
  const result = await scene.run();
  expect(scene.asked()).toEqual([CREATE, LOOK]);
  expect(result.outputs.errorKind).toBe("invalid-response");
});
