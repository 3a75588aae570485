import { describe, expect, test } from "vitest";
import { ACCEPTED, INTENT, TestRun } from "../../test/support/engine-run.ts";
import type { ItemTerms } from "../../test/support/ledger-model/item-program.ts";
import type { MemoryGit } from "../../test/support/memory-git.ts";
import type { Saved } from "./program.ts";

const ITEM: Saved<ItemTerms>["acts"][number] = {
  act: { type: "start", id: "old.1" },
  delivery: ACCEPTED,
};
const [ON_TOP, ANOTHER] = ["a".repeat(40), "b".repeat(40)];

describe("moving the ref", () => {
  test.each<[string, (git: MemoryGit) => void]>([
    ["an answer that was lost", (git) => git.faults.push("answer lost")],
    ["two requests that were lost", (git) => git.faults.push("lost", "lost")],
    [
      "a lost answer and a write of another run on top of it",
      (git) => {
        git.faults.push("answer lost");
        git.reads.push(ON_TOP);
        git.contains = async (head) => head === ON_TOP;
      },
    ],
  ])("is won after %s", async (_, prepare) => {
    const run = new TestRun();
    prepare(run.git);
    expect(await run.recorder.move(null, await run.git.commit(null, {}))).toBe(true);
  });

  test("is lost if another run was first", async () => {
    const run = new TestRun();
    run.git.beforeMove = () => {
      run.git.sha = ANOTHER;
    };
    expect(await run.recorder.move(null, await run.git.commit(null, {}))).toBe(false);
    expect(run.git.sha).toBe(ANOTHER);
  });

  test("is lost if another run was first, although an old copy does not show it", async () => {
    const run = new TestRun();
    run.git.beforeMove = () => {
      run.git.sha = ANOTHER;
      run.git.reads.push(null);
    };
    expect(await run.recorder.move(null, await run.git.commit(null, {}))).toBe(false);
    expect(run.git.moves).toHaveLength(1);
  });

  test.each([
    [["refused"], "a rule forbids it"],
    [["lost", "lost", "lost"], "GitHub did not answer"],
  ] as const)("ends the run after %j", async (faults, reason) => {
    const run = new TestRun();
    run.git.faults.push(...faults);
    await expect(run.recorder.move(null, await run.git.commit(null, {}))).rejects.toMatchObject({
      problem: expect.stringContaining(reason),
    });
    expect(run.git.sha).toBe(null);
  });
});

describe("recording", () => {
  test("does nothing if the ledger has it already", async () => {
    const run = new TestRun();
    await run.write({ accepted: [1] });
    expect(await run.recorder.record([ITEM])).toBe(null);
    expect(run.git.moves).toEqual([]);
  });

  test("goes on from the newest ledger after another run was first", async () => {
    const run = new TestRun();
    await run.write({ intents: [INTENT] });
    await run.store.read();
    await run.write({ waiting: [2] });
    await run.recorder.record([ITEM]);
    expect(await run.ledger()).toMatchObject({ accepted: [1], waiting: [2], intents: [] });
  });

  test("of a post step does not believe a ledger with fewer writes than were saved", async () => {
    const run = new TestRun();
    const old = await run.write({});
    await run.write({ intents: [INTENT] });
    run.git.reads.push(old);
    await run.recorder.record([ITEM], 2);
    expect(await run.ledger()).toMatchObject({ accepted: [1], intents: [] });
  });

  test("of a post step gives up if GitHub shows only old copies", async () => {
    const run = new TestRun();
    await run.write({});
    const recording = run.recorder.record([ITEM], 2);
    await expect(recording).rejects.toThrow("GitHub shows an old copy of it");
    expect(run.git.moves).toEqual([]);
  });

  test("restores a ref that was deleted meanwhile", async () => {
    const run = new TestRun();
    await run.write({ intents: [INTENT] });
    await run.store.read();
    run.git.sha = null;
    await run.recorder.record([ITEM]);
    expect(await run.ledger()).toMatchObject({ accepted: [1], intents: [] });
  });

  test("says why GitHub refuses to restore a ref that was deleted meanwhile", async () => {
    const run = new TestRun();
    await run.write({ intents: [INTENT] });
    await run.store.read();
    run.git.sha = null;
    run.git.beforeMove = () => {
      if (run.git.moves.at(-1)?.from === null) run.git.faults.push("refused");
    };
    await expect(run.recorder.record([ITEM])).rejects.toMatchObject({
      reason: "a rule forbids it",
      kind: "github-refused",
    });
    expect(run.git.sha).toBe(null);
  });

  test("reads again if another run restored a ref that was deleted meanwhile", async () => {
    const run = new TestRun();
    const last = await run.write({ intents: [INTENT] });
    await run.store.read();
    const another = await run.write({ waiting: [2] });
    run.git.sha = null;
    run.git.beforeMove = () => {
      if (run.git.moves.at(-1)?.from !== null) return;
      run.git.sha = another;
      // The read after the refusal comes from an old copy.
      run.git.reads.push(null);
    };
    await run.recorder.record([ITEM]);
    expect(await run.ledger()).toMatchObject({ accepted: [1], waiting: [2], intents: [] });
    expect(run.git.moves.map(({ from }) => from)).toEqual([last, null, another]);
  });
});
