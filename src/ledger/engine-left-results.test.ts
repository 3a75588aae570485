import { describe, expect, test } from "vitest";
import { ACCEPTED, TestRun } from "../../test/support/engine-run.ts";
import { Unavailable } from "./unavailable.ts";

describe("results that a run leaves", () => {
  const left = async (run: TestRun) => await run.run({ leavesResults: true });
  /** Runs a further plan, which sends item 2. */
  const runNext = async (run: TestRun) => {
    const at = new Date(run.git.now).toISOString();
    const act = { type: "start", id: "next", item: 2 } as const;
    await run.engine.run(
      async (from) => {
        const ledger = { ...from.ledger, intents: [{ id: "next", item: 2, at }] };
        return { type: "plan", plan: { ...from, ledger, acts: [act], notes: null } };
      },
      { isRead: true, leavesResults: true },
    );
  };

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

  test.each(["answer lost", "lost"] as const)(
    "are recorded after a write that failed, and so is that nothing more was sent: %s",
    async (fault) => {
      const run = new TestRun(1);
      await left(run);
      run.git.faults.push(fault);
      const readRef = run.git.readRef.bind(run.git);
      run.git.readRef = () => Promise.reject(new Unavailable("GitHub returned 502"));
      await expect(runNext(run)).rejects.toThrow("GitHub returned 502");
      run.git.readRef = readRef;
      expect(await run.engine.recordLeft()).toBeNull();
      expect(await run.ledger()).toMatchObject({ accepted: [1], intents: [] });
      expect(run.program.sent).toEqual([1]);
      expect(run.saved.at(-1)).toBeNull();
    },
  );

  test("are part of what the next plan decides by", async () => {
    const run = new TestRun(1);
    await left(run);
    await run.run({ isRead: true });
    expect(run.program.sent).toEqual([1]);
    expect(await run.ledger()).toMatchObject({ accepted: [1], intents: [] });
  });
});
