import { describe, expect, test } from "vitest";
import { ACCEPTED, requestsOf, TestRun } from "../../test/support/engine-run.ts";
import { MINUTE } from "../runtime/clock.ts";
import { type Delivery, notSent } from "../runtime/delivery.ts";

/** Every type of act that a program has. */
const CONFIRMED = ["merge", "enqueue", "update", "close", "follow-up", "start"];
const UNCONFIRMED = ["comment", "label", "ask-review", "build", "poll"];

const LOST: Extract<Delivery<never>, { readonly type: "uncertain" }> = {
  type: "uncertain",
  reason: "the connection was lost",
  error: null,
};

describe("confirming", () => {
  test.each(CONFIRMED)("is done before an act of type %s, with fresh reads", async (type) => {
    expect(await requestsOf(type)).toEqual([
      "reads",
      "reads",
      `confirm ${type}`,
      `perform ${type}`,
    ]);
  });

  test.each(UNCONFIRMED)("is not done before an act of type %s", async (type) => {
    expect(await requestsOf(type)).toEqual(["reads", `perform ${type}`]);
  });

  test("asks again right before each act", async () => {
    const run = new TestRun(2);
    await run.run();
    expect(run.program.requests).toEqual([
      "landed?",
      "revoked? 1,2",
      "revoked? 1",
      "send 1",
      "revoked? 2",
      "send 2",
    ]);
  });

  test("is not done in a dry run", async () => {
    const run = new TestRun();
    await run.run({ dryRun: true });
    expect(run.program.requests).toEqual(["landed?", "revoked? 1"]);
  });
});

describe("an act is not begun", () => {
  test("if confirming it gives another answer: changed", async () => {
    const run = new TestRun(1);
    run.git.beforeMove = () => run.program.revoked.push(1);
    expect(await run.run()).toMatchObject({ done: [{ delivery: notSent("changed") }] });
    expect(run.program.sent).toEqual([]);
    expect(await run.ledger()).toMatchObject({ waiting: [1], intents: [] });
    // The next run reads what has changed.
    const next = new TestRun(1, () => ACCEPTED, run.git);
    next.program.revoked.push(1);
    run.git.beforeMove = () => {};
    expect(await next.run()).toMatchObject({ plan: { acts: [] } });
    expect(await run.ledger()).toMatchObject({ waiting: [], intents: [], accepted: [] });
  });

  test("more than five minutes after the run began to plan: outdated", async () => {
    const run = new TestRun(3, () => {
      run.clock.time += 3 * MINUTE;
      return ACCEPTED;
    });
    const result = await run.run();
    expect(run.program.sent).toEqual([1, 2]);
    expect(result).toMatchObject({ done: [{}, {}, { delivery: notSent("outdated") }] });
    expect(await run.ledger()).toMatchObject({ accepted: [1, 2], waiting: [3], intents: [] });
  });

  test("if confirming it took until then: outdated", async () => {
    const run = new TestRun(1);
    run.program.beforeRequest = (request) => {
      if (run.git.moves.length > 0 && request === "revoked? 1") run.clock.time += 5 * MINUTE;
    };
    expect(await run.run()).toMatchObject({ done: [{ delivery: notSent("outdated") }] });
    expect(run.program.sent).toEqual([]);
  });

  test("if a signal comes before it: cancelled", async () => {
    const run = new TestRun(2);
    run.git.beforeMove = () => run.stop.abort();
    const result = await run.run();
    expect(result).toMatchObject({
      done: [{ delivery: notSent("cancelled") }, { delivery: notSent("cancelled") }],
    });
    expect(run.program.requests).toEqual(["landed?", "revoked? 1,2"]);
    expect(await run.ledger()).toMatchObject({ accepted: [], waiting: [1, 2], intents: [] });
    expect(run.saved.at(-1)).toBe(null);
  });

  test("if a signal comes while it is confirmed: cancelled", async () => {
    const run = new TestRun(1);
    run.program.beforeRequest = (request) => {
      if (run.git.moves.length > 0 && request === "revoked? 1") run.stop.abort();
    };
    expect(await run.run()).toMatchObject({ done: [{ delivery: notSent("cancelled") }] });
    expect(run.program.sent).toEqual([]);
  });

  test("if its program does not go on after what was done: held back, and not confirmed", async () => {
    const run = new TestRun(3, (item) => (item === 2 ? LOST : ACCEPTED));
    const result = await run.run();
    expect(run.program.sent).toEqual([1, 2]);
    expect(run.program.requests).not.toContain("revoked? 3");
    expect(result).toMatchObject({
      done: [{ delivery: ACCEPTED }, { delivery: LOST }, { delivery: notSent("held-back") }],
    });
    expect(await run.ledger()).toMatchObject({
      accepted: [1],
      uncertain: [{ item: 2 }],
      waiting: [3],
    });
  });

  test("and costs no write but the one that ends its intent", async () => {
    const run = new TestRun(7, () => ({ type: "limited" }));
    await run.run();
    expect(run.program.sent).toEqual([1]);
    // The intents, and the end of all of them.
    expect(run.git.moves).toHaveLength(2);
    expect(await run.ledger()).toMatchObject({ waiting: [1, 2, 3, 4, 5, 6, 7], intents: [] });
  });
});
