import { expect, test } from "vitest";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { someOf } from "../support/sample.ts";
import { setUpUpkeep } from "../support/upkeep-setup.ts";

const DAY = 24 * 3_600_000;

/** Titles of what a run handed over. */
function titles({ outputs }: RunResult): string[] {
  return JSON.parse(outputs.changes ?? "").map(({ title }: { title: string }) => title);
}

test("a first run begins 7 days ago by GitHub's clock", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.push({ message: "Long ago" });
  await scene.history.advance(8 * DAY);
  await scene.history.push({ message: "This week" });
  expect(titles(await scene.run({ inputs: { since: "" } }))).toEqual(["This week"]);
});

test("a first run begins at the date in `since`, and later runs go on from the ledger", async () => {
  await using scene = await setUpUpkeep();
  const start = Date.now();
  await scene.history.push({ message: "Before" });
  await scene.history.advance(3 * DAY);
  await scene.history.push({ message: "After" });
  const inputs = { since: new Date(start + DAY).toISOString() };
  expect(titles(await scene.run({ inputs }))).toEqual(["After"]);
  await scene.passTime();
  expect(titles(await scene.run({ inputs: { since: "2020-01-01" } }))).toEqual([]);
});

test("a first run begins at the tag in `since`", async () => {
  await using scene = await setUpUpkeep();
  const sha = await scene.history.push({ message: "Before" });
  const body = { ref: "refs/tags/v1.0.0", sha };
  await scene.world.github.api("/git/refs", { method: "POST", body });
  await scene.history.push({ message: "After" });
  expect(titles(await scene.run({ inputs: { since: "v1.0.0" } }))).toEqual(["After"]);
});

test("what a filter leaves out is named with the reason, and never handed over", async () => {
  await using scene = await setUpUpkeep();
  const files = { "src/api/jobs.ts": "1\n" };
  const other = { "src/web/page.ts": "1\n", "src/api/readme.md": "1\n" };
  await scene.history.land({ title: "Counts", commits: [{ files }] }, "squash");
  await scene.history.land({ title: "Elsewhere", commits: [{ files: other }] }, "squash");
  await scene.history.land({ title: "Labelled", labels: ["Internal"] }, "squash");
  await scene.history.land({ title: "Ignored", author: "triager" }, "squash");
  const inputs = {
    paths: "src/api/**\n!**/*.md",
    "ignore-labels": "internal\nother",
    "ignore-authors": "Triager",
  };
  expect(titles(await scene.run({ inputs }))).toEqual(["Counts"]);
  const body = await scene.body();
  expect(body).toMatch(/`Elsewhere`.*`no file matches paths`/);
  expect(body).toMatch(/`Labelled`.*`label Internal`/);
  expect(body).toMatch(/`Ignored`.*`author triager`/);
  await scene.passTime();
  expect(titles(await scene.run({ inputs }))).toEqual([]);
});

test("bots that update dependencies, and `skip-docs`, are left out unless the workflow says otherwise", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.push({ message: "Update zod", author: "renovate[bot]" });
  await scene.history.push({ message: "Update vite", author: "dependabot[bot]" });
  await scene.history.land({ title: "Skip me", labels: ["skip-docs"] });
  const run = await scene.run();
  expect(run.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(await scene.body()).toMatch(/## Passed over[\s\S]*Update/);
});

test("no more than `max-changes` go into one batch, and the rest waits, oldest first", async () => {
  await using scene = await setUpUpkeep();
  const inputs = { "max-changes": "2" };
  for (const title of ["One", "Two", "Three"]) await scene.history.land({ title });
  const first = await scene.run({ inputs });
  expect(titles(first)).toEqual(["One", "Two"]);
  expect(first.outputs.waitingCount).toBe("1");
  expect(await scene.body()).toMatch(/## Waiting\n\n.*`Three`/);
  await scene.passTime();
  expect(titles(await scene.run({ inputs }))).toEqual(["Three"]);
});

test("a commit without a pull request counts by itself", async () => {
  await using scene = await setUpUpkeep();
  const sha = await scene.history.push({ message: "Fix a typo\n\nIt hurt." });
  const run = await scene.run();
  expect(JSON.parse(run.outputs.changes ?? "")).toMatchObject([
    { repository: "acme/docs", number: null, sha, title: "Fix a typo" },
  ]);
  expect((await scene.prompts())[0]).toContain("It hurt.");
});

test("a rebased pull request of several commits is one change", async () => {
  await using scene = await setUpUpkeep();
  const commits = [{ message: "First" }, { message: "Second" }, { message: "Third" }];
  await scene.history.land({ title: "All of it", commits }, "rebase");
  expect(titles(await scene.run())).toEqual(["All of it"]);
});

test("changes come from several repositories, and from two branches of one", async () => {
  await using scene = await setUpUpkeep();
  const { github } = scene.world;
  const sha = await scene.history.tip();
  await github.api("/git/refs", { method: "POST", body: { ref: "refs/heads/release", sha } });
  await scene.history.grow({ repository: "acme/code", pulls: 2, commits: 1 });
  await scene.history.push({ message: "On main" });
  await scene.history.push({ message: "On release" }, "release");
  const inputs = {
    repositories: "acme/docs\nacme/docs@release\nacme/code",
    since: new Date(Date.now() - 365 * DAY).toISOString(),
    "max-changes": "100",
  };
  const first = await scene.run({ inputs });
  expect(titles(first)).toEqual(expect.arrayContaining(["On main", "On release"]));
  const read = new Set(
    JSON.parse(first.outputs.changes ?? "").map((it: { repository: string }) => it.repository),
  );
  expect(read).toEqual(new Set(["acme/docs", "acme/code"]));
  await scene.passTime();
  await scene.history.push({ message: "On release again" }, "release");
  expect(titles(await scene.run({ inputs }))).toEqual(["On release again"]);
  await scene.passTime();
  expect(titles(await scene.run({ inputs }))).toEqual([]);
});

test.each(someOf([false, true]))(
  "a force-push repeats nothing (old commits gone: %s)",
  async (isGone) => {
    await using scene = await setUpUpkeep();
    const base = await scene.history.tip();
    const one = { message: "One", files: { "one.ts": "1\n" }, at: new Date(Date.now() - 60_000) };
    const old = await scene.history.push(one);
    expect(titles(await scene.run())).toEqual(["One"]);
    await scene.passTime();
    const { number } = await scene.history.land({ title: "Landed" }, "squash");
    const landed = await scene.run();
    expect(JSON.parse(landed.outputs.changes ?? "")).toMatchObject([{ number }]);
    await scene.passTime();
    const tip = await scene.history.tip();
    await scene.history.forcePush(base, [
      one,
      { message: `Landed (#${number})`, files: { "landed.ts": "1\n" } },
      { message: "Two", files: { "two.ts": "1\n" } },
    ]);
    if (isGone) for (const sha of [old, tip]) await scene.history.forget(sha);
    const again = titles(await scene.run());
    expect(again).toContain("Two");
    expect(again).not.toContain("Landed");
    if (!isGone) expect(again).toEqual(["Two"]);
  },
);

test("the prompt holds the workflow's instruction, and each change with labels, files and diff", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land({
    title: "Add a limit",
    body: "The limit is 20.\nemulate: outcome=failed",
    labels: ["feature"],
    commits: [{ files: { "src/limit.ts": "export const LIMIT = 20;\n" } }],
  });
  const workspaceFiles = { "ask.md": "Write about limits only." };
  await scene.run({ workspaceFiles, inputs: { "prompt-file": "ask.md", "include-diff": "true" } });
  const [prompt = ""] = await scene.prompts();
  expect(prompt.startsWith("Write about limits only.")).toBe(true);
  for (const part of ["Labels: feature", "src/limit.ts (+1 -0)", "+export const LIMIT = 20;"]) {
    expect(prompt).toContain(part);
  }
  expect(prompt).toContain("> emulate: outcome=failed");
});
