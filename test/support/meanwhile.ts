import { expect } from "vitest";
import type { RunOptions, RunResult } from "../../emulator/runner/runner.ts";
import { through } from "./kills.ts";
import type { LedgerSetup } from "./ledger-setup.ts";
import { RequestGate } from "./request-gate.ts";

/** The request that writes a plan with its intents to the ledger. */
const PLAN_WRITTEN = /^(PATCH|POST) \S+\/git\/refs/;

/** Runs, and lets something happen after the plan was written, before its first act. @returns the requests after that */
export async function runMeanwhile(
  scene: LedgerSetup,
  happens: () => Promise<unknown>,
  over: RunOptions = {},
): Promise<{ result: RunResult; requests: string[] }> {
  let at = -1;
  await using gate: RequestGate = new RequestGate({ at: PLAN_WRITTEN, when: "after" }, async () => {
    at = gate.requests.length;
    await happens();
  });
  const led = await through(gate, scene.world);
  const result = await scene.run({ ...over, ...led, inputs: { ...over.inputs, ...led.inputs } });
  expect(at).toBeGreaterThan(0);
  return { result, requests: gate.requests.slice(at) };
}
