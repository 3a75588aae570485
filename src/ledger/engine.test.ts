import { describe, expect, test } from "vitest";
import { ACCEPTED, INTENT, REF, TestRun } from "../../test/support/engine-run.ts";
import type { ItemTerms } from "../../test/support/ledger-model/item-program.ts";
import { MINUTE } from "../runtime/clock.ts";
import { type Delivery, notSent } from "../runtime/delivery.ts";
import { invalidInput } from "../runtime/errors.ts";
import type { Planned } from "./program.ts";

const LOST: Extract<Delivery<never>, { readonly type: "uncertain" }> = {
  type: "uncertain",
  reason: "the connection was lost",
  error: null,
};

describe("an intent", () => {
  test.each([
    { writtenAt: "now", now: 0, at: INTENT.at, isDead: false },
    { writtenAt: "9:59 minutes ago", now: 10 * MINUTE - 1000, at: INTENT.at, isDead: false },
    { writtenAt: "10 minutes ago", now: 10 * MINUTE, at: INTENT.at, isDead: true },
    { writtenAt: "in the future", now: 0, at: new Date(MINUTE).toISOString(), isDead: false },
    { writtenAt: "at no time", now: 0, at: "", isDead: true },
  ])("that was written $writtenAt belongs to a dead run: $isDead", async ({ now, at, isDead }) => {
    const run = new TestRun();
    run.git.now = now;
    await run.write({ found: 1, intents: [{ ...INTENT, at }] });
    await run.run();
    const { uncertain } = await run.ledger();
    expect(uncertain).toHaveLength(isDead ? 1 : 0);
  });
});

describe("a ref that is missing", () => {
  const lost = (sha: string): Planned<ItemTerms, null> => ({ type: "lost", sha, writes: 7 });

  test("is restored at the last commit that is known", async () => {
    const run = new TestRun(2);
    const sha = await run.write({ found: 1, accepted: [1] });
    run.git.sha = null;
    run.program.planned.push(lost(sha));
    const { warnings } = await run.run();
    expect(warnings).toEqual([`The ref ${REF} was missing. It was restored at commit ${sha}.`]);
    expect(await run.ledger()).toMatchObject({ accepted: [1, 2] });
  });

  test("is restored by one of two runs, and only that one says so", async () => {
    const run = new TestRun(2);
    const sha = await run.write({ found: 1, accepted: [1] });
    run.git.sha = null;
    run.program.planned.push(lost(sha));
    const another = await run.write({ found: 1, accepted: [1], writes: 7 });
    run.git.sha = null;
    run.git.beforeMove = () => {
      run.git.beforeMove = () => {};
      run.git.sha = another;
    };
    expect(await run.run()).toMatchObject({ type: "done", warnings: [] });
    expect(await run.ledger()).toMatchObject({ accepted: [1, 2] });
  });

  test("is not written by a dry run, which decides by its last commit", async () => {
    const run = new TestRun(2);
    const sha = await run.write({ found: 1, accepted: [1] });
    run.git.sha = null;
    run.program.planned.push(lost(sha));
    const result = await run.run({ dryRun: true });
    expect(result).toMatchObject({
      type: "planned",
      plan: { acts: [{ item: 2 }] },
      warnings: [
        `The ref ${REF} is missing. A run without \`dry-run\` restores it at commit ${sha}.`,
      ],
    });
    expect(run.git.moves).toEqual([]);
    expect(run.program.sent).toEqual([]);
  });

  test("begins anew if GitHub no longer has the commit, and its count of writes goes on", async () => {
    const run = new TestRun(1);
    run.program.planned.push(lost("gone"));
    const { warnings } = await run.run();
    expect(warnings).toEqual([
      `The ref ${REF} is missing, and GitHub no longer has its last commit gone. The ledger begins anew.`,
    ]);
    expect(await run.ledger()).toMatchObject({ accepted: [1], writes: 9 });
  });
});

describe("a ledger that seems to be set back", () => {
  const setBack: Planned<ItemTerms, null> = {
    type: "set-back",
    error: invalidInput("The ledger was set back."),
  };

  test("is read again, and believed if the second reading shows it whole", async () => {
    const run = new TestRun();
    run.program.planned.push(setBack);
    expect(await run.run()).toMatchObject({ type: "done", warnings: [] });
    expect(run.git.pauses).toBe(1);
  });

  test("fails the run if the second reading shows the same", async () => {
    const run = new TestRun();
    run.program.planned.push(setBack, setBack);
    await expect(run.run()).rejects.toThrow("The ledger was set back.");
    expect(run.program.sent).toEqual([]);
  });
});

describe("a plan", () => {
  test("is made anew if another run was first, and busy after three of them", async () => {
    const run = new TestRun();
    let nth = 0;
    run.git.beforeMove = () => {
      nth += 1;
      run.git.sha = `another ${nth}`;
    };
    const files = run.git.readFile.bind(run.git);
    await run.write({});
    const { sha } = run.git;
    run.git.readFile = (_, path) => files(sha, path);
    expect(await run.run()).toMatchObject({ type: "busy", plan: { acts: [{ item: 1 }] } });
    expect(run.git.moves).toHaveLength(3);
    expect(run.program.sent).toEqual([]);
  });

  test("is performed if its write seemed to be lost and is found at the next read", async () => {
    const run = new TestRun();
    await run.write({});
    const { sha } = run.git;
    run.git.faults.push("answer lost");
    // Each read is an old one until the run decides again.
    run.git.reads.push(sha, sha);
    const result = await run.run();
    expect(result.type).toBe("done");
    expect(run.program.sent).toEqual([1]);
    expect(await run.ledger()).toMatchObject({ accepted: [1], intents: [] });
  });

  test("is made anew if its reading took longer than a run may act on it", async () => {
    const run = new TestRun();
    run.program.beforeRequest = (request) => {
      if (request === "landed?") run.clock.time += 6 * MINUTE;
    };
    expect(await run.run()).toMatchObject({ type: "done", done: [{ delivery: ACCEPTED }] });
    expect(run.program.requests).toEqual(["landed?", "revoked? 1", "revoked? 1", "send 1"]);
    expect(await run.ledger()).toMatchObject({ accepted: [1], intents: [] });
  });

  test("that stops ends the run without a write", async () => {
    const run = new TestRun();
    run.program.planned.push({ type: "stopped", notes: null });
    expect(await run.run()).toMatchObject({ type: "stopped", notes: null, warnings: [] });
    expect(run.git.moves).toEqual([]);
    expect(run.saved).toEqual([]);
  });

  test.each<Delivery<null>>([ACCEPTED, LOST])(
    "records after five acts, and at its end, if each is $type",
    async (delivery) => {
      const run = new TestRun(7, () => delivery);
      run.program.shouldRun = () => true;
      await run.run();
      // Its intents, five results, two results.
      expect(run.git.moves).toHaveLength(3);
      // Before and after each act.
      expect(run.saved.map((saved) => saved?.acts.length ?? 0)).toEqual([
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 2, 2, 2, 2, 0,
      ]);
      expect(run.saved.at(-1)).toBe(null);
    },
  );

  test("does not record early what was not begun", async () => {
    const run = new TestRun(7);
    run.git.beforeMove = () => run.program.revoked.push(1, 2, 3, 4, 5, 6, 7);
    run.program.shouldRun = () => true;
    await run.run();
    // Its intents, seven results.
    expect(run.git.moves).toHaveLength(2);
  });

  test("leaves its results to the post step if they cannot be recorded", async () => {
    const run = new TestRun(1, () => {
      run.git.faults.push("refused", "refused", "refused", "refused");
      return ACCEPTED;
    });
    const result = await run.run();
    expect(result).toMatchObject({ type: "done", unrecorded: "a rule forbids it" });
    expect(run.saved.at(-1)).toEqual({
      acts: [{ act: { type: "start", id: "4242-1-a.1.1" }, delivery: ACCEPTED }],
      writes: 1,
    });
  });

  test("has its results saved while the next act is confirmed", async () => {
    const run = new TestRun(2);
    run.program.beforeRequest = (request) => {
      if (request === "revoked? 2") {
        expect(run.saved.at(-1)?.acts.map(({ delivery }) => delivery)).toEqual([
          ACCEPTED,
          notSent("cancelled"),
        ]);
      }
    };
    await run.run();
    expect.assertions(1);
  });
});

describe("two plans of one engine", () => {
  test("run one after the other, and the second one asks only what the first one has not", async () => {
    const run = new TestRun(2, () => ({ type: "limited" }));
    await run.run();
    const reads = run.git.readRef.bind(run.git);
    let refReads = 0;
    run.git.readRef = () => {
      refReads += 1;
      return reads();
    };
    run.program.requests.length = 0;
    const second = await run.run({ isRead: true });
    // Confirming asks again.
    expect(run.program.requests).toEqual(["revoked? 1", "send 1"]);
    expect(refReads).toBe(0);
    // The names of the first one's acts are not used again.
    expect(second).toMatchObject({
      plan: { acts: [{ id: "4242-1-a.2.1" }, { id: "4242-1-a.2.2" }] },
    });
    expect(run.git.moves).toHaveLength(4);
  });
});
