import { expect } from "vitest";
import { through } from "./kills.ts";
import { RequestGate } from "./request-gate.ts";
import type { ActionName } from "./world/actions.ts";
import type { Run, World, WorldRun } from "./world/world.ts";

/** The request that writes a plan with its intents to the ledger. */
const PLAN_WRITTEN = /^(PATCH|POST) \S+\/git\/refs/;

/** Runs an action, and lets something happen after the plan was written, before its first act. @returns the requests after that */
export async function runMeanwhile(
  world: World,
  action: ActionName,
  happens: () => Promise<unknown>,
  over: WorldRun = {},
): Promise<{ result: Run; requests: string[] }> {
  let at = -1;
  await using gate: RequestGate = new RequestGate({ at: PLAN_WRITTEN, when: "after" }, async () => {
    at = gate.requests.length;
    await happens();
  });
  const led = await through(gate, world);
  const result = await world.run(action, {
    ...over,
    ...led,
    inputs: { ...over.inputs, ...led.inputs },
  });
  expect(at).toBeGreaterThan(0);
  return { result, requests: gate.requests.slice(at) };
}
