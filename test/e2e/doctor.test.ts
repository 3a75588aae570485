import { expect, test } from "vitest";
import { checksThatAre, setUpDoctor } from "../support/doctor-setup.ts";

test("a healthy set-up is healthy, and nothing of the trials is left", async () => {
  await using setup = await setUpDoctor();
  const { home, world } = setup;
  const before = { refs: [...home.refs], issues: home.issues.size };
  const result = await setup.doctor();
  expect(result.errors).toEqual([]);
  expect(checksThatAre(result, "wrong")).toEqual([]);
  expect(result.outputs.verdict).toBe("healthy");
  expect(result.exitCode).toBe(0);
  expect({ refs: [...home.refs], issues: home.issues.size }).toEqual(before);
  expect(home.statuses).toEqual([]);
  expect(home.deployments).toEqual([]);
  expect(await world.service.jobs()).toEqual([]);
});
