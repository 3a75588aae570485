import { expect, test } from "vitest";
import { GRAPHQL_FAILURE } from "../../emulator/github/faults.ts";
import { titlesIn } from "../support/world/outputs.ts";
import { DAY, HOUR, startWorld, type World } from "../support/world/world.ts";

/** Runs while a job is at work, so that what lands waits, and is read anew once it goes out. */
async function letWait(world: World, inputs: Record<string, string> = {}) {
  await world.github.land({ title: "At work", commits: [{ files: { "src/a.ts": "1\n" } }] });
  await world.run("upkeep", { inputs });
  const land = async (title: string, more: object = {}) => {
    await world.passTime();
    return await world.github.land({ title, ...more });
  };
  const go = async () => {
    for (const { id } of await world.service.jobs()) {
      await world.service.setJob(id, { status: "completed" });
    }
    // A job's end counts once it was polled twice.
    await world.passTime();
    await world.run("upkeep", { inputs: { ...inputs, "max-jobs-per-day": "1" } });
    await world.passTime();
  };
  return { land, go };
}

async function tick(world: World, words: string): Promise<void> {
  const { number, body } = world.dashboard("upkeep");
  const ticked = body.replace(new RegExp(`\\[ \\](.*${words})`), "[x]$1");
  await world.github.api(`/issues/${number}`, { method: "PATCH", body: { body: ticked } });
}

test("a change whose labels cannot be read waits, and needs a decision after a day", async () => {
  await using world = await startWorld({ steering: { durationMs: null } });
  const { land, go } = await letWait(world);
  const { number } = await land("Unreadable", { body: "Described" });
  await world.run("upkeep");
  await land("Readable");
  await world.run("upkeep");
  await go();
  const fault = { path: `/pulls/${number}$`, status: 502, times: 1000 };
  world.github.emulated.addFault(fault);
  const first = await world.run("upkeep");
  expect(titlesIn(first)).toEqual(["Readable"]);
  expect(first.exitCode).toBe(0);
  expect(first.warnings.join()).toMatch(
    /1 change could not be read, and waits: GitHub returned 502/,
  );
  await go();
  await world.passTime(DAY);
  const later = await world.run("upkeep");
  expect(later.outputs).toMatchObject({ needsDecisionCount: "1", waitingCount: "0" });
  expect(world.dashboard("upkeep").body).toMatch(
    /## Needs a decision\n\nWhat could not .*\n\n- .*`Unreadable`.*: it could not be read: `GitHub returned 502`/,
  );
  await tick(world, "Hand over again");
  await world.passTime();
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Unreadable"]);
});

test("with paths, a change whose files cannot be read waits; one that is outside is passed over later", async () => {
  await using world = await startWorld({ steering: { durationMs: null } });
  const inputs = { paths: "src/**" };
  const { land, go } = await letWait(world, inputs);
  const outside = { commits: [{ files: { "docs/a.md": "1\n" } }] };
  const { number } = await land("Outside", outside);
  await world.run("upkeep", { inputs });
  await go();
  world.github.emulated.addFault({ path: `/pulls/${number}/files`, status: 502, times: 2 });
  const unread = await world.run("upkeep", { inputs });
  expect(unread.outputs).toMatchObject({ result: "idle", changeCount: "0", waitingCount: "1" });
  await world.passTime();
  const read = await world.run("upkeep", { inputs });
  expect(read.outputs).toMatchObject({ result: "idle", changeCount: "0", waitingCount: "0" });
  expect(world.dashboard("upkeep").body).toMatch(/## Passed over\n\n.*`Outside`/);
});

test("without paths, a change whose files GitHub never lists goes out without them", async () => {
  await using world = await startWorld();
  const { number } = await world.github.land({ title: "Huge" });
  world.github.emulated.addFault({ path: `/pulls/${number}/files`, status: 500, times: 1000 });
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Huge"]);
});

test("with paths, a change that is too large for GitHub's list counts", async () => {
  await using world = await startWorld();
  const { number } = await world.github.land({ title: "Huge" });
  world.github.emulated.addFault({ path: `/pulls/${number}/files`, status: 422, times: 1000 });
  expect(titlesIn(await world.run("upkeep", { inputs: { paths: "src/**" } }))).toEqual(["Huge"]);
});

test("if GraphQL fails each time, sources are read, confirmed and handed over by REST", async () => {
  await using world = await startWorld();
  const code = world.github.emulated.create("acme/code");
  await world.passTime(8 * DAY);
  code.land({ title: "Elsewhere" });
  await world.github.land({ title: "At home" });
  world.github.emulated.addFault({ ...GRAPHQL_FAILURE, times: 1000 });
  const run = await world.run("upkeep", {
    inputs: { repositories: "acme/docs\nacme/code", since: "" },
  });
  expect(run.exitCode).toBe(0);
  expect(new Set(titlesIn(run))).toEqual(new Set(["Elsewhere", "At home"]));
});

test("a source that cannot be read for a day is a person's on the dashboard, while all else goes on", async () => {
  await using world = await startWorld();
  const inputs = { repositories: "acme/docs\nacme/code", since: "" };
  world.github.emulated.create("acme/code");
  await world.github.land({ title: "One" });
  await world.run("upkeep", { inputs });
  world.github.emulated.addFault({ path: "graphql|acme/code", status: 502, times: 10_000 });
  await world.passTime();
  const first = await world.run("upkeep", { inputs });
  expect(first.outputs).toMatchObject({ errorKind: "github-unavailable" });
  const { body } = world.dashboard("upkeep");
  expect(body).toMatch(/## Waiting\n\n- `acme\/code` could not be read since/);
  expect(body).not.toMatch(/Needs a decision|To go on/);
  await world.passTime(DAY + HOUR);
  await world.github.land({ title: "Two" });
  const later = await world.run("upkeep", { inputs });
  expect(titlesIn(later)).toEqual(["Two"]);
  expect(later.exitCode).toBe(1);
  expect(world.dashboard("upkeep").body).toMatch(
    /## Needs a decision\n\n- `acme\/code` could not be read since .*To go on/,
  );
  world.github.emulated.clearFaults();
  await world.passTime();
  await world.run("upkeep", { inputs });
  expect(world.dashboard("upkeep").body).not.toContain("could not be read since");
});

test("changes are handed over in the order in which they landed, not by the dates of commits", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  const year = 365 * DAY;
  home.push({ message: "First", at: Date.now() + year });
  await world.passTime();
  await world.github.land({ title: "Second" });
  home.push({ message: "Third", at: Date.now() - year });
  await world.passTime();
  await world.github.land({ title: "Fourth" });
  const inputs = { "max-changes": "2" };
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["First", "Second"]);
  expect(world.ledger("upkeep").ledger.waiting.flatMap(({ changes }) => changes[0])).toMatchObject([
    { title: "Third" },
    { title: "Fourth" },
  ]);
});

test("when the default branch becomes another one, what waits is handed over once", async () => {
  await using world = await startWorld({ steering: { durationMs: null } });
  const { land, go } = await letWait(world);
  await land("Waits");
  await world.run("upkeep");
  const { home } = world.github;
  home.setRef("refs/heads/next", home.push({ message: "On next" }, "next"));
  home.defaultBranch = "next";
  await go();
  const run = await world.run("upkeep");
  expect(titlesIn(run).filter((title) => title === "Waits")).toEqual(["Waits"]);
});
