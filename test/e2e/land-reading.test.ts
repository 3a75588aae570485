import { expect, test } from "vitest";
import { documentChange, LAND } from "../support/world/docs-pulls.ts";
import { HOUR, startWorld } from "../support/world/world.ts";

const RULES = { "allowed-paths": "docs/**", merge: "checks", "required-checks": "docs-check" };

test("a docs pull request is merged under its repository's new name, even if the old one was taken", async () => {
  await using world = await startWorld({ ...LAND, steering: { checks: "green" } });
  const number = await documentChange(world);
  await world.run("land");
  const { home, emulated } = world.github;
  const before = home.fullName;
  home.rename("acme/handbook");
  const repository = "acme/handbook";
  const waiting = await world.run("land", { repository, inputs: { labels: "docs" } });
  expect(waiting.outputs).toMatchObject({ openCount: "1", needsPersonCount: "0" });
  const other = emulated.create(before);
  for (let nth = 0; nth < number; nth++) other.openPull();
  await world.passTime(HOUR);
  const merged = await world.run("land", { repository, inputs: RULES });
  expect(merged.outputs).toMatchObject({ mergedCount: "1", openCount: "0" });
  expect(home.issues.get(number)).toMatchObject({ state: "closed" });
  expect(other.issues.get(number)).toMatchObject({ state: "open" });
});

test("a docs pull request whose author is a person is left alone, with one warning", async () => {
  await using world = await startWorld({ ...LAND, steering: { checks: "green" } });
  const number = await documentChange(world);
  const { home } = world.github;
  const pull = home.issues.get(number);
  if (pull === undefined) throw new Error("there is no docs pull request");
  home.change(pull, { author: "writer" });
  const run = await world.run("land", { inputs: { ...RULES, labels: "docs" } });
  expect(run.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "1" });
  expect(run.warnings).toEqual([
    expect.stringContaining("`writer`, is a person and not the agent"),
  ]);
  expect(home.issues.get(number)).toMatchObject({ state: "open", labels: [] });
  expect(world.comments(number)).toEqual([]);
  expect((await world.run("land", { inputs: RULES })).warnings).toEqual([]);
});

test.each([
  ["once: nobody notices", 1, "1"],
  ["several times: the next run tries again, and nobody is called", 4, "0"],
])("GitHub fails to answer %s", async (_, times, followUpCount) => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.report(number);
  const { emulated } = world.github;
  emulated.addFault({ path: "^/graphql", status: 502, times });
  const run = await world.run("land", { fastClock: 20 });
  expect(run.outputs).toMatchObject({ followUpCount, needsPersonCount: "0", openCount: "1" });
  expect(run.warnings).toEqual([]);
  emulated.clearFaults();
  await world.run("land");
  expect(world.ledger("land").ledger.open[0]?.followUps).toHaveLength(1);
});

test("one request reads several docs pull requests, and one that cannot be read keeps none back", async () => {
  await using world = await startWorld(LAND);
  const numbers = [];
  for (const title of ["One", "Two", "Three"]) numbers.push(await documentChange(world, title));
  await world.run("land", { inputs: RULES });
  const [unresolvable = 0] = numbers;
  const { toGitHub } = await world.run("land", { inputs: RULES });
  expect(toGitHub.filter((request) => request === "POST /graphql")).toHaveLength(1);
  expect(toGitHub.length).toBeLessThan(8);
  world.github.home.switches.unresolvable.add(unresolvable);
  for (const number of numbers.slice(1)) await world.github.report(number);
  const run = await world.run("land", { inputs: RULES });
  expect(run.outputs).toMatchObject({ followUpCount: "2", openCount: "3", needsPersonCount: "0" });
});

test("the rules of a base are read once for all docs pull requests that they block, or that are not settled", async () => {
  await using world = await startWorld(LAND);
  for (const title of ["One", "Two", "Three"]) {
    await world.github.review(await documentChange(world, title), "APPROVE");
  }
  const { home, emulated } = world.github;
  home.mergeRule = { signatures: true };
  emulated.site.isMergeabilityLate = true;
  const options = { inputs: { merge: "approved" }, fastClock: 10 };
  await world.run("land", options);
  home.triedMerges.clear();
  const { toGitHub, outputs } = await world.run("land", options);
  expect(outputs).toMatchObject({ needsPersonCount: "3" });
  const count = (pattern: RegExp) => toGitHub.filter((name) => pattern.test(name)).length;
  expect([count(/\/rules\/branches\//), count(/graphql/)]).toEqual([1, 2]);
  expect(toGitHub.length).toBeLessThanOrEqual(20 + 3 / 2);
});
