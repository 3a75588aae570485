import { expect, test } from "vitest";
import { contextOf } from "../../../test/support/run-context.ts";
import {
  ASKING,
  asIs,
  BOT,
  CLOSED,
  NOBODY,
  OTHER_ACTIONS,
  runBefore,
  said,
  triggerOf,
  WRITER,
} from "../../../test/support/triggers.ts";

const STRANGER = { login: "stranger", type: "User" };

test.each(ASKING)("without a phrase, %s %s needs its author and its sender", async (...row) => {
  const [event, action, kind] = row;
  const payload = said(kind, action, { body: "Any news?" });
  const guarded = { type: "people", people: ["writer"] };
  expect(await triggerOf(contextOf(event, payload), null)).toEqual(guarded);
  const { sender: _, ...silent } = payload;
  expect(await triggerOf(contextOf(event, silent), null)).toEqual(guarded);
  const others = { ...payload, sender: STRANGER };
  expect(await triggerOf(contextOf(event, others), null)).toEqual({
    ...guarded,
    people: ["writer", "stranger"],
  });
  const named = { allowedUsers: ["writer"], allowedBots: [] };
  expect(await triggerOf(contextOf(event, payload), null, named)).toEqual({
    ...guarded,
    people: [],
  });
  for (const bots of [{ sender: BOT }, said(kind, action, { user: BOT }), { [kind]: undefined }]) {
    const refused = await triggerOf(contextOf(event, { ...payload, ...bots }), null);
    expect(refused.type).toBe("not-allowed");
  }
});

const LABELED: [string, string][] = [
  ["issues", "issue"],
  ["pull_request", "pull_request"],
  ["pull_request_target", "pull_request"],
];

test.each(LABELED)("a label on %s needs whoever set it, with a phrase too", async (event, kind) => {
  for (const phrase of ["/docs", null]) {
    const labeled = { ...said(kind, "labeled"), sender: STRANGER };
    const set = (payload: object, named = NOBODY) =>
      triggerOf(contextOf(event, payload), phrase, named);
    expect(await set(labeled)).toEqual({ type: "people", people: ["stranger"] });
    expect(await set({ ...labeled, sender: BOT })).toMatchObject({ type: "not-allowed" });
    const named = { allowedUsers: [], allowedBots: ["renovate[bot]"] };
    expect(await set({ ...labeled, sender: BOT }, named)).toEqual({ type: "people", people: [] });
  }
});

const EVENTS: typeof CLOSED = [
  ...OTHER_ACTIONS.map(([event, action, kind]): [string, object] => [event, said(kind, action)]),
  ...CLOSED,
];

test.each(EVENTS)("without a phrase, '%s' (%#) needs its sender, whom it names", async (...row) => {
  const [event, payload] = row;
  const sent = (sender: unknown) => triggerOf(contextOf(event, { ...payload, sender }), null);
  expect(await sent(STRANGER)).toEqual({ type: "people", people: ["stranger"] });
  expect(await sent(BOT)).toMatchObject({ type: "not-allowed" });
  for (const nobody of [undefined, null, {}, { login: 7 }]) {
    await expect(sent(nobody)).rejects.toMatchObject({
      kind: "invalid-input",
      problem: expect.stringContaining("does not name who caused it"),
    });
  }
});

test("a run after another one needs what that one needs, and none follows a fork's", async () => {
  const after = (run: object) =>
    triggerOf(
      contextOf("workflow_run", { action: "completed", workflow_run: run, sender: WRITER }),
    );
  for (const event of ["push", "pull_request", "schedule", "release", "merge_group"]) {
    expect(await after(runBefore(event))).toEqual(asIs);
  }
  const actors = { actor: STRANGER, triggering_actor: WRITER };
  expect(await after(runBefore("issue_comment", actors))).toEqual({
    type: "people",
    people: ["stranger", "writer"],
  });
  await expect(after(runBefore("issue_comment"))).rejects.toMatchObject({ kind: "invalid-input" });
  for (const head of [{ full_name: "stranger/docs" }, {}, null, undefined]) {
    const run = runBefore("pull_request", { head_repository: head });
    expect(await after(run)).toMatchObject({ type: "no-request", isTried: false });
  }
});
