import { expect, test } from "vitest";
import { setUpLand } from "../support/land-setup.ts";

const RULES = { "allowed-paths": "docs/**", merge: "checks", "required-checks": "docs-check" };

test("a docs pull request is merged under its repository's new name, even if the old one was taken", async () => {
  await using scene = await setUpLand({ steering: { checks: "green" } });
  const number = await scene.document();
  await scene.run();
  const { home, emulated } = scene.world.github;
  const before = home.fullName;
  home.rename("acme/handbook");
  const repository = "acme/handbook";
  const waiting = await scene.run({ repository, inputs: { labels: "docs" } });
  expect(waiting.outputs).toMatchObject({ openCount: "1", needsPersonCount: "0" });
  const other = emulated.create(before);
  for (let nth = 0; nth < number; nth++) other.openPull();
  await scene.passTime();
  const merged = await scene.run({ repository, inputs: RULES });
  expect(merged.outputs).toMatchObject({ mergedCount: "1", openCount: "0" });
  expect(home.issues.get(number)).toMatchObject({ state: "closed" });
  expect(other.issues.get(number)).toMatchObject({ state: "open" });
});

test("a docs pull request whose author is a person is left alone, with one warning", async () => {
  await using scene = await setUpLand({ steering: { checks: "green" } });
  const number = await scene.document();
  const { home } = scene.world.github;
  const pull = home.issues.get(number);
  if (pull === undefined) throw new Error("there is no docs pull request");
  home.change(pull, { author: "writer" });
  const run = await scene.run({ inputs: { ...RULES, labels: "docs" } });
  expect(run.outputs).toMatchObject({ mergedCount: "0", needsPersonCount: "1" });
  expect(run.warnings).toEqual([
    expect.stringContaining("`writer`, is a person and not the agent"),
  ]);
  expect(home.issues.get(number)).toMatchObject({ state: "open", labels: [] });
  expect(await scene.comments(number)).toEqual([]);
  expect((await scene.run({ inputs: RULES })).warnings).toEqual([]);
});

test.each([
  ["once: nobody notices", 1, "1"],
  ["several times: the next run tries again, and nobody is called", 4, "0"],
])("GitHub fails to answer %s", async (_, times, followUpCount) => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.history.report(number);
  const { emulated } = scene.world.github;
  emulated.addFault({ path: "^/graphql", status: 502, times });
  const run = await scene.run({ fastClock: 20 });
  expect(run.outputs).toMatchObject({ followUpCount, needsPersonCount: "0", openCount: "1" });
  expect(run.warnings).toEqual([]);
  emulated.clearFaults();
  await scene.run();
  expect(scene.landLedger().open[0]?.followUps).toHaveLength(1);
});

test("one request reads several docs pull requests, and one that cannot be read keeps none back", async () => {
  await using scene = await setUpLand();
  const numbers = [];
  for (const title of ["One", "Two", "Three"]) numbers.push(await scene.document(title));
  await scene.run({ inputs: RULES });
  const [unresolvable = 0] = numbers;
  const { requests } = scene.world.github.emulated.received;
  requests.splice(0);
  await scene.run({ inputs: RULES });
  const own = requests.filter(({ headers }) =>
    headers["user-agent"]?.startsWith("docs-agent-action"),
  );
  expect(own.filter(({ path }) => path.endsWith("/graphql"))).toHaveLength(1);
  expect(own.length).toBeLessThan(8);
  scene.world.github.home.switches.unresolvable.add(unresolvable);
  for (const number of numbers.slice(1)) await scene.history.report(number);
  const run = await scene.run({ inputs: RULES });
  expect(run.outputs).toMatchObject({ followUpCount: "2", openCount: "3", needsPersonCount: "0" });
});
