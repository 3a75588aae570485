import { expect, test } from "vitest";
import type { Repository } from "../../emulator/github/repository.ts";
import { pullNumberOf, setUpUpkeep, titlesIn, type UpkeepSetup } from "../support/upkeep-setup.ts";

const DAY = 24 * 3_600_000;

test("a first run reads the changes of the last 7 days by GitHub's clock", async () => {
  await using scene = await setUpUpkeep();
  scene.history.home.push({ message: "Long ago" });
  await scene.history.advance(8 * DAY);
  scene.history.home.push({ message: "This week" });
  expect(titlesIn(await scene.run({ inputs: { since: "" } }))).toEqual(["This week"]);
});

test("a first run reads the changes after `since`, and later runs continue from the ledger", async () => {
  await using scene = await setUpUpkeep();
  const start = Date.now();
  scene.history.home.push({ message: "Before" });
  await scene.history.advance(3 * DAY);
  scene.history.home.push({ message: "After" });
  const inputs = { since: new Date(start + DAY).toISOString() };
  expect(titlesIn(await scene.run({ inputs }))).toEqual(["After"]);
  await scene.passTime();
  expect(titlesIn(await scene.run({ inputs: { since: "2020-01-01" } }))).toEqual([]);
});

test("filtered changes are listed with the reason, and never handed over", async () => {
  await using scene = await setUpUpkeep();
  const files = { "src/api/jobs.ts": "1\n" };
  const otherFiles = { "src/web/page.ts": "1\n", "src/api/readme.md": "1\n" };
  await scene.history.land({ title: "Counts", commits: [{ files }] }, "squash");
  await scene.history.land({ title: "Elsewhere", commits: [{ files: otherFiles }] }, "squash");
  await scene.history.land({ title: "Labelled", labels: ["Internal"] }, "squash");
  await scene.history.land({ title: "Ignored", author: "triager" }, "squash");
  const inputs = {
    paths: "src/api/**\n!**/*.md",
    "ignore-labels": "internal\nother",
    "ignore-authors": "Triager",
  };
  expect(titlesIn(await scene.run({ inputs }))).toEqual(["Counts"]);
  const body = await scene.body();
  expect(body).toMatch(/`Elsewhere`.*`no file matches paths`/);
  expect(body).toMatch(/`Labelled`.*`label Internal`/);
  expect(body).toMatch(/`Ignored`.*`author triager`/);
  await scene.passTime();
  expect(titlesIn(await scene.run({ inputs }))).toEqual([]);
});

test("by default, changes by dependency bots or with skip-docs are not handed over", async () => {
  await using scene = await setUpUpkeep();
  scene.history.home.push({ message: "Update zod", author: "renovate[bot]" });
  scene.history.home.push({ message: "Update vite", author: "dependabot[bot]" });
  await scene.history.land({ title: "Skip me", labels: ["skip-docs"] });
  const run = await scene.run();
  expect(run.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(await scene.body()).toMatch(/## Passed over[\s\S]*Update/);
});

test("a batch has the oldest max-changes changes, and the others wait", async () => {
  await using scene = await setUpUpkeep();
  const inputs = { "max-changes": "2" };
  for (const title of ["One", "Two", "Three"]) await scene.history.land({ title });
  const first = await scene.run({ inputs });
  expect(titlesIn(first)).toEqual(["One", "Two"]);
  expect(first.outputs.waitingCount).toBe("1");
  expect(await scene.body()).toMatch(/## Waiting\n\n.*`Three`/);
  await scene.passTime();
  expect(titlesIn(await scene.run({ inputs }))).toEqual(["Three"]);
});

test("changes are read from several repositories, and from two branches of one", async () => {
  await using scene = await setUpUpkeep();
  const { github } = scene.world;
  const sha = scene.history.home.tip();
  await github.api("/git/refs", { method: "POST", body: { ref: "refs/heads/release", sha } });
  scene.history.emulated.create("acme/code").grow({ pulls: 2, commits: 1 });
  scene.history.home.push({ message: "On main" });
  scene.history.home.push({ message: "On release" }, "release");
  const inputs = {
    repositories: "acme/docs\nacme/docs@release\nacme/code",
    since: new Date(Date.now() - 365 * DAY).toISOString(),
    "max-changes": "100",
  };
  const first = await scene.run({ inputs });
  expect(titlesIn(first)).toEqual(expect.arrayContaining(["On main", "On release"]));
  const read = new Set(
    JSON.parse(first.outputs.changes ?? "").map(
      ({ repository }: { repository: string }) => repository,
    ),
  );
  expect(read).toEqual(new Set(["acme/docs", "acme/code"]));
  await scene.passTime();
  scene.history.home.push({ message: "On release again" }, "release");
  expect(titlesIn(await scene.run({ inputs }))).toEqual(["On release again"]);
  await scene.passTime();
  expect(titlesIn(await scene.run({ inputs }))).toEqual([]);
});

test("the prompt contains the workflow's instruction, and each change with labels, files and diff", async () => {
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

/** A second repository. */
const CODE = "acme/code";

/** Creates it 8 days ago, before the period of a first run. */
async function createCode({ world, history }: UpkeepSetup): Promise<Repository> {
  const code = world.github.emulated.create(CODE);
  await history.advance(8 * DAY);
  return code;
}

test("`acme/code` and `acme/code@main` are the same source", async () => {
  await using scene = await setUpUpkeep();
  const code = await createCode(scene);
  code.land({ title: "One" });
  expect(titlesIn(await scene.run({ inputs: { repositories: CODE, since: "" } }))).toEqual(["One"]);
  await scene.passTime();
  code.land({ title: "Two" });
  const inputs = { repositories: `${CODE}@main`, since: "" };
  expect(titlesIn(await scene.run({ inputs }))).toEqual(["Two"]);
  expect(scene.ledger().ledger.sources).toHaveLength(1);
});

test("a renamed or transferred source continues, by its old name and by its new one", async () => {
  await using scene = await setUpUpkeep();
  const code = await createCode(scene);
  code.land({ title: "One" });
  expect(titlesIn(await scene.run({ inputs: { repositories: CODE, since: "" } }))).toEqual(["One"]);
  await scene.passTime();
  code.rename("acme/renamed");
  code.land({ title: "Two" });
  expect(titlesIn(await scene.run({ inputs: { repositories: CODE, since: "" } }))).toEqual(["Two"]);
  await scene.passTime();
  code.rename("other/renamed");
  code.land({ title: "Three" });
  const inputs = { repositories: "other/renamed", since: "" };
  expect(titlesIn(await scene.run({ inputs }))).toEqual(["Three"]);
  await scene.passTime();
  expect((await scene.run({ inputs })).outputs).toMatchObject({ result: "idle", changeCount: "0" });
});

test("a renamed branch and another default branch continue without repeating changes", async () => {
  await using scene = await setUpUpkeep();
  const { home } = scene.world.github;
  await scene.history.land({ title: "One" });
  expect(titlesIn(await scene.run())).toEqual(["One"]);
  await scene.passTime();
  home.renameBranch("main", "trunk");
  await scene.history.land({ title: "Two" });
  expect(titlesIn(await scene.run())).toEqual(["Two"]);
  await scene.passTime();
  home.setRef("refs/heads/next", home.tip());
  home.defaultBranch = "next";
  await scene.history.land({ title: "Three" });
  expect(titlesIn(await scene.run())).toEqual(["Three"]);
  expect(scene.ledger().ledger.sources).toMatchObject([{ branch: "next" }]);
});

test("if a run cannot read all repositories, the following runs read the others", async () => {
  await using scene = await setUpUpkeep();
  const { emulated } = scene.world.github;
  const names = Array.from({ length: 160 }, (_, nth) => `acme/part-${nth}`);
  const created = names.map((name) => emulated.create(name));
  const since = new Date(emulated.site.now).toISOString();
  await scene.passTime();
  created.at(-1)?.land({ title: "In the last" });
  const inputs = { repositories: names.join("\n"), since };
  const handed: string[] = [];
  for (let run = 0; run < 4; run++) {
    const ran = await scene.run({ inputs });
    expect(ran.exitCode).toBe(0);
    handed.push(...titlesIn(ran));
    await scene.passTime();
  }
  expect(handed).toEqual(["In the last"]);
});

test("a source that is less visible than the repository fails with invalid-input before anything is sent", async () => {
  await using scene = await setUpUpkeep();
  const code = await createCode(scene);
  code.visibility = "private";
  code.roles.set("github-actions[bot]", "read");
  code.land({ title: "Secret plans" });
  const run = await scene.run({ inputs: { repositories: CODE, since: "" } });
  expect(run.outputs.errorKind).toBe("invalid-input");
  expect(run.outputs.errorMessage).toMatch(/can be read by fewer people.*run upkeep in a private/);
  expect([await scene.world.service.requests(), scene.ledgers()]).toEqual([[], []]);
  scene.world.github.home.visibility = "private";
  const allowed = await scene.run({ inputs: { repositories: CODE, since: "" } });
  expect(titlesIn(allowed)).toEqual(["Secret plans"]);
});

test("a second workflow with other filters fails until it sets name, and then misses no change", async () => {
  await using scene = await setUpUpkeep();
  const env = (file: string) => ({ GITHUB_WORKFLOW_REF: `acme/docs/${file}@refs/heads/main` });
  const first = ".github/workflows/api.yml";
  scene.history.home.push({ files: { [first]: "on: push\n" }, message: "Add a workflow" });
  await scene.run({ env: env(first), inputs: { paths: "api/**" } });
  await scene.history.land({ title: "For the guide" });
  const other = { env: env(".github/workflows/guide.yml"), inputs: { paths: "**" } };
  const refused = await scene.run(other);
  expect(refused.outputs.errorKind).toBe("invalid-input");
  expect(refused.outputs.errorMessage).toContain(`this ledger is kept by ${first}`);
  const named = await scene.run({ ...other, inputs: { ...other.inputs, name: "guide" } });
  expect(titlesIn(named)).toContain("For the guide");
  // After the first workflow's file is removed, the second one takes over its ledger.
  scene.history.home.push({ message: "Remove it", files: { [first]: null } });
  expect((await scene.run(other)).exitCode).toBe(0);
});

test("legs of a matrix with different filters are refused, but a later run with changed filters is not", async () => {
  await using scene = await setUpUpkeep();
  const leg = { runId: "77", inputs: { paths: "api/**" } };
  await scene.run(leg);
  const refused = await scene.run({ ...leg, inputs: { paths: "**" } });
  expect(refused.outputs.errorMessage).toContain("another step of");
  expect((await scene.run({ runId: "78", inputs: { paths: "**" } })).exitCode).toBe(0);
});

test("the docs pull request of another project's ledger does not count as a change", async () => {
  await using scene = await setUpUpkeep({
    service: {
      projects: [
        { id: "acme-docs", repository: "acme/docs" },
        { id: "other-docs", repository: "acme/docs" },
      ],
    },
  });
  const other = { inputs: { "project-id": "other-docs" } };
  await scene.history.land({ title: "One" });
  await scene.run(other);
  await scene.passTime();
  const done = await scene.run(other);
  const { prLink } = JSON.parse(done.outputs.finished ?? "")[0];
  await scene.history.merge(pullNumberOf(prLink));
  expect(titlesIn(await scene.run())).toEqual(["One"]);
  const [newest] = await scene.dashboards();
  expect(newest?.body).toMatch(/## Passed over[\s\S]*opened by the documentation agent/);
});
