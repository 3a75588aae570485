import { expect, test } from "vitest";
import type { Repository } from "../../emulator/github/repository.ts";
import { titlesIn } from "../support/world/outputs.ts";
import { DAY, type Run, startWorld, type World, type WorldRun } from "../support/world/world.ts";

const CODE = "acme/code";
/** A run by hand, after which the ledger has these filters. */
function keeping(inputs: Record<string, string>): WorldRun {
  return { eventName: "workflow_dispatch", event: {}, inputs: { ...inputs, decisions: "keep" } };
}

const BOTH = { repositories: `acme/docs\n${CODE}`, since: "" };

/** Creates it 8 days ago, before the period of a first run. */
async function createCode(world: World): Promise<Repository> {
  const code = world.github.emulated.create(CODE);
  code.roles.set("github-actions[bot]", "read");
  await world.passTime(8 * DAY);
  return code;
}

/** All that a run shows to people, and all that it left in the newest ledger and its commit. */
function shownBy(world: World, run: Run): string {
  const { ledger, log } = world.ledger("upkeep");
  const body = world.dashboards("upkeep").map((dashboard) => dashboard.body);
  return JSON.stringify([run.outputs, run.summary, run.visible, body, ledger, log]);
}

test("a source that is less visible is not read, and the others are handed over", async () => {
  await using world = await startWorld();
  const code = await createCode(world);
  code.visibility = "private";
  code.land({ title: "Secret plans" });
  await world.github.land({ title: "Public" });
  const run = await world.run("upkeep", { inputs: BOTH });
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ errorKind: "invalid-input", result: "started" });
  expect(run.outputs.errorMessage).toMatch(/can be read by fewer people.*run upkeep in a private/);
  expect(titlesIn(run)).toEqual(["Public"]);
  expect(shownBy(world, run)).not.toContain("Secret plans");
  expect(run.requests.filter((request) => request.includes(`/repos/${CODE}`))).toEqual([]);
  world.github.home.visibility = "private";
  await world.passTime();
  expect(titlesIn(await world.run("upkeep", { inputs: BOTH }))).toEqual(["Secret plans"]);
});

test.each([
  ["becomes private", BOTH],
  ["becomes private and is taken out of repositories", { repositories: "acme/docs", since: "" }],
])("what waits from a source that %s is neither handed over nor named", async (_, after) => {
  await using world = await startWorld({ steering: { durationMs: null } });
  const code = await createCode(world);
  await world.github.land({ title: "At work" });
  await world.run("upkeep", { inputs: BOTH });
  code.land({ title: "Unpublished plans", body: "Secret" });
  await world.passTime();
  const busy = await world.run("upkeep", { inputs: BOTH });
  expect(busy.outputs).toMatchObject({ result: "busy", waitingCount: "1" });
  expect(world.dashboard("upkeep").body).toContain("Unpublished plans");

  code.visibility = "private";
  await world.passTime();
  const hidden = await world.run("upkeep", keeping(after));
  expect(hidden.outputs).toMatchObject({ result: "busy", waitingCount: "0" });
  expect(shownBy(world, hidden)).not.toMatch(/Unpublished|Secret/);
  expect(world.dashboard("upkeep").body).toMatch(
    /## Passed over\n\n- 1 change on .*no longer read/,
  );

  for (const { id } of await world.service.jobs())
    await world.service.setJob(id, { status: "completed" });
  await world.passTime();
  const later = await world.run("upkeep", { inputs: after });
  expect(titlesIn(later)).toEqual([]);
  expect((await world.prompts()).join("\n")).not.toContain("Secret");
});

test("what was handed over from a source is no longer named once it is private", async () => {
  await using world = await startWorld();
  const code = await createCode(world);
  code.land({ title: "Unpublished plans" });
  await world.run("upkeep", { inputs: BOTH });
  await world.passTime();
  await world.run("upkeep", { inputs: BOTH });
  expect(world.dashboard("upkeep").body).toContain("Unpublished plans");
  code.visibility = "private";
  await world.passTime();
  const run = await world.run("upkeep", { inputs: BOTH });
  expect(shownBy(world, run)).not.toContain("Unpublished plans");
});

test("what waits for a release from a source that is taken out of repositories is passed over", async () => {
  await using world = await startWorld();
  const code = await createCode(world);
  code.land({ title: "Unreleased" });
  const inputs = { ...BOTH, after: "release" };
  const first = await world.run("upkeep", { inputs });
  expect(first.outputs).toMatchObject({ result: "idle", waitingCount: "1" });
  await world.passTime();
  const alone = { ...inputs, repositories: "acme/docs" };
  const second = await world.run("upkeep", keeping(alone));
  expect(second.outputs).toMatchObject({ result: "idle", waitingCount: "0" });
  expect(second.exitCode).toBe(0);
});

test("a source that cannot be read in passing keeps what waits from it, whatever its name is", async () => {
  await using world = await startWorld({ steering: { durationMs: null } });
  const code = await createCode(world);
  await world.github.land({ title: "At work" });
  await world.run("upkeep", { inputs: BOTH });
  code.land({ title: "Later" });
  await world.passTime();
  await world.run("upkeep", { inputs: BOTH });
  code.rename("acme/renamed");
  await world.passTime();
  await world.run("upkeep", { inputs: BOTH });
  world.github.emulated.addFault({ status: 502, path: "graphql|acme/code|acme/renamed", times: 9 });
  await world.passTime();
  const unread = await world.run("upkeep", { inputs: BOTH });
  expect(unread.outputs).toMatchObject({ errorKind: "github-unavailable", waitingCount: "1" });
});

test("a repository that took the name of a renamed one is another source", async () => {
  await using world = await startWorld({ steering: { durationMs: null } });
  const code = await createCode(world);
  await world.github.land({ title: "At work" });
  await world.run("upkeep", { inputs: BOTH });
  const { number } = code.land({ title: "Mine", body: "Described by me" });
  await world.passTime();
  await world.run("upkeep", { inputs: BOTH });

  code.rename("acme/renamed");
  const other = world.github.emulated.create(CODE);
  for (let nth = 1; nth <= number; nth += 1)
    other.land({ title: "Theirs", body: "Described by them" });
  for (const { id } of await world.service.jobs())
    await world.service.setJob(id, { status: "completed" });
  await world.passTime();
  const repositories = "acme/docs\nacme/renamed";
  const run = await world.run("upkeep", keeping({ ...BOTH, repositories }));
  expect(titlesIn(run)).toEqual(["Mine"]);
  const [, prompt = ""] = await world.prompts();
  expect(prompt).toContain("Described by me");
  expect(prompt).not.toContain("Described by them");
});
