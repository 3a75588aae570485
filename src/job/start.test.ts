import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { answered } from "../../test/support/job.ts";
import type { Agent } from "../service/agent.ts";
import { deliver } from "./start.ts";

test("a run that does not wait sends a message once to a job that is busy", async () => {
  let requests = 0;
  const send = async () => {
    requests += 1;
    throw answered(409);
  };
  let now = 0;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const clock = { now: () => now, timeOfDay: () => now, sleep };
  const agent = { send } as unknown as Agent;
  const delivered = await deliver(agent, "job_1", "More.", "", dependenciesOf({ clock }));
  expect(delivered).toMatchObject({ reason: "busy", sent: { type: "withdrawn" } });
  expect([requests, now]).toEqual([1, 0]);
});
