import { expect, test } from "vitest";
import { titlesIn } from "../support/world/outputs.ts";
import { startWorld } from "../support/world/world.ts";

test("20 changes of 40 files each leave room for each description, within 32 KiB", async () => {
  await using world = await startWorld();
  const nameOf = (nth: number) =>
    `src/${nth % 2 === 0 ? "api" : "web"}/a-component-of-it-${nth}.ts`;
  for (let number = 1; number <= 20; number += 1) {
    const files = Array.from({ length: 40 }, (_, nth) => [nameOf(nth), `${number}\n`]);
    const body = `What change ${number} is about. ${"It has a reason. ".repeat(20)}And an end.`;
    const commits = [{ files: Object.fromEntries(files) }];
    await world.github.land({ title: `Change it ${number}`, body, commits }, "squash");
  }
  expect(titlesIn(await world.run("upkeep"))).toHaveLength(20);
  const [prompt = ""] = await world.prompts();
  for (let number = 1; number <= 20; number += 1) {
    expect(prompt).toContain(`> Description:\n> What change ${number} is about.`);
  }
  expect(prompt.match(/And an end\.$/gm)).toHaveLength(20);
  expect(prompt.match(/^> src\/api\/: 20 files \(\+20 -\d+\)$/gm)).toHaveLength(20);
  expect(Buffer.byteLength(prompt.slice(prompt.indexOf("---")))).toBeLessThanOrEqual(32 * 1024);
});

test("a batch ends where the next change would get less than 1 KiB of the prompt", async () => {
  await using world = await startWorld();
  for (let number = 1; number <= 30; number += 1) {
    await world.github.land({ title: `Change it ${number}`, body: "Why. ".repeat(600) }, "squash");
  }
  const first = titlesIn(await world.run("upkeep", { inputs: { "max-changes": "30" } }));
  expect(first.length).toBeGreaterThan(20);
  expect(first.length).toBeLessThan(30);
  await world.passTime();
  const next = titlesIn(await world.run("upkeep", { inputs: { "max-changes": "30" } }));
  expect(first.length + next.length).toBe(30);
});

test("what looks like the beginning of a comment in code, a diff or a title takes nothing out of the prompt", async () => {
  await using world = await startWorld();
  const title = "Drop <!-- from pages";
  const body = "Removes `<!--`.\n\n<!-- a template -->\n\nSee the tests.";
  const commits = [{ files: { "a.html": "<!-- old\nnew\n", "b.md": "Second.\n" } }];
  await world.github.land({ title, body, commits }, "squash");
  await world.run("upkeep", { inputs: { "include-diff": "true" } });
  const [prompt = ""] = await world.prompts();
  const whole = [title, "Removes `<!--`.", "See the tests.", "+<!-- old", "+new", "+Second."];
  const quoted = whole.map((line) => `> ${line}`);
  expect(prompt.split("\n")).toEqual(expect.arrayContaining(quoted));
  expect(prompt).not.toContain("template");
});

test("with only-labels, nothing counts but pull requests with one of them", async () => {
  await using world = await startWorld();
  await world.github.land({ title: "Meant", labels: ["Needs-Docs"] }, "squash");
  await world.github.land({ title: "Without", labels: ["bug"] }, "squash");
  await world.github.land({ title: "Both", labels: ["needs-docs", "skip-docs"] }, "squash");
  world.github.home.push({ message: "A commit" });
  const inputs = { "only-labels": "needs-docs\napi" };
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["Meant"]);
  const body = world.dashboard("upkeep").body;
  expect(body).toMatch(/`Without`.*`no label of only-labels`/);
  expect(body).toMatch(/`A commit`.*`no label of only-labels`/);
  expect(body).toMatch(/`Both`.*`label skip-docs`/);
  expect(world.ledger("upkeep").ledger.passedOver).toMatchObject([
    { reason: { code: "no-label" } },
    { reason: { code: "label", label: "skip-docs" } },
    { reason: { code: "no-label" } },
  ]);
});
