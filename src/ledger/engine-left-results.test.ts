import { describe, expect, test } from "vitest";
import { ACCEPTED, TestRun } from "../../test/support/engine-run.ts";

describe("results that a run leaves", () => {
  const left = async (run: TestRun) => await run.run({ leavesResults: true });

  test("are recorded by the write of its next plan, and are saved until then", async () => {
    const run = new TestRun(1);
    await left(run);
    expect(await run.ledger()).toMatchObject({ intents: [{ item: 1 }], accepted: [] });
    expect(run.saved.at(-1)?.acts).toMatchObject([{ delivery: ACCEPTED }]);
    const { writes } = await run.ledger();
    const next = new Date(run.git.now).toISOString();
    const act = { type: "start", id: "next", item: 2 } as const;
    await run.engine.run(
      async (from) => {
        const ledger = { ...from.ledger, intents: [{ id: "next", item: 2, at: next }] };
        return { type: "plan", plan: { ...from, ledger, acts: [act], notes: null } };
      },
      { isRead: true, leavesResults: true },
    );
    expect(await run.ledger()).toMatchObject({
      writes: writes + 1,
      accepted: [1],
      intents: [{ item: 2 }],
    });
    expect(run.saved.at(-1)?.acts).toHaveLength(1);
    expect(await run.engine.recordLeft()).toBeNull();
    expect(await run.ledger()).toMatchObject({ accepted: [1, 2], intents: [] });
    expect(run.saved.at(-1)).toBeNull();
  });

  test("are recorded on what another run wrote first, and once", async () => {
    const run = new TestRun(1);
    await left(run);
    const { writes: _, ...before } = await run.ledger();
    await run.write({ ...before, found: 5, waiting: [2] });
    expect(await run.engine.recordLeft()).toBeNull();
    expect(await run.ledger()).toMatchObject({ found: 5, accepted: [1], intents: [] });
    expect(await run.engine.recordLeft()).toBeNull();
    expect(run.program.sent).toEqual([1]);
  });

  test("are part of what the next plan decides by", async () => {
    const run = new TestRun(1);
    await left(run);
    await run.run({ isRead: true });
    expect(run.program.sent).toEqual([1]);
    expect(await run.ledger()).toMatchObject({ accepted: [1], intents: [] });
  });
});
