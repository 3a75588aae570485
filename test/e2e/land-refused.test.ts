import { expect, test } from "vitest";
import { documentChange, LAND } from "../support/world/docs-pulls.ts";
import { HOUR, startWorld } from "../support/world/world.ts";

const APPROVED = { merge: "approved" };

test("a merge that GitHub refuses is tried again when something has changed, and not before", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.review(number, "APPROVE");
  world.github.home.mergeRule = { methods: ["rebase"] };
  const refused = await world.run("land", { inputs: APPROVED });
  expect(refused.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "1" });
  await world.passTime(HOUR);
  const waiting = await world.run("land", { inputs: APPROVED });
  expect(waiting.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "1" });
  expect(waiting.warnings).toEqual([]);
  expect(waiting.requests.filter((request) => /^PUT .*merge$/.test(request))).toEqual([]);
  const reminding = { ...APPROVED, "remind-after-days": "0.05", reviewers: "maintainer" };
  await world.passTime(HOUR);
  await world.run("land", { inputs: reminding });
  expect(world.comments(number).at(-1)?.body).toContain("waits for a review");
  const merged = await world.run("land", { inputs: { ...APPROVED, "merge-method": "rebase" } });
  expect(merged.outputs).toMatchObject({ mergedCount: "1" });
});

test("the permission that a refused merge lacked is enough: it is made within a day, and reminders come before that", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.review(number, "APPROVE");
  const { emulated } = world.github;
  const message = "Resource not accessible by integration";
  emulated.addFault({ method: "PUT", path: "/merge$", status: 403, message, times: 2 });
  const inputs = { ...APPROVED, "remind-after-days": "2", reviewers: "maintainer" };
  const attempts = async () => {
    const run = await world.run("land", { inputs });
    since.push(JSON.parse(run.outputs.pullRequests ?? "")[0].reason.since);
    return run.requests.filter((request) => /^PUT .*merge$/.test(request)).length;
  };
  const since: string[] = [];
  expect(await attempts()).toBe(1);
  expect(world.comment(number)).toContain("the token needs the permissions `contents: write`");
  await world.passTime(HOUR);
  expect(await attempts()).toBe(0);
  await world.passTime(25 * HOUR);
  expect(await attempts()).toBe(1);
  // A run a day: the reminder is not starved by the attempts.
  await world.passTime(25 * HOUR);
  expect(await attempts()).toBe(0);
  expect(world.comments(number).at(-1)?.body).toContain("waits for a review");
  expect(new Set(since).size).toBe(1);
  const merged = await world.run("land", { inputs });
  expect(merged.outputs).toMatchObject({ mergedCount: "1" });
});

test("a merge queue that is not for the token is tried again a day later", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  const { emulated, home } = world.github;
  home.mergeRule = { queue: true };
  await world.github.review(number, "APPROVE");
  const message = "Your IP address is not permitted to access this resource.";
  const errors = [{ type: "FORBIDDEN", path: ["enqueuePullRequest"], message }];
  const body = { data: { enqueuePullRequest: null }, errors };
  emulated.addFault({ method: "POST", sends: "enqueuePullRequest", status: 200, body });
  const inputs = APPROVED;
  for (const [hours, isQueued] of [
    [0, false],
    [1, false],
    [25, true],
  ] as const) {
    await world.passTime(hours * HOUR);
    const run = await world.run("land", { inputs });
    expect(run.outputs).toMatchObject({ needsPersonCount: isQueued ? "0" : "1" });
    if (!isQueued) expect(world.comment(number)).toContain(message);
    expect(home.mergeQueue.has(number)).toBe(isQueued);
  }
});

test("a closing that GitHub refuses is tried again a day later", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.run("land");
  await world.passTime(48 * HOUR);
  world.github.emulated.addFault({ method: "PATCH", path: `/pulls/${number}$`, status: 403 });
  const inputs = { "close-after-days": "1" };
  for (const [hours, closedCount] of [
    [0, "0"],
    [12, "0"],
    [12, "1"],
  ] as const) {
    await world.passTime(hours * HOUR);
    expect((await world.run("land", { inputs })).outputs).toMatchObject({ closedCount });
  }
});

test("a merge that GitHub fails to make needs nobody, and is made by the next run", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.review(number, "APPROVE");
  world.github.emulated.addFault({ method: "PUT", path: "/merge$", status: 502 });
  const run = await world.run("land", { inputs: APPROVED });
  expect(run.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "0" });
  expect(run.warnings).toEqual([]);
  expect((await world.run("land", { inputs: APPROVED })).outputs).toMatchObject({
    mergedCount: "1",
  });
});

test("a docs pull request is closed first, and the comment says so after; a refusal needs a person once", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.run("land");
  await world.passTime(48 * HOUR);
  const { emulated } = world.github;
  emulated.addFault({ method: "PATCH", path: `/pulls/${number}$`, status: 403, times: 9 });
  const inputs = { "close-after-days": "1" };
  const refused = await world.run("land", { inputs });
  expect(refused.outputs).toMatchObject({ closedCount: "0", needsPersonCount: "1" });
  expect(refused.warnings).toEqual([expect.stringContaining("It could not be closed")]);
  expect(world.comment(number)).toContain("It could not be closed");
  const again = await world.run("land", { inputs });
  expect(again.warnings).toEqual([]);
  expect(again.requests.filter((request) => /^PATCH .*pulls/.test(request))).toEqual([]);
  emulated.clearFaults();
  world.github.home.change(world.pull(number), { isDraft: true });
  expect((await world.run("land", { inputs })).outputs).toMatchObject({ closedCount: "1" });
  expect(world.comments(number).at(-1)?.body).toContain("It was therefore closed");
});

test("a locked conversation is remembered, and costs no request until it is unlocked", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  world.github.home.change(world.pull(number), { isLocked: true });
  const locked = await world.run("land");
  expect(locked.warnings).toEqual([expect.stringContaining("its conversation is locked")]);
  await world.passTime(48 * HOUR);
  const quiet = await world.run("land", {
    inputs: { "remind-after-days": "1", reviewers: "maintainer" },
  });
  expect(quiet.warnings).toEqual([]);
  expect(quiet.requests.filter((request) => /^POST .*comments$/.test(request))).toEqual([]);
  world.github.home.change(world.pull(number), { isLocked: false });
  await world.run("land");
  expect(world.comment(number)).toContain("Ready for review");
});

test("assignees whom GitHub leaves out are a warning", async () => {
  await using world = await startWorld(LAND);
  await documentChange(world);
  const run = await world.run("land", { inputs: { assignees: "maintainer\noutsider" } });
  expect(run.warnings).toEqual([
    expect.stringContaining("GitHub assigned everyone but `outsider`"),
  ]);
});
