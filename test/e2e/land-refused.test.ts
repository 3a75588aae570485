import { expect, test } from "vitest";
import { isPull } from "../../emulator/github/state.ts";
import { type LandSetup, setUpLand } from "../support/land-setup.ts";

const APPROVED = { merge: "approved" };

function change({ world }: LandSetup, number: number, fields: { isLocked: boolean }) {
  const pull = world.github.home.issues.get(number);
  if (!isPull(pull)) throw new Error(`${number} is not a pull request`);
  world.github.home.change(pull, fields);
}

/** How often something was asked of GitHub since the last time. */
function asked({ world }: LandSetup, method: string, path: RegExp): number {
  const { requests } = world.github.emulated.received;
  const all = requests.splice(0);
  return all.filter((request) => request.method === method && path.test(request.path)).length;
}

test("a merge that GitHub refuses is tried again only when something has changed", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.history.review(number, "APPROVE");
  scene.world.github.home.mergeRule = { methods: ["rebase"] };
  const refused = await scene.run({ inputs: APPROVED });
  expect(refused.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "1" });
  asked(scene, "PUT", /merge$/);
  await scene.passTime();
  const waiting = await scene.run({ inputs: APPROVED });
  expect(waiting.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "1" });
  expect(waiting.warnings).toEqual([]);
  expect(asked(scene, "PUT", /merge$/)).toBe(0);
  const reminding = { ...APPROVED, "remind-after-days": "0.05", reviewers: "maintainer" };
  await scene.passTime();
  await scene.run({ inputs: reminding });
  expect((await scene.comments(number)).at(-1)?.body).toContain("waits for a review");
  const merged = await scene.run({ inputs: { ...APPROVED, "merge-method": "rebase" } });
  expect(merged.outputs).toMatchObject({ mergedCount: "1" });
});

test("a merge that GitHub fails to make needs nobody, and is made by the next run", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.history.review(number, "APPROVE");
  scene.world.github.emulated.addFault({ method: "PUT", path: "/merge$", status: 502 });
  const run = await scene.run({ inputs: APPROVED });
  expect(run.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "0" });
  expect(run.warnings).toEqual([]);
  expect((await scene.run({ inputs: APPROVED })).outputs).toMatchObject({ mergedCount: "1" });
});

test("a docs pull request is closed first, and the comment says so after; a refusal needs a person once", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.run();
  await scene.passTime(48);
  const { emulated } = scene.world.github;
  emulated.addFault({ method: "PATCH", path: `/pulls/${number}$`, status: 403, times: 9 });
  const inputs = { "close-after-days": "1" };
  const refused = await scene.run({ inputs });
  expect(refused.outputs).toMatchObject({ closedCount: "0", needsPersonCount: "1" });
  expect(refused.warnings).toEqual([expect.stringContaining("It could not be closed")]);
  expect(await scene.comment(number)).toContain("It could not be closed");
  asked(scene, "PATCH", /pulls/);
  expect((await scene.run({ inputs })).warnings).toEqual([]);
  expect(asked(scene, "PATCH", /pulls/)).toBe(0);
  emulated.clearFaults();
  await scene.passTime(24);
  expect((await scene.run({ inputs })).outputs).toMatchObject({ closedCount: "1" });
  expect((await scene.comments(number)).at(-1)?.body).toContain("It was therefore closed");
});

test("a locked conversation is remembered, and costs no request until it is unlocked", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  change(scene, number, { isLocked: true });
  const locked = await scene.run();
  expect(locked.warnings).toEqual([expect.stringContaining("its conversation is locked")]);
  asked(scene, "POST", /comments$/);
  await scene.passTime(48);
  const quiet = await scene.run({ inputs: { "remind-after-days": "1", reviewers: "maintainer" } });
  expect(quiet.warnings).toEqual([]);
  expect(asked(scene, "POST", /comments$/)).toBe(0);
  change(scene, number, { isLocked: false });
  await scene.run();
  expect(await scene.comment(number)).toContain("Ready for review");
});

test("assignees whom GitHub leaves out are a warning", async () => {
  await using scene = await setUpLand();
  await scene.document();
  const run = await scene.run({ inputs: { assignees: "maintainer\noutsider" } });
  expect(run.warnings).toEqual([
    expect.stringContaining("GitHub assigned everyone but `outsider`"),
  ]);
});
