import { expect, test } from "vitest";
import { documentChange, LAND } from "../support/world/docs-pulls.ts";
import { DRAFTS } from "../support/world/gate.ts";
import { DAY, HOUR, type Run, startWorld, type World } from "../support/world/world.ts";

const APPROVED = { merge: "approved" };
const CLOSING = { ...APPROVED, "close-after-days": "14", "remind-after-days": "7" };

/** Why the only docs pull request is not merged. */
function reasonIn({ outputs }: Run) {
  const [pull] = JSON.parse(outputs.pullRequests ?? "");
  return pull.reason;
}

/** A docs pull request that has been approved. */
async function approved(world: World): Promise<number> {
  const number = await documentChange(world);
  await world.github.review(number, "APPROVE");
  return number;
}

/** A draft of documentation. @returns the number of its code pull request, which is open */
async function draft(world: World): Promise<number> {
  const commits = [{ files: { "src/retry.ts": "export const retries = 3;\n" } }];
  const number = await world.github.openPull({ title: "Add retries", commits });
  await world.github.review(number, "APPROVE");
  await world.run("gate", { pull: number, ...DRAFTS });
  await world.passTime(HOUR);
  await world.run("upkeep");
  return number;
}

function forgetMergeability({ github }: World): void {
  github.emulated.site.isMergeabilityLate = true;
  github.emulated.site.mergeabilityTries = 3;
  github.home.triedMerges.clear();
}

interface Waiting {
  readonly what: string;
  readonly prepare: (world: World) => Promise<unknown>;
  /** What GitHub does again before each run. */
  readonly again: (world: World) => void;
  readonly first: object;
  readonly last: object;
}

const WAITS: readonly Waiting[] = [
  {
    what: "the code",
    prepare: draft,
    again: () => {},
    first: { code: "code-open", waitsFor: "code" },
    last: { code: "code-open", waitsFor: "code" },
  },
  {
    what: "GitHub to work out whether it can be merged",
    prepare: approved,
    again: forgetMergeability,
    first: { code: "merge-state-unknown", waitsFor: "github" },
    last: { code: "merge-state-unknown", waitsFor: "person" },
  },
  {
    what: "the merge queue",
    prepare: async (world) => {
      const number = await approved(world);
      world.github.home.mergeRule = { queue: true };
      world.github.home.mergeQueue.set(number, world.pull(number).head);
    },
    again: () => {},
    first: { code: "in-queue", waitsFor: "github" },
    last: { code: "in-queue", waitsFor: "person" },
  },
  {
    what: "checks that the token cannot read",
    prepare: async (world) => {
      const number = await approved(world);
      await world.github.report(number, { conclusion: "success" });
      await world.github.restrict({ checks: "none", statuses: "none" });
    },
    again: () => {},
    first: { code: "checks-unreadable", waitsFor: "person" },
    last: { code: "checks-unreadable", waitsFor: "person" },
  },
];

test.each(WAITS.map((wait) => [wait.what, wait] as const))(
  "what waits for %s is neither closed nor reminded of, and says since when it waits",
  async (_, { prepare, again, first, last }) => {
    await using world = await startWorld(LAND);
    await prepare(world);
    again(world);
    const begun = await world.run("land", { inputs: CLOSING, fastClock: 10 });
    await world.passTime(20 * DAY);
    again(world);
    const late = await world.run("land", { inputs: CLOSING, fastClock: 10 });
    expect(late.outputs).toMatchObject({ openCount: "1", closedCount: "0" });
    expect(reasonIn(begun)).toMatchObject(first);
    const { since, ...reason } = reasonIn(late);
    expect(reason).toMatchObject(last);
    expect(since).toBe(reasonIn(begun).since);
    const isNew = JSON.stringify(first) !== JSON.stringify(last);
    expect(late.warnings).toHaveLength(isNew ? 1 : 0);
    again(world);
    expect((await world.run("land", { inputs: CLOSING })).warnings).toEqual([]);
    const bodies = [...world.github.home.comments.values()].map(({ body }) => body).join("\n");
    expect(bodies).not.toContain("waits for a review");
    if (isNew) expect(bodies).toContain("which is too long");
  },
);

test("the time in which it waited for its code is not its reviewers'", async () => {
  await using world = await startWorld(LAND);
  const code = await draft(world);
  await world.run("land", { inputs: CLOSING });
  await world.passTime(20 * DAY);
  await world.github.merge(code);
  await world.run("upkeep");
  const waiting = await world.run("land", { inputs: CLOSING });
  expect(waiting.outputs).toMatchObject({ openCount: "1", closedCount: "0" });
  expect(reasonIn(waiting)).toMatchObject({ code: "approval", waitsFor: "reviewer" });
  await world.passTime(14 * DAY);
  const closed = await world.run("land", { inputs: CLOSING });
  expect(closed.outputs).toMatchObject({ openCount: "0", closedCount: "1" });
});

test("a merge that GitHub refuses is not tried again day after day, and is reminded of and closed", async () => {
  await using world = await startWorld(LAND);
  const number = await approved(world);
  world.github.home.mergeRule = { methods: ["rebase"] };
  const inputs = { ...CLOSING, reviewers: "maintainer" };
  const attempts = async () => {
    const { requests, outputs } = await world.run("land", { inputs });
    return { ...outputs, tries: requests.filter((name) => /^PUT .*merge$/.test(name)).length };
  };
  expect(await attempts()).toMatchObject({ tries: 1, needsPersonCount: "1" });
  for (const _ of [1, 2, 3]) {
    await world.passTime(2 * DAY);
    expect(await attempts()).toMatchObject({ tries: 0, needsPersonCount: "1" });
  }
  await world.passTime(2 * DAY);
  expect(await attempts()).toMatchObject({ tries: 0, openCount: "1" });
  expect(world.comments(number).at(-1)?.body).toContain("waits for a review");
  await world.passTime(7 * DAY);
  expect(await attempts()).toMatchObject({ tries: 0, closedCount: "1" });
});

test("a merge that GitHub does not answer for a day needs a person, and is still tried", async () => {
  await using world = await startWorld(LAND);
  await approved(world);
  const fault = { method: "PUT", path: "/merge$", status: 502, times: 99 };
  world.github.emulated.addFault(fault);
  const first = await world.run("land", { inputs: APPROVED });
  await world.passTime(DAY);
  const late = await world.run("land", { inputs: APPROVED });
  expect(late.outputs).toMatchObject({ needsPersonCount: "1", mergedCount: "0" });
  expect(reasonIn(first)).toMatchObject({ code: "not-done", waitsFor: "github" });
  expect(reasonIn(late)).toMatchObject({ code: "not-done", waitsFor: "person" });
  expect(late.warnings).toHaveLength(1);
  expect((await world.run("land", { inputs: APPROVED })).warnings).toEqual([]);
  world.github.emulated.clearFaults();
  expect((await world.run("land", { inputs: APPROVED })).outputs).toMatchObject({
    mergedCount: "1",
  });
});
