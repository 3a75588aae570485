import { expect, test } from "vitest";
import type { Repository } from "../../emulator/github/repository.ts";
import { pullNumberOf, titlesIn } from "../support/world/outputs.ts";
import { DAY, startWorld, type World } from "../support/world/world.ts";

test("a first run reads the changes of the last 7 days by GitHub's clock", async () => {
  await using world = await startWorld();
  world.github.home.push({ message: "Long ago" });
  await world.passTime(8 * DAY);
  world.github.home.push({ message: "This week" });
  expect(titlesIn(await world.run("upkeep", { inputs: { since: "" } }))).toEqual(["This week"]);
});

test("a first run reads the changes after `since`, and later runs continue from the ledger", async () => {
  await using world = await startWorld();
  const start = Date.now();
  world.github.home.push({ message: "Before" });
  await world.passTime(3 * DAY);
  world.github.home.push({ message: "After" });
  const inputs = { since: new Date(start + DAY).toISOString() };
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["After"]);
  await world.passTime();
  expect(titlesIn(await world.run("upkeep", { inputs: { since: "2020-01-01" } }))).toEqual([]);
});

test("filtered changes are listed with the reason, and never handed over", async () => {
  await using world = await startWorld();
  const files = { "src/api/jobs.ts": "1\n" };
  const otherFiles = { "src/web/page.ts": "1\n", "src/api/readme.md": "1\n" };
  await world.github.land({ title: "Counts", commits: [{ files }] }, "squash");
  await world.github.land({ title: "Elsewhere", commits: [{ files: otherFiles }] }, "squash");
  await world.github.land({ title: "Labelled", labels: ["Internal"] }, "squash");
  await world.github.land({ title: "Ignored", author: "triager" }, "squash");
  const inputs = {
    paths: "src/api/**\n!**/*.md",
    "ignore-labels": "internal\nother",
    "ignore-authors": "Triager",
  };
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["Counts"]);
  const body = world.dashboard("upkeep").body;
  expect(body).toMatch(/`Elsewhere`.*`no file matches paths`/);
  expect(body).toMatch(/`Labelled`.*`label Internal`/);
  expect(body).toMatch(/`Ignored`.*`author triager`/);
  await world.passTime();
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual([]);
});

test("by default, changes by dependency bots or with skip-docs are not handed over", async () => {
  await using world = await startWorld();
  world.github.home.push({ message: "Update zod", author: "renovate[bot]" });
  world.github.home.push({ message: "Update vite", author: "dependabot[bot]" });
  await world.github.land({ title: "Skip me", labels: ["skip-docs"] });
  const run = await world.run("upkeep");
  expect(run.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(world.dashboard("upkeep").body).toMatch(/## Passed over[\s\S]*Update/);
});

test("a batch has the oldest max-changes changes, and the others wait", async () => {
  await using world = await startWorld();
  const inputs = { "max-changes": "2" };
  for (const title of ["One", "Two", "Three"]) await world.github.land({ title });
  const first = await world.run("upkeep", { inputs });
  expect(titlesIn(first)).toEqual(["One", "Two"]);
  expect(first.outputs.waitingCount).toBe("1");
  expect(world.dashboard("upkeep").body).toMatch(/## Waiting\n\n.*`Three`/);
  await world.passTime();
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["Three"]);
});

test("changes are read from several repositories, and from two branches of one", async () => {
  await using world = await startWorld();
  const { github } = world;
  const sha = world.github.home.tip();
  await github.api("/git/refs", { method: "POST", body: { ref: "refs/heads/release", sha } });
  world.github.emulated.create("acme/code").grow({ pulls: 2, commits: 1 });
  world.github.home.push({ message: "On main" });
  world.github.home.push({ message: "On release" }, "release");
  const inputs = {
    repositories: "acme/docs\nacme/docs@release\nacme/code",
    since: new Date(Date.now() - 365 * DAY).toISOString(),
    "max-changes": "30",
  };
  const first = await world.run("upkeep", { inputs });
  expect(titlesIn(first)).toEqual(expect.arrayContaining(["On main", "On release"]));
  const read = new Set(
    JSON.parse(first.outputs.changes ?? "").map(
      ({ repository }: { repository: string }) => repository,
    ),
  );
  expect(read).toEqual(new Set(["acme/docs", "acme/code"]));
  await world.passTime();
  world.github.home.push({ message: "On release again" }, "release");
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["On release again"]);
  await world.passTime();
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual([]);
});

test("the prompt contains the workflow's instruction, and each change with labels, files and diff", async () => {
  await using world = await startWorld();
  await world.github.land({
    title: "Add a limit",
    body: "The limit is 20.\nemulate: outcome=failed",
    labels: ["feature"],
    commits: [{ files: { "src/limit.ts": "export const LIMIT = 20;\n" } }],
  });
  const workspaceFiles = { "ask.md": "Write about limits only." };
  await world.run("upkeep", {
    workspaceFiles,
    inputs: { "prompt-file": "ask.md", "include-diff": "true" },
  });
  const [prompt = ""] = await world.prompts();
  expect(prompt.startsWith("Write about limits only.")).toBe(true);
  for (const part of ["Labels: feature", "src/limit.ts (+1 -0)", "+export const LIMIT = 20;"]) {
    expect(prompt).toContain(part);
  }
  expect(prompt).toContain("> emulate: outcome=failed");
});

/** A second repository. */
const CODE = "acme/code";

/** Creates it 8 days ago, before the period of a first run. */
async function createCode(world: World): Promise<Repository> {
  const code = world.github.emulated.create(CODE);
  await world.passTime(8 * DAY);
  return code;
}

test("`acme/code` and `acme/code@main` are the same source", async () => {
  await using world = await startWorld();
  const code = await createCode(world);
  code.land({ title: "One" });
  expect(
    titlesIn(await world.run("upkeep", { inputs: { repositories: CODE, since: "" } })),
  ).toEqual(["One"]);
  await world.passTime();
  code.land({ title: "Two" });
  world.editWorkflow();
  const inputs = { repositories: `${CODE}@main`, since: "" };
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["Two"]);
  expect(world.ledger("upkeep").ledger.sources).toHaveLength(1);
});

test("a renamed or transferred source continues, by its old name and by its new one", async () => {
  await using world = await startWorld();
  const code = await createCode(world);
  code.land({ title: "One" });
  expect(
    titlesIn(await world.run("upkeep", { inputs: { repositories: CODE, since: "" } })),
  ).toEqual(["One"]);
  await world.passTime();
  code.rename("acme/renamed");
  code.land({ title: "Two" });
  expect(
    titlesIn(await world.run("upkeep", { inputs: { repositories: CODE, since: "" } })),
  ).toEqual(["Two"]);
  await world.passTime();
  code.rename("other/renamed");
  code.land({ title: "Three" });
  world.editWorkflow();
  const inputs = { repositories: "other/renamed", since: "" };
  expect(titlesIn(await world.run("upkeep", { inputs }))).toEqual(["Three"]);
  await world.passTime();
  expect((await world.run("upkeep", { inputs })).outputs).toMatchObject({
    result: "idle",
    changeCount: "0",
  });
});

test("a renamed branch and another default branch continue without repeating changes", async () => {
  await using world = await startWorld();
  const { home } = world.github;
  await world.github.land({ title: "One" });
  expect(titlesIn(await world.run("upkeep"))).toEqual(["One"]);
  await world.passTime();
  home.renameBranch("main", "trunk");
  await world.github.land({ title: "Two" });
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Two"]);
  await world.passTime();
  home.setRef("refs/heads/next", home.tip());
  home.defaultBranch = "next";
  await world.github.land({ title: "Three" });
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Three"]);
  expect(world.ledger("upkeep").ledger.sources).toMatchObject([{ branch: "next" }]);
});

test("if a run cannot read all repositories, the following runs read the others", async () => {
  await using world = await startWorld();
  const { emulated } = world.github;
  const names = Array.from({ length: 160 }, (_, nth) => `acme/part-${nth}`);
  const created = names.map((name) => emulated.create(name));
  const since = new Date(emulated.site.now).toISOString();
  await world.passTime();
  created.at(-1)?.land({ title: "In the last" });
  const inputs = { repositories: names.join("\n"), since };
  const handed: string[] = [];
  for (let run = 0; run < 4; run++) {
    const ran = await world.run("upkeep", { inputs });
    expect(ran.exitCode).toBe(0);
    handed.push(...titlesIn(ran));
    await world.passTime();
  }
  expect(handed).toEqual(["In the last"]);
});

test("the docs pull request of another project's ledger does not count as a change", async () => {
  await using world = await startWorld({
    service: {
      projects: [
        { id: "acme-docs", repository: "acme/docs" },
        { id: "other-docs", repository: "acme/docs" },
      ],
    },
  });
  const other = { inputs: { "project-id": "other-docs" } };
  await world.github.land({ title: "One" });
  await world.run("upkeep", other);
  await world.passTime();
  const done = await world.run("upkeep", other);
  const { prLink } = JSON.parse(done.outputs.finished ?? "")[0];
  await world.github.merge(pullNumberOf(prLink));
  expect(titlesIn(await world.run("upkeep"))).toEqual(["One"]);
  const [newest] = world.dashboards("upkeep");
  expect(newest?.body).toMatch(/## Passed over[\s\S]*opened by the documentation agent/);
});
