import fc from "fast-check";
import { expect, test } from "vitest";
import { runs, sampleOf } from "../../support/sample.ts";
import { checkHistories, LIMIT } from "./check-histories.ts";
import type { Run } from "./events.ts";
import { type GateEvent, type GateSetting, gateEvent, gateSetting } from "./gate-events.ts";
import { GateHistory } from "./gate-history.ts";

test(
  "histories of the gate: one draft at most, nothing green without a cause, and the last verdict is the status",
  LIMIT,
  async () => {
    await checkHistories(gateSetting, gateEvent, (it) => new GateHistory(it), 300);
  },
);

const PLAIN: GateSetting = {
  plans: [{ outcome: "completed", takes: 0 }],
  seed: 0,
  draft: "approved",
  ifNeeded: "error",
  comment: true,
};
const RUN = { kind: "run", run: {} } as const;
/** So long after a run that it cannot be at work. */
const LATER = { kind: "pass", minutes: 60 } as const;

/** A pull request whose next run requests its draft. */
async function approved(): Promise<GateHistory> {
  const history = new GateHistory(PLAIN);
  await history.happen(RUN);
  await history.happen({ kind: "review", is: "APPROVE", by: "maintainer", at: 0 });
  return history;
}

test("runs at once request one draft after the first approval, whichever makes its request first", async () => {
  const order = fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 40 });
  const disturbed = fc.constantFrom({}, { kill: { at: 14, when: "after" as const } });
  const check = async (order: number[], first: object) => {
    using history = await approved();
    await history.happen({ kind: "runs", runs: [first, {}, {}], order });
    for (const event of [LATER, RUN, LATER, RUN]) await history.happen(event);
    expect(history.servers.agent.jobs.length).toBeLessThanOrEqual(1);
    if (!("kill" in first)) expect(history.last?.outputs.verdict).toBe("covered");
    await history.settle();
    expect(history.wrong).toEqual([]);
  };
  await fc.assert(fc.asyncProperty(order, disturbed, check), { numRuns: runs(50) });
});

test("a run that is killed at any request leaves one draft or none, which the next run sees", async () => {
  using whole = await approved();
  await whole.happen(RUN);
  const count = whole.last?.requests.length ?? 0;
  expect(whole.servers.agent.jobs).toHaveLength(1);
  for (const at of sampleOf([...Array(count).keys()], 3, "kills of the gate")) {
    for (const when of ["before", "after"] as const) {
      using history = await approved();
      await history.happen({ kind: "run", run: { kill: { at, when } } });
      for (const event of [LATER, RUN]) await history.happen(event);
      const [draft] = history.servers.agent.jobs;
      const { verdict, errorKind } = history.last?.outputs ?? {};
      expect(errorKind).toBeUndefined();
      if (draft === undefined) expect(verdict).toBe("needed");
      await history.happen({ kind: "merge", at: 0 });
      await history.settle();
      expect(history.wrong).toEqual([]);
    }
  }
});

test.each<[string, (at: number) => Run<GateEvent>]>([
  ["that died with its run", (at) => ({ kill: { at, when: "before" } })],
  ["whose answer is lost", (at) => ({ faults: [{ at, fault: { kind: "lost after" } }] })],
])(
  "one request for a draft %s keeps no other pull request from its draft",
  async (_, disturbed) => {
    using whole = await approved();
    await whole.happen(RUN);
    const at = whole.last?.requests.findIndex((it) => it.includes("/agent/docs/job")) ?? 0;
    using history = await approved();
    await history.happen({ kind: "run", run: disturbed(at) });
    await history.happen({ kind: "open", path: "src", author: "writer" });
    await history.happen({ kind: "review", is: "APPROVE", by: "maintainer", at: 1 });
    for (const event of [LATER, RUN]) await history.happen(event);
    expect(history.last?.outputs.verdict).toBe("covered");
    await history.settle();
    expect(history.wrong).toEqual([]);
  },
);

test.each(["completed", "failed"] as const)(
  "a job that the service does not know yet, and that is then %s, is judged again",
  async (outcome) => {
    const plans = [{ outcome, takes: 0, steering: { missingMs: 45 * 60_000 } }];
    using history = new GateHistory({ ...PLAIN, plans });
    await history.happen({ kind: "review", is: "APPROVE", by: "maintainer", at: 0 });
    await history.happen({ kind: "ask", version: "now", at: 0 });
    for (const [minutes, verdict] of [
      [1, "covered"],
      [38, "covered"],
      [3, "needed"],
    ] as const) {
      await history.happen({ kind: "pass", minutes });
      await history.happen(RUN);
      expect(history.last?.outputs.verdict).toBe(verdict);
      expect(history.servers.agent.jobs).toHaveLength(1);
    }
    await history.happen(LATER);
    await history.happen(RUN);
    // Once the service says that it failed, its draft is asked for.
    expect(history.last?.outputs.verdict).toBe("covered");
    expect(history.servers.agent.jobs).toHaveLength(outcome === "completed" ? 1 : 2);
    await history.settle();
    expect(history.wrong).toEqual([]);
  },
);

test("a status comment of an earlier version counts after the repository is renamed", async () => {
  using history = new GateHistory(PLAIN);
  await history.happen({ kind: "ask", version: "before", at: 0 });
  await history.happen({ kind: "rename" });
  await history.happen(RUN);
  expect(history.last?.outputs.verdict).toBe("covered");
  expect(history.wrong).toEqual([]);
});

test("a label that is removed without a run is noticed on the next schedule", async () => {
  using history = new GateHistory(PLAIN);
  await history.happen({ kind: "label", at: 0, hasRun: true });
  await history.happen(LATER);
  await history.happen({ kind: "unlabel", at: 0 });
  await history.happen({ kind: "run", run: { max: 1 } });
  expect(history.last?.outputs.verdict).toBe("needed");
  expect(history.wrong).toEqual([]);
});
